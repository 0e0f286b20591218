"""The page on operations holds: its tables say what code, metrics, log and alerts say."""

from __future__ import annotations

import inspect
import re
import runpy

import yaml
from prometheus_client.metrics import MetricWrapperBase

from api import connections, metrics, observing, retries, service, watching, wire
from api.schemas.queries import LONGEST_WAIT
from api.store import redis_server
from tests.markdown import blocks, page, table
from tests.queries import alerts
from tests.services import ROOT
from tests.test_running import FACTS

PAGE = page("docs/operations.md")


def test_the_metrics_are_those_that_there_are() -> None:
    found = [
        [
            f"`{metric._name}`",
            ", ".join(f"`{label}`" for label in metric._labelnames),
            metric._documentation,
        ]
        for _, metric in inspect.getmembers(
            metrics, lambda value: isinstance(value, MetricWrapperBase)
        )
    ]
    assert sorted(table(PAGE, "Metric")) == sorted(found)


def test_the_members_of_a_line_are_those_that_there_are() -> None:
    assert {row[0].strip("`") for row in table(PAGE, "Member")} == FACTS | {"trace", "trace_id"}


def test_the_alerts_are_those_that_there_are() -> None:
    assert [row[0] for row in table(PAGE, "Alert")] == [f"`{alert['alert']}`" for alert in alerts()]
    (block,) = blocks(PAGE, "yaml")
    (job,) = yaml.safe_load(block.code)["scrape_configs"]
    down = next(alert["expr"] for alert in alerts() if alert["alert"] == "CroupierDown")
    assert f'job="{job["job_name"]}"' in down


def longest(pattern: re.Pattern[str]) -> int:
    """The most characters that a pattern takes."""
    return int(re.findall(r"\{1,(\d+)\}$", pattern.pattern)[0])


def test_the_limits_are_those_of_the_code() -> None:
    server = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    contract = yaml.safe_load(page("openapi.yaml"))["components"]["schemas"]
    create = contract["EvenStevenCreate"]["properties"]
    fields, size = server["limit_request_fields"], server["limit_request_field_size"]
    seconds = "seconds"
    assert table(PAGE, "What", "Limit") == [
        ["the body of a request", f"{wire.MAX_BODY} bytes"],
        ["the first line of a request", f"{server['limit_request_line']} bytes"],
        ["headers of a request", f"{fields}, of {size} bytes each"],
        ["the head of a request", f"{connections.LONGEST_HEAD} bytes"],
        ["the time for a head, from its first byte", f"{connections.HEAD:g} {seconds}"],
        ["the time for a body, from then on", f"{connections.BODY:g} {seconds}"],
        ["a connection on which nothing is asked", f"{server['keepalive']} {seconds}"],
        ["an `Idempotency-Key`", f"{longest(retries._KEY)} characters"],
        ["an `X-Request-Id`, to be taken over", f"{longest(observing._REQUEST_ID)} characters"],
        ["a seed", f"{create['seed']['maxLength']} characters"],
        ["a name", f"{contract['JoinRequest']['properties']['name']['maxLength']} characters"],
        ["events of a page", f"{most_events()}"],
        ["a long poll", f"{LONGEST_WAIT} {seconds}"],
        ["silence on a stream until a sign of life", f"{watching.KEEPALIVE:g} {seconds}"],
        ["a reader that takes nothing of its answer", f"{connections.STUCK:g} {seconds}"],
        ["moves that bots make within one request", f"{service.BOT_MOVES}"],
        ["connections of a worker, watchers among them", f"{server['worker_connections']}"],
        ["tries of a commit that loses races, before `503`", f"{service.TRIES}"],
        [
            "waiting for the store, for a connection or an answer",
            f"{redis_server.SOCKET_TIMEOUT} {seconds}",
        ],
        [
            "an event loop that stands still, until its worker is replaced",
            f"{server['timeout']} {seconds}",
        ],
        [
            "requests that are under way when the service stops",
            f"{server['graceful_timeout']} {seconds}",
        ],
    ]


def most_events() -> int:
    """The most events of a page, as the contract has it."""
    (route,) = (
        found["get"]
        for path, found in yaml.safe_load(page("openapi.yaml"))["paths"].items()
        if path.startswith("/v1/games/even-steven/") and path.endswith("/events")
    )
    (limit,) = (p["schema"] for p in route["parameters"] if p.get("name") == "limit")
    return int(limit["maximum"])
