"""Card Keeper: being knocked out, winning and the turn limit."""

from __future__ import annotations

import pytest

from engine import Match
from tests.engine.positions import ck
from tests.engine.steps import do, hand, legal, result, seat, table, told

FOUR = "blue-1 blue-2 blue-3 blue-4"
FIVE = "green-1 green-2 green-3 green-4 green-5"


def out(match: Match) -> list[int]:
    """The seats shown as out."""
    return [number for number in range(len(match.seats)) if seat(match, number)["out"]]


# Knocked out


@pytest.mark.parametrize("line", ["play red-1", "burn red-1"])
def test_a_player_who_holds_no_cards_is_out(line: str) -> None:
    match = ck(f"0: red-1; 1: {FOUR}; 2: {FIVE}; discard red-9")
    do(match, line)
    assert (out(match), match.to_act, match.outcome) == ([0], [1], None)
    assert [event["seat"] for event in told(match, None, "knocked_out")] == [0]
    do(match, "burn blue-1", "burn green-1")
    assert match.to_act == [1]


@pytest.mark.parametrize(
    ("last", "line", "left"),
    [
        ("red-capture-1", "play red-capture-1 1", 1),
        ("capture-2", "play capture-2 1 2", 2),
        ("draw-3", "play draw-3", 3),
        ("swap-red-yellow", "play swap-red-yellow 1", 4),
    ],
)
def test_ck_8_a_last_card_whose_effect_brings_cards_keeps_its_player_in(
    last: str, line: str, left: int
) -> None:
    match = ck(f"0: {last}; 1: {FOUR}; 2: {FIVE}; discard red-9")
    do(match, line)
    assert (seat(match, 0)["out"], seat(match, 0)["hand_count"]) == (False, left)


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (f"0: red-capture-1; 1: {FOUR} | shield; 2: {FIVE}", "play red-capture-1 1"),
        (f"0: capture-2; 1: {FOUR} | shield; 2: {FIVE} | shield", "play capture-2 1 2"),
        (f"0: shield; 1: {FOUR}; 2: {FIVE}", "play shield"),
        (f"0: wild; 1: {FOUR}; 2: {FIVE}", "play wild red"),
        (f"0: chaos; 1: {FOUR} | shield; 2: {FIVE} | shield", "play chaos"),
    ],
)
def test_ck_8_a_last_card_whose_effect_brings_none_puts_its_player_out(
    position: str, line: str
) -> None:
    match = ck(f"{position}; discard red-9")
    do(match, line)
    assert (out(match), match.to_act) == ([0], [1])


def test_ck_8_a_draw_3_as_the_last_card_finds_at_least_the_discard_beneath_it() -> None:
    match = ck(f"0: draw-3; 1: {FOUR}; 2: *; discard red-9")
    do(match, "play draw-3")
    assert (hand(match, 0), out(match)) == ("red-9", [])


def test_ck_8_a_swap_as_the_last_card_hands_over_nothing() -> None:
    match = ck(f"0: swap-red-yellow; 1: {FOUR}; 2: {FIVE}; discard red-9")
    do(match, "play swap-red-yellow 2")
    assert (hand(match, 0), out(match), match.to_act) == (FIVE, [2], [1])


def test_ck_8_whoever_the_effect_leaves_without_a_card_is_out() -> None:
    match = ck(f"0: capture-2 red-1; 1: green-1; 2: green-2; 3: {FOUR}; discard red-9")
    do(match, "play capture-2 1 2")
    assert (out(match), match.to_act) == ([1, 2], [3])


def test_ck_8_a_chaos_as_the_last_card_is_over_when_all_have_chosen() -> None:
    match = ck(f"0: chaos; 1: green-1; 2: {FOUR}; 3: {FIVE}; discard red-9")
    do(match, "play chaos", "1: burn green-1", "2: burn blue-1")
    assert (out(match), match.to_act) == ([], [3])
    do(match, "burn green-2")
    assert (out(match), match.to_act) == ([0, 1], [2])


def test_after_a_chaos_the_turn_goes_on_from_the_seat_that_played_it() -> None:
    match = ck(f"0: green-9; 1: chaos red-1; 2: {FOUR}; 3: {FIVE}; turn 1; discard red-9")
    do(match, "play chaos", "2: burn blue-1", "3: burn green-1", "0: burn green-9")
    assert (out(match), match.to_act) == ([0], [2])


@pytest.mark.parametrize(("direction", "then"), [("left", 3), ("right", 0)])
def test_the_next_turn_goes_to_the_next_still_in_from_the_seat_that_played(
    direction: str, then: int
) -> None:
    match = ck(
        f"0: {FOUR}; 1: red-capture-1 red-1; 2: green-1; 3: {FIVE}; turn 1; discard red-9"
        f"; direction {direction}"
    )
    do(match, "play red-capture-1 2")
    assert match.to_act == [then]
    match = ck(
        f"0: {FOUR}; 1: red-1; 2: green-1 green-2; 3: {FIVE}; turn 1; discard red-9"
        f"; direction {direction}"
    )
    do(match, "play red-1")
    assert match.to_act == [2 if direction == "left" else 0]


@pytest.mark.parametrize("option", ["leave", "burn_pile"])
def test_the_shields_of_a_player_who_is_knocked_out_leave_the_match(option: str) -> None:
    match = ck(
        f"0: red-1 | shield shield; 1: {FOUR}; 2: {FIVE}; discard red-9", used_shields=option
    )
    do(match, "burn red-1")
    assert (seat(match, 0)["shields"], table(match)["burn_count"], match.state.gone) == (0, 1, 2)


# Winning


def test_the_last_player_still_in_wins() -> None:
    match = ck(f"0: red-1; 1: {FOUR}; 2: ; 3: ; 4: ; out 3 / 2 4; discard red-9")
    do(match, "burn red-1")
    assert result(match) == ([1], [[1], [0], [2, 4], [3]], "last_holding_cards")
    assert (match.to_act, legal(match, 1)) == ([], [])


def test_a_capture_of_the_last_card_of_the_last_other_player_wins() -> None:
    match = ck("0: red-capture-1 red-1; 1: blue-1; discard red-9")
    do(match, "play red-capture-1 1")
    assert result(match) == ([0], [[0], [1]], "last_holding_cards")


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize(
    ("option", "winners", "first"),
    [("player", [1], [[1], [0, 2]]), ("draw", [0, 1, 2], [[0, 1, 2]])],
)
def test_option_last_together_says_who_wins_when_nobody_is_left(
    option: str, winners: list[int], first: list[list[int]], seats: int
) -> None:
    earlier = "; 3: ; 4: ; 5: ; out 4 / 3 / 5" if seats == 6 else ""
    match = ck(
        f"0: red-2; 1: chaos; 2: green-2{earlier}; turn 1; discard red-9", last_together=option
    )
    do(match, "play chaos", "2: burn green-2", "0: burn red-2")
    assert result(match) == (winners, first + [[5], [3], [4]][: seats - 3], "last_together")
    assert out(match) == list(range(seats))


def test_last_together_by_default_the_player_of_the_card_wins() -> None:
    match = ck("0: chaos; 1: red-2; discard red-9")
    do(match, "play chaos", "burn red-2")
    assert result(match) == ([0], [[0], [1]], "last_together")


# The turn limit


def test_at_the_turn_limit_the_most_cards_in_hand_win_and_shields_do_not_count() -> None:
    match = ck(
        f"0: red-1 red-2 | shield shield; 1: {FOUR}; 2: yellow-1 yellow-2 yellow-3 yellow-4"
        "; 3: green-1 | shield shield; 4: ; 5: ; 6: ; out 5 / 4 6; discard red-9; moves 49",
        turn_limit=50,
    )
    do(match, "burn red-1")
    ranking = [[1, 2], [0, 3], [4, 6], [5]]
    assert result(match) == ([1, 2], ranking, "turn_limit")


def test_before_the_turn_limit_play_goes_on() -> None:
    match = ck(f"0: red-1 red-2; 1: {FOUR}; discard red-9; moves 48", turn_limit=50)
    do(match, "burn red-1")
    assert (match.outcome, match.to_act) == (None, [1])


def test_at_the_turn_limit_nobody_catches_up() -> None:
    match = ck(f"0: red-1 red-2; 1: blue-1; 2: {FIVE}; discard red-9; moves 49", turn_limit=50)
    do(match, "burn red-1")
    assert (hand(match, 1), result(match)[1]) == ("blue-1", [[2], [0, 1]])


def test_a_knock_out_on_the_last_move_counts() -> None:
    match = ck(f"0: red-1; 1: {FOUR}; 2: {FIVE}; discard red-9; moves 49", turn_limit=50)
    do(match, "burn red-1")
    assert result(match) == ([2], [[2], [1], [0]], "turn_limit")
    assert out(match) == [0]


def test_a_win_on_the_last_move_is_a_win() -> None:
    match = ck(f"0: red-1; 1: {FOUR}; discard red-9; moves 49", turn_limit=50)
    do(match, "burn red-1")
    assert result(match) == ([1], [[1], [0]], "last_holding_cards")


def test_at_the_turn_limit_an_unfinished_chaos_is_left_as_it_is() -> None:
    match = ck(f"0: chaos; 1: {FOUR}; 2: {FIVE}; discard red-9; moves 48", turn_limit=50)
    do(match, "play chaos", "1: burn blue-1")
    assert result(match) == ([2], [[2], [1], [0]], "turn_limit")
    assert (out(match), table(match)["phase"], table(match)["burn_count"]) == ([], "chaos", 0)
    assert (hand(match, 1), match.to_act) == (FOUR, [])
    for viewer in (0, 1, 2):  # the choices made are shown nowhere
        assert match.view(viewer)["you"]["committed"] is None
    assert told(match, 2, "choice_made")[0]["cards"] is None


def test_a_chaos_choice_counts_as_a_move_and_the_last_one_is_done_with_its_effects() -> None:
    match = ck(f"0: chaos red-1; 1: blue-1; 2: {FIVE}; discard red-9; moves 47", turn_limit=50)
    do(match, "play chaos", "1: burn blue-1", "2: burn green-1")
    assert result(match) == ([2], [[2], [0], [1]], "turn_limit")
    assert (table(match)["phase"], table(match)["burn_count"]) == ("play", 2)


def test_naming_a_colour_counts_as_a_move() -> None:
    match = ck(f"0: {FOUR}; 1: {FIVE}; discard wild; colour none; moves 49", turn_limit=50)
    do(match, "name_colour red")
    assert (result(match)[2], table(match)["colour"]) == ("turn_limit", "red")
