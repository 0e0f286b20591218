"""A match expires as a whole, a fixed time after its last commit, and for good (case 44)."""

import time

import pytest
import redis

from api.store import Answer, Commit, Entry, Outcome, keys
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, everything, move
from tests.valkey import Server

FIRST_ENTRY_LATER = [
    Commit(match_id=MATCH, expected=None, version=0, state=b"waiting", entries=[], base_seq=0),
    Commit(match_id=MATCH, expected=0, version=1, state=b"s", entries=[Entry(1, b"e")], base_seq=0),
]


@pytest.mark.parametrize(
    "commits",
    [
        [creation()],
        [creation(answer=Answer("k", b"a"))],
        [creation(), move(0), move(1, answer=Answer("k", b"a")), move(2)],
        FIRST_ENTRY_LATER,
    ],
    ids=["creation", "creation with an answer", "moves", "first entry later"],
)
def test_case_44_after_every_commit_all_keys_expire_at_the_same_millisecond(
    store: RedisStore, peek: redis.Redis, commits: list[Commit]
) -> None:
    for commit in commits:
        assert store.commit(commit) is Outcome.COMMITTED
        for key in peek.scan_iter():
            assert 0 < peek.pttl(key) <= TTL_SECONDS * 1000
        assert len({expires_at for _, expires_at in everything(peek).values()}) == 1
        # The next commit has to bring the full time back by itself.
        for key in peek.scan_iter():
            peek.pexpire(key, 5_000)


def test_a_commit_gives_the_full_time_again_and_a_refused_one_gives_none(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    for key in peek.scan_iter():
        peek.pexpire(key, 5_000)
    store.commit(creation())
    assert peek.pttl(keys.match(MATCH)) <= 5_000
    store.commit(move(0))
    assert peek.pttl(keys.match(MATCH)) > 5_000
    assert peek.pttl(keys.events(MATCH)) > 5_000


def test_case_44_a_match_that_expires_during_a_move_is_gone_and_not_revived(
    store: RedisStore, peek: redis.Redis
) -> None:
    store.commit(creation())
    assert store.load(MATCH) is not None
    for key in peek.scan_iter():
        peek.pexpire(key, 1)
    time.sleep(0.02)
    assert store.commit(move(0, answer=Answer("k", b"a"))) is Outcome.GONE
    assert everything(peek) == {}
    assert store.load(MATCH, "k") is None
    assert store.entries(MATCH, after=0, limit=9) == []


def test_case_44_a_match_really_expires(redis_url: str, peek: redis.Redis) -> None:
    store = RedisStore(redis_url, ttl_seconds=1)
    store.commit(creation(answer=Answer("k", b"a")))
    time.sleep(0.6)
    store.commit(move(0))
    time.sleep(0.6)
    assert store.load(MATCH) is not None, "the move gave it a second more"
    time.sleep(0.6)
    assert store.load(MATCH) is None
    assert store.commit(move(1)) is Outcome.GONE
    assert everything(peek) == {}
    store.close()


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_match_that_would_expire_at_once_is_no_setting(valkey: Server, seconds: int) -> None:
    with pytest.raises(ValueError, match="live"):
        RedisStore(valkey.url, ttl_seconds=seconds)
