"""A whole run of a service, as operators see it: its metrics and its log tell exactly what it was
asked, right across workers, and hold no secret."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.conformance import Contract
from tests.observed import WATCHERS, Run, observe, sample, samples

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
    assert labels == {"method", "route", "status", "game", "kind", "operation", "le"}


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
