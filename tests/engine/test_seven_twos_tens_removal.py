"""Seven, Twos & Tens: playing again, what removes the pile, and the order of things."""

from __future__ import annotations

import pytest

from tests.engine.positions import st
from tests.engine.steps import do, hand, legal, result, table, told


def test_a_2_resets_the_value_and_the_same_seat_plays_again() -> None:
    match = st("0: 2C 3C 4C; 1: 5C 6C; pile KD; removed *")
    do(match, "play 2C")
    assert (table(match)["value"], match.to_act) == ("2", [0])
    assert legal(match) == ["play 3C", "play 4C"]
    do(match, "play 3C")
    assert match.to_act == [1]


def test_a_10_removes_the_pile_and_the_same_seat_plays_again() -> None:
    match = st("0: 10C 3C 4C; 1: 5C 6C; pile KD QD; removed 3S 4S; draw *")
    do(match, "play 10C")
    assert (table(match)["pile"], table(match)["value"]) == ([], None)
    assert (table(match)["removed_count"], match.to_act) == (5, [0])


@pytest.mark.parametrize("line", ["play 2C 2D 2H", "play 10C 10D", "play 2C"])
def test_several_at_a_time_or_a_2_that_makes_four_give_one_more_play(line: str) -> None:
    pile = "2S 2D 2H" if line == "play 2C" else "3D"
    match = st(f"0: {line[5:]} 9C 9D 9H; 1: JC JD; pile {pile}; removed *")
    do(match, line)
    assert match.to_act == [0]
    do(match, "play 9C")
    assert match.to_act == [1]


@pytest.mark.parametrize(
    ("pile", "line", "removed"),
    [
        ("9C 9D 9H", "play 9S", 4),  # whoever played them
        ("9C 9D", "play 9H 9S", 4),
        ("3C 9C 9D 9H", "play 9S", 5),  # the whole pile
        ("2C 2D 2H", "play 2S", 4),
        ("7C 7D 7H", "play 7S", 4),  # 7s are a rank of their own here
        ("JC 7C 7D 7H", "play 7S", 5),
        ("9C 9D", "play 9H", 0),
        ("9C 9D 7H 9H", "play 9S", 0),  # a 7 between breaks the run
        ("9C 9D 9H 7H", "play 9S", 0),
        ("9C 9D 9H 7H", "play 7S", 0),
        ("9C 9D 2H 9H", "play 9S", 0),
    ],
)
def test_st_6_the_top_four_of_one_rank_remove_the_pile(pile: str, line: str, removed: int) -> None:
    match = st(f"0: {line[5:]} KC KD KH; 1: AC AD; pile {pile}; draw *")
    do(match, line)
    assert table(match)["removed_count"] == removed
    assert (table(match)["pile"] == []) == (removed > 0)
    assert match.to_act == [0 if removed else 1]


@pytest.mark.parametrize("line", ["play 9S", "play 9S 9S"])
def test_st_6_four_or_more(line: str) -> None:
    match = st(f"0: {line[5:]} KC KD; 1: AC AD; pile 3C 9C 9D 9H; draw *", decks=2)
    do(match, line)
    assert (table(match)["removed_count"], match.to_act) == (3 + len(line.split()), [0])


def test_st_6_the_turned_first_card_counts_as_any_card() -> None:
    match = st(
        "0: 3C 4C 5C 9C 9D 9H | | 2C 2D 2H; 1: 3D 4D 5D 6D 8D JD | | 7C 7D 7H; lay 0 1; draw 9S"
    )
    do(match, "lay 3C 4C 5C", "lay 3D 4D 5D", "play 9C 9D 9H")
    assert (table(match)["removed_count"], match.to_act) == (4, [0])


def test_st_6_a_flipped_card_may_make_the_four() -> None:
    match = st("0: | | 9S 3D 4D; 1: AC AD; pile 9C 9D 9H; removed *")
    do(match, "flip 0")
    assert (table(match)["pile"], match.to_act) == ([], [0])


@pytest.mark.parametrize(
    ("pile", "line", "removes"),
    [
        ("9C 9D 9H", "play 9S", False),
        ("9C", "play 9D 9H 9S", False),
        ("", "play 9C 9D 9H 9S", True),
        ("3C", "play 9C 9D 9H 9S", True),
        ("3C", "play 9C 9D 9H 9S 9S", True),  # four or more
        ("3C", "play 7C 7D 7H 7S", True),
    ],
)
def test_st_6_option_one_play_counts_only_cards_played_together(
    pile: str, line: str, removes: bool
) -> None:
    match = st(
        f"0: {line[5:]} KC KD KH; 1: AC AD; pile {pile}; draw *",
        four_of_a_kind="one_play",
        decks=2,
    )
    do(match, line)
    assert (table(match)["pile"] == []) == removes
    assert match.to_act == [0 if removes else 1]


@pytest.mark.parametrize("line", ["play 2C 2D 2H 2S", "play 10C 10D 10H 10S"])
def test_four_2s_or_10s_give_one_more_play(line: str) -> None:
    match = st(f"0: {line[5:]} 9C 9D; 1: JC JD; pile 3D; removed *")
    do(match, line)
    assert (table(match)["pile"], match.to_act) == ([], [0])
    do(match, "play 9C")
    assert match.to_act == [1]


# The order of things


def test_st_8_the_pile_is_removed_before_the_hand_is_filled_up() -> None:
    match = st("0: 10C 3C 4C; 1: 5C 6C; pile KD; draw 9H *")
    do(match, "play 10C")
    types = [event["type"] for event in told(match, None)]
    assert types == ["cards_played", "pile_removed", "cards_drawn", "turn"]


def test_st_8_the_win_is_looked_at_before_the_hand_is_filled_up() -> None:
    match = st("0: 3C; 1: 5C 6C; draw 9H *")
    do(match, "play 3C")
    assert (result(match)[0], hand(match, 0)) == ([0], "")


def test_st_8_a_10_as_the_last_card_removes_the_pile_and_wins() -> None:
    match = st("0: 10C; 1: 5C 6C; pile KD; removed *")
    removed = table(match)["removed_count"]
    do(match, "play 10C")
    assert (table(match)["pile"], table(match)["removed_count"]) == ([], removed + 2)
    assert result(match) == ([0], [[0], [1]], "no_cards")
