"""The keys of a match are in one cluster slot together, and apart from any other match's."""

import itertools

import pytest
import redis
from redis.crc import key_slot

from api.store import Answer, keys
from api.store.redis import RedisStore
from tests.api.store.commits import creation, everything, move

IDS = ["m1", "x7", "a}b", "a", "{a}", "a}:events", "a:match", "ä♠"]


@pytest.mark.parametrize("match_id", IDS)
def test_all_keys_of_a_match_are_in_one_slot(
    store: RedisStore, peek: redis.Redis, match_id: str
) -> None:
    store.commit(creation(match_id))
    store.commit(move(0, match_id, answer=Answer("k", b"a")))
    written = set(everything(peek))
    assert written == {keys.match(match_id).encode(), keys.events(match_id).encode()}
    assert len({key_slot(key) for key in written | {keys.channel(match_id).encode()}}) == 1


def test_matches_are_spread_over_slots() -> None:
    assert len({key_slot(keys.match(f"m{n}").encode()) for n in range(1000)}) > 900


def test_no_two_matches_share_a_key() -> None:
    spelled = [
        spell(match_id)
        for spell, match_id in itertools.product((keys.match, keys.events, keys.channel), IDS)
    ]
    assert len(set(spelled)) == len(spelled)


def test_keys_are_as_operators_know_them() -> None:
    assert keys.match("m1") == "croupier:{m1}:match"
    assert keys.events("m1") == "croupier:{m1}:events"
    assert keys.channel("m1") == "croupier:{m1}:wake"
