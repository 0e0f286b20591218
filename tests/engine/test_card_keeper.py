"""Card Keeper: a turn, what fits, the colours, the direction, and the order of legal moves."""

from __future__ import annotations

import pytest

from engine import Match
from engine.games.card_keeper import CODES
from tests.engine.positions import ck
from tests.engine.steps import cards_told, do, hand, legal, refused, seat, table

FOUR = "blue-1 blue-2 blue-3 blue-4"
COLOURS = ["red", "blue", "green", "yellow"]


def playable(match: Match) -> list[str]:
    """The cards that the seat to act may play."""
    moves = match.legal_moves(match.to_act[0])
    bodies = [match.game.body(move) for move in moves]
    return list(dict.fromkeys(body["card"] for body in bodies if body["action"] == "play"))


# Catching up


@pytest.mark.parametrize(("held", "after"), [(1, 2), (2, 3), (3, 4), (4, 4), (5, 5)])
def test_a_player_with_3_cards_or_fewer_draws_1_before_choosing(held: int, after: int) -> None:
    cards = " ".join(["green-1", "green-2", "green-3", "green-4", "green-5"][:held])
    match = ck(f"0: red-1 red-2; 1: {cards}; 2: {FOUR}; discard red-3; draw yellow-9")
    do(match, "burn red-1")
    assert seat(match, 1)["hand_count"] == after
    assert ("yellow-9" in hand(match, 1)) == (after > held)


@pytest.mark.parametrize("third", ["", "2: ; out 2"])
@pytest.mark.parametrize(("held", "after"), [(1, 2), (2, 2), (3, 3)])
def test_with_two_players_still_in_only_one_with_exactly_1_card_draws(
    held: int, after: int, third: str
) -> None:
    cards = " ".join(["green-1", "green-2", "green-3"][:held])
    match = ck(f"0: red-1 red-2; 1: {cards}; {third}; discard red-3")
    do(match, "burn red-1")
    assert (match.to_act, seat(match, 1)["hand_count"]) == ([1], after)


def test_a_card_drawn_to_catch_up_is_seen_by_its_owner_alone() -> None:
    match = ck(f"0: red-1 red-2; 1: green-1; 2: {FOUR}; discard red-3; draw yellow-9")
    do(match, "burn red-1")
    assert cards_told(match, "cards_drawn") == [None, ["yellow-9"], None, None]


# Burning


@pytest.mark.parametrize("card", ["red-9", "blue-9", "wild", "capture-2", "shield"])
def test_any_card_may_be_burned_and_top_card_and_colour_stay(card: str) -> None:
    match = ck(f"0: {card} red-1; 1: blue-1 blue-2; discard red-3")
    do(match, f"burn {card}")
    after = table(match)
    assert (after["discard_top"], after["colour"], after["discard_count"]) == ("red-3", "red", 1)
    assert (after["burn_count"], hand(match, 0), match.to_act) == (1, "red-1", [1])


@pytest.mark.parametrize("line", ["burn blue-1", "play blue-1", "burn green-1", "play red-3"])
def test_a_card_that_is_not_held_is_refused_alike_wherever_it_is(line: str) -> None:
    match = ck("0: red-1 red-2; 1: blue-1 blue-2; discard red-3 red-3 red-4; burned green-1")
    assert refused(match, line).reason == refused(match, "play wild red").reason


def test_of_two_cards_that_look_the_same_one_leaves_the_hand() -> None:
    match = ck("0: red-5 red-5 red-1; 1: blue-1 blue-2; discard red-3")
    assert legal(match) == ["play red-1", "play red-5", "burn red-1", "burn red-5"]
    do(match, "play red-5")
    assert hand(match, 0) == "red-1 red-5"


# What fits


@pytest.mark.parametrize(
    ("discard", "card", "fits"),
    [
        ("red-5", "red-1", True),  # the active colour
        ("red-5", "red-reverse", True),
        ("red-5", "red-capture-1", True),
        ("red-5", "blue-5", True),  # the same number
        ("red-5", "blue-6", False),
        ("red-5", "blue-reverse", False),
        ("red-reverse", "blue-reverse", True),  # the same action
        ("red-reverse", "blue-capture-1", False),
        ("red-capture-1", "blue-capture-1", True),
        ("red-capture-1", "blue-1", False),
        ("red-5 capture-2; colour red", "red-1", True),
        ("red-5 capture-2; colour red", "blue-5", False),  # a card under a grey top
        ("red-capture-1 capture-2; colour red", "blue-capture-1", False),  # different values
        ("red-5 shield; colour red", "blue-5", False),
        ("red-5 wild; colour blue", "blue-1", True),
        ("red-5 wild; colour blue", "red-1", False),
        ("red-5 wild; colour blue", "green-5", False),
        ("red-5 swap-red-yellow; colour red", "blue-5", False),
    ],
)
def test_a_coloured_card_fits_by_active_colour_or_by_the_tops_value(
    discard: str, card: str, fits: bool
) -> None:
    match = ck(f"0: {card} blue-9; 1: green-1 green-2; discard {discard}")
    assert (card in playable(match)) == fits
    if not fits:
        refused(match, f"play {card} 1" if "capture" in card else f"play {card}")


@pytest.mark.parametrize("top", ["wild", "capture-2", "chaos", "draw-3", "swap-red-yellow"])
def test_nothing_matches_a_grey_top_by_value(top: str) -> None:
    blues = " ".join(card for card in CODES if card.startswith("blue"))
    match = ck(f"0: {blues} red-9; 1: green-1 green-2; discard red-5 {top}; colour red")
    assert playable(match) == ["red-9"]


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("discard", ["red-5", "wild", "swap-red-yellow", "draw-3"])
@pytest.mark.parametrize("card", ["wild", "capture-2", "chaos", "draw-3", "shield"])
def test_a_grey_card_always_fits(card: str, discard: str, colour: str) -> None:
    match = ck(f"0: {card} blue-9; 1: green-1 green-2; discard {discard}; colour {colour}")
    assert card in playable(match)


@pytest.mark.parametrize(
    ("swap", "colours"),
    [("swap-red-yellow", {"red", "yellow"}), ("swap-blue-green", {"blue", "green"})],
)
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("discard", ["red-5", "wild", "chaos"])
def test_ck_4_a_swap_fits_on_its_two_colours_only(
    swap: str, colours: set[str], colour: str, discard: str
) -> None:
    match = ck(f"0: {swap} red-9; 1: green-1 green-2; discard {discard}; colour {colour}")
    assert (swap in playable(match)) == (colour in colours)
    if colour not in colours:
        assert refused(match, f"play {swap} 1").rule == "CK-4"


def test_ck_4_a_swap_does_not_fit_on_another_swap_for_being_the_same() -> None:
    match = ck("0: swap-blue-green red-9; 1: red-1 red-2; discard swap-red-yellow; colour red")
    assert playable(match) == ["red-9"]
    assert refused(match, "play swap-blue-green 1").rule == "CK-4"


# The active colour


@pytest.mark.parametrize("card", ["blue-5", "blue-9"])
def test_the_active_colour_is_the_top_cards(card: str) -> None:
    match = ck(f"0: {card} red-1; 1: {FOUR}; discard blue-5; colour blue")
    do(match, f"play {card}")
    assert (table(match)["colour"], table(match)["discard_top"]) == ("blue", card)


def test_a_card_matched_by_value_brings_its_own_colour() -> None:
    match = ck("0: blue-5 red-1; 1: green-1 green-2; discard red-5")
    do(match, "play blue-5")
    assert table(match)["colour"] == "blue"


@pytest.mark.parametrize(
    "line",
    ["play capture-2 1 1", "play chaos", "play draw-3", "play shield", "play swap-red-yellow 1"],
)
@pytest.mark.parametrize("colour", ["red", "yellow"])
def test_other_cards_leave_the_active_colour(line: str, colour: str) -> None:
    hand_ = "capture-2 chaos draw-3 shield swap-red-yellow"
    match = ck(f"0: {hand_}; 1: {FOUR}; discard wild; colour {colour}")
    do(match, line)
    assert table(match)["colour"] == colour


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("discard", ["red-5", "wild; colour red"])
def test_a_wild_names_the_active_colour_the_present_one_too(colour: str, discard: str) -> None:
    match = ck(f"0: wild red-1; 1: green-1 green-2; discard {discard}")
    do(match, f"play wild {colour}")
    assert (table(match)["colour"], table(match)["discard_top"]) == (colour, "wild")


def test_a_named_colour_does_not_stick_to_the_wild() -> None:
    match = ck("0: shield red-1; 1: green-3 green-4; 2: *; discard wild blue-1")
    do(match, "play shield")  # the Wild alone makes the new draw pile, and seat 1 catches up
    match = type(match).from_bytes(match.to_bytes())
    assert (hand(match, 1), table(match)["colour"]) == ("green-3 green-4 wild", "blue")
    assert legal(match)[:4] == [f"play wild {colour}" for colour in COLOURS]
    do(match, "play wild green")
    assert table(match)["colour"] == "green"


# The direction


def reversing(players: int, out: str = "") -> Match:
    """A match of seats that hold nothing but a Reverse on a red card, and two numbers."""
    seats = [
        "0: red-reverse red-1 red-2 red-4",
        "1: red-reverse red-5 red-6 red-7",
        "2: blue-reverse blue-2 blue-3 blue-4" if not out else "2:",
    ]
    return ck(f"{'; '.join(seats[:players])}; {out}; discard red-9")


def test_a_reverse_turns_the_direction_round_and_two_turn_it_back() -> None:
    match = reversing(3)
    do(match, "play red-reverse")
    assert (table(match)["direction"], match.to_act) == ("right", [2])
    do(match, "play blue-reverse")
    assert (table(match)["direction"], match.to_act) == ("left", [0])


@pytest.mark.parametrize(("players", "out"), [(2, ""), (3, "out 2")])
def test_a_reverse_does_nothing_when_two_players_are_still_in(players: int, out: str) -> None:
    match = reversing(players, out)
    do(match, "play red-reverse")
    assert (table(match)["direction"], match.to_act) == ("left", [1])
    do(match, "play red-reverse")
    assert (table(match)["direction"], match.to_act) == ("left", [0])


def test_a_direction_to_the_right_stays_when_two_players_are_left() -> None:
    match = ck("0: red-reverse red-1; 1: blue-1 blue-2; discard red-9; direction right")
    do(match, "play red-reverse")
    assert (table(match)["direction"], match.to_act) == ("right", [1])


def test_a_reverse_as_the_last_card_turns_the_direction_as_three_are_in_as_it_is_played() -> None:
    match = ck(f"0: {FOUR}; 1: red-reverse; 2: green-1 green-2; discard red-9; turn 1")
    do(match, "play red-reverse")
    assert (seat(match, 1)["out"], table(match)["direction"]) == (True, "right")
    assert match.to_act == [0]


def test_seats_that_are_out_are_passed_over_in_both_directions() -> None:
    seats = f"0: {FOUR}; 1: ; 2: red-1 red-2; 3: ; 4: green-1 green-2; discard red-9; out 1 / 3"
    match = ck(f"{seats}; turn 2")
    do(match, "burn red-1")
    assert match.to_act == [4]
    match = ck(f"{seats}; turn 2; direction right")
    do(match, "burn red-1")
    assert match.to_act == [0]


# The order of legal moves


def test_plays_stand_by_card_then_targets_or_colour_then_burns_by_card() -> None:
    hand_ = "swap-red-yellow wild capture-2 red-capture-1 blue-9 red-1 red-1 shield chaos draw-3"
    match = ck(f"0: {FOUR}; 1: {hand_}; 2: green-1; 3: ; discard red-9; turn 1; out 3")
    cards = ["red-1", "red-capture-1", "blue-9", "wild", "capture-2", "chaos", "draw-3"]
    assert legal(match) == [
        "play red-1",
        "play red-capture-1 0",
        "play red-capture-1 2",
        "play blue-9",
        "play wild red",
        "play wild blue",
        "play wild green",
        "play wild yellow",
        "play capture-2 0 0",
        "play capture-2 0 2",
        "play capture-2 2 2",
        "play chaos",
        "play draw-3",
        "play shield",
        "play swap-red-yellow 0",
        "play swap-red-yellow 2",
        *(f"burn {card}" for card in [*cards, "shield", "swap-red-yellow"]),
    ]


def test_the_other_order_of_a_capture_2s_targets_is_accepted() -> None:
    match = ck(f"0: capture-2 red-1; 1: {FOUR}; 2: {FOUR}; discard red-9")
    do(match, "play capture-2 2 1")
