"""The queries of the dashboard and of the alerts, read as Prometheus reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import promql_parser
import yaml

from tests.markdown import page

#: What Prometheus itself adds to every series, and says of every service that it asks.
ADDED = {"job", "instance"}
OF_PROMETHEUS = {"up"}


@dataclass(frozen=True)
class Query:
    """An expression, and where labels of its result are shown."""

    where: str
    text: str
    shown: frozenset[str]

    def parts(self) -> Iterator[promql_parser.Expr]:
        """Every part of it. Raises ValueError when it is no PromQL."""
        found: list[promql_parser.Expr] = []
        # Grafana's variables stand for a length of time, or within a text.
        text = self.text.replace("$__rate_interval", "5m")
        promql_parser.walk(promql_parser.parse(text), found.append)
        yield from found

    def series(self) -> Iterator[promql_parser.VectorSelector]:
        """The series that it asks for."""
        for part in self.parts():
            if isinstance(part, promql_parser.VectorSelector):
                yield part

    def kept(self) -> set[str]:
        """The labels that its aggregations keep."""
        return {
            label
            for part in self.parts()
            if isinstance(part, promql_parser.AggregateExpr) and part.modifier is not None
            for label in part.modifier.labels
        }


def dashboard() -> dict[str, Any]:
    """The dashboard."""
    found: dict[str, Any] = json.loads(page("deploy/grafana/croupier.json"))
    return found


def of_the_dashboard() -> list[Query]:
    """Every query of a panel."""
    return [
        Query(
            panel["title"],
            target["expr"],
            frozenset(re.findall(r"{{(\w+)}}", target["legendFormat"])),
        )
        for panel in dashboard()["panels"]
        for target in panel.get("targets", [])
    ]


def alerts() -> list[dict[str, Any]]:
    """Every alert."""
    (group,) = yaml.safe_load(page("deploy/prometheus/alerts.yaml"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def of_the_alerts() -> list[Query]:
    """Every query of an alert."""
    return [
        Query(
            alert["alert"],
            alert["expr"],
            frozenset(re.findall(r"\$labels\.(\w+)", alert["annotations"]["summary"])),
        )
        for alert in alerts()
    ]
