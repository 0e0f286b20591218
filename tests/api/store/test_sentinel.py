"""A store behind Sentinels: it follows them to the new primary, and what a failover may lose."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest

from api.store import Answer, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, move
from tests.many_valkeys import HOST, SERVICE, Node, Watched
from tests.services import eventually

SERVED_AGAIN = 20.0
"""Seconds within which Sentinels have made another primary, on however busy a machine."""

StoreMaker = Callable[[int], RedisStore]


@pytest.fixture
def watched() -> Iterator[Watched]:
    with Watched() as watched:
        yield watched


@pytest.fixture
def new_store(watched: Watched) -> Iterator[StoreMaker]:
    """Makes stores that wait for so many replicas."""
    made: list[RedisStore] = []

    def make(wait_replicas: int) -> RedisStore:
        made.append(RedisStore(watched.url, ttl_seconds=TTL_SECONDS, wait_replicas=wait_replicas))
        return made[-1]

    yield make
    for store in made:
        store.close()


def patiently(call: Callable[[], object]) -> object:
    """What a call returns as soon as the store serves it."""
    results: list[object] = []

    def served() -> bool:
        with suppress(StoreUnavailable):
            results.append(call())
        return bool(results)

    eventually(served, within=SERVED_AGAIN)
    return results[0]


def replace(watched: Watched, primary: Node) -> None:
    """Wait until the Sentinels have made another one the primary, and bring the dead one back."""
    eventually(lambda: watched.primary is not primary, within=SERVED_AGAIN)
    primary.start()


def test_the_new_primary_is_found_and_has_what_was_confirmed(
    watched: Watched, new_store: StoreMaker
) -> None:
    store, primary = new_store(1), watched.primary
    store.commit(creation())
    sent = move(0, answer=Answer("k", b"the answer"))
    assert store.commit(sent) is Outcome.COMMITTED
    with closing(store.listen()) as listener:
        listener.subscribe(MATCH)
        assert listener.hear(5) == MATCH
        primary.kill()
        with pytest.raises(StoreUnavailable):
            listener.hear(5)
    replace(watched, primary)
    assert patiently(lambda: store.commit(sent)) is Outcome.COMMITTED
    assert store.load(MATCH, "k") == Loaded(version=1, state=b"state 1", answer=b"the answer")
    assert store.commit(move(1)) is Outcome.COMMITTED
    assert [entry.seq for entry in store.entries(MATCH, after=0, limit=9)] == [2, 4, 6]
    with closing(store.listen()) as listener:
        listener.subscribe(MATCH)
        assert listener.hear(5) == MATCH
        store.commit(move(2))
        assert listener.hear(5) == MATCH


def test_a_failover_loses_what_no_replica_had_and_none_of_it_was_confirmed(
    watched: Watched, new_store: StoreMaker
) -> None:
    careful, hasty, primary = new_store(1), new_store(0), watched.primary
    (replica,) = watched.replicas
    for match_id in ("careful", "hasty"):
        careful.commit(creation(match_id))
    replica.pause()
    # What was already sent to it would still reach it.
    primary.ask("CLIENT", "KILL", "TYPE", "replica")
    assert hasty.commit(move(0, "hasty")) is Outcome.COMMITTED
    sent = move(0, "careful", answer=Answer("k", b"the answer"))
    with pytest.raises(StoreUnavailable, match="too few replicas") as caught:
        careful.commit(sent)
    assert caught.value.maybe_done
    primary.kill()
    replica.resume()
    replace(watched, primary)
    assert patiently(lambda: careful.load("careful", "k")) == Loaded(version=0, state=b"dealt")
    assert careful.commit(sent) is Outcome.COMMITTED
    assert careful.load("hasty") == Loaded(version=0, state=b"dealt"), "it was acknowledged"


def test_a_primary_that_hangs_is_left_for_the_new_one(
    watched: Watched, new_store: StoreMaker
) -> None:
    store, primary = new_store(0), watched.primary
    store.commit(creation())
    primary.pause()
    eventually(lambda: watched.primary is not primary, within=SERVED_AGAIN)
    assert patiently(lambda: store.commit(move(0))) is Outcome.COMMITTED
    primary.resume()
    eventually(lambda: primary.replication()["role"] == "slave", within=SERVED_AGAIN)
    assert store.commit(move(1)) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=2, state=b"state 2")


def test_sentinels_that_cannot_be_reached_are_an_unavailable_store_without_their_address() -> None:
    url = f"redis+sentinel://:s3cret@{HOST}:1,{HOST}:2/{SERVICE}?sentinel_password=s3cret"
    store = RedisStore(url, ttl_seconds=TTL_SECONDS)
    for call in (lambda: store.load(MATCH), store.ping, store.listen):
        with pytest.raises(StoreUnavailable) as caught:
            call()
        for part in ("s3cret", HOST, SERVICE):
            assert part not in str(caught.value)
