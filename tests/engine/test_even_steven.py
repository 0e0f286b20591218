"""Even Steven: the pile's value, the odd cards and a turn."""

from __future__ import annotations

import pytest

from engine.cards import CODES
from tests.engine.positions import es
from tests.engine.steps import do, hand, legal, refused, seat, table

NUMBERS = {"2": 2, "4": 4, "6": 6, "8": 8, "10": 10, "J": 11, "Q": 12, "K": 13}
ODD = ["3C", "5C", "7C", "9C", "AC"]


# The pile's value


@pytest.mark.parametrize(("rank", "number"), NUMBERS.items())
def test_an_even_card_sets_the_value_to_its_own_number(rank: str, number: int) -> None:
    match = es(f"0: {rank}C 3C; 1: 3D")
    do(match, f"play {rank}C")
    assert table(match)["value"] == number
    assert table(match)["pile"] == [f"{rank}C"]


@pytest.mark.parametrize("value", range(15))
def test_an_even_card_may_be_played_when_its_number_reaches_the_value(value: int) -> None:
    match = es(f"0: 2C 4C 6C 8C 10C JC QC KC; 1: 3D; pile 3S; value {value}")
    reach = [f"play {rank}C" for rank, number in NUMBERS.items() if number >= value]
    assert legal(match) == (reach or ["draw"])


def test_a_lower_even_card_is_refused() -> None:
    refusal = refused(es("0: 4C 8C; 1: 3D; pile 6C; value 6"), "play 4C")
    assert refusal.rule is None
    assert "6" in refusal.reason
    assert refusal.legal_moves == [{"action": "play", "card": "8C"}]


@pytest.mark.parametrize("position", ["", "pile 6C; value 6", "pile KC 5D; value 14"])
@pytest.mark.parametrize("card", ODD)
def test_an_odd_card_may_be_played_at_any_time(card: str, position: str) -> None:
    match = es(f"0: {card} 3D; 1: 3S; {position}")
    assert f"play {card}" in legal(match)
    do(match, f"play {card}")


# The odd cards


@pytest.mark.parametrize("value", ["", "; pile 6C; value 6"])
def test_a_3_uses_the_turn_and_changes_nothing(value: str) -> None:
    match = es(f"0: 3C 4C; 1: 2D; 2: 2S{value}")
    before = table(match)
    do(match, "play 3C")
    assert table(match) == before | {"pile": [*before["pile"], "3C"]}
    assert match.to_act == [1]  # the next player's turn is not skipped


@pytest.mark.parametrize(
    ("pile", "value", "after"),
    [
        ("", 0, None),  # none stays none
        ("3C", 0, None),
        ("2C", 2, 3),
        ("10C", 10, 11),  # asks for a J
        ("KC", 13, 14),  # no even card is high enough
        ("KC 5D", 14, 15),
        ("6C 5D", 7, 8),  # another 1
        ("6C 3D", 6, 7),  # through a 3
        ("6C 7D", 6, 7),  # through a 7
        ("6C 9D", 2, 3),
    ],
)
def test_es_3_a_5_adds_1_to_the_value_whatever_lies_below(
    pile: str, value: int, after: int | None
) -> None:
    match = es(f"0: 5C 3S; 1: 3H; pile {pile}; value {value}")
    do(match, "play 5C")
    assert table(match)["value"] == after
    assert match.to_act == [1]


def test_es_3_a_5_on_a_10_asks_for_a_jack() -> None:
    match = es("0: 5C 3S; 1: 2H 10H JH; pile 10C; value 10")
    do(match, "play 5C")
    assert legal(match) == ["play JH"]


@pytest.mark.parametrize("position", ["", "pile KC; value 13", "pile 2C; value 2"])
def test_a_9_resets_the_value_to_2(position: str) -> None:
    match = es(f"0: 9C 3S; 1: 2H; {position}")
    do(match, "play 9C")
    assert table(match)["value"] == 2
    assert legal(match) == ["play 2H"]


def test_an_ace_burns_the_pile_and_ends_the_round() -> None:
    match = es("0: AC 3S; 1: 2H; pile 6C; value 6")
    do(match, "play AC")
    assert table(match) | {"deck_count": 0} == {
        "phase": "play",
        "round": 2,
        "deck_count": 0,
        "pile": [],
        "value": None,
    }


def test_a_7_leaves_the_value() -> None:
    match = es("0: 7C 3S; 1: 2H; pile 6C; value 6")
    do(match, "play 7C")
    assert table(match)["value"] == 6
    assert table(match)["pile"] == ["6C", "7C"]


@pytest.mark.parametrize("effect", ["5C", "3C"])
def test_an_effect_lasts_over_views_refusals_and_saving(effect: str) -> None:
    match = es(f"0: {effect} 3S; 1: 6H 8H; 2: 4S; pile 6C; value 6")
    do(match, f"play {effect}")
    value = 7 if effect == "5C" else 6
    for viewer in (0, 1, 2, None):
        assert match.view(viewer)["table"]["value"] == value
    refused(match, "play 4S")
    match = type(match).from_bytes(match.to_bytes())
    assert table(match)["value"] == value
    assert legal(match) == [f"play {card}" for card in ("6H", "8H") if value == 6 or card == "8H"]


# A turn


def test_play_passes_to_the_left_in_a_circle() -> None:
    match = es("0: 2C 3C 3H; 1: 2D 3D; 2: 2S 3S")
    order = []
    for line in ("play 2C", "play 2D", "play 2S", "play 3C"):
        order += match.to_act
        do(match, line)
    assert [*order, *match.to_act] == [0, 1, 2, 0, 1]


def test_nothing_is_drawn_after_an_ordinary_turn() -> None:
    match = es("0: 2C 3C; 1: 2D")
    deck = table(match)["deck_count"]
    do(match, "play 2C")
    assert hand(match, 0) == "3C"
    assert table(match)["deck_count"] == deck


def test_a_card_that_is_not_held_is_refused() -> None:
    refused(es("0: 2C; 1: 2D | 6D; pile 3H"), "play 2D")


def test_legal_moves_stand_in_sorting_order_then_draw() -> None:
    match = es("0: AC 3D 3C 9S 5H; 1: 2D; pile KH; value 13")
    assert legal(match) == ["play 3C", "play 3D", "play 5H", "play 9S", "play AC", "draw"]


def test_a_drawn_even_card_that_fits_counts_as_played() -> None:
    match = es("0: 3C; 1: 3D; deck 8D; pile 6C; value 6")
    do(match, "draw")
    assert table(match)["pile"] == ["6C", "8D"]
    assert table(match)["value"] == 8
    assert (hand(match, 0), match.to_act) == ("3C", [1])


@pytest.mark.parametrize(
    ("card", "value", "phase", "round_"),
    [
        ("3D", 6, "play", 1),
        ("5D", 7, "play", 1),
        ("7D", 6, "steal", 1),
        ("9D", 2, "play", 1),
        ("AD", None, "play", 2),
    ],
)
@pytest.mark.parametrize("source", ["deck", "slot"])
def test_an_odd_card_turned_over_has_its_effect(
    card: str, value: int | None, phase: str, round_: int, source: str
) -> None:
    if source == "deck":
        match = es(f"0: 3C; 1: 3S; deck {card}; pile 6C; value 6")
        do(match, "draw")
    else:
        match = es(f"0: | {card} 4H; 1: 3S; pile 6C; value 6")
        do(match, "flip 0")
    after = table(match)
    assert (after["value"], after["phase"], after["round"]) == (value, phase, round_)


def test_a_lower_even_card_drawn_is_picked_up_with_the_pile() -> None:
    match = es("0: 3C; 1: 3D; deck 4D; pile 6C 3S; value 6")
    do(match, "draw")
    assert hand(match, 0) == "3C 3S 4D 6C"
    assert (table(match)["pile"], table(match)["value"], table(match)["round"]) == ([], None, 2)


def test_es_4_a_player_with_only_odd_answers_may_play_one_or_draw() -> None:
    assert legal(es("0: 3C 4C; 1: 2D; pile 6C; value 6")) == ["play 3C", "draw"]


def test_es_4_a_player_with_an_even_card_that_may_be_played_cannot_draw() -> None:
    match = es("0: 3C 4C 8C; 1: 2D; pile 6C; value 6")
    assert legal(match) == ["play 3C", "play 8C"]
    assert refused(match, "draw").rule == "ES-4"


@pytest.mark.parametrize("line", ["draw", "pick_up"])
@pytest.mark.parametrize("deck", ["", "; 2: *"])
def test_es_4_with_an_empty_hand_nobody_draws_or_picks_up(line: str, deck: str) -> None:
    match = es(f"0: | 2C 4C; 1: 2D{deck}; pile 6C; value 6")
    assert refused(match, line).rule == "ES-4"
    assert legal(match) == ["flip 0", "flip 1"]


def test_es_5_with_an_empty_deck_the_pile_may_be_picked_up_instead() -> None:
    match = es("0: 3C 4C; 1: *; pile 6C 5D; value 7")
    assert legal(match) == ["play 3C", "pick_up"]
    assert refused(match, "draw").rule == "ES-5"
    do(match, "pick_up")
    assert hand(match, 0) == "3C 4C 5D 6C"
    assert (table(match)["pile"], table(match)["value"], table(match)["round"]) == ([], None, 2)


@pytest.mark.parametrize(
    ("position", "rule"),
    [
        ("0: 3C; 1: 2D; pile 6C; value 6", "ES-5"),  # the deck has cards
        ("0: 3C; 1: *", "ES-5"),  # no pile
        ("0: 8C; 1: *; pile 6C; value 6", "ES-4"),  # a draw would not be allowed either
    ],
)
def test_es_5_the_pile_is_picked_up_only_in_place_of_a_draw(position: str, rule: str) -> None:
    assert refused(es(position), "pick_up").rule == rule


# Flipping


def test_with_an_empty_hand_one_of_the_slots_must_be_flipped() -> None:
    match = es("0: | 8C . 2C; 1: 2D; pile 6C; value 6")
    assert legal(match) == ["flip 0", "flip 2"]
    do(match, "flip 0")
    assert (table(match)["pile"], table(match)["value"]) == (["6C", "8C"], 8)
    assert seat(match, 0)["face_down"] == [2]


def test_a_flipped_even_card_too_low_is_picked_up_with_the_pile() -> None:
    match = es("0: | 8C . 2C; 1: 2D; pile 6C; value 6")
    do(match, "flip 2")
    assert hand(match, 0) == "2C 6C"
    assert (seat(match, 0)["face_down"], table(match)["round"]) == ([0], 2)


def test_with_cards_in_hand_nothing_is_flipped() -> None:
    match = es("0: 8C | 2C 4C; 1: 2D")
    assert legal(match) == ["play 8C"]
    refused(match, "flip 0")


@pytest.mark.parametrize("slot", [1, 3, 99])
def test_a_slot_without_a_card_is_not_flipped(slot: int) -> None:
    refused(es("0: | 8C . 2C; 1: 2D"), f"flip {slot}")


def test_a_card_is_refused_alike_wherever_else_it_is() -> None:
    match = es("0: 3C; 1: 2D | 4D; deck 6D; pile 8D")
    reasons = {refused(match, f"play {c}").reason for c in CODES if c not in ("3C", "8D")}
    assert len(reasons) == 1
