"""Log lines: what they tell of requests that go wrong, and what never gets into them.

`tests/test_running.py` reads the log of a whole service."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask import Flask
from werkzeug.test import Client

from api import create_app, logs, tokens
from api.config import Config
from api.store.redis import RedisStore
from engine import Match
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import Service, eventually

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What is logged while a test runs, at every level, as JSON lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    level = logs.log.level
    logs.log.addHandler(handler)
    logs.log.setLevel(logging.DEBUG)
    yield stream
    logs.log.setLevel(level)
    logs.log.removeHandler(handler)


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    """The same, read."""
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def break_on(monkeypatch: pytest.MonkeyPatch, error: Callable[[Match], Exception]) -> None:
    """Lets every move break the engine."""

    def play(match: Match, *_: Any, **__: Any) -> NoReturn:
        raise error(match)

    monkeypatch.setattr(Match, "play", play)


def test_an_error_has_its_trace_in_the_line_and_not_in_the_answer(
    client: CheckedClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = Seats.create(client)
    break_on(monkeypatch, lambda match: RuntimeError(f"a mistake\nat version {match.version}"))
    answer = seats.move(0, {"action": "draw"})
    assert answer.status_code == 500
    assert "mistake" not in answer.text
    assert "Traceback" not in answer.text
    (line,) = (line for line in lines() if "trace" in line)
    assert line["request_id"] == answer.headers["X-Request-Id"]
    assert line["trace"].startswith("Traceback (most recent call last):\n")
    assert line["trace"].endswith("RuntimeError: a mistake\nat version 0\n")
    assert (line["level"], line["status"], line["seat"]) == ("error", 500, 0)
    assert line["problem"] == "internal-error"
    # The next request on the connection begins afresh.
    seats.view()
    assert "trace" not in lines()[-1]


def test_a_trace_holds_no_token_no_key_and_no_seed(
    client: CheckedClient, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tokens.new_token()
    seeds = ("a seed, of (some) words", "Ada's part", "Ben's")
    named = [{"name": "Ada", "client_seed": seeds[1]}, {"name": "Ben", "client_seed": seeds[2]}]
    seats = Seats.create(client, seats=named, seed=seeds[0])
    key = "key+with*signs?"
    hidden = [seats.tokens[0], other, key, *seeds]
    break_on(monkeypatch, lambda match: ValueError(f"{hidden} {match.seed} {match.seats}"))
    answer = seats.move(0, {"action": "draw"}, **{"Idempotency-Key": key})
    assert answer.status_code == 500
    assert "ValueError: ['***'" in stream.getvalue()
    for secret in hidden:
        assert secret not in stream.getvalue()


def test_a_seed_that_nobody_chose_is_kept_as_well(
    client: CheckedClient, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []

    def new(*_: Any, seed: str, **__: Any) -> NoReturn:
        found.append(seed)
        raise ValueError(seed)

    monkeypatch.setattr(Match, "new", new)
    assert client.post("/v1/games/even-steven/matches", json={"seats": [{}, {}]}).status_code == 500
    assert "ValueError: ***" in stream.getvalue()
    assert found[0] not in stream.getvalue()


def test_a_store_that_is_away_is_a_warning_with_its_reason(lines: Lines) -> None:
    nowhere = RedisStore("redis://:hunter2@localhost:1", ttl_seconds=60)
    client = create_app(Config(rate_limit=None), store=nowhere).test_client()
    assert client.get("/readyz").status_code == 503
    (line,) = lines()
    assert (line["level"], line["status"], line["problem"]) == ("warning", 503, "store-unavailable")
    assert line["reason"].startswith("Redis cannot be reached")
    assert "localhost" not in json.dumps(line)


def test_probes_are_told_at_debug_and_all_else_at_info(client: CheckedClient, lines: Lines) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/v1/games", "/nothing/here"):
        client.get(path)
    assert [(line["route"], line["level"]) for line in lines()] == [
        ("/healthz", "debug"),
        ("/readyz", "debug"),
        ("/metrics", "debug"),
        ("/v1/games", "info"),
        ("none", "info"),
    ]


def test_a_stream_is_told_when_it_ends_with_the_time_it_took(
    app: Flask, client: CheckedClient, lines: Lines
) -> None:
    seats = Seats.create(client)
    seats.play_on()
    before = len(lines())
    asked = {"Accept": "text/event-stream", **seats.auth(1)}
    answer = Client(app).get(f"{seats.path}/events", headers=asked, buffered=False)
    next(answer.iter_encoded())
    assert len(lines()) == before
    answer.close()
    (line,) = lines()[before:]
    assert (line["status"], line["seat"], line["match_id"]) == (200, 1, seats.match_id)


def test_a_stream_that_breaks_has_its_trace_told(
    app: Flask, client: CheckedClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = Seats.create(client)

    def show(*_: Any) -> NoReturn:
        raise RuntimeError("a mistake")

    monkeypatch.setattr(Match, "show", show)
    asked = {"Accept": "text/event-stream"}
    answer = Client(app).get(f"{seats.path}/events", headers=asked, buffered=False)
    with pytest.raises(RuntimeError):
        list(answer.iter_encoded())
    answer.close()
    line = lines()[-1]
    assert (line["level"], line["request_id"]) == ("error", answer.headers["X-Request-Id"])
    assert line["trace"].endswith("RuntimeError: a mistake\n")


def record(message: str, **facts: Any) -> logging.LogRecord:
    """A record as the service logs it, or without facts as others do."""
    made = logging.LogRecord("croupier", logging.INFO, "", 0, message, (), None)
    made.created = 1_700_000_000.25
    if facts:
        made.facts = facts
    return made


def test_both_forms_tell_the_same() -> None:
    made = record("request", status=200, seconds=0.5)
    assert json.loads(logs.JsonLines().format(made)) == {
        "time": "2023-11-14T22:13:20.250Z",
        "level": "info",
        "message": "request",
        "status": 200,
        "seconds": 0.5,
        "pid": made.process,
    }
    plain = "2023-11-14T22:13:20.250Z info    request status=200 seconds=0.5"
    assert logs.PlainLines().format(made) == plain
    assert (
        logs.PlainLines()
        .format(record("request", trace="Trace\nback\n"))
        .endswith("request\nTrace\nback")
    )


def test_a_line_stays_one_line_whatever_is_told() -> None:
    token = tokens.new_token()
    line = logs.JsonLines().format(record(f"half a pair \ud800\n{token}\x00"))
    assert json.loads(line)["message"] == "half a pair \\ud800\n***\x00"
    assert "\n" not in line


def test_without_a_terminal_the_log_is_json_and_at_warning_it_tells_of_trouble_alone(
    tmp_path: Path,
) -> None:
    settings = {"CROUPIER_LOG_FORMAT": None, "CROUPIER_LOG_LEVEL": "warning"}
    with Service(tmp_path, **settings) as service:
        service.ready()
        banner = service.output
        os.kill(min(service.workers()), signal.SIGKILL)
        os.kill(service.valkey(), signal.SIGKILL)

        def told(message: str) -> dict[str, Any]:
            said = map(json.loads, service.output.removeprefix(banner).splitlines())
            return next((line for line in said if message in line["message"]), {})

        assert eventually(lambda: told("was sent SIGKILL"))["level"] == "error"
        assert eventually(lambda: told("the embedded Valkey died"))["level"] == "warning"
    assert len(banner.splitlines()) == 3
