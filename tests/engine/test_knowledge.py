"""Knowledge: which cards of other hands a watcher is certain of, from what they saw."""

from __future__ import annotations

import pytest

from engine import Match, knowledge
from tests.engine.positions import CK, ck, es, st
from tests.engine.steps import do

FOUR = "blue-1 blue-2 blue-3 blue-4"
FIVE = "green-1 green-2 green-3 green-4 green-5"


def known(match: Match, viewer: int | None) -> list[str]:
    """By hand, the cards that a viewer is certain of."""
    return [" ".join(cards) for cards in match.view(viewer)["known"]]


def test_nothing_is_known_of_a_hand_that_was_dealt() -> None:
    match = Match.new(CK, seats=["Ada", "Ben", "Cem"], seed="demo")
    for viewer in (0, 1, 2, None):
        assert known(match, viewer) == ["", "", ""]


def test_cards_picked_up_with_the_pile_are_known_to_all_others() -> None:
    match = es("0: 3C; 1: 2D 3D; 2: 2H 3H; deck 4D; pile 6C; value 6; round 7")
    do(match, "draw")
    assert known(match, 1) == known(match, 2) == known(match, None) == ["4D 6C", "", ""]
    assert known(match, 0) == ["", "", ""]  # one's own hand is in the view as it is
    do(match, "play 3C", "play 2D", "play 2H", "play 4D")
    assert known(match, None)[0] == "6C"  # the 3C was never known, the 4D was seen to go


def test_seat_0_knows_what_another_seat_picked_up() -> None:
    match = es("0: 3C 2C; 1: 5D; deck 4D; pile 6C; value 6; round 7; turn 1")
    do(match, "draw")
    assert known(match, 0) == ["", "4D 6C"]
    assert known(match, 1) == ["", ""]


def test_a_pile_that_was_picked_up_is_known_in_seven_twos_and_tens_too() -> None:
    match = st("0: 3C 4C; 1: 9D 3D; pile 8D; draw *")
    do(match, "pick_up")
    assert known(match, 1) == ["8D", ""]
    do(match, "play 9D", "pick_up", "play 3D", "play 8D")
    assert known(match, 1) == ["9D", ""]


def test_a_stolen_card_is_known_to_the_one_it_was_taken_from() -> None:
    match = es("0: 3S; 1: 2D; 2: 8H 10H; turn 1; pile 7C; steal")
    do(match, "steal 2")
    taken = (set(match.view(1)["you"]["hand"]) - {"2D"}).pop()
    assert known(match, 2) == ["", taken, ""]
    assert known(match, 0) == known(match, None) == known(match, 1) == ["", "", ""]


def test_a_steal_from_a_known_hand_is_certain_to_those_who_saw_it_alone() -> None:
    match = es("0: 3C; 1: 7D 3D; 2: 2H 3H; deck 4D; pile 6C; value 6; round 7")
    do(match, "draw", "play 3C", "play 7D")
    assert known(match, None) == known(match, 1) == known(match, 2) == ["4D 6C", "", ""]
    do(match, "steal 0")
    stolen = (set(match.view(1)["you"]["hand"]) - {"3D"}).pop()
    left = "4D" if stolen == "6C" else "6C"
    assert known(match, None) == known(match, 2) == ["", "", ""]
    assert known(match, 1) == [left, "", ""]
    assert known(match, 0) == ["", stolen, ""]


def test_a_card_turned_over_from_the_deck_leaves_no_hand() -> None:
    match = es("0: 3C; 1: 2D 3D; deck 4D 6D; pile 6C; value 6; round 7")
    do(match, "draw")
    assert known(match, 1)[0] == "4D 6C"
    match.state.pile, match.state.value = [], 14  # too high for the cards just picked up
    do(match, "draw")
    assert known(match, 1)[0] == "4D 6C 6D"


def test_a_card_stolen_from_a_slot_is_known_to_the_thief_alone() -> None:
    match = es("0: 3S; 1: 2D; 2: | 8H 10H; turn 1; pile 7C; steal")
    do(match, "steal 2 0")
    for viewer in (0, 1, 2, None):
        assert known(match, viewer) == ["", "", ""]


def captured() -> Match:
    """Seat 0 has taken seat 1's only card, a yellow 7, and holds two more."""
    match = ck(f"0: red-capture-1 red-1 red-2; 1: yellow-7; 2: {FOUR}; 3: {FIVE}; discard red-9")
    do(match, "play red-capture-1 1")
    return match


def test_a_captured_card_is_known_to_the_victim() -> None:
    match = captured()
    assert known(match, 1) == ["yellow-7", "", "", ""]
    assert known(match, 2) == known(match, None) == known(match, 0) == ["", "", "", ""]


@pytest.mark.parametrize(("line", "left"), [("burn red-1", ""), ("play red-1", "yellow-7")])
def test_a_card_that_leaves_unseen_may_have_been_any(line: str, left: str) -> None:
    match = captured()
    do(match, "burn blue-1", "burn green-1", line)
    assert known(match, 1)[0] == left


def test_an_unseen_departure_takes_one_copy_of_each_kind() -> None:
    match = ck(
        f"0: capture-2 red-1 red-2; 1: yellow-7 yellow-7; 2: {FOUR}; 3: {FIVE}; discard red-9"
    )
    do(match, "play capture-2 1 1")
    assert known(match, 1)[0] == "yellow-7 yellow-7"
    do(match, "burn blue-1", "burn green-1", "burn red-1")
    assert known(match, 1)[0] == "yellow-7"


def test_a_card_known_that_is_played_is_known_no_more() -> None:
    match = captured()
    match.state.colour = 3
    do(match, "burn blue-1", "burn green-1", "play yellow-7")
    assert known(match, 1)[0] == ""


def test_hands_that_were_swapped_are_known_to_the_two_and_what_others_knew_goes_along() -> None:
    match = ck(
        f"0: swap-red-yellow red-1 red-2 red-3 red-4; 1: red-capture-1 {FIVE}; 2: {FOUR}"
        "; 3: yellow-7; turn 1; discard red-9"
    )
    do(match, "play red-capture-1 3")  # seat 3 knows the yellow 7 in seat 1's hand, and is out
    do(match, "burn blue-1", "play swap-red-yellow 1")
    assert known(match, 1) == [f"{FIVE} yellow-7", "", "", ""]
    assert known(match, 0) == ["", "red-1 red-2 red-3 red-4", "", ""]
    assert known(match, 3) == ["yellow-7", "", "", ""]
    assert known(match, 2) == known(match, None) == ["", "", "", ""]


@pytest.mark.parametrize(("taker", "swapper"), [(1, 0), (0, 1)])
def test_a_hand_that_comes_by_a_swap_is_ones_own_and_no_more_known(
    taker: int, swapper: int
) -> None:
    hands = ["red-1 red-2 red-3 red-4", "red-5 red-6 red-7 red-8"]
    hands[taker] += " red-capture-1"
    hands[swapper] += " swap-red-yellow"
    match = ck(f"0: {hands[0]}; 1: {hands[1]}; turn {taker}; discard red-9", seed="a")
    do(match, f"play red-capture-1 {swapper}")
    assert known(match, swapper)[taker].startswith("red")
    do(match, f"play swap-red-yellow {taker}")
    for viewer in (0, 1):
        assert known(match, viewer)[viewer] == ""


def test_two_watchers_may_each_be_certain_of_the_same_copy() -> None:
    match = ck(
        "0: capture-2 red-1 red-2; 1: yellow-7; 2: yellow-7; 3: yellow-1 yellow-2 yellow-3 yellow-4"
        "; discard yellow-9"
    )
    do(match, "play capture-2 1 2")
    assert [known(match, viewer)[0] for viewer in (1, 2, 3)] == ["yellow-7", "yellow-7", ""]
    do(match, "burn yellow-1", "play yellow-7")
    assert known(match, 1)[0] == known(match, 2)[0] == ""  # it may have been theirs


def test_a_new_round_forgets_the_hands_of_the_last() -> None:
    match = st("0: 3C; 1: 9D 4D; 2: 3D; pile 8D; removed *", rounds=2)
    do(match, "pick_up")
    assert known(match, 2)[0] == "8D"
    do(match, "play 4D")
    assert match.to_act == [2]
    do(match, "pick_up", "play 3C", "play 9D")
    assert match.view(None)["table"]["round"] == 2
    assert known(match, 2) == ["", "", ""]


def test_what_is_known_is_saved() -> None:
    match = captured()
    assert known(Match.from_bytes(match.to_bytes()), 1)[0] == "yellow-7"


def test_hands_are_kept_in_short_and_read_again() -> None:
    # Hand 1: everybody but its holder knows of cards 3 and 9, and seat 0 of a second copy of 9.
    hands: list[knowledge.Hand] = [{}, {9: [-3, 1], 3: [-3], 4: [-1]}, {5: [-5]}]
    kept = knowledge.packed(hands)
    assert kept == [[], [3, {4: [-1], 9: [-3, 1]}], [5]]
    assert knowledge.unpacked([*kept]) == hands
    # As the first format had them.
    assert knowledge.unpacked([*hands]) == hands
