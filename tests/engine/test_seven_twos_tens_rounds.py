"""Seven, Twos & Tens: what removes the pile, winning, rounds, scores and the turn limit."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Match
from engine.cards import CODES
from engine.chance import Chance
from tests.engine.positions import ST, st
from tests.engine.steps import (
    codes_in,
    do,
    facts,
    hand,
    legal,
    result,
    seat,
    table,
    told,
    words_taken,
)

# Winning a round


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("9C", "play 9C"),
        ("9C 9D 9H", "play 9C 9D 9H"),
        ("| 9C", "play 9C"),
        ("| | . 9C .", "flip 1"),
        ("2C", "play 2C"),
        ("7C", "play 7C"),
    ],
)
def test_who_has_no_card_left_wins_at_once(cards: str, line: str) -> None:
    match = st(f"0: {cards}; 1: 3D 4D; 2: 3H | 4H | 5H . 6H; pile 8D; removed *")
    do(match, line)
    assert result(match) == ([0], [[0], [1], [2]], "no_cards")
    assert (table(match)["scores"], match.to_act) == ([[0, 2, 4]], [])


@pytest.mark.parametrize("cards", ["9C 8C", "9C | 8C", "9C | | . . 8C"])
def test_a_card_left_anywhere_is_no_win(cards: str) -> None:
    match = st(f"0: {cards}; 1: 3D 4D; pile 8D; removed *")
    do(match, "play 9C")
    assert match.outcome is None


def test_a_last_flip_that_may_not_be_played_does_not_win() -> None:
    match = st("0: | | 3C; 1: 3D 4D; pile 8D; removed *")
    do(match, "flip 0")
    assert (match.outcome, hand(match, 0)) == (None, "3C 8D")


# Rounds


def won(seed: str = "position", **options: Any) -> Match:
    """A match of two rounds whose first one seat 0 has just won, with much left lying about."""
    match = st(
        "0: 9C; 1: 3D 4D | KD KS | . JD .; 2: 3H; pile 8D; removed 5C; draw *; moves 30",
        seed=seed,
        **{"rounds": 2} | options,
    )
    do(match, "play 9C")
    return match


def test_every_card_left_counts_1_point() -> None:
    match = won()
    assert table(match)["scores"] == [[0, 5, 1]]
    assert [seat(match, number)["points"] for number in range(3)] == [0, 5, 1]
    assert facts(match, None, "round_ended") == {"winner": 0, "round": 1, "points": [0, 5, 1]}


@pytest.mark.parametrize("seed", ["a", "b"])
def test_st_9_the_next_round_is_dealt_at_once_from_a_fresh_shuffled_deck(seed: str) -> None:
    match = won(seed)
    deck = list(ST.deck)
    Chance(seed.encode()).shuffle(deck)
    codes = [CODES[card] for card in deck]
    rows = [[CODES[card] for card in row] for row in match.state.face_down]
    assert rows == [codes[number:9:3] for number in range(3)]
    for number in range(3):  # the deal itself still begins with seat 0
        assert set(hand(match, number).split()) == set(codes[9 + number : 27 : 3])
    assert [CODES[card] for card in reversed(match.state.draw)] == codes[27:]


def test_st_9_chance_goes_on_from_where_it_was() -> None:
    options = {"rounds": 2, "turn_limit": 50, "face_up": "best"}
    match = Match.new(ST, seats=["Ada", "Ben"], seed="demo", options=options)
    while table(match)["round"] == 1:
        do(match, legal(match)[0])
    chance, deck = Chance(b"demo"), list(ST.deck)
    chance.shuffle(deck)
    deck = list(ST.deck)
    chance.shuffle(deck)
    assert match.state.face_down == [deck[0:6:2], deck[1:6:2]]
    assert words_taken(match) == chance.position == 102


def test_st_9_nothing_of_the_round_before_is_left() -> None:
    match = won()
    assert table(match) == {
        "phase": "lay",
        "round": 2,
        "draw_count": 52 - 27,
        "pile": [],
        "value": None,
        "removed_count": 0,
        "scores": [[0, 5, 1]],
    }
    for number in range(3):
        facts_ = seat(match, number)
        assert (facts_["hand_count"], facts_["face_up"], facts_["face_down"]) == (6, [], [0, 1, 2])
        assert match.view(number)["you"]["committed"] is None
    assert (match.to_act, match.version, codes_in(match, None)) == ([0, 1, 2], 1, set())
    types = [event["type"] for event in told(match, None)]
    assert types == ["cards_played", "round_ended", "round_started", *["cards_dealt"] * 3, "turn"]


@pytest.mark.parametrize(
    ("players", "round_", "first"), [(2, 2, 1), (2, 3, 0), (3, 2, 1), (3, 3, 2), (3, 4, 0)]
)
def test_st_9_the_first_player_of_round_r_is_seat_r_minus_1(
    players: int, round_: int, first: int
) -> None:
    scores = " / ".join(["1 1 1"[: 2 * players - 1]] * (round_ - 2))
    others = "; ".join(f"{number}: {number + 2}D" for number in range(1, players))
    match = st(
        f"0: 9C; {others}; removed *; round {round_ - 1}; scores {scores}",
        rounds=20,
        face_up="best",
    )
    do(match, "play 9C")
    assert (match.to_act, table(match)["round"]) == ([first], round_)
    assert facts(match, None, "card_turned")["seat"] == first


@pytest.mark.parametrize(
    ("scores", "ranking"),
    [
        ("0 4 6", [[0], [1], [2]]),
        ("9 4 6", [[1], [2], [0]]),
        ("5 4 6", [[0, 1], [2]]),  # equal totals share
        ("5 3 6", [[1], [0], [2]]),
        ("2 1 0", [[0, 1, 2]]),
    ],
)
def test_after_the_last_round_the_lowest_total_wins(scores: str, ranking: list[list[int]]) -> None:
    match = st(f"0: 9C; 1: 3D; 2: 3H 4H; removed *; round 2; scores {scores}", rounds=2)
    do(match, "play 9C")
    assert result(match) == (ranking[0], ranking, "lowest_score")
    rows = [[int(points) for points in scores.split()], [0, 1, 2]]
    assert table(match)["scores"] == rows  # a row for every ended round, the last included
    assert (table(match)["round"], match.status) == (2, "finished")


# The turn limit


def test_st_10_the_turn_limit_ends_a_round_without_a_winner() -> None:
    match = st("0: 9C JC; 1: 3D 4D; 2: 3H; removed *; moves 49", turn_limit=50)
    do(match, "play 9C")
    assert result(match) == ([0, 2], [[0, 2], [1]], "turn_limit")
    assert table(match)["scores"] == [[1, 2, 1]]
    assert facts(match, None, "round_ended")["winner"] is None


def test_st_10_it_is_looked_at_after_the_filling_up() -> None:
    match = st("0: 9C | | 4C; 1: 3D 4D; draw KC KD KH; removed *; moves 49", turn_limit=50)
    do(match, "play 9C")
    assert (hand(match, 0), table(match)["scores"]) == ("KC KD KH", [[4, 2]])


def test_st_10_before_the_turn_limit_the_round_goes_on() -> None:
    match = st("0: 9C JC; 1: 3D 4D; removed *; moves 48", turn_limit=50)
    do(match, "play 9C")
    assert (match.outcome, match.to_act, table(match)["scores"]) == (None, [1], [])


def test_st_10_a_win_on_the_last_move_is_a_win() -> None:
    match = st("0: 9C; 1: 3D 4D; removed *; moves 49", turn_limit=50)
    do(match, "play 9C")
    assert result(match) == ([0], [[0], [1]], "no_cards")


@pytest.mark.parametrize(("cards", "row"), [("9C JC", [1, 2]), ("9C", [0, 2])])
def test_st_10_the_next_round_is_dealt_and_counts_anew(cards: str, row: list[int]) -> None:
    match = st(f"0: {cards}; 1: 3D 4D; removed *; moves 49", turn_limit=50, rounds=2)
    do(match, "play 9C")
    assert (table(match)["scores"], table(match)["round"]) == ([row], 2)
    assert (match.state.moves, match.to_act) == (0, [0, 1])
    do(match, f"lay {' '.join(hand(match, 0).split()[:3])}")
    assert match.state.moves == 1  # each lay counts too


def test_st_10_in_the_last_of_several_rounds_the_lowest_score_wins() -> None:
    match = st("0: 9C JC; 1: 3D; removed *; round 2; scores 0 3; moves 49", turn_limit=50, rounds=2)
    do(match, "play 9C")
    assert result(match) == ([0], [[0], [1]], "lowest_score")


@pytest.mark.parametrize("line", ["pick_up", "flip 0"])
def test_st_10_picking_up_and_flipping_count_as_moves(line: str) -> None:
    cards = "3C" if line == "pick_up" else "| | 3C"
    match = st(f"0: {cards}; 1: 3D; pile 8D; removed *; moves 49", turn_limit=50)
    do(match, line)
    assert result(match)[2] == "turn_limit"
    assert table(match)["scores"] == [[2, 1]]


def test_st_10_a_play_again_that_the_turn_limit_cut_short_is_not_carried_over() -> None:
    match = st(
        "0: 2C JC; 1: 3D; removed *; moves 49",
        turn_limit=50,
        rounds=2,
        face_up="best",
        pick_up_freely=True,
    )
    do(match, "play 2C")
    assert (table(match)["round"], match.to_act) == (2, [1])
    do(match, "pick_up")
    assert match.to_act == [0]
