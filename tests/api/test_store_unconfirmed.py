"""A store whose replica is away, where one has to confirm, seen through the service: nothing is
told that may yet be lost, and the same request tells in the end what became of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from api import create_app
from api.config import Config
from api.store import Commit, CommitResult
from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.many_valkeys import HOST, Node, followed
from tests.seats import Seats
from tests.services import eventually

MOVE = {"action": "play", "card": "7H"}
KEY = {"Idempotency-Key": "the-same"}


@pytest.fixture
def pair() -> Iterator[tuple[Node, Node]]:
    with followed() as pair:
        yield pair


@pytest.fixture
def store(pair: tuple[Node, Node]) -> Iterator[RedisStore]:
    url = f"redis://{HOST}:{pair[0].port}"
    store = RedisStore(url, ttl_seconds=3600, wait_replicas=1)
    yield store
    store.close()


@pytest.fixture
def app(store: RedisStore) -> Flask:
    return create_app(Config(rate_limit=None), store=store)


def version(primary: Node, seats: Seats) -> bytes | None:
    """The version that the primary has, confirmed or not."""
    with primary.client() as peek:
        kept: bytes | None = peek.hget(f"croupier:{{{seats.match_id}}}:match", "version")
        return kept


def test_a_move_in_doubt_is_told_by_its_key_once_a_replica_has_it(
    client: CheckedClient,
    store: RedisStore,
    pair: tuple[Node, Node],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seats, (primary, replica) = placed(client, store, POSITIONS["even-steven"]()), pair
    commit = store.commit

    def committed_alone(change: Commit) -> CommitResult:
        replica.pause()
        return commit(change)

    with monkeypatch.context() as patched:
        patched.setattr(store, "commit", committed_alone)
        first = seats.move(0, MOVE, **KEY)
    assert version(primary, seats) == b"1", "it was made, and nobody has confirmed it"
    for answer in (first, seats.move(0, MOVE, **KEY), seats.get(0), seats.get(None)):
        assert answer.status_code == 503
        assert "the same Idempotency-Key tells" in answer.get_json()["detail"]
    replica.resume()
    assert eventually(lambda: seats.get(0).status_code == 200)
    told = seats.move(0, MOVE, **KEY)
    assert (told.status_code, told.headers["Idempotent-Replayed"]) == (200, "true")
    assert told.get_json()["version"] == seats.view(0)["version"] == 1
