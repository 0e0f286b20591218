"""Metrics in one process: what is counted, and when. `tests/test_running.py` reads those of several
workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from api import create_app
from api.config import Config
from api.store.base import Commit, CommitResult
from api.store.redis import RedisStore
from tests.conformance import CheckedClient
from tests.observed import sample
from tests.seats import Seats


@pytest.fixture
def grown(client: CheckedClient) -> Callable[..., float]:
    """By how much a sample has grown since the test began."""
    before = client.get("/metrics").text

    def growth(name: str, **labels: str) -> float:
        after = client.get("/metrics").text
        return sample(after, name, **labels) - sample(before, name, **labels)

    return growth


def test_moves_and_matches_are_counted_by_game(
    client: CheckedClient, grown: Callable[..., float]
) -> None:
    seats = Seats.create(client, "even-steven", seats=[{}, {}, {"open": True}])
    seats.tokens[2] = client.post(f"{seats.path}/seats", json={}).get_json()["token"]
    seats.play_on(moves=2)
    for status in ("waiting", "playing"):
        assert grown("croupier_matches_total", game="even-steven", status=status) == 1
    assert grown("croupier_moves_total", game="even-steven", kind="human") == 2
    assert grown("croupier_moves_total", game="even-steven", kind="bot") == 0
    client.delete(f"{seats.path}/seats/0", headers=seats.auth("host"))
    assert grown("croupier_moves_total", game="even-steven", kind="human") == 2


def test_requests_are_measured_by_route_and_status(
    client: CheckedClient, grown: Callable[..., float]
) -> None:
    client.get("/v1/games")
    client.get("/nothing/here")
    for route, status in (("/v1/games", "200"), ("none", "404")):
        labels = {"method": "GET", "route": route, "status": status}
        assert grown("croupier_request_seconds_count", **labels) == 1


class Hurried(RedisStore):
    """A store in which somebody else is faster, as often as is said."""

    faster: list[Callable[[], Any]] = []  # noqa: RUF012

    def commit(self, commit: Commit) -> CommitResult:
        if self.faster:
            self.faster.pop()()
        return super().commit(commit)


def test_a_commit_that_lost_its_race_is_counted(
    client: CheckedClient, grown: Callable[..., float], redis_url: str
) -> None:
    seats = Seats.create(client, "seven-twos-tens", humans=3)
    bodies = [seats.view(seat)["legal_moves"][0] for seat in range(3)]
    store = Hurried(redis_url, ttl_seconds=60)
    rival = create_app(Config(rate_limit=None), store=store).test_client()
    store.faster = [lambda: seats.move(1, bodies[1]), lambda: seats.move(0, bodies[0])]
    moved = rival.post(f"{seats.path}/moves", json=bodies[2], headers=seats.auth(2))
    store.close()
    assert (moved.status_code, moved.get_json()["version"]) == (200, 3)
    assert grown("croupier_commit_conflicts_total") == 2
    assert grown("croupier_store_seconds_count", operation="commit") == 6


def test_calls_that_the_store_could_not_serve_are_counted(
    client: CheckedClient, grown: Callable[..., float]
) -> None:
    nowhere = RedisStore("redis://localhost:1", ttl_seconds=60)
    alone = create_app(Config(rate_limit=None), store=nowhere).test_client()
    assert alone.get("/readyz").status_code == 503
    assert alone.get(f"/v1/games/even-steven/matches/{'a' * 16}").status_code == 503
    for operation in ("ping", "load"):
        assert grown("croupier_store_errors_total", operation=operation) == 1
        assert grown("croupier_store_seconds_count", operation=operation) == 1
    assert grown("croupier_store_errors_total", operation="commit") == 0
