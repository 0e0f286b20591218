"""A commit delivered twice is made once, and a call is one round trip (case 43: retries)."""

import dataclasses
from collections.abc import Iterator

import pytest
import redis

from api.store import Answer, Commit, Entry, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, everything, move
from tests.api.store.proxy import Cut, Proxy
from tests.valkey import Server


@pytest.fixture
def proxy(valkey: Server) -> Iterator[Proxy]:
    with Proxy(valkey.socket) as proxy:
        yield proxy


@pytest.fixture
def far_store(proxy: Proxy) -> Iterator[RedisStore]:
    """A store behind the proxy, connected, with the scripts known to the server."""
    store = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS)
    store.commit(creation("warm up"))
    store.delete("warm up")
    proxy.round_trips = 0
    yield store
    store.close()


@pytest.mark.parametrize("later", [0, 1, 5], ids=["at once", "after another", "after five others"])
@pytest.mark.parametrize("answer", [None, Answer("k", b"the answer")], ids=["", "with an answer"])
def test_a_move_delivered_again_is_committed_once(
    store: RedisStore, peek: redis.Redis, later: int, answer: Answer | None
) -> None:
    store.commit(creation())
    first = move(0, answer=answer)
    assert store.commit(first) is Outcome.COMMITTED
    for version in range(1, 1 + later):
        store.commit(move(version))
    before = everything(peek)
    assert store.commit(first) is Outcome.COMMITTED
    assert everything(peek) == before


@pytest.mark.parametrize("later", [0, 3], ids=["at once", "after moves"])
@pytest.mark.parametrize("entries", [[], [Entry(2, b"e0")]], ids=["no entry", "an entry"])
def test_a_creation_delivered_again_is_committed_once(
    store: RedisStore, peek: redis.Redis, later: int, entries: list[Entry]
) -> None:
    first = dataclasses.replace(creation(), entries=entries)
    assert store.commit(first) is Outcome.COMMITTED
    for version in range(later):
        base_seq = 0 if version == 0 and not entries else move(version).base_seq
        assert (
            store.commit(dataclasses.replace(move(version), base_seq=base_seq)) is Outcome.COMMITTED
        )
    before = everything(peek)
    assert store.commit(first) is Outcome.COMMITTED
    assert everything(peek) == before
    assert store.commit(dataclasses.replace(first, nonce="another")) is Outcome.EXISTS


def test_a_commit_of_many_entries_delivered_again_is_committed_once(store: RedisStore) -> None:
    store.commit(creation())
    entries = [Entry(seq, b"e") for seq in range(3, 40)]
    long = Commit(match_id=MATCH, expected=0, version=37, state=b"s", entries=entries, base_seq=2)
    assert store.commit(long) is Outcome.COMMITTED
    assert store.commit(long) is Outcome.COMMITTED
    assert store.entries(MATCH, after=2, limit=100) == entries


def test_a_change_without_an_entry_delivered_again_is_a_conflict(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    silent = dataclasses.replace(move(0), entries=[])
    assert store.commit(silent) is Outcome.COMMITTED
    before = everything(peek)
    assert store.commit(silent) is Outcome.CONFLICT
    assert everything(peek) == before


def test_a_loser_delivered_again_still_has_lost(store: RedisStore) -> None:
    store.commit(creation())
    winner, loser = move(0), move(0)
    store.commit(winner)
    assert store.commit(loser) is Outcome.CONFLICT
    store.commit(move(1))
    assert store.commit(loser) is Outcome.CONFLICT
    assert store.commit(winner) is Outcome.COMMITTED


def test_a_commit_delivered_again_does_not_revive_what_was_deleted(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    first = move(0)
    store.commit(first)
    store.delete(MATCH)
    assert store.commit(first) is Outcome.GONE
    assert everything(peek) == {}


@pytest.mark.parametrize("cut", Cut)
def test_a_move_on_a_connection_that_breaks_is_made_once(
    far_store: RedisStore, proxy: Proxy, cut: Cut
) -> None:
    far_store.commit(creation())
    proxy.faults.append(cut)
    assert far_store.commit(move(0)) is Outcome.COMMITTED
    assert far_store.load(MATCH) == Loaded(version=1, state=b"state 1")
    assert [entry.seq for entry in far_store.entries(MATCH, after=0, limit=9)] == [2, 4]


@pytest.mark.parametrize("cut", Cut)
def test_a_creation_on_a_connection_that_breaks_is_made_once(
    far_store: RedisStore, proxy: Proxy, cut: Cut
) -> None:
    proxy.faults.append(cut)
    assert far_store.commit(creation()) is Outcome.COMMITTED
    assert far_store.load(MATCH) == Loaded(version=0, state=b"dealt")


def test_reading_on_a_connection_that_breaks_is_asked_again(
    far_store: RedisStore, proxy: Proxy
) -> None:
    far_store.commit(creation())
    proxy.faults.append(Cut.BEFORE_REPLY)
    assert far_store.load(MATCH) == Loaded(version=0, state=b"dealt")
    proxy.faults.append(Cut.BEFORE_REPLY)
    assert far_store.entries(MATCH, after=0, limit=9) == [Entry(2, b"e0")]


def test_connections_that_keep_breaking_are_an_unavailable_store(
    far_store: RedisStore, proxy: Proxy
) -> None:
    far_store.commit(creation())
    # The new connection of the second try introduces itself in requests of its own, so that three
    # cuts are plenty.
    proxy.faults.extend([Cut.BEFORE_REPLY] * 3)
    commit = move(0)
    with pytest.raises(StoreUnavailable) as caught:
        far_store.commit(commit)
    assert caught.value.maybe_done
    proxy.faults.clear()
    assert far_store.commit(commit) is Outcome.COMMITTED
    assert far_store.load(MATCH) == Loaded(version=1, state=b"state 1")
    assert [entry.seq for entry in far_store.entries(MATCH, after=0, limit=9)] == [2, 4]


def test_every_call_is_one_round_trip(far_store: RedisStore, proxy: Proxy) -> None:
    def trips() -> int:
        made, proxy.round_trips = proxy.round_trips, 0
        return made

    far_store.commit(creation())
    assert trips() == 1
    far_store.load(MATCH)
    assert trips() == 1
    far_store.load(MATCH, "k")
    assert trips() == 1
    far_store.commit(move(0, state=bytes(300_000), answer=Answer("k", bytes(50_000))))
    assert trips() == 1
    far_store.load(MATCH, "k")
    assert trips() == 1
    far_store.commit(move(0))
    assert trips() == 1
    far_store.entries(MATCH, after=0, limit=100)
    assert trips() == 1
    far_store.delete(MATCH)
    assert trips() == 1
    far_store.count(1, {"warm": 1})
    trips()
    far_store.count(1, {f"caller {n}": n for n in range(1000)})
    assert trips() == 1


def test_a_server_that_forgot_the_script_is_given_it_again(
    far_store: RedisStore, proxy: Proxy, peek: redis.Redis
) -> None:
    far_store.commit(creation())
    peek.script_flush()
    proxy.round_trips = 0
    assert far_store.commit(move(0)) is Outcome.COMMITTED
    assert proxy.round_trips == 2
    assert far_store.commit(move(1)) is Outcome.COMMITTED
    assert proxy.round_trips == 3
