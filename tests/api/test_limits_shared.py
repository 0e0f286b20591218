"""Limits over real workers: shared by all of them, met by nobody who plays, and right behind a
proxy."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from tests.conformance import Contract
from tests.rush import Remote
from tests.seats import Seats
from tests.services import GUNICORN, Service, eventually
from tests.streams import SSE, watching

HASTY = (*GUNICORN, "tests.hasty:app")
WORKERS = 2
LIMIT = 128
LIMITS = f"address={LIMIT},token=1000000,streams=6"


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two workers behind a proxy at this machine's own address."""
    place = tmp_path_factory.mktemp("limited")
    settings = {"CROUPIER_RATE_LIMIT": LIMITS, "CROUPIER_TRUSTED_PROXIES": "127.0.0.0/8"}
    with Service(place, command=HASTY, CROUPIER_WORKERS=str(WORKERS), **settings) as service:
        yield service.ready()


def in_one_minute() -> None:
    """Waits where the minute has not enough left for a test."""
    if (gone := time.time() % 60) > 25:
        time.sleep(60.5 - gone)


def ask(service: Service, address: str) -> int:
    """The status of a request that the proxy passes on. It may go to any worker."""
    headers = {"X-Forwarded-For": f"203.0.113.1, {address}"}
    return requests.get(f"{service.url}/nowhere", headers=headers, timeout=30).status_code


def test_workers_share_their_counts(limited: Service) -> None:
    """Each tells the others when it has counted a sixteenth, so they let little more pass."""
    in_one_minute()
    answers = [ask(limited, "198.51.100.7") for _ in range(LIMIT + 60)]
    assert set(answers) == {404, 429}
    assert LIMIT <= answers.count(404) <= LIMIT + WORKERS * (LIMIT // 16 + 2)
    assert set(answers[-20:]) == {429}
    assert ask(limited, "198.51.100.8") == 404, "who comes through the same proxy is another"


def test_workers_share_their_streams(limited: Service, contract: Contract) -> None:
    seats = Seats.create(Remote(limited.url, contract))
    path = f"{limited.url}{seats.path}/events"

    def refused() -> bool:
        with requests.get(path, headers={"Accept": SSE}, stream=True, timeout=30) as answer:
            return answer.status_code == 429

    with ExitStack() as stack:
        for _ in range(6):
            stack.enter_context(watching(limited.url, seats, None, SSE))
        assert eventually(refused)
        # Each worker that had not heard of all of them may have let one pass, which is gone again.
        assert eventually(lambda: all(refused() for _ in range(4 * WORKERS)))
    assert eventually(lambda: not refused())


def test_who_plays_hundreds_of_moves_a_minute_meets_no_limit(tmp_path: Path) -> None:
    """With the limits that are set by default: one token, a look before each move, no pause."""
    with (
        Service(tmp_path, CROUPIER_RATE_LIMIT=None, CROUPIER_WORKERS="2") as service,
        requests.Session() as session,
    ):
        matches, moves = f"{service.ready().url}/v1/games/seven-twos-tens/matches", 0
        while moves < 300:
            asked = {"seats": [{}, {"bot": "random"}], "options": {"rounds": 20}}
            made = session.post(matches, json=asked, timeout=30).json()
            path = f"{matches}/{made['match_id']}"
            session.headers["Authorization"] = f"Bearer {made['seats'][0]['token']}"
            while moves < 300 and (legal := session.get(path, timeout=30).json()["legal_moves"]):
                answer = session.post(f"{path}/moves", json=legal[0], timeout=30)
                assert answer.status_code == 200, answer.text
                assert '"token";r=' in answer.headers["RateLimit"]
                moves += 1
