"""A service that is told to stop: no request is lost, and whoever spreads requests over several
instances is told in time."""

from __future__ import annotations

import http.client
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import requests

from tests.faults.balancer import Balancer, wait_until
from tests.faults.chaos import MOVES, QUIET, SOAK, TABLES
from tests.faults.checker import Verdict, check
from tests.faults.line import connect
from tests.faults.load import Load
from tests.services import Service, eventually
from tests.valkey import Server

#: Seconds that an instance serves on; the balancer looks five times a second.
DRAIN = "1"
MATCH = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}


def nothing_failed(verdict: Verdict) -> None:
    """No problem, and not even an answer that makes a client ask again."""
    assert not verdict.problems, verdict
    assert verdict.counts["unanswered"] == verdict.counts["503"] == 0, verdict


def ask(connection: http.client.HTTPConnection, path: str = "/healthz") -> tuple[int, str]:
    """The status of an answer on a kept connection, and whether it is kept any longer."""
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    return response.status, response.headers["Connection"]


def test_a_rolling_restart_behind_a_balancer_fails_no_request(tmp_path: Path) -> None:
    with Server() as valkey, Balancer() as balancer, ExitStack() as stack:

        def start(number: int) -> Service:
            place = tmp_path / f"{number}"
            place.mkdir()
            service = Service(place, REDIS_URL=valkey.url, CROUPIER_DRAIN_SECONDS=DRAIN, **QUIET)
            stack.enter_context(service).ready()
            balancer.instances.append(service.url)
            wait_until(balancer, 2 if number else 1)
            return service

        running = [start(0), start(1)]
        with Load([balancer.url], seed="rolling", tables=TABLES) as load:
            for number in range(2, 8 if SOAK else 3):
                load.until(MOVES)
                oldest = running.pop(0)
                oldest.send(signal.SIGTERM)
                assert oldest.ended() == 0
                assert oldest.output.count("\n") == 3, oldest.output
                running += [start(number)] if SOAK else []
            load.until(MOVES)
            verdict = check(load.stop())
    nothing_failed(verdict)
    assert balancer.refused == 0


def test_a_service_that_is_to_stop_says_so_serves_on_and_loses_nothing_that_is_asked(
    tmp_path: Path,
) -> None:
    """Three connections are kept when it stops: one on which a long poll waits, one that asks once
    more, and one that is idle."""
    with (
        Service(tmp_path, CROUPIER_DRAIN_SECONDS="60", **QUIET) as service,
        ThreadPoolExecutor() as pool,
        ExitStack() as stack,
    ):
        url = service.ready().url
        matches = "/v1/games/even-steven/matches"
        made = requests.post(url + matches, json=MATCH, timeout=5).json()
        kept, waiting, asking, idle = (stack.enter_context(closing(connect(url))) for _ in range(4))
        for connection in (kept, waiting, asking, idle):
            assert ask(connection) == (200, "keep-alive")
        last = made["view"]["last_seq"]
        poll = pool.submit(
            ask, waiting, f"{matches}/{made['match_id']}/events?wait=60&after={last}"
        )
        time.sleep(0.3)

        service.send(signal.SIGTERM)
        eventually(lambda: requests.get(f"{url}/readyz", timeout=5).status_code == 503)
        told = requests.get(f"{url}/readyz", timeout=5)
        assert (told.json()["type"], told.headers["Retry-After"]) == ("/problems/leaving", "2")
        assert ask(kept) == (200, "close")
        assert requests.post(url + matches, json=MATCH, timeout=5).status_code == 201
        assert requests.get(f"{url}/healthz", timeout=5).status_code == 200
        assert not poll.done()

        service.send(signal.SIGTERM)  # told again, it serves on no longer
        assert poll.result(10) == (200, "close")
        assert ask(asking) == (200, "close")
        assert idle.sock.recv(1) == b""
        assert service.ended() == 0
        assert service.output.count("\n") == 3, service.output
