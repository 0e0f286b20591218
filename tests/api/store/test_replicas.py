"""Replicas that confirm: nothing is told before they have it, however often it is asked again."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from api.store import Answer, Answered, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, everything, move
from tests.api.store.proxy import Proxy
from tests.api.store.test_outages import crowd
from tests.many_valkeys import HOST, Node, followed
from tests.services import eventually

SOON = 3.0
"""Seconds within which a call is refused when no replica confirms."""


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Node, Node]]:
    """A primary and its replica."""
    with followed() as pair:
        yield pair


@pytest.fixture
def primary(pair: tuple[Node, Node]) -> Node:
    pair[0].ask("FLUSHALL")
    return pair[0]


@pytest.fixture
def replica(pair: tuple[Node, Node]) -> Node:
    return pair[1]


@pytest.fixture
def new_store(primary: Node) -> Iterator[Callable[[], RedisStore]]:
    """Makes stores whose connections have written nothing yet, and which wait for one replica."""
    made: list[RedisStore] = []

    def make() -> RedisStore:
        url = f"redis://{HOST}:{primary.port}"
        made.append(RedisStore(url, ttl_seconds=TTL_SECONDS, wait_replicas=1, max_connections=4))
        return made[-1]

    yield make
    for store in made:
        store.close()


def unconfirmed(call: Callable[[], object]) -> StoreUnavailable:
    """The call is refused soon, as replicas do not confirm it."""
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match="too few replicas") as caught:
        call()
    assert time.monotonic() - began < SOON
    return caught.value


def test_what_a_replica_confirms_is_there(new_store: Callable[[], RedisStore]) -> None:
    store = new_store()
    assert store.commit(creation()) is Outcome.COMMITTED
    assert store.commit(move(0, answer=Answer("k", b"a"))) is Outcome.COMMITTED
    assert store.load(MATCH, "k") == Loaded(version=1, state=b"state 1", answer=b"a")
    assert store.commit(move(1, answer=Answer("k", b"b"))) == Answered(b"a")
    assert store.load("nobody") is None
    store.enlist("waiting", MATCH, 1)
    assert [place.match_id for place in store.listed("waiting", None, 9)] == [MATCH]
    assert store.secret() == new_store().secret()
    assert store.delete(MATCH) is True


def test_what_no_replica_confirms_is_no_success_and_neither_is_its_repeat(
    new_store: Callable[[], RedisStore], replica: Node
) -> None:
    """Each repeat comes over a connection of its own, which has written nothing."""
    new_store().commit(creation())
    sent = move(0, answer=Answer("k", b"the answer"))
    with replica.paused():
        assert unconfirmed(lambda: new_store().commit(sent)).maybe_done
        assert unconfirmed(lambda: new_store().commit(sent)).maybe_done
        assert not unconfirmed(lambda: new_store().load(MATCH, "k")).maybe_done
        another = move(1, answer=Answer("k", b"another"))
        assert unconfirmed(lambda: new_store().commit(another)).maybe_done
    assert eventually(lambda: new_store().commit(sent), within=5) is Outcome.COMMITTED
    loaded = Loaded(version=1, state=b"state 1", answer=b"the answer")
    assert new_store().load(MATCH, "k") == loaded
    assert new_store().commit(another) == Answered(b"the answer")


@pytest.mark.parametrize("kept", [None, Answer("k", b"a")], ids=["", "with an answer"])
def test_a_creation_that_no_replica_confirms_is_no_success_and_neither_is_its_repeat(
    new_store: Callable[[], RedisStore], replica: Node, kept: Answer | None
) -> None:
    sent = creation(answer=kept)
    with replica.paused():
        for _ in range(2):
            assert unconfirmed(lambda: new_store().commit(sent)).maybe_done
    assert eventually(lambda: new_store().commit(sent), within=5) is Outcome.COMMITTED


def test_nothing_that_others_wrote_is_told_before_a_replica_has_it(
    new_store: Callable[[], RedisStore], primary: Node, replica: Node
) -> None:
    hasty = RedisStore(f"redis://{HOST}:{primary.port}", ttl_seconds=TTL_SECONDS)
    hasty.commit(creation())
    with replica.paused():
        hasty.commit(move(0))
        assert hasty.load(MATCH) == Loaded(version=1, state=b"state 1")
        unconfirmed(lambda: new_store().load(MATCH))
    hasty.close()


def test_asking_for_confirmation_changes_nothing_that_is_kept(
    new_store: Callable[[], RedisStore], primary: Node
) -> None:
    store = new_store()
    store.commit(creation())
    store.commit(move(0, answer=Answer("k", b"a")))
    with primary.client() as peek:
        before = everything(peek)
        time.sleep(0.01)
        store.load(MATCH)
        store.load("nobody")
        store.commit(move(1, answer=Answer("k", b"b")))
        assert everything(peek) == before


def test_a_crowd_before_a_server_without_its_replica_is_refused_as_quickly(
    new_store: Callable[[], RedisStore], replica: Node
) -> None:
    store = new_store()
    store.commit(creation())
    with replica.paused():
        crowd(40, lambda: unconfirmed(lambda: store.load(MATCH)))
    assert eventually(lambda: store.load(MATCH), within=5) == Loaded(version=0, state=b"dealt")


def test_a_server_that_is_demoted_while_it_waits_confirms_nothing(
    new_store: Callable[[], RedisStore], primary: Node, replica: Node
) -> None:
    store = new_store()
    store.commit(creation())
    with replica.paused(), primary.client() as client:
        demotion = threading.Timer(0.1, client.replicaof, (HOST, 1))
        demotion.start()
        unconfirmed(lambda: store.commit(move(0)))
        demotion.join()
    primary.ask("REPLICAOF", "NO", "ONE")
    eventually(lambda: primary.is_followed_by(1))


def test_to_be_confirmed_takes_no_round_trip_more(primary: Node) -> None:
    with Proxy(primary.directory / "socket") as proxy:
        store = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS, wait_replicas=1)
        store.commit(creation("warm up"))
        store.load("warm up")
        for call in (
            lambda: store.commit(creation()),
            lambda: store.load(MATCH, "k"),
            lambda: store.commit(move(0, state=bytes(300_000))),
            lambda: store.load("nobody"),
        ):
            proxy.round_trips = 0
            call()
            assert proxy.round_trips == 1
        store.close()
