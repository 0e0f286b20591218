"""What each method of the store does, one after the other and undisturbed."""

import dataclasses

import pytest
import redis

from api.store import Answer, Answered, Commit, Entry, Loaded, Outcome, Store
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, creation, everything, last_seq, move

ALL_BYTES = bytes(range(256)) + b"\r\n$-1\r\n\x00" + "♠🂡".encode()


def test_redis_store_fits_the_port(store: RedisStore) -> None:
    port: Store = store
    port.ping()


def test_a_created_match_is_loaded_as_it_was_written(store: RedisStore) -> None:
    assert store.commit(creation(state=ALL_BYTES)) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=0, state=ALL_BYTES)


def test_a_move_replaces_the_state_and_extends_the_log(store: RedisStore) -> None:
    store.commit(creation())
    assert store.commit(move(0)) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=1, state=b"state 1")
    assert store.entries(MATCH, after=0, limit=10) == [Entry(2, b"e0"), Entry(4, b"e1")]


def test_one_commit_may_bring_several_versions(store: RedisStore) -> None:
    store.commit(creation())
    entries = [Entry(3, b"a move"), Entry(7, b"a bot's"), Entry(8, b"another bot's")]
    commit = Commit(match_id=MATCH, expected=0, version=3, state=b"s3", entries=entries, base_seq=2)
    assert store.commit(commit) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=3, state=b"s3")
    assert store.entries(MATCH, after=2, limit=10) == entries


def test_a_match_may_be_created_without_an_entry(store: RedisStore) -> None:
    waiting = Commit(
        match_id=MATCH, expected=None, version=0, state=b"waiting", entries=[], base_seq=0
    )
    assert store.commit(waiting) is Outcome.COMMITTED
    assert store.entries(MATCH, after=0, limit=10) == []
    first = Commit(
        match_id=MATCH, expected=0, version=1, state=b"s1", entries=[Entry(1, b"e")], base_seq=0
    )
    assert store.commit(first) is Outcome.COMMITTED
    assert store.entries(MATCH, after=0, limit=10) == [Entry(1, b"e")]


def test_bytes_come_back_untouched_from_everywhere(store: RedisStore) -> None:
    commit = dataclasses.replace(
        creation(state=ALL_BYTES),
        entries=[Entry(1, ALL_BYTES)],
        answer=Answer("seat 0:ä", ALL_BYTES),
    )
    store.commit(commit)
    assert store.load(MATCH, "seat 0:ä") == Loaded(version=0, state=ALL_BYTES, answer=ALL_BYTES)
    assert store.entries(MATCH, after=0, limit=1) == [Entry(1, ALL_BYTES)]


def test_empty_bytes_are_kept_and_are_not_the_same_as_nothing(store: RedisStore) -> None:
    store.commit(creation(state=b"", answer=Answer("k", b"")))
    assert store.load(MATCH, "k") == Loaded(version=0, state=b"", answer=b"")
    assert store.commit(move(0, answer=Answer("k", b"second"))) == Answered(b"")


def test_a_change_that_no_event_tells_leaves_the_log_as_it_is(store: RedisStore) -> None:
    store.commit(creation())
    silent = dataclasses.replace(move(0), entries=[])
    assert store.commit(silent) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=1, state=b"state 1")
    assert store.entries(MATCH, after=0, limit=10) == [Entry(2, b"e0")]
    next_move = dataclasses.replace(move(1), base_seq=2)
    assert store.commit(next_move) is Outcome.COMMITTED
    assert store.commit(next_move) is Outcome.COMMITTED, "delivered again"


def test_a_match_that_is_not_there(store: RedisStore) -> None:
    assert store.load("nobody") is None
    assert store.load("nobody", "k") is None
    assert store.entries("nobody", after=0, limit=10) == []
    assert store.delete("nobody") is False
    assert store.commit(move(0, "nobody")) is Outcome.GONE


def test_a_taken_id_is_not_created_again(store: RedisStore, peek: redis.Redis) -> None:
    store.commit(creation(state=b"first"))
    before = everything(peek)
    assert store.commit(creation(state=b"second")) is Outcome.EXISTS
    assert everything(peek) == before


def test_a_stale_move_changes_nothing(store: RedisStore, peek: redis.Redis) -> None:
    store.commit(creation())
    store.commit(move(0))
    before = everything(peek)
    assert store.commit(move(0, answer=Answer("k", b"too late"))) is Outcome.CONFLICT
    assert everything(peek) == before
    assert store.commit(move(1)) is Outcome.COMMITTED


def test_a_move_that_was_judged_on_another_log_changes_nothing(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    before = everything(peek)
    wrong = dataclasses.replace(move(0), base_seq=1)
    assert store.commit(wrong) is Outcome.CONFLICT
    assert everything(peek) == before


def test_entries_are_paged_by_the_last_event_seen(store: RedisStore) -> None:
    store.commit(creation())
    for version in range(5):
        store.commit(move(version))
    assert [entry.seq for entry in store.entries(MATCH, after=0, limit=4)] == [2, 4, 6, 8]
    assert [entry.seq for entry in store.entries(MATCH, after=8, limit=4)] == [10, 12]
    assert [entry.seq for entry in store.entries(MATCH, after=9, limit=1)] == [10], (
        "an entry reaches back"
    )
    assert store.entries(MATCH, after=last_seq(5), limit=4) == []


def test_numbers_beyond_32_and_53_bits_stay_exact(store: RedisStore) -> None:
    store.commit(creation())
    huge = 2**53 + 1
    commit = Commit(
        match_id=MATCH,
        expected=0,
        version=huge,
        state=b"s",
        entries=[Entry(huge, b"e")],
        base_seq=2,
    )
    assert store.commit(commit) is Outcome.COMMITTED
    later = Commit(
        match_id=MATCH,
        expected=huge,
        version=huge + 1,
        state=b"t",
        entries=[Entry(huge + 1, b"f")],
        base_seq=huge,
    )
    assert store.commit(later) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=huge + 1, state=b"t")
    assert store.entries(MATCH, after=huge, limit=5) == [Entry(huge + 1, b"f")]


def test_an_answer_is_kept_with_the_first_commit_that_brings_it(store: RedisStore) -> None:
    store.commit(creation())
    assert store.commit(move(0, answer=Answer("k", b"first"))) is Outcome.COMMITTED
    assert store.load(MATCH, "k") == Loaded(version=1, state=b"state 1", answer=b"first")
    assert store.load(MATCH, "other") == Loaded(version=1, state=b"state 1", answer=None)
    assert store.load(MATCH) == Loaded(version=1, state=b"state 1", answer=None)


@pytest.mark.parametrize("expected", [1, 0], ids=["at the right version", "at a stale version"])
def test_a_kept_answer_stops_a_second_commit(
    store: RedisStore, peek: redis.Redis, expected: int
) -> None:
    store.commit(creation())
    store.commit(move(0, answer=Answer("k", b"first")))
    before = everything(peek)
    assert store.commit(move(expected, answer=Answer("k", b"second"))) == Answered(b"first")
    assert everything(peek) == before


def test_a_creation_finds_the_answer_of_an_earlier_one(store: RedisStore) -> None:
    store.commit(creation(answer=Answer("create", b"first")))
    assert store.commit(creation(answer=Answer("create", b"second"))) == Answered(b"first")


def test_no_answer_field_can_reach_the_matchs_own_fields(store: RedisStore) -> None:
    store.commit(creation(answer=Answer("state", b"an answer")))
    assert store.load(MATCH, "state") == Loaded(version=0, state=b"dealt", answer=b"an answer")
    assert store.load(MATCH, "version") == Loaded(version=0, state=b"dealt", answer=None)


def test_delete_leaves_nothing_of_that_match_and_all_of_others(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation("kept"))
    kept = everything(peek)
    store.commit(creation(answer=Answer("k", b"a")))
    store.commit(move(0))
    assert store.delete(MATCH) is True
    assert everything(peek) == kept
    assert store.delete(MATCH) is False
    assert store.commit(move(1)) is Outcome.GONE


def test_a_commit_wakes_the_watchers_of_its_match_alone(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    store.commit(creation("other"))
    with peek.pubsub(ignore_subscribe_messages=True) as watcher:
        watcher.subscribe("croupier:{m1}:wake")
        assert watcher.get_message(timeout=1) is None, "the subscription's own message"
        store.commit(move(0, "other"))
        store.commit(move(0))
        store.commit(move(0))
        message = watcher.get_message(timeout=1)
        assert message is not None
        assert message["data"] == b"4"
        assert watcher.get_message(timeout=0.1) is None, "a refused commit wakes nobody"


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"entries": [Entry(2, b"")]},
        {"entries": [Entry(3, b""), Entry(3, b"")]},
        {"base_seq": -1},
    ],
    ids=["same version", "entry already read", "number twice", "below zero"],
)
def test_a_commit_whose_numbers_do_not_fit_is_not_made(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"version|event numbers"):
        dataclasses.replace(move(0), **change)


def test_two_commits_never_share_a_nonce() -> None:
    assert len({move(0).nonce for _ in range(1000)}) == 1000


def test_what_is_printed_shows_no_content() -> None:
    secret = b"the queen of spades"
    commit = dataclasses.replace(
        creation(state=secret, answer=Answer("k", secret)), entries=[Entry(1, secret)]
    )
    for thing in (commit, Loaded(1, secret, secret), Answered(secret)):
        assert "queen" not in repr(thing)


def test_counters_of_a_minute_are_added_to_and_told(store: RedisStore) -> None:
    assert store.count(7, {"a": 2, "b": 1}) == [2, 1]
    assert store.count(7, {"b": 5, "c": 1, "a": -1}) == [6, 1, 1]
    assert store.count(8, {"a": 1}) == [1], "each minute has its own"


def test_counters_are_forgotten_soon(store: RedisStore, peek: redis.Redis) -> None:
    store.count(7, {"a": 2})
    (key,) = peek.scan_iter()
    assert 60_000 < peek.pttl(key) <= 180_000
