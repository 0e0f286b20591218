"""A service on one machine, with its own store: rivals race for every seat, and its workers and its
Valkey are killed under the load."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from tests.faults.chaos import MOVES, QUIET, SOAK, TABLES, TIMES
from tests.faults.checker import Verdict, check
from tests.faults.load import Load
from tests.services import Service, eventually


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One of which every test leaves as much behind."""
    place = tmp_path_factory.mktemp("one-machine")
    with Service(place, CROUPIER_WORKERS="4" if SOAK else "2", **QUIET) as service:
        yield service.ready()


def nothing_lost(load: Load) -> Verdict:
    """The verdict on a run, which has no problems."""
    verdict = check(load.stop())
    assert not verdict.problems, str(verdict)
    return verdict


def test_rivals_make_a_history_that_is_linearizable(service: Service) -> None:
    """Many clients on few matches, several for each seat: whatever they were told fits together,
    by the engine and by the times of all requests; see `states`."""
    url = service.url
    with Load(
        [url], seed="rivals", tables=TABLES, seats=3, rivals=3, watchers=(None, 0, 1)
    ) as load:
        for _ in range(40 if SOAK else 1):
            load.until(3 * MOVES)
        history = load.stop()
    verdict = check(history)
    assert not verdict.problems, str(verdict)
    assert verdict.counts["unanswered"] == verdict.counts["503"] == 0
    refused = [
        request.answer.status
        for match in history.matches
        for request in match.moves()
        if request.answer and request.answer.status != 200
    ]
    # They did race: with If-Match and without, on the same version and on a later one.
    assert refused.count(412) > 10
    assert refused.count(409) > 10


def test_a_worker_killed_every_second_loses_nothing(service: Service) -> None:
    """The oldest one each time, so that at some time it is one with connections, and may be the
    last one that serves. Then everybody waits for a new one, which takes more than a second to
    come; so the next one is killed only when something has been done."""
    with Load([service.url], seed="workers", tables=TABLES) as load:
        for _ in range(TIMES):
            load.until(MOVES)
            os.kill(min(service.workers()), signal.SIGKILL)
            time.sleep(1)
        load.until(MOVES)
        assert nothing_lost(load).counts["unanswered"] > 0


def test_a_valkey_that_is_killed_again_and_again_loses_nothing(service: Service) -> None:
    before = service.output.count("starting it again")
    with Load([service.url], seed="killed", tables=TABLES) as load:
        for _ in range(TIMES):
            load.until(MOVES)
            os.kill(eventually(service.valkey), signal.SIGKILL)
        load.until(MOVES)
        assert nothing_lost(load).counts["503"] > 0
    assert service.output.count("starting it again") == before + TIMES
