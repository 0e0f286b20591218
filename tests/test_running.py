"""A whole run of a service, as operators see it: its metrics and its log tell exactly what it was
asked, right across workers, and hold no secret."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from tests.conformance import Contract
from tests.observed import WATCHERS, Run, observe, sample, samples
from tests.queries import ADDED, OF_PROMETHEUS, Query, dashboard, of_the_alerts, of_the_dashboard

#: What the tests ask to see whether the service is there, and what operators' tools ask.
PROBES = ("/healthz", "/metrics", "/readyz")
RFC3339 = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
FACTS = {
    *("time", "level", "message", "request_id", "method", "route", "game", "match_id", "seat"),
    *("status", "seconds", "problem", "reason", "address", "pid"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, contract: Contract) -> Run:
    """The run, made once."""
    return observe(tmp_path_factory.mktemp("run"), contract)


# Metrics


def measured(text: str) -> Counter[tuple[str, str, int]]:
    """Requests by method, route and status."""
    found = {
        (labels["method"], labels["route"], int(labels["status"])): int(value)
        for (name, pairs), value in samples(text).items()
        if name == "croupier_request_seconds_count" and (labels := dict(pairs))
    }
    return Counter({key: count for key, count in found.items() if key[1] not in PROBES})


def test_every_worker_tells_of_all_requests_those_of_a_killed_one_too(run: Run) -> None:
    for scrape in run.scrapes:
        assert measured(scrape) == run.asked


def test_moves_and_commits_are_counted_once(run: Run) -> None:
    assert set(run.moves) == {
        (game, kind)
        for game in ("even-steven", "card-keeper", "seven-twos-tens")
        for kind in ("human", "bot")
    }
    for (game, kind), count in run.moves.items():
        assert sample(run.scrape, "croupier_moves_total", game=game, kind=kind) == count
        for status in ("waiting", "playing"):
            labels = {"game": game, "status": status}
            assert sample(run.scrape, "croupier_matches_total", **labels) == 1
    assert sample(run.scrape, "croupier_commit_conflicts_total") == 0
    count = "croupier_store_seconds_count"
    assert sample(run.scrape, count, operation="commit") == run.commits
    assert sample(run.scrape_with_watchers, "croupier_worker_starts_total") == 2
    assert sample(run.scrape, "croupier_worker_starts_total") == 3, "one was killed"


def test_watchers_are_counted_while_they_watch(run: Run) -> None:
    assert sample(run.scrape_with_watchers, "croupier_watchers") == WATCHERS
    # Those of the killed worker count no more.
    assert sample(run.scrape_after_a_death, "croupier_watchers") == run.watchers_left
    assert sample(run.scrape, "croupier_watchers") == 0


def test_no_label_holds_what_there_may_be_any_number_of(run: Run) -> None:
    for secret in run.secrets | run.match_ids:
        assert secret not in run.scrape
    labels = {name for _, pairs in samples(run.scrape) for name, _ in pairs}
    assert labels == {"method", "route", "status", "game", "kind", "operation", "limit", "le"}


# The log


def test_there_is_one_line_for_each_request(run: Run) -> None:
    told = Counter((x["method"], x["route"], x["status"]) for x in run.lines("request"))
    assert told + run.cut_off == run.asked


def test_every_line_is_json_with_the_same_members(run: Run) -> None:
    for line in run.lines():
        assert RFC3339.fullmatch(line["time"])
        assert line["level"] in ("info", "warning", "error")
        assert isinstance(line["pid"], int)
    for line in run.lines("request"):
        assert set(line) <= FACTS
        assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", line["request_id"])
        assert 0 <= line["seconds"] < 60 if "seconds" in line else line["method"] == "other"
        assert line["level"] == "info"


def test_a_line_tells_match_seat_and_what_was_refused(run: Run) -> None:
    lines = run.lines("request")
    (wrong,) = (line for line in lines if line["request_id"] == "chosen-by-the-client")
    assert (wrong["problem"], wrong["status"]) == ("unauthorized", 401)
    moves = [x for x in lines if x["route"].endswith("/moves") and x["status"] == 200]
    assert {line["match_id"] for line in moves} == run.match_ids
    assert {line["seat"] for line in moves} == {0, 1}
    assert all(line["game"] in line["route"] for line in moves)
    made = [x for x in lines if x["route"].endswith("/matches") and x["status"] == 201]
    assert {line["match_id"] for line in made} == run.match_ids
    joined = [x for x in lines if x["route"].endswith("/seats")]
    assert {line["seat"] for line in joined} == {1}
    # A path that leads nowhere may hold anything.
    (nowhere,) = (x for x in lines if x["status"] == 404 and "<match_id>" in x["route"])
    assert "match_id" not in nowhere


def test_what_is_no_http_has_its_line_with_the_answers_request_id(run: Run) -> None:
    (line,) = (x for x in run.lines("request") if x["method"] == "other" and x["status"] == 400)
    assert line["reason"] == "InvalidHeader"
    assert line["address"] == "127.0.0.1"


def test_the_start_and_the_end_of_a_worker_are_told(run: Run) -> None:
    first, *_ = run.lines()
    assert first["message"] == "open"
    assert first["url"].startswith("http://127.0.0.1:")
    (death,) = (x for x in run.lines() if x["level"] == "error")
    assert "was sent SIGKILL" in death["message"]


def test_the_log_holds_no_secret(run: Run) -> None:
    assert len(run.secrets) > 30
    assert not [secret for secret in run.secrets if secret in run.log]


# Dashboard and alerts


QUERIES = [*of_the_dashboard(), *of_the_alerts()]


def values(text: str) -> dict[str, dict[str, set[str]]]:
    """By series and by label: the values that there are."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, pairs in samples(text):
        labels = found.setdefault(name, {})
        for label, value in pairs:
            labels.setdefault(label, set()).add(value)
    return found


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.where)
def test_every_query_asks_for_what_the_service_tells(run: Run, query: Query) -> None:
    told = values(run.scrape)
    asked = list(query.series())
    assert asked
    labels = set(ADDED)
    for series in asked:
        if series.name in OF_PROMETHEUS:
            continue
        assert series.name in told, series.name
        labels |= told[series.name].keys()
        for matcher in series.matchers.matchers:
            if matcher.name not in ADDED:
                there = told[series.name][matcher.name]
                # Errors of the service itself are what a good run has none of.
                assert matcher.value == "5.." or any(
                    re.fullmatch(matcher.value, value) for value in there
                ), str(matcher)
    assert query.kept() <= labels
    assert query.shown <= (query.kept() or labels)


def test_a_wrong_query_is_caught() -> None:
    for text in ("rate(croupier_moves_total)", "sum by (game (croupier_moves_total)", "{"):
        with pytest.raises(ValueError, match=r"."):
            list(Query("", text, frozenset()).series())


def test_the_dashboard_shows_every_metric(run: Run) -> None:
    shown = {series.name for query in of_the_dashboard() for series in query.series()}
    families = {re.sub("_(bucket|count|sum)$", "", name) for name in values(run.scrape)}
    assert {re.sub("_(bucket|count|sum)$", "", name or "") for name in shown} == families


def test_the_dashboard_can_be_imported() -> None:
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    covered = [
        (x, y)
        for p in places
        for x in range(p["x"], p["x"] + p["w"])
        for y in range(p["y"], p["y"] + p["h"])
    ]
    assert len(covered) == len(set(covered)), "panels overlap"
    assert max(x for x, _ in covered) < 24
    variables = {variable["name"] for variable in dashboard()["templating"]["list"]}
    used = set(re.findall(r"\$\{?(?!__)(\w+)", json.dumps(panels)))
    assert used == variables
