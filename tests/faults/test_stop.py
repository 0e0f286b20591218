"""Services that are told to stop or to reload: no request is lost, and whoever spreads requests
over several instances is told in time."""

from __future__ import annotations

import http.client
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import requests

from tests.faults.balancer import Balancer, wait_until
from tests.faults.chaos import MOVES, QUIET, SOAK, TABLES, TIMES
from tests.faults.checker import check
from tests.faults.line import connect
from tests.faults.load import Load
from tests.services import GUNICORN, Service, children, eventually
from tests.valkey import Server

#: Seconds that an instance serves on; the balancer looks five times a second.
DRAIN = "1"
MATCH = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
#: Lines that a service prints when it starts.
GREETING = 3


@pytest.fixture(scope="module")
def valkey() -> Iterator[Server]:
    """The store of all instances."""
    with Server() as server:
        yield server


@pytest.fixture(scope="module")
def lasting(valkey: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """An instance that stays, until the last test stops it. It loads the application when there is
    no file `hold` in its data directory, and would serve on for a minute."""
    with Service(
        tmp_path_factory.mktemp("lasting"),
        command=(*GUNICORN, "tests.faults.slow_start:app"),
        REDIS_URL=valkey.url,
        CROUPIER_DRAIN_SECONDS="60",
        **QUIET,
    ) as service:
        service.data_dir.mkdir()
        yield service.ready()


def nothing_failed(load: Load) -> None:
    """No problem, and not even an answer that makes a client ask again."""
    verdict = check(load.stop())
    assert not verdict.problems, str(verdict)
    assert verdict.counts["unanswered"] == verdict.counts["503"] == 0, str(verdict)


def ask(connection: http.client.HTTPConnection, path: str = "/healthz") -> tuple[int, str]:
    """The status of an answer on a kept connection, and whether it is kept any longer."""
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    return response.status, response.headers["Connection"]


def test_instances_come_and_go_behind_a_balancer_and_no_request_fails(
    tmp_path: Path, valkey: Server, lasting: Service
) -> None:
    with Balancer() as balancer, ExitStack() as stack:
        balancer.instances.append(lasting.url)
        settings = {**QUIET, "REDIS_URL": valkey.url, "CROUPIER_DRAIN_SECONDS": DRAIN}

        def start(number: int) -> Service:
            place = tmp_path / f"{number}"
            place.mkdir()
            service = stack.enter_context(Service(place, **settings)).ready()
            balancer.instances.append(service.url)
            wait_until(balancer, 2)
            return service

        service = start(0)
        with Load([balancer.url], seed="instances", tables=TABLES) as load:
            for number in range(1, 8 if SOAK else 2):
                load.until(MOVES)
                service.send(signal.SIGTERM)
                assert service.ended() == 0
                assert service.output.count("\n") == GREETING, service.output
                load.until(MOVES)
                if SOAK:
                    service = start(number)
            nothing_failed(load)
        assert balancer.refused == 0


def test_reloads_fail_no_request_and_old_workers_serve_until_the_new_ones_do(
    lasting: Service,
) -> None:
    hold = lasting.data_dir / "hold"
    with Load([lasting.url], seed="reloads", tables=TABLES) as load:
        for _ in range(TIMES // 2):
            load.until(MOVES)
            old = children(lasting.pid)
            hold.touch()
            lasting.send(signal.SIGHUP)
            eventually(lambda old=old: children(lasting.pid) - old)
            load.until(MOVES)
            assert old < children(lasting.pid)
            hold.unlink()
            eventually(lambda old=old: old.isdisjoint(children(lasting.pid)))
        load.until(MOVES)
        nothing_failed(load)
    assert lasting.output.count("\n") == GREETING, lasting.output


def test_a_service_that_is_to_stop_says_so_serves_on_and_loses_nothing_that_is_asked(
    lasting: Service,
) -> None:
    """Three connections are kept when it stops: one on which a long poll waits, one that asks once
    more, and one that is idle."""
    with ThreadPoolExecutor() as pool, ExitStack() as stack:
        url = lasting.url
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

        lasting.send(signal.SIGTERM)
        eventually(lambda: requests.get(f"{url}/readyz", timeout=5).status_code == 503)
        told = requests.get(f"{url}/readyz", timeout=5)
        assert (told.json()["type"], told.headers["Retry-After"]) == ("/problems/leaving", "2")
        assert ask(kept) == (200, "close")
        assert requests.post(url + matches, json=MATCH, timeout=5).status_code == 201
        assert requests.get(f"{url}/healthz", timeout=5).status_code == 200
        assert not poll.done()

        lasting.send(signal.SIGTERM)  # told again, it serves on no longer
        assert poll.result(10) == (200, "close")
        assert ask(asking) == (200, "close")
        assert idle.sock.recv(1) == b""
        assert lasting.ended() == 0
        assert lasting.output.count("\n") == GREETING, lasting.output
