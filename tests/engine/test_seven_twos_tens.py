"""Seven, Twos & Tens: ranks, the pile's value, playing from each zone, picking up and flipping."""

from __future__ import annotations

import pytest

from tests.engine.positions import st
from tests.engine.steps import cards_told, codes_in, do, hand, legal, refused, seat, table, told

LOW_TO_HIGH = ["3", "4", "5", "6", "8", "9", "J", "Q", "K", "A"]
SPECIAL = ["2", "7", "10"]
SORTED = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
ALL_CLUBS = " ".join(f"{rank}C" for rank in SORTED)


# Ranks and value


@pytest.mark.parametrize("value", LOW_TO_HIGH)
def test_a_rank_is_played_on_an_equal_or_lower_value_and_2_7_and_10_always(value: str) -> None:
    match = st(f"0: {ALL_CLUBS}; 1: 3S; pile {value}D")
    fits = {*SPECIAL, *LOW_TO_HIGH[LOW_TO_HIGH.index(value) :]}
    assert table(match)["value"] == value
    assert legal(match) == [f"play {rank}C" for rank in SORTED if rank in fits]
    for rank in set(SORTED) - fits:
        assert value in refused(match, f"play {rank}C").reason


@pytest.mark.parametrize(
    ("pile", "value"),
    [
        ("9D 7D", "9"),  # a 7 is invisible
        ("9D 7D 7H 7S", "9"),
        ("9D 7D JD 7H", "J"),
        ("7D 7H", None),
        ("", None),
        ("9D 2D", "2"),
        ("9D 2D 7D", "2"),
        ("4S 9D 3S", "3"),
    ],
)
def test_the_value_is_the_rank_of_the_topmost_card_that_is_not_a_7(
    pile: str, value: str | None
) -> None:
    assert table(st(f"0: 3C; 1: 3H; pile {pile}"))["value"] == value


@pytest.mark.parametrize("pile", ["", "7D", "9D 2D", "9D 2D 7D"])
def test_without_a_value_or_on_a_2_anything_may_be_played(pile: str) -> None:
    match = st(f"0: {ALL_CLUBS}; 1: 3S; pile {pile}")
    assert legal(match) == [f"play {rank}C" for rank in SORTED]


def test_play_passes_to_the_left_in_a_circle() -> None:
    match = st("0: 3C 3D 9C; 1: 4C 9D 9H; 2: 5C 9S JC; removed *")
    order = []
    for line in ("play 3C", "play 4C", "play 5C", "play 9C"):
        order += match.to_act
        do(match, line)
    assert [*order, *match.to_act] == [0, 1, 2, 0, 1]


def test_a_7_passes_the_turn() -> None:
    match = st("0: 7C 3C; 1: 4C 4D; pile 9D")
    do(match, "play 7C")
    assert (match.to_act, table(match)["value"]) == ([1], "9")


# Several cards, and zones


def test_several_cards_of_one_rank_may_be_played_together() -> None:
    match = st("0: 5C 5D 5S 8C 8H; 1: 9C; pile 3H")
    assert legal(match) == [
        "play 5C",
        "play 5C 5D",
        "play 5C 5D 5S",
        "play 8C",
        "play 8C 8H",
    ]
    do(match, "play 5C 5D 5S")
    assert (table(match)["pile"], match.to_act) == (["3H", "5C", "5D", "5S"], [1])


@pytest.mark.parametrize("line", ["play 5S", "play 5S 5C", "play 5D 5S"])
def test_st_4_any_equal_choice_is_accepted_and_lies_in_sorting_order(line: str) -> None:
    match = st("0: 5C 5D 5S 8C; 1: 9C; pile 3H")
    do(match, line)
    named = [code for code in ("5C", "5D", "5S") if code in line.split()]
    assert table(match)["pile"] == ["3H", *named]
    assert not set(named) & set(hand(match, 0).split())


@pytest.mark.parametrize("draw", ["; removed *", ""])
@pytest.mark.parametrize(("line", "rule"), [("play 5S 5H", "ST-4"), ("play 5H", "ST-4")])
def test_st_4_all_from_one_zone_the_one_in_turn(line: str, rule: str, draw: str) -> None:
    match = st(f"0: 5S | 5H 9C KC | 3C; 1: 9D; pile 4D{draw}")
    assert refused(match, line).rule == rule
    assert legal(match) == ["play 5S"]
    do(match, "play 5S")
    assert seat(match, 0)["face_up"] == ["5H", "9C", "KC"]


def test_with_hand_and_draw_pile_empty_the_face_up_cards_are_played() -> None:
    match = st("0: 5S | 5H 9C 9H | 3C; 1: 5D 6D; pile 4D; removed *")
    do(match, "play 5S", "play 5D")
    assert legal(match) == ["play 5H", "play 9C", "play 9C 9H"]
    do(match, "play 9H 9C")
    assert (seat(match, 0)["face_up"], seat(match, 0)["face_down"]) == (["5H"], [0])


def test_st_4_the_same_card_is_not_played_twice() -> None:
    assert refused(st("0: 5S 5H; 1: 9D", decks=2), "play 5S 5S").rule == "ST-4"


def test_two_cards_that_look_the_same_may_be_played_together() -> None:
    match = st("0: 5S 5S 9C 9C; 1: 9D; removed *", decks=2)
    assert legal(match)[:2] == ["play 5S", "play 5S 5S"]
    do(match, "play 5S 5S")
    assert (hand(match, 0), table(match)["pile"]) == ("9C 9C", ["5S", "5S"])


# Filling up


@pytest.mark.parametrize(
    ("cards", "line", "count"),
    [
        ("3C 4C 5C", "play 3C", 3),
        ("3C 3D 3H", "play 3C 3D 3H", 3),
        ("3C 4C 5C 6C 8C", "play 3C", 4),
    ],
)
def test_after_a_play_the_hand_is_filled_up_to_3(cards: str, line: str, count: int) -> None:
    match = st(f"0: {cards} | | 4H; 1: 9D; draw KC KD KH *")
    do(match, line)
    assert seat(match, 0)["hand_count"] == count


def test_the_hand_is_filled_up_while_the_draw_pile_lasts() -> None:
    match = st("0: 3C 3D 3H | | 4H; 1: 9D; draw KC KD; removed *")
    do(match, "play 3C 3D 3H")
    assert (hand(match, 0), table(match)["draw_count"]) == ("KC KD", 0)
    assert cards_told(match, "cards_drawn") == [["KC", "KD"], None, None]


@pytest.mark.parametrize("line", ["play 2C", "play 10C"])
def test_st_5_the_hand_is_filled_up_before_another_play_of_the_same_seat(line: str) -> None:
    match = st("0: 2C 10C 9C; 1: 9D; draw KC; pile 4D")
    do(match, line)
    assert (match.to_act, seat(match, 0)["hand_count"]) == ([0], 3)
    assert "play KC" in legal(match)


# Picking up


def test_st_7_a_player_who_cannot_play_picks_up_the_whole_pile() -> None:
    match = st("0: 3C 4C 5C; 1: 3D; pile 8D 9D 7D; draw 6S")
    assert legal(match) == ["pick_up"]
    do(match, "pick_up")
    assert hand(match, 0) == "3C 4C 5C 7D 8D 9D"
    assert (table(match)["pile"], table(match)["value"], match.to_act) == ([], None, [1])
    assert legal(match) == ["play 3D"]  # the next player begins on the empty pile


@pytest.mark.parametrize("cards", ["3C 9C", "3C 2C", "3C 7C", "3C 10C"])
def test_st_7_a_player_who_can_play_may_not_pick_up(cards: str) -> None:
    match = st(f"0: {cards}; 1: 3D; pile 8D")
    assert "pick_up" not in legal(match)
    refusal = refused(match, "pick_up")
    assert refusal.rule == "ST-7"
    assert not any(card in refusal.reason for card in cards.split())


@pytest.mark.parametrize("freely", [False, True])
def test_st_7_an_empty_pile_is_not_picked_up(freely: bool) -> None:
    match = st("0: 3C 9C; 1: 3D", pick_up_freely=freely)
    assert refused(match, "pick_up").rule == "ST-7"


def test_st_7_option_pick_up_freely_allows_it_always() -> None:
    match = st("0: 3C 9C; 1: 3D; pile 8D", pick_up_freely=True)
    assert legal(match) == ["play 9C", "pick_up"]
    do(match, "pick_up")
    assert (hand(match, 0), match.to_act) == ("3C 8D 9C", [1])


def test_st_7_the_zone_in_turn_decides() -> None:
    match = st("0: 3C | KC; 1: 3D; pile 8D; removed *")
    assert legal(match) == ["pick_up"]
    match = st("0: | 3C 4C KC | 2C; 1: 3D; pile AD; removed *")
    assert legal(match) == ["pick_up"]


@pytest.mark.parametrize("freely", [False, True])
def test_st_7_the_pile_is_not_picked_up_when_face_down_cards_are_in_turn(freely: bool) -> None:
    match = st("0: | | 3C; 1: 3D; pile 8D; removed *", pick_up_freely=freely)
    assert legal(match) == ["flip 0"]
    refused(match, "pick_up")


def test_after_picking_up_the_hand_must_be_played_before_table_cards_again() -> None:
    match = st("0: | 3C 4C 5C | 2C; 1: 3D 4D; pile JD KD; removed *")
    do(match, "pick_up", "play 3D")
    assert (hand(match, 0), seat(match, 0)["face_up"]) == ("JD KD", ["3C", "4C", "5C"])
    assert legal(match) == ["play JD", "play KD"]
    assert refused(match, "play 5C").rule == "ST-4"


# Flipping


BLIND = "0: | | 3C KC 10C; 1: 3D 4D; 2: 5D 6D; removed *"


@pytest.mark.parametrize(
    ("card", "line", "pile", "then"),
    [
        ("KC", "flip 1", ["8D", "KC"], 1),
        ("10C", "flip 2", [], 0),
        ("7C", "flip 0", ["8D", "7C"], 1),
        ("2C", "flip 0", ["8D", "2C"], 0),
        ("8C", "flip 0", ["8D", "8C"], 1),
    ],
)
def test_a_flipped_card_that_may_be_played_is_with_its_effect(
    card: str, line: str, pile: list[str], then: int
) -> None:
    row = {"flip 0": f"{card} 4H 5H", "flip 1": f"4H {card} 5H", "flip 2": f"4H 5H {card}"}[line]
    match = st(f"0: | | {row}; 1: 3D 4D; pile 8D; removed *")
    assert legal(match) == ["flip 0", "flip 1", "flip 2"]
    do(match, line)
    assert (table(match)["pile"], match.to_act) == (pile, [then])
    assert seat(match, 0)["face_down"] == [slot for slot in range(3) if str(slot) not in line]
    assert seat(match, 0)["hand_count"] == 0


def test_a_flipped_card_that_may_not_be_played_goes_to_the_hand_with_the_pile() -> None:
    match = st(f"{BLIND}; pile 9D 8D")
    do(match, "flip 0")
    assert (hand(match, 0), seat(match, 0)["face_down"]) == ("3C 8D 9D", [1, 2])
    assert (table(match)["pile"], match.to_act, match.version) == ([], [1], 1)
    do(match, "play 3D", "play 5D")
    assert legal(match) == ["play 8D", "play 9D"]  # the hand before table cards again


def test_a_flipped_card_that_may_not_be_played_is_shown_to_all_and_no_other_is() -> None:
    match = st(f"{BLIND}; pile 9D 8D")
    do(match, "flip 0")
    assert cards_told(match, "card_flipped") == [["3C"]] * 4
    assert cards_told(match, "pile_picked_up") == [["3C", "8D", "9D"]] * 4
    assert told(match, 1, "card_flipped")[0]["slot"] == 0
    for viewer in (0, 1, 2, None):
        assert not {"KC", "10C"} & codes_in(match, viewer)
    assert (seat(match, 0)["hand_count"], "hand" in seat(match, 0)) == (3, False)


@pytest.mark.parametrize("slot", range(3))
def test_any_card_flipped_on_an_empty_pile_may_be_played(slot: int) -> None:
    match = st("0: | | 3C 4C 5C; 1: 3D 4D; removed *")
    do(match, f"flip {slot}")
    assert table(match)["pile"] == [f"{slot + 3}C"]


@pytest.mark.parametrize(
    "position",
    [
        "0: 9C | 4C | 3C; 1: 3D; removed *",  # a hand
        "0: | 9C | 3C; 1: 3D; removed *",  # face-up cards
    ],
)
def test_face_down_cards_come_last(position: str) -> None:
    match = st(position)
    assert legal(match) == ["play 9C"]
    refused(match, "flip 0")


@pytest.mark.parametrize("line", ["flip 1", "flip 3", "play 3C"])
def test_with_only_face_down_cards_left_one_that_is_there_is_flipped(line: str) -> None:
    refused(st("0: | | 3C . 4C; 1: 3D; pile 8D; removed *"), line)
