"""Even Steven: the end of a round, who starts the next, winning and the turn limit."""

from __future__ import annotations

import pytest

from engine.cards import CODES
from tests.engine.positions import es
from tests.engine.steps import cards_told, counts, do, hand, result, seat, table, told

#: From round 4 of a four-card game on nobody draws, so that hands stay as they are.
LATE = {"hand_size": 4, "face_down": 0}


# The end of a round


def test_es_7_a_burned_pile_comes_up_again_first_played_first() -> None:
    match = es("0: AC 3S; 1: 2D 2H; 2: *; deck 4H; pile 6C 5D 8S; value 8")
    do(match, "play AC")
    assert hand(match, 1) == "2D 2H 4H 5D 6C 8S"  # drawn up to 6: the deck, then the pile
    assert table(match)["deck_count"] == 1
    match = es("0: AC 3S; 1: 2D 2H 2S; 2: *; pile 6C 5D 8S; value 8")
    do(match, "play AC")
    assert hand(match, 1) == "2D 2H 2S 5D 6C 8S"  # all but the A, which was played last


def test_es_7_a_burned_pile_lies_beneath_the_deck() -> None:
    match = es("0: AC 3S; 1: 2D 2H; deck 4H 4S *; pile 6C 5D; value 7; round 5", hand_size=7)
    do(match, "play AC")
    deck = [CODES[card] for card in match.state.deck]
    assert (deck[-2:], deck[:3]) == (["4S", "4H"], ["AC", "5D", "6C"])


def test_es_7_an_ace_on_an_empty_pile_burns_itself_and_ends_the_round() -> None:
    match = es("0: AC 3S; 1: 2D; round 7")
    deck = table(match)["deck_count"]
    do(match, "play AC")
    assert (table(match)["deck_count"], table(match)["round"]) == (deck + 1, 8)


@pytest.mark.parametrize("line", ["play AC", "draw"])
def test_a_round_ends_when_the_pile_is_burned_or_picked_up(line: str) -> None:
    match = es("0: AC 3S; 1: 2D; deck 4H; pile 6C; value 6")
    do(match, line)
    assert (table(match)["pile"], table(match)["value"], table(match)["round"]) == ([], None, 2)


def test_a_round_ends_once() -> None:
    match = es("0: AC 3S; 1: 2D 4D; round 7")
    do(match, "play AC", "play 2D", "play 3S")
    assert (table(match)["round"], table(match)["pile"]) == (8, ["2D", "3S"])


@pytest.mark.parametrize(
    ("hand_size", "round_", "upto"),
    [(7, r, 7 - r) for r in range(1, 8)] + [(4, r, 4 - r) for r in range(1, 5)],
)
def test_es_8_the_others_draw_up_to_the_starting_hand_minus_the_rounds_number(
    hand_size: int, round_: int, upto: int
) -> None:
    match = es(f"0: AC 3S; 1: 2D; 2: | 2H; round {round_}", hand_size=hand_size)
    do(match, "play AC")
    assert counts(match) == [1, max(upto, 1), upto]


@pytest.mark.parametrize("round_", [4, 5, 40])
def test_es_8_once_the_number_has_reached_0_nobody_draws(round_: int) -> None:
    match = es(f"0: AC 3S; 1: 2D; 2: | 2H; round {round_}", **LATE)
    do(match, "play AC")
    assert counts(match) == [1, 1, 0]


def test_es_8_nobody_discards_down() -> None:
    match = es("0: AC 3S; 1: 2D 4D 6D 8D; round 3", hand_size=4)
    do(match, "play AC")
    assert hand(match, 1) == "2D 4D 6D 8D"


def test_es_8_the_one_who_picked_up_does_not_draw() -> None:
    match = es("0: 3S; 1: 2D; deck 4H; pile 6C; value 6")
    do(match, "draw")
    assert counts(match) == [3, 6]


def test_es_8_seats_draw_from_the_left_of_the_ender_until_the_deck_is_out() -> None:
    match = es(
        "0: 2C; 1: 3C; 2: 2D 2H 2S 4C; 3: 4H 4S 6D 6H; deck 4D 5C 5D 5H; pile * 6C; value 6; turn 1"
    )
    do(match, "draw")
    assert (hand(match, 2), hand(match, 3)) == ("2D 2H 2S 4C 5C 5D", "4H 4S 5H 6D 6H")
    assert (hand(match, 0), table(match)["deck_count"]) == ("2C", 0)
    assert [event["seat"] for event in told(match, None, "cards_drawn")] == [2, 3]


def test_es_8_a_seat_that_had_only_face_down_cards_draws_too() -> None:
    match = es("0: AC 3S; 1: | 2D 4D; round 4")
    do(match, "play AC")
    assert (seat(match, 1)["hand_count"], seat(match, 1)["face_down"]) == (3, [0, 1])


def test_a_card_drawn_to_refill_a_hand_is_seen_by_its_owner_alone() -> None:
    match = es("0: AC 3S; 1: 2D; 2: 2H 2S 4C 4D; deck 9C 8C; round 4")
    do(match, "play AC")
    assert cards_told(match, "cards_drawn") == [None, ["8C", "9C"], None, None]


# Who starts the next round


@pytest.mark.parametrize(
    ("seats", "starter"),
    [
        ("0: AC 2S; 1: 3D 3H; 2: 3C", 1),  # the most cards
        ("0: AC 2S; 1: 3D; 2: 3C | 4D . 4H", 2),  # face-down cards count
        ("0: AC 2S; 1: 3D; 2: | 4D 4H 2C", 2),
        ("0: AC 2S; 1: 8D; 2: 6D", 0),  # the lowest even card: 2
        ("0: AC 8S; 1: KD; 2: 6D", 2),
        ("0: AC 3S; 1: KD; 2: QD", 2),  # J, Q and K count as 11 to 13
        ("0: AC JS; 1: QD; 2: 10D", 2),
        ("0: AC 3S 8S; 1: 6C 4D; 2: 8H 4H", 1),  # only the lowest counts, its suit does not
        ("0: AC 3S; 1: 5D; 2: KD", 2),  # one without an even card comes last
        ("0: AC KS; 1: | 2D; 2: | 2C", 0),  # so does an empty hand
        ("0: AC 4S; 1: 8D; 2: 4D", 2),  # going left from the ender, who comes last
        ("0: AC 3S; 1: 5D; 2: 9D", 1),
    ],
)
def test_es_9_the_next_round_starts_with_the_most_cards(seats: str, starter: int) -> None:
    match = es(f"{seats}; round 4", **LATE)
    do(match, "play AC")
    assert match.to_act == [starter]


def test_es_9_among_equals_the_first_going_left_from_the_ender_starts() -> None:
    match = es("0: 4D; 1: 4H; 2: AC 4S; 3: 6C; turn 2; round 4", **LATE)
    do(match, "play AC")
    assert match.to_act == [0]


def test_es_9_cards_are_counted_after_the_drawing() -> None:
    match = es("0: AC 2C 4C 6C; 1: 3D | 2D 4D; round 1", hand_size=4)
    do(match, "play AC")
    assert match.to_act == [1]


def test_es_9_the_one_who_picked_up_the_pile_may_have_the_most_cards() -> None:
    match = es("0: 3S; 1: 2D; deck 4H; pile 6C; value 6; round 4", **LATE)
    do(match, "draw")
    assert match.to_act == [0]


@pytest.mark.parametrize("ender", [0, 1, 2])
def test_es_9_option_next_player_starts_left_of_the_ender(ender: int) -> None:
    hands = ["3D 2D 4D", "3H 2H 4H", "3S 2S 4S"]
    hands[ender] = "AC 6C"
    seats = "; ".join(f"{number}: {cards}" for number, cards in enumerate(hands))
    match = es(f"{seats}; turn {ender}; round 4", round_starter="next_player", **LATE)
    do(match, "play AC")
    assert match.to_act == [(ender + 1) % 3]


# Winning


@pytest.mark.parametrize("card", ["2C", "KC", "3C", "5C", "9C", "AC"])
def test_who_has_no_cards_wins_at_once(card: str) -> None:
    match = es(f"0: {card}; 1: 2D; 2: 3D 4D")
    do(match, f"play {card}")
    assert result(match) == ([0], [[0], [1], [2]], "no_cards")
    assert (match.to_act, match.status) == ([], "finished")


def test_a_seat_with_face_down_cards_left_has_not_won() -> None:
    match = es("0: 2C | . 4C .; 1: 2D")
    do(match, "play 2C")
    assert match.outcome is None


def test_a_last_flip_that_fits_wins_and_one_that_does_not_is_picked_up() -> None:
    match = es("0: | . 8C .; 1: 2D; pile 6C; value 6")
    do(match, "flip 1")
    assert result(match)[2] == "no_cards"
    match = es("0: | . 4C .; 1: 2D; pile 6C; value 6")
    do(match, "flip 1")
    assert (match.outcome, hand(match, 0)) == (None, "4C 6C")


def test_a_last_card_that_is_an_ace_wins_before_a_rounds_drawing() -> None:
    match = es("0: AC; 1: 2D; pile 6C; value 6; round 2")
    deck = table(match)["deck_count"]
    do(match, "play AC")
    assert result(match) == ([0], [[0], [1]], "no_cards")
    assert table(match) == {
        "phase": "play",
        "round": 2,
        "deck_count": deck + 2,
        "pile": [],
        "value": None,
    }
    assert counts(match) == [0, 1]


def test_a_7_as_the_last_card_wins_when_the_steal_is_declined() -> None:
    match = es("0: 7C; 1: 2D 4D")
    do(match, "play 7C")
    assert (match.outcome, match.to_act) == (None, [0])
    do(match, "decline")
    assert result(match)[2] == "no_cards"


def test_a_7_as_the_last_card_does_not_win_when_a_card_is_stolen() -> None:
    match = es("0: 7C; 1: 2D 4D")
    do(match, "play 7C", "steal 1")
    assert (match.outcome, match.to_act) == (None, [1])


@pytest.mark.parametrize(("target", "line"), [("2D", "steal 1"), ("| . 2D", "steal 1 1")])
def test_es_10_a_player_whose_last_card_is_stolen_wins(target: str, line: str) -> None:
    match = es(f"0: 3S; 1: {target}; 2: 4S 6S 8S; pile 7C; steal")
    do(match, line)
    assert result(match) == ([1], [[1], [0], [2]], "no_cards")


def test_the_ranking_counts_hand_and_face_down_and_shares_places_by_seat_number() -> None:
    match = es("0: 3S 3H; 1: 2D | 4D 6D; 2: 2C; 3: | 8D . 10D; turn 2")
    do(match, "play 2C")
    assert result(match)[1] == [[2], [0, 3], [1]]


# The turn limit


def test_at_the_turn_limit_the_fewest_cards_win() -> None:
    match = es("0: 2C 3S 4S; 1: 2D | 4D; 2: 3D 5D; 3: 6D 8D 10D; moves 49", turn_limit=50)
    do(match, "play 2C")
    assert result(match) == ([0, 1, 2], [[0, 1, 2], [3]], "turn_limit")
    assert (match.to_act, table(match)["value"]) == ([], 2)


def test_before_the_turn_limit_play_goes_on() -> None:
    match = es("0: 2C 3S 4S; 1: 2D 4D; moves 48", turn_limit=50)
    do(match, "play 2C")
    assert (match.outcome, match.to_act) == (None, [1])


def test_a_win_on_the_last_move_is_a_win() -> None:
    match = es("0: 2C; 1: 2D; moves 49", turn_limit=50)
    do(match, "play 2C")
    assert result(match) == ([0], [[0], [1]], "no_cards")


@pytest.mark.parametrize(("line", "left"), [("play AC", 1), ("draw", 4)])
def test_a_turn_limit_that_ends_a_round_leaves_nothing_to_follow(line: str, left: int) -> None:
    match = es("0: AC 3S; 1: 2D; deck 4H; pile 6C; value 6; round 3; moves 49", turn_limit=50)
    do(match, line)
    after = table(match)
    assert (after["pile"], after["value"], after["round"]) == ([], None, 3)
    assert (counts(match), result(match)[2]) == ([left, 1], "turn_limit")


def test_at_the_turn_limit_an_open_steal_counts_as_declined() -> None:
    match = es("0: 7C 3S 4S; 1: 2D; moves 49", turn_limit=50)
    do(match, "play 7C")
    assert result(match) == ([1], [[1], [0]], "turn_limit")
    assert table(match)["phase"] == "play"


def test_at_the_turn_limit_a_7_as_the_last_card_wins() -> None:
    match = es("0: 7C; 1: 2D; moves 49", turn_limit=50)
    do(match, "play 7C")
    assert result(match) == ([0], [[0], [1]], "no_cards")
    assert table(match)["phase"] == "play"


@pytest.mark.parametrize("line", ["steal 1", "decline"])
def test_a_steal_or_a_decline_counts_as_a_move(line: str) -> None:
    match = es("0: 7C 3S; 1: 2D 4D; moves 48", turn_limit=50)
    do(match, "play 7C")
    assert match.outcome is None
    do(match, line)
    assert result(match)[2] == "turn_limit"
