"""Card Keeper: what captures, Chaos, Draw +3, Shields and Swaps do, and the draw pile made new."""

from __future__ import annotations

import pytest

from engine.chance import Chance
from tests.engine.positions import ck
from tests.engine.steps import (
    cards_told,
    counts,
    do,
    hand,
    legal,
    refused,
    seat,
    table,
    told,
    words_taken,
)

FOUR = "blue-1 blue-2 blue-3 blue-4"
FIVE = "green-1 green-2 green-3 green-4 green-5"
SEEDS = ["a", "b", "c", "d"]


# Captures


@pytest.mark.parametrize("seed", SEEDS)
def test_a_capture_1_takes_a_random_card_from_another_player(seed: str) -> None:
    match = ck(f"0: red-capture-1 red-1; 1: {FIVE}; discard red-9", seed=seed)
    taken = FIVE.split()[Chance(seed.encode()).below(5)]
    do(match, "play red-capture-1 1")
    assert hand(match, 0).split() == ["red-1", taken]
    assert taken not in hand(match, 1)
    assert (table(match)["discard_top"], table(match)["discard_count"]) == ("red-capture-1", 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("targets", [(1, 2), (2, 1), (1, 1), (2, 2)])
def test_a_capture_2_takes_two_in_the_order_given(targets: tuple[int, int], seed: str) -> None:
    match = ck(f"0: capture-2 red-1; 1: {FIVE}; 2: {FOUR} blue-5; discard red-9", seed=seed)
    hands, chance = {1: FIVE.split(), 2: [*FOUR.split(), "blue-5"]}, Chance(seed.encode())
    taken = [hands[target].pop(chance.below(len(hands[target]))) for target in targets]
    do(match, f"play capture-2 {targets[0]} {targets[1]}")
    assert set(hand(match, 0).split()) == {"red-1", *taken}
    assert [event["target"] for event in told(match, 0, "card_captured")] == list(targets)
    assert [event["cards"] for event in told(match, 0, "card_captured")] == [[c] for c in taken]


def test_a_captured_card_is_seen_by_taker_and_victim_alone() -> None:
    match = ck(f"0: red-capture-1 red-1; 1: {FOUR}; 2: yellow-7; discard red-9; 3: {FIVE}")
    do(match, "play red-capture-1 2")
    assert cards_told(match, "card_captured") == [["yellow-7"], None, ["yellow-7"], None, None]


@pytest.mark.parametrize(
    ("shields", "taken"),
    [("", 2), ("shield", 1), ("shield shield", 0), ("shield shield shield", 0)],
)
def test_a_take_from_a_player_with_a_shield_is_blocked_and_uses_it(
    shields: str, taken: int
) -> None:
    match = ck(f"0: capture-2 red-1; 1: {FOUR} blue-5 | {shields}; discard red-9")
    do(match, "play capture-2 1 1")
    assert counts(match) == [1 + taken, 5 - taken]
    assert seat(match, 1)["shields"] == max(0, len(shields.split()) - 2)
    assert words_taken(match) == taken  # a blocked take uses no chance


def test_only_the_target_with_a_shield_is_spared() -> None:
    match = ck(f"0: capture-2 red-1; 1: {FOUR} | shield; 2: {FIVE}; discard red-9")
    do(match, "play capture-2 1 2")
    assert counts(match) == [2, 4, 4]
    assert [event["seat"] for event in told(match, None, "shield_used")] == [1]


def test_ck_5_a_take_from_a_player_with_no_card_left_takes_nothing() -> None:
    match = ck(f"0: capture-2 red-1; 1: green-1; 2: {FOUR}; discard red-9")
    do(match, "play capture-2 1 1")
    assert (hand(match, 0), seat(match, 1)["out"]) == ("red-1 green-1", True)
    assert len(told(match, None, "card_captured")) == 1
    assert words_taken(match) == 1  # a take that takes nothing uses no chance


@pytest.mark.parametrize(
    "line",
    [
        "play red-capture-1 0",
        "play red-capture-1 2",
        "play capture-2 1 0",
        "play capture-2 2 1",
        "play swap-red-yellow 0",
        "play swap-red-yellow 2",
    ],
)
def test_ck_5_targets_must_be_other_players_still_in(line: str) -> None:
    match = ck(f"0: red-capture-1 capture-2 swap-red-yellow; 1: {FOUR}; 2: ; discard red-9; out 2")
    assert refused(match, line).rule == "CK-5"


# Draw +3


def test_a_draw_3_draws_three_from_the_draw_pile() -> None:
    match = ck(f"0: draw-3 red-1; 1: {FOUR}; discard red-9; draw yellow-1 yellow-9 yellow-5 *")
    draw = table(match)["draw_count"]
    do(match, "play draw-3")
    assert hand(match, 0) == "red-1 yellow-1 yellow-5 yellow-9"
    assert table(match)["draw_count"] == draw - 3
    assert cards_told(match, "cards_drawn") == [["yellow-1", "yellow-5", "yellow-9"], None, None]


# Shields


def test_a_shield_is_placed_in_front_of_its_player_and_not_discarded() -> None:
    match = ck(f"0: shield shield red-1; 1: {FOUR}; discard red-9")
    do(match, "play shield", "burn blue-1", "play shield")
    facts = seat(match, 0)
    assert (facts["shields"], facts["hand_count"], hand(match, 0)) == (2, 1, "red-1")
    assert (table(match)["discard_top"], table(match)["discard_count"]) == ("red-9", 1)


@pytest.mark.parametrize(("option", "burned"), [("leave", 0), ("burn_pile", 2)])
def test_option_used_shields_says_where_they_go(option: str, burned: int) -> None:
    match = ck(
        f"0: chaos red-capture-1 red-1; 1: {FOUR} | shield shield; discard red-9",
        used_shields=option,
    )
    do(match, "play red-capture-1 1", "burn blue-1", "play chaos")
    assert seat(match, 1)["shields"] == 0
    assert table(match)["burn_count"] == 1 + burned
    assert match.state.gone == 2 - burned
    assert told(match, None, "shield_used")[0]["burned"] is (option == "burn_pile")


def test_used_shields_on_the_burn_pile_may_be_drawn_again() -> None:
    match = ck(
        "0: red-capture-1 red-1; 1: blue-1 | shield; 2: *; discard red-9", used_shields="burn_pile"
    )
    do(match, "play red-capture-1 1")
    assert set(hand(match, 1).split()) < {"blue-1", "shield", "red-9"}
    assert counts(match)[1] == 2


# Swaps


def test_a_swap_trades_the_whole_hands_and_shields_stay() -> None:
    match = ck(f"0: swap-red-yellow red-1 | shield; 1: {FIVE}; 2: {FOUR}; discard red-9")
    do(match, "play swap-red-yellow 2")
    assert (hand(match, 0), hand(match, 2)) == (FOUR, "red-1")
    assert [seat(match, number)["shields"] for number in range(3)] == [1, 0, 0]
    assert (table(match)["discard_top"], match.to_act) == ("swap-red-yellow", [1])


def test_the_hands_of_a_swap_are_seen_by_the_two_alone() -> None:
    match = ck(f"0: swap-red-yellow red-1; 1: {FIVE}; 2: {FOUR}; discard red-9")
    do(match, "play swap-red-yellow 2")
    for viewer in (0, 1, 2, None):
        shown = {event["seat"]: event["cards"] for event in told(match, viewer, "hand_seen")}
        both = {0: FOUR.split(), 2: ["red-1"]}
        assert shown == (both if viewer in (0, 2) else {0: None, 2: None})


# The draw pile made new


@pytest.mark.parametrize("seed", SEEDS)
def test_ck_7_the_draw_pile_is_made_new_when_a_card_must_be_drawn(seed: str) -> None:
    position = (
        f"0: draw-3 red-1; 1: {FOUR}; 2: *; draw yellow-1"
        "; discard red-2 red-3 red-4; burned green-1 green-2"
    )
    match = ck(position, seed=seed)
    pile = ["red-2", "red-3", "red-4", "green-1", "green-2"]  # both oldest first, without the top
    Chance(seed.encode()).shuffle(pile)
    do(match, "play draw-3")  # one by one: the pile is made new after the first
    assert set(hand(match, 0).split()) == {"red-1", "yellow-1", pile[0], pile[1]}
    assert [match.game.codes[card] for card in reversed(match.state.draw)] == pile[2:]
    after = table(match)
    assert (after["discard_top"], after["discard_count"], after["burn_count"]) == ("draw-3", 1, 0)
    assert after["colour"] == "red"  # the active colour stays
    types = [event["type"] for event in told(match, None)]
    assert types == ["card_played", "cards_drawn", "draw_pile_made", "cards_drawn", "turn"]
    assert told(match, None, "draw_pile_made")[0]["draw_count"] == 5


def test_ck_7_an_empty_draw_pile_stays_empty_until_a_card_must_be_drawn() -> None:
    match = ck(f"0: draw-3 red-1; 1: {FOUR}; 2: *; draw red-2 red-3 red-4; discard red-5 red-6")
    do(match, "play draw-3")
    assert (table(match)["draw_count"], table(match)["discard_count"]) == (0, 3)


def test_ck_7_a_pile_of_one_takes_no_chance() -> None:
    match = ck("0: draw-3 red-1; 1: *; discard red-3")
    do(match, "play draw-3")
    assert (hand(match, 0), words_taken(match)) == ("red-1 red-3", 0)


def test_ck_7_with_less_than_is_to_be_drawn_the_rest_is_let_go() -> None:
    match = ck("0: draw-3 red-1; 1: *; draw blue-1; discard red-3")
    do(match, "play draw-3")
    assert hand(match, 0) == "red-1 red-3 blue-1"
    assert (table(match)["draw_count"], table(match)["discard_count"]) == (0, 1)
    do(match, "burn red-1", "burn blue-1")  # no debt is left for the next turn
    assert counts(match)[0] == 2


def test_ck_7_with_nothing_to_shuffle_no_card_is_drawn_and_play_goes_on() -> None:
    match = ck("0: shield red-1; 1: blue-1 blue-2; 2: *; discard red-3")
    do(match, "play shield")
    assert (match.to_act, hand(match, 1)) == ([1], "blue-1 blue-2")
    assert (table(match)["draw_count"], table(match)["discard_count"]) == (0, 1)
    assert [event["type"] for event in told(match, None)] == ["card_played", "turn"]
    assert legal(match) == ["burn blue-1", "burn blue-2"]
    do(match, "burn blue-1")
    assert match.to_act == [2]
