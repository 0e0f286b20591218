"""Even Steven: what a 7 allows."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from tests.engine.positions import es
from tests.engine.steps import do, hand, legal, refused, seat, table, words_taken


@pytest.mark.parametrize(
    ("position", "line"),
    [
        ("0: 7C 3S; 1: 2D 4D", "play 7C"),
        ("0: 3S; 1: 2D 4D; deck 7C; pile 6C; value 6", "draw"),
        ("0: | 7C 4S; 1: 2D 4D", "flip 0"),
    ],
)
def test_es_6_after_a_7_the_same_seat_steals_or_declines(position: str, line: str) -> None:
    match = es(position)
    do(match, line)
    assert (match.to_act, table(match)["phase"]) == ([0], "steal")
    assert legal(match) == ["steal 1", "decline"]
    do(match, "steal 1")
    assert (match.to_act, table(match)["phase"]) == ([1], "play")


def test_es_6_a_steal_may_be_declined() -> None:
    match = es("0: 3S; 1: 2D; 2: 4D; turn 2; pile 7C; steal")
    do(match, "decline")
    assert (match.to_act, hand(match, 0), hand(match, 1)) == ([0], "3S", "2D")


@pytest.mark.parametrize("target", [0, 2])
def test_es_6_after_a_steal_the_turn_passes_to_the_left_of_the_thief(target: int) -> None:
    match = es("0: 3S 4S; 1: 2D; 2: 4D 5D; turn 1; pile 7C; steal")
    do(match, f"steal {target}")
    assert match.to_act == [2]
    assert [seat(match, n)["hand_count"] for n in (1, target)] == [2, 1]


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_es_6_a_card_from_a_hand_is_a_random_pick(seed: str) -> None:
    match = es("0: 3S; 1: KD 2D 4H 4C 9S; pile 7C; steal", seed=seed)
    stolen = ["2D", "4C", "4H", "9S", "KD"][Chance(seed.encode()).below(5)]
    do(match, "steal 1")
    assert set(hand(match, 0).split()) == {"3S", stolen}
    assert stolen not in hand(match, 1)


def test_es_6_where_the_hand_is_empty_the_thief_names_a_slot() -> None:
    match = es("0: 3S; 1: | 2D . 4D; 2: 2S; pile 7C; steal")
    assert legal(match) == ["steal 1 0", "steal 1 2", "steal 2", "decline"]
    do(match, "steal 1 2")
    assert (hand(match, 0), seat(match, 1)["face_down"]) == ("3S 4D", [0])


def test_es_6_a_steal_from_a_slot_uses_no_chance() -> None:
    match = es("0: 3S; 1: | 2D 4D; 2: 2S; pile 7C; steal")
    do(match, "steal 1 0")
    assert words_taken(match) == 0


def test_steals_are_listed_by_target_then_slot_then_decline() -> None:
    match = es("0: | 2H 2S; 1: 2D | 4D; 2: 3S; 3: | 6D . 8D; turn 2; pile 7C; steal")
    assert legal(match) == [
        "steal 0 0",
        "steal 0 1",
        "steal 1",
        "steal 3 0",
        "steal 3 2",
        "decline",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "steal 0",  # oneself
        "steal 1 0",  # a hand has no slots to name
        "steal 2",  # a slot must be named
        "steal 2 1",  # an empty slot
        "steal 2 7",
        "play 3S",
        "draw",
        "pick_up",
        "flip 0",
    ],
)
def test_es_6_what_an_open_steal_does_not_allow(line: str) -> None:
    match = es("0: 3S | 6C; 1: 2D | 4D; 2: | 2S . 4S; pile 7C; steal")
    assert refused(match, line).rule == "ES-6"


@pytest.mark.parametrize("line", ["steal 1", "decline"])
def test_es_6_without_a_7_there_is_nothing_to_steal_or_decline(line: str) -> None:
    assert refused(es("0: 3S; 1: 2D; pile 7C"), line).rule == "ES-6"


def test_a_steal_stays_open_over_views_refusals_and_saving() -> None:
    match = es("0: 7C 3S; 1: 2D 4D; pile 6C; value 6")
    do(match, "play 7C")
    refused(match, "play 3S")
    match = type(match).from_bytes(match.to_bytes())
    assert legal(match) == ["steal 1", "decline"]
