"""A store behind Sentinels: what it may lose when it follows them to a new primary."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from api.store import Answer, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, move
from tests.many_valkeys import HOST, SERVICE, Node, Watched, free_ports
from tests.services import eventually

SERVED_AGAIN = 20.0
"""Seconds within which Sentinels have made another primary, on however busy a machine."""

StoreMaker = Callable[[int], RedisStore]


@pytest.fixture
def watched() -> Iterator[Watched]:
    with Watched(replicas=2) as watched:
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


def test_a_failover_loses_what_no_replica_had_and_none_of_it_was_confirmed(
    watched: Watched, new_store: StoreMaker
) -> None:
    careful, hasty, primary = new_store(1), new_store(0), watched.primary
    replicas = watched.replicas
    for match_id in ("careful", "hasty"):
        careful.commit(creation(match_id))
    for replica in replicas:
        replica.pause()
    # What was already sent to them would still reach them.
    primary.ask("CLIENT", "KILL", "TYPE", "replica")
    assert hasty.commit(move(0, "hasty")) is Outcome.COMMITTED
    sent = move(0, "careful", answer=Answer("k", b"the answer"))
    with pytest.raises(StoreUnavailable, match="too few replicas") as caught:
        careful.commit(sent)
    assert caught.value.maybe_done
    listener = careful.listen()
    primary.pause()
    for replica in replicas:
        replica.resume()
    eventually(lambda: watched.primary is not primary, within=SERVED_AGAIN)
    assert patiently(lambda: careful.load("careful", "k")) == Loaded(version=0, state=b"dealt")
    assert patiently(lambda: careful.commit(sent)) is Outcome.COMMITTED
    assert careful.load("hasty") == Loaded(version=0, state=b"dealt"), "it was acknowledged"
    with pytest.raises(StoreUnavailable):
        # Its connection is as it was: nothing has broken yet.
        listener.hear(0.1)
    listener.close()


def test_sentinels_that_cannot_be_reached_are_an_unavailable_store_without_their_address() -> None:
    url = f"redis+sentinel://:s3cret@{HOST}:1,{HOST}:2/{SERVICE}?sentinel_password=s3cret"
    store = RedisStore(url, ttl_seconds=TTL_SECONDS)
    for call in (lambda: store.load(MATCH), store.ping, store.listen):
        with pytest.raises(StoreUnavailable) as caught:
            call()
        for part in ("s3cret", HOST, SERVICE):
            assert part not in str(caught.value)


def test_a_primary_that_refuses_is_left_where_another_sentinel_knows_a_better_one() -> None:
    """As when it is cut off from the others, together with a Sentinel: neither has noticed that it
    was replaced."""
    ports = free_ports(4)

    def watch(port: int) -> str:
        return f"sentinel monitor {SERVICE} {HOST} {port} 1"

    with (
        Node(ports[0], min_replicas_to_write=1) as cut_off,
        Node(ports[1]) as primary,
        Node(ports[2], sentinel=watch(cut_off.port)) as beside,
        Node(ports[3], sentinel=watch(primary.port)) as elsewhere,
    ):
        url = f"redis+sentinel://{HOST}:{beside.port},{HOST}:{elsewhere.port}/{SERVICE}"
        store = RedisStore(url, ttl_seconds=TTL_SECONDS)
        with pytest.raises(StoreUnavailable, match="NOREPLICAS"):
            store.commit(creation())
        assert store.commit(creation()) is Outcome.COMMITTED
        assert primary.ask("DBSIZE") == 2
        store.close()
