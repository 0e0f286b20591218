"""Chance: the word stream of a seed against published values, and that it is fair."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine import Match
from engine.chance import Chance, chance_seed, seed_hash
from tests.engine.positions import CK, ES, ST

VECTORS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "data" / "chance-vectors.json").read_text(encoding="utf-8")
)
seeds = pytest.mark.parametrize("seed", VECTORS)


def given(*words: int) -> Chance:
    """Chance whose first words are given."""
    chance = Chance(b"")
    chance._words = words
    return chance


# Published values


@seeds
def test_the_hash_of_a_seed(seed: str) -> None:
    assert seed_hash(seed) == VECTORS[seed]["seed_hash"]


@seeds
def test_the_first_words(seed: str) -> None:
    chance = Chance(seed.encode())
    words = [f"{chance.word():016x}" for _ in VECTORS[seed]["first_words_hex"]]
    assert words == VECTORS[seed]["first_words_hex"]


@seeds
def test_numbers_below_52(seed: str) -> None:
    chance = Chance(seed.encode())
    assert [chance.below(52) for _ in VECTORS[seed]["below_52"]] == VECTORS[seed]["below_52"]


@seeds
@pytest.mark.parametrize(
    ("name", "codes", "deck"),
    [
        ("shuffled_52_top12", ES.codes, ES.deck),
        ("shuffled_104_top12", ST.codes, ST.deck * 2),
        ("shuffled_card_keeper_top12", CK.codes, CK.deck),
    ],
)
def test_shuffled_decks(seed: str, name: str, codes: list[str], deck: Iterable[int]) -> None:
    shuffled = list(deck)
    Chance(seed.encode()).shuffle(shuffled)
    assert [codes[card] for card in shuffled[:12]] == VECTORS[seed][name]


def test_words_are_groups_of_sha_256_of_seed_zero_and_block_number() -> None:
    chance = Chance(b"any", 41)
    digest = hashlib.sha256(b"any\0" + (10).to_bytes(8, "big")).digest()
    assert [chance.word(), chance.word()] == [
        int.from_bytes(digest[8:16], "big"),
        int.from_bytes(digest[16:24], "big"),
    ]


# The recipe


@pytest.mark.parametrize("position", range(13))
def test_a_stream_goes_on_from_any_word(position: int) -> None:
    whole, resumed = Chance(b"demo"), Chance(b"demo", position)
    words = [whole.word() for _ in range(20)]
    assert [resumed.word() for _ in range(20 - position)] == words[position:]
    assert (whole.position, resumed.position) == (20, 20)


def test_below_1_takes_a_word() -> None:
    chance = Chance(b"demo")
    assert (chance.below(1), chance.position) == (0, 1)


def test_below_leaves_out_the_words_of_an_unfinished_span() -> None:
    chance = Chance(b"demo")  # with this k about half of all words are left out
    assert chance.below((1 << 63) + 1) == 0x6CDEF8BA9A6C0EC8
    assert chance.position == 6


@pytest.mark.parametrize("k", [3, 52, 2**32, 2**63 + 1])
def test_below_takes_words_up_to_the_last_whole_span(k: int) -> None:
    limit = k * (2**64 // k)
    assert given(limit - 1).below(k) == k - 1
    if limit < 2**64:
        chance = given(limit, 2**64 - 1, 1)
        assert (chance.below(k), chance.position) == (1, 3)


@pytest.mark.parametrize("items", [[], ["one"]])
def test_fewer_than_two_cards_are_shuffled_without_a_word(items: list[str]) -> None:
    chance, before = Chance(b"demo"), list(items)
    chance.shuffle(items)
    assert (items, chance.position) == (before, 0)


def test_a_shuffle_goes_down_from_the_last_item() -> None:
    items, chance = ["a", "b", "c", "d"], given(0, 1, 1)
    chance.shuffle(items)  # d with a, then c with b, then b (now c) with itself
    assert (items, chance.position) == (["d", "c", "b", "a"], 3)


def test_a_shuffle_passes_over_the_words_of_an_unfinished_span() -> None:
    # Below 3 the last word alone is left out, and below 2 none.
    items, chance = ["a", "b", "c"], given(2**64 - 1, 0, 2**64 - 1)
    chance.shuffle(items)  # c with a, then b with itself
    assert (items, chance.position) == (["c", "b", "a"], 3)


def test_a_random_pick_is_the_item_numbered_below_the_number_of_cards() -> None:
    hand, chance = [3, 5, 8, 13], given(6)
    assert (chance.pick(hand), hand, chance.position) == (8, [3, 5, 13], 1)


# Client seeds


def test_without_client_seeds_the_stream_starts_from_the_seed_alone() -> None:
    assert chance_seed("Zoë ♠", [None, None]) == "Zoë ♠".encode()
    assert chance_seed("demo", []) == b"demo"


def test_client_seeds_are_mixed_in_by_seat_number() -> None:
    mixed = hashlib.sha256("demo\0001\0Zoë\0003\0".encode()).hexdigest().encode()
    assert chance_seed("demo", [None, "Zoë", None, ""]) == mixed


def test_which_seat_gave_what_tells_in_the_deal() -> None:
    tables = [["a", None], [None, "a"], ["a", "a"], ["aa", None], ["a", ""], ["", "a"]]
    assert len({chance_seed("demo", table) for table in tables}) == len(tables)


# That it is fair


def test_every_card_is_as_likely_in_every_place() -> None:
    chance, shuffles = Chance(b"uniform"), 20_000
    found = [[0] * 52 for _ in range(52)]
    for _ in range(shuffles):
        deck = list(range(52))
        chance.shuffle(deck)
        for place, card in enumerate(deck):
            found[card][place] += 1
    expected = shuffles / 52
    for places in found:  # chi-square with 51 degrees of freedom: 100 is passed once in 20,000
        assert sum((count - expected) ** 2 for count in places) / expected < 100


def test_cards_that_look_the_same_lie_together_as_often_as_chance_has_it() -> None:
    chance, shuffles, together = Chance(b"adjacent"), 3000, 0
    for _ in range(shuffles):
        deck = list(range(52)) * 2
        chance.shuffle(deck)
        together += sum(a == b for a, b in pairwise(deck))
    # One pair a shuffle is expected, with a deviation of about 1.
    assert abs(together / shuffles - 1) < 4 / shuffles**0.5


def test_no_two_seeds_deal_alike() -> None:
    deals = {
        tuple(map(tuple, Match.new(ES, seats=["A", "B"], seed=f"{n}").state.hands))
        for n in range(400)
    }
    assert len(deals) == 400
