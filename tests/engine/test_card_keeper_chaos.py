"""Card Keeper: a Chaos, to which all others owe a choice at the same time."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine import Match, NotYourTurn
from tests.engine.positions import ck
from tests.engine.steps import cards_told, counts, do, hand, legal, refused, seat, table, told

FOUR = "blue-1 blue-2 blue-3 blue-4"
FIVE = "green-1 green-2 green-3 green-4 green-5"


def chaos(*others: str, discard: str = "red-9", **options: str) -> Match:
    """A match in which seat 0 has just played a Chaos at the others."""
    seats = "; ".join(f"{number}: {text}" for number, text in enumerate(others, 1))
    match = ck(f"0: chaos red-1 red-2 red-3 red-4; {seats}; discard {discard}", **options)
    do(match, "play chaos")
    return match


def test_a_chaos_asks_every_other_player_for_a_card_to_burn() -> None:
    match = chaos(FOUR, FIVE, "yellow-1 yellow-2 yellow-2")
    assert (match.to_act, table(match)["phase"]) == ([1, 2, 3], "chaos")
    assert (table(match)["discard_top"], table(match)["colour"]) == ("chaos", "red")
    assert legal(match, 3) == ["burn yellow-1", "burn yellow-2"]
    assert legal(match, 0) == []


def test_a_chaos_asks_nothing_of_those_who_are_out() -> None:
    match = ck(f"0: chaos red-1; 1: {FOUR}; 2: ; 3: {FIVE}; discard red-9; out 2")
    do(match, "play chaos")
    assert match.to_act == [1, 3]


def test_the_match_goes_on_when_all_have_chosen_in_any_order() -> None:
    match = chaos(FOUR, FIVE, "yellow-1 yellow-2 yellow-3 yellow-4 yellow-5")
    do(match, "2: burn green-2")
    assert (match.to_act, table(match)["phase"]) == ([1, 3], "chaos")
    do(match, "3: burn yellow-4", "1: burn blue-1")
    assert (match.to_act, table(match)["phase"]) == ([1], "play")  # left of the one who played it
    assert (counts(match), table(match)["burn_count"]) == ([4, 3 + 1, 4, 4], 3)


def test_ck_6_the_order_of_the_choices_changes_nothing() -> None:
    lines = ["1: burn blue-1", "2: burn green-2", "3: burn yellow-3"]
    found = set()
    for order in permutations(lines):
        match = chaos(FOUR, FIVE, "yellow-1 yellow-2 yellow-3")
        do(match, *order)
        found.add(match.to_bytes())
        codes = [match.game.codes[card] for card in match.state.burned]
        assert codes == ["blue-1", "green-2", "yellow-3"]  # by seat number
    assert len(found) == 1


def test_ck_6_a_choice_once_made_stands() -> None:
    match = chaos(FOUR, FIVE)
    do(match, "1: burn blue-1")
    assert refused(match, "1: burn blue-2", by=NotYourTurn).to_act == [2]
    assert legal(match, 1) == []


def test_ck_6_until_all_have_chosen_the_card_stays_in_the_hand_and_only_its_owner_is_told() -> None:
    match = chaos(FOUR, FIVE)
    do(match, "1: burn blue-1")
    assert hand(match, 1) == FOUR
    assert (seat(match, 1)["hand_count"], table(match)["burn_count"]) == (4, 0)
    assert match.view(1)["you"]["committed"] == {"action": "burn", "card": "blue-1"}
    assert match.view(0)["you"]["committed"] is match.view(2)["you"]["committed"] is None
    assert cards_told(match, "choice_made") == [None, ["blue-1"], None, None]
    do(match, "2: burn green-1")
    assert match.view(1)["you"]["committed"] is None


def test_ck_6_the_first_card_of_the_deck_is_a_choice_like_any() -> None:
    match = chaos(f"red-1 {FOUR}", FIVE)
    do(match, "1: burn red-1")
    assert match.view(1)["you"]["committed"] == {"action": "burn", "card": "red-1"}
    assert match.to_act == [2]


def test_ck_6_a_burned_card_is_seen_by_the_one_who_burned_it_alone() -> None:
    match = chaos(FOUR, FIVE)
    do(match, "1: burn blue-1", "2: burn green-1")
    seen = [[event["cards"] for event in told(match, v, "card_burned")] for v in (0, 1, 2, None)]
    assert seen == [[None, None], [["blue-1"], None], [None, ["green-1"]], [None, None]]


@pytest.mark.parametrize("line", ["1: play blue-1", "1: play chaos"])
def test_a_chaos_is_not_answered_with_a_play(line: str) -> None:
    refused(chaos(f"{FOUR} chaos", FIVE), line)


def test_a_chaos_is_answered_with_a_card_that_is_held() -> None:
    refused(chaos(FOUR, FIVE), "1: burn green-1")


@pytest.mark.parametrize("line", ["0: burn red-1", "0: play red-1"])
def test_the_one_who_played_a_chaos_waits(line: str) -> None:
    refused(chaos(FOUR, FIVE), line, by=NotYourTurn)


def test_a_player_with_a_shield_uses_it_and_burns_nothing() -> None:
    match = chaos(f"{FOUR} | shield shield", FIVE)
    assert (match.to_act, seat(match, 1)["shields"]) == ([2], 1)
    do(match, "burn green-1")
    assert (counts(match), table(match)["burn_count"]) == ([4, 4, 4], 1)


def test_a_chaos_on_shields_alone_asks_nobody() -> None:
    match = chaos(f"{FOUR} | shield", f"{FIVE} | shield shield")
    assert (match.to_act, table(match)["phase"]) == ([1], "play")
    assert [seat(match, number)["shields"] for number in range(3)] == [0, 0, 1]


def test_a_pending_choice_outlives_saving() -> None:
    match = ck(
        f"0: red-1; 1: {FOUR}; 2: {FIVE}; 3: yellow-1; discard red-9 chaos; colour red"
        "; chaos 1 2=green-2"
    )
    match = Match.from_bytes(match.to_bytes())
    assert (match.to_act, table(match)["phase"]) == ([1], "chaos")
    assert match.view(2)["you"]["committed"] == {"action": "burn", "card": "green-2"}
    do(match, "burn blue-1")
    assert counts(match) == [1, 3 + 1, 4, 1]
