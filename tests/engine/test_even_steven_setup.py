"""Even Steven: the deal, the options and who starts the first round."""

from __future__ import annotations

from typing import Any

import pytest

from engine import InvalidSetup, Match
from engine.cards import CODES
from engine.match import settle_options
from tests.engine.positions import ES, dealt
from tests.engine.steps import hand, seat, table


def options(players: int, **given: Any) -> Any:
    """The filled-in options of a match."""
    return settle_options(ES, given, players=players)


def bad(players: int, **given: Any) -> set[str]:
    """The options for which a match is refused."""
    with pytest.raises(InvalidSetup) as caught:
        options(players, **given)
    return set(caught.value.errors)


@pytest.mark.parametrize("players", [0, 1, 9])
def test_2_to_8_players(players: int) -> None:
    assert bad(players) == {"seats"}


@pytest.mark.parametrize(
    ("players", "hand_size", "face_down"),
    [(n, 7, 3) for n in (2, 3, 4)] + [(n, 4, 0) for n in (5, 6, 7, 8)],
)
def test_es_1_es_2_what_is_dealt_by_number_of_players(
    players: int, hand_size: int, face_down: int
) -> None:
    match = dealt(ES, players)
    for number in range(players):
        facts = seat(match, number)
        assert (facts["hand_count"], facts["face_down"]) == (hand_size, list(range(face_down)))
    assert table(match)["deck_count"] == 52 - players * (hand_size + face_down)


@pytest.mark.parametrize("hand_size", [4, 7])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_es_1_a_hand_of_7_is_refused_for_more_than_4_players(players: int, hand_size: int) -> None:
    if hand_size == 7 and players > 4:
        assert bad(players, hand_size=7, face_down=0) >= {"options.hand_size"}
    else:
        match = dealt(ES, players, hand_size=hand_size)
        assert seat(match, 1)["hand_count"] == hand_size


@pytest.mark.parametrize("hand_size", [0, 3, 5, 6, 8, "7", 7.0, True, None, [7]])
def test_es_1_a_hand_is_4_or_7_nothing_between(hand_size: object) -> None:
    assert bad(2, hand_size=hand_size) == {"options.hand_size"}


@pytest.mark.parametrize("face_down", [0, 1, 2, 3])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_es_2_face_down_cards_are_refused_when_fewer_than_8_are_left(
    players: int, face_down: int
) -> None:
    if (players, face_down) in {(7, 3), (8, 2), (8, 3)}:
        assert bad(players, face_down=face_down) == {"options.face_down"}
    else:
        match = dealt(ES, players, face_down=face_down)
        assert seat(match, players - 1)["face_down"] == list(range(face_down))
        assert table(match)["deck_count"] >= 8


@pytest.mark.parametrize("face_down", [-1, 4, "3", 3.0, False, None])
def test_es_2_face_down_is_0_to_3(face_down: object) -> None:
    assert bad(2, face_down=face_down) == {"options.face_down"}


def test_es_2_the_default_does_not_depend_on_the_hand_size() -> None:
    assert options(3, hand_size=4).face_down == 3


@pytest.mark.parametrize("starter", ["MOST_CARDS", "left", "", 0, None])
def test_round_starter_is_one_of_two_words(starter: object) -> None:
    assert bad(2, round_starter=starter) == {"options.round_starter"}


def test_every_option_has_a_default() -> None:
    assert ES.options_type(
        hand_size=7, face_down=3, round_starter="most_cards", turn_limit=2000
    ) == options(4)


def test_face_down_cards_are_dealt_first_one_at_a_time_then_the_hands() -> None:
    match = dealt(ES, 3)  # from a deck in deck order
    rows = [[CODES[card] for card in row] for row in match.state.face_down]
    assert rows == [["2C", "5C", "8C"], ["3C", "6C", "9C"], ["4C", "7C", "10C"]]
    assert hand(match, 0) == "3H 4D 7D 10D JC KD AC"
    assert hand(match, 1) == "2D 4H 5D 8D JD QC AD"
    assert hand(match, 2) == "2H 3D 5H 6D 9D QD KC"
    assert CODES[match.state.deck[-1]] == "6H"


def test_play_begins_in_round_1_on_an_empty_pile_without_a_value() -> None:
    assert table(dealt(ES, 2)) == {
        "phase": "play",
        "round": 1,
        "deck_count": 32,
        "pile": [],
        "value": None,
    }


def test_the_deal_of_a_known_seed() -> None:
    match = Match.new(ES, seats=["Ada", "Ben"], seed="demo")
    rows = [[CODES[card] for card in row] for row in match.state.face_down]
    assert rows == [["6S", "JC", "QD"], ["JH", "2S", "KS"]]
    assert {"4S", "AD", "8S"} < set(hand(match, 0).split())
    assert {"3C", "5S", "2H"} < set(hand(match, 1).split())


@pytest.mark.parametrize("starter", ["most_cards", "next_player"])
@pytest.mark.parametrize(
    ("hands", "first"),
    [
        (["KC 3C 5C 7C", "QC 3D 5D 7D", "JC 3H 5H 7H"], 2),  # the lowest even card
        (["4C 6C 8C 10C", "2D KD KH KS", "4H JH QH KC"], 1),
        (["3C 5C 7C 9C", "3D 5D 7D 9D", "3H 5H 7H KH"], 2),  # without an even card one comes last
        (["4C 3C 5C 7C", "4D 3D 5D 7D", "4H 3H 5H 7H"], 0),  # going left from seat 0, it first
        (["KC 3C 5C 7C", "6D 3D 5D 7D", "6H 3H 5H 7H"], 1),
        (["3C 5C 7C 9C", "3D 5D 7D 9D", "3H 5H 7H 9H"], 0),
    ],
)
def test_es_9_the_first_round_is_started_by_the_sheet(
    hands: list[str], first: int, starter: str
) -> None:
    rounds = zip(*(cards.split() for cards in hands), strict=True)
    top = " ".join(card for each in rounds for card in each)
    match = dealt(ES, 3, top, hand_size=4, face_down=0, round_starter=starter)
    assert [set(hand(match, n).split()) for n in range(3)] == [set(c.split()) for c in hands]
    assert (match.to_act, table(match)["round"]) == ([first], 1)
