"""A store in a Cluster: every match is found where it is, also while its slot moves."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

import pytest
from redis.crc import key_slot

from api.store import Answer, Loaded, Outcome, StoreUnavailable, keys
from api.store.redis import RedisStore
from tests.api.store.commits import TTL_SECONDS, creation, move
from tests.many_valkeys import HOST, Node, Shards, free_ports
from tests.services import eventually

NAMES = (f"m{number}" for number in count())


@pytest.fixture(scope="module")
def shards() -> Iterator[Shards]:
    with Shards() as shards:
        yield shards


@pytest.fixture(params=[0, 1], ids=["", "with a replica that confirms"])
def store(shards: Shards, request: pytest.FixtureRequest) -> Iterator[RedisStore]:
    store = RedisStore(
        shards.url, ttl_seconds=TTL_SECONDS, cluster=True, wait_replicas=request.param
    )
    yield store
    store.close()


def slot_of(match_id: str) -> int:
    return key_slot(keys.match(match_id).encode())


def away_from(shards: Shards, slot: int) -> Node:
    """A primary that has not the slot."""
    owner = shards.owner(slot)
    return next(node for node in shards.nodes if node is not owner and shards.has_slots(node))


def test_matches_are_spread_and_each_is_where_it_belongs(store: RedisStore, shards: Shards) -> None:
    names = [next(NAMES) for _ in range(60)]
    for name in names:
        assert store.commit(creation(name)) is Outcome.COMMITTED
        assert store.commit(move(0, name, answer=Answer("k", b"a"))) is Outcome.COMMITTED
    for name in names:
        loaded = Loaded(version=1, state=b"state 1", answer=b"a")
        assert store.load(name, "k") == loaded
        assert [entry.seq for entry in store.entries(name, after=0, limit=9)] == [2, 4]
    homes = {shards.owner(slot_of(name)) for name in names}
    assert len(homes) == 3
    assert all(store.delete(name) for name in names)


def test_lists_and_the_secret_work_across_servers(store: RedisStore, shards: Shards) -> None:
    names = [next(NAMES) for _ in range(6)]
    for age, name in enumerate(names):
        store.enlist("waiting", name, 10**12 + age)
    places = store.listed("waiting", None, 9)
    # As each came, some were looked at, and left: a match may still be made for such a new place.
    assert [place.match_id for place in places] == names[::-1]
    store.enlist("waiting", next(NAMES), 10**12 + 10**9)
    left = {place.match_id for place in store.listed("waiting", None, 9)[1:]}
    # Of the old ones the two oldest are gone, and up to two of any.
    assert left <= set(names[2:])
    assert len(left) >= 2
    for place in store.listed("waiting", None, 9):
        store.unlist("waiting", place.match_id, place.created_at)
    assert store.listed("waiting", None, 9) == []
    assert store.secret() == store.secret()
    store.ping()


def test_wake_ups_of_every_match_come_over_one_connection(
    store: RedisStore, shards: Shards
) -> None:
    names = [next(NAMES) for _ in range(12)]
    for name in names:
        store.commit(creation(name))
    with closing(store.listen()) as listener:
        for name in names:
            listener.subscribe(name)
        # From other servers a wake-up takes a moment, and may come after the subscription.
        while listener.hear(0.3):
            pass
        shards.move(slot_of(names[0]), away_from(shards, slot_of(names[0])))
        for name in names:
            store.commit(move(0, name))
            assert listener.hear(5) == name


def test_a_match_whose_slot_has_moved_is_followed(store: RedisStore, shards: Shards) -> None:
    name = next(NAMES)
    store.commit(creation(name))
    for version in range(3):
        shards.move(slot_of(name), away_from(shards, slot_of(name)))
        assert store.load(name) is not None
        assert store.commit(move(version, name)) is Outcome.COMMITTED
    assert [entry.seq for entry in store.entries(name, after=0, limit=9)] == [2, 4, 6, 8]


def test_a_match_is_served_at_every_stage_of_a_move_of_its_slot(
    store: RedisStore, shards: Shards
) -> None:
    name = next(NAMES)
    slot = slot_of(name)
    store.commit(creation(name))
    source, target = shards.owner(slot), away_from(shards, slot)
    with shards.moving(slot, target):
        assert store.commit(move(0, name)) is Outcome.COMMITTED, "still there"
        shards.carry(keys.events(name), source, target)
        with pytest.raises(StoreUnavailable, match="TRYAGAIN") as caught:
            store.commit(move(1, name))
        assert not caught.value.maybe_done
        waiting = threading.Timer(0.2, shards.carry, (keys.match(name), source, target))
        waiting.start()
        assert store.commit(move(1, name)) is Outcome.COMMITTED, "come in the meantime"
        waiting.join()
        assert store.load(name) == Loaded(version=2, state=b"state 2"), "asked for there"
        assert [entry.seq for entry in store.entries(name, after=0, limit=9)] == [2, 4, 6]
    assert store.commit(move(2, name)) is Outcome.COMMITTED


def test_the_map_is_asked_for_once_however_many_slots_have_moved(shards: Shards) -> None:
    store = RedisStore(shards.url, ttl_seconds=TTL_SECONDS, cluster=True)
    names = [next(NAMES) for _ in range(5)]
    for name in names:
        store.commit(creation(name))
    for name in names:
        shards.move(slot_of(name), away_from(shards, slot_of(name)))
    time.sleep(0.3)
    asked = shards.calls("cluster|slots")
    for name in names:
        assert store.load(name) is not None
    assert shards.calls("cluster|slots") - asked == 1
    store.close()


def test_a_server_that_is_no_primary_any_more_is_not_listened_to(shards: Shards) -> None:
    """It may be on its way out of the Cluster, where it would hear nothing."""
    store = RedisStore(shards.url, ttl_seconds=TTL_SECONDS, cluster=True)
    names = [next(NAMES) for _ in range(30)]
    for name in names:
        store.commit(creation(name))
    with closing(store.listen()) as listener:
        assert listener.hear(0.1) is None
        primaries = [node for node in shards.nodes if shards.has_slots(node)]
        for node in shards.nodes:
            if node not in primaries:
                node.ask("CLUSTER", "FAILOVER")
        for node in primaries:
            eventually(lambda node=node: node.replication()["role"] == "slave")
        for name in names:
            assert eventually(lambda name=name: store.load(name)) is not None
        with pytest.raises(StoreUnavailable):
            listener.hear(0.1)
    store.close()


def told(url: str, call: Callable[[RedisStore], object]) -> str:
    """What an unavailable store tells of itself."""
    store = RedisStore(url, ttl_seconds=TTL_SECONDS, cluster=True)
    began = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        call(store)
    assert time.monotonic() - began < 3
    assert not caught.value.maybe_done
    store.close()
    return str(caught.value)


CALLS = {
    "load": lambda store: store.load("m1"),
    "commit": lambda store: store.commit(creation("m1")),
    "ping": lambda store: store.ping(),
    "listen": lambda store: store.listen(),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_cluster_that_is_not_there_is_an_unavailable_store_without_its_address(
    call: str,
) -> None:
    first, second = free_ports(2)
    text = told(f"redis://:s3cret@{HOST}:{first},{HOST}:{second}", CALLS[call])
    assert text.endswith("Redis cannot be reached: ConnectionError")


@pytest.mark.parametrize("call", CALLS)
def test_servers_that_are_no_cluster_or_have_no_slots_are_an_unavailable_store(call: str) -> None:
    port, shy, bus = free_ports(3)
    with Node(port), Node(shy, cluster_enabled="yes", cluster_port=bus):
        assert "ERR" in told(f"redis://{HOST}:{port}", CALLS[call])
        assert "Redis" in told(f"redis://{HOST}:{shy}", CALLS[call])
