"""Seven, Twos & Tens: options, the deal, laying three face up and the card turned over to start."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest

from engine import InvalidSetup, Match, NotYourTurn
from engine.cards import CODES
from engine.chance import Chance
from engine.options import settle_options
from tests.engine.positions import ST, dealt, st
from tests.engine.steps import cards_told, do, hand, legal, refused, seat, table, told

SIX = ["3C 4C 5C 6C 8C 9C", "3D 4D 5D 6D 8D 9D", "3H 4H 5H 6H 8H 9H"]
TWO_LAY = f"0: {SIX[0]} | | 2C 2D 2H; 1: {SIX[1]} | | 7C 7D 7H; lay 0 1"


def bad(players: int, **given: Any) -> set[str]:
    """The options for which a match is refused."""
    with pytest.raises(InvalidSetup) as caught:
        settle_options(ST, given, players=players)
    return set(caught.value.errors)


# Players, decks and options


@pytest.mark.parametrize("players", [0, 1, 13])
def test_2_to_12_players(players: int) -> None:
    assert bad(players) == {"seats"}


@pytest.mark.parametrize(
    ("players", "decks"),
    [(n, 1) for n in (2, 3, 4)]
    + [(n, 2) for n in (5, 6, 7, 8)]
    + [(n, 3) for n in (9, 10, 11, 12)],
)
def test_st_1_one_deck_for_each_four_players(players: int, decks: int) -> None:
    match = dealt(ST, players)
    assert table(match)["draw_count"] == decks * 52 - players * 9
    assert match.options.decks == decks


@pytest.mark.parametrize("decks", [1, 2, 3, 4])
@pytest.mark.parametrize("players", range(2, 13))
def test_st_1_decks_are_refused_when_they_do_not_go_round(players: int, decks: int) -> None:
    most = {1: 5, 2: 11, 3: 12, 4: 12}[decks]
    if players > most:
        assert bad(players, decks=decks) == {"options.decks"}
    else:
        assert table(dealt(ST, players, decks=decks))["draw_count"] == decks * 52 - players * 9


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("decks", (0, 5, -1, "1", 1.0, True, None)),
        ("face_up", ("BEST", "", None, True)),
        ("four_of_a_kind", ("pile", "", None, 4)),
        ("pick_up_freely", (0, 1, "true", None)),
        ("rounds", (0, 21, -1, "7", 7.0, True, None)),
    ],
)
def test_values_out_of_range_or_of_another_type_are_refused(
    name: str, wrong: tuple[object, ...]
) -> None:
    for value in wrong:
        assert bad(2, **{name: value}) == {f"options.{name}"}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("face_up", ["choose", "best"]),
        ("four_of_a_kind", ["pile_top", "one_play"]),
        ("pick_up_freely", [False, True]),
        ("rounds", [1, 7, 20]),
    ],
)
def test_values_in_range_are_taken_and_the_first_is_the_default(
    name: str, values: list[object]
) -> None:
    assert getattr(settle_options(ST, {}, players=2), name) == values[0]
    for value in values:
        assert getattr(settle_options(ST, {name: value}, players=2), name) == value


# The deal


def test_three_face_down_cards_are_dealt_to_all_then_six_to_each_hand() -> None:
    match = dealt(ST, 3)  # from a deck in deck order
    rows = [[CODES[card] for card in row] for row in match.state.face_down]
    assert rows == [["2C", "5C", "8C"], ["3C", "6C", "9C"], ["4C", "7C", "10C"]]
    assert hand(match, 0) == "4D 7D 10D JC KD AC"
    assert hand(match, 1) == "2D 5D 8D JD QC AD"
    assert hand(match, 2) == "2H 3D 6D 9D QD KC"
    assert CODES[match.state.draw[-1]] == "3H"


def test_the_deal_of_a_known_seed() -> None:
    match = Match.new(ST, seats=["P"] * 6, seed="demo")
    rows = [[CODES[card] for card in row] for row in match.state.face_down]
    assert [row[0] for row in rows] == ["7S", "9H", "6C", "4H", "4C", "9C"]
    assert [row[1] for row in rows] == ["4H", "7C", "KC", "3S", "JH", "QC"]


def test_decks_are_shuffled_together() -> None:
    chance, deck = Chance(b"demo"), list(ST.deck) * 2
    chance.shuffle(deck)
    match = Match.new(ST, seats=["P"] * 6, seed="demo")
    assert match.state.draw == deck[54:][::-1]
    assert [seat(match, number)["hand_count"] for number in range(6)] == [6] * 6


# Laying three face up


def test_st_2_every_seat_lays_three_of_its_six_and_keeps_three() -> None:
    match = st(TWO_LAY)
    assert (match.to_act, table(match)["phase"]) == ([0, 1], "lay")
    do(match, "1: lay 9D 3D 5D", "0: lay 8C 9C 6C")
    assert [seat(match, n)["face_up"] for n in (0, 1)] == [["6C", "8C", "9C"], ["3D", "5D", "9D"]]
    assert [hand(match, n) for n in (0, 1)] == ["3C 4C 5C", "4D 6D 8D"]
    assert (match.to_act, table(match)["phase"]) == ([0], "play")


@pytest.mark.parametrize("order", list(permutations((0, 1, 2))))
def test_st_2_in_any_order_and_the_order_changes_nothing(order: tuple[int, ...]) -> None:
    seats = "; ".join(f"{number}: {cards}" for number, cards in enumerate(SIX))
    lines = ["0: lay 3C 4C 5C", "1: lay 4D 5D 6D", "2: lay 5H 6H 8H"]
    match, expected = st(f"{seats}; lay 0"), st(f"{seats}; lay 0")
    do(expected, *lines)
    do(match, *(lines[number] for number in order))
    assert match.to_bytes() == expected.to_bytes()


def test_st_2_a_choice_stands_and_until_all_have_chosen_only_its_owner_is_told() -> None:
    match = st(TWO_LAY)
    do(match, "0: lay 9C 8C 6C")
    assert refused(match, "0: lay 3C 4C 5C", by=NotYourTurn).to_act == [1]
    assert (legal(match, 0), hand(match, 0)) == ([], SIX[0])
    assert (seat(match, 0)["hand_count"], seat(match, 0)["face_up"]) == (6, [])
    committed = {"action": "lay", "cards": ["6C", "8C", "9C"]}
    assert match.view(0)["you"]["committed"] == committed
    assert match.view(1)["you"]["committed"] is None
    assert cards_told(match, "choice_made") == [["6C", "8C", "9C"], None, None]
    match = Match.from_bytes(match.to_bytes())
    do(match, "1: lay 3D 4D 5D")
    assert [event["cards"] for event in told(match, None, "cards_laid")] == [
        ["6C", "8C", "9C"],
        ["3D", "4D", "5D"],
    ]
    assert match.view(0)["you"]["committed"] is None


def test_st_2_lays_are_listed_once_for_each_choice_of_three_ranks() -> None:
    match = st("0: 3C 4C 4D 4H 9C 9D; 1: 3D 5D 6D 8D 8H 8C; lay 0")
    assert legal(match) == [
        "lay 3C 4C 4D",
        "lay 3C 4C 9C",
        "lay 3C 9C 9D",
        "lay 4C 4D 4H",
        "lay 4C 4D 9C",
        "lay 4C 9C 9D",
    ]
    do(match, "lay 9D 4H 3C")  # any equal choice, in any order
    assert match.view(0)["you"]["committed"]["cards"] == ["3C", "4H", "9D"]


def test_st_2_lays_stand_in_the_order_of_the_sorted_hands_combinations() -> None:
    expected = [f"lay {' '.join(three)}" for three in combinations(SIX[0].split(), 3)]
    assert legal(st(TWO_LAY)) == expected


@pytest.mark.parametrize(("line", "rule"), [("play 3C", "ST-2"), ("flip 0", "ST-2")])
def test_st_2_first_three_cards_are_laid(line: str, rule: str) -> None:
    assert refused(st(TWO_LAY), line).rule == rule
    assert refused(st(TWO_LAY), {"action": "pick_up"}).rule == rule


@pytest.mark.parametrize("line", ["lay 3C 4C 5D", "lay 3C 3C 3C", "lay 2C 2D 2H"])
def test_st_2_three_cards_of_the_hand(line: str) -> None:
    refused(st(TWO_LAY, decks=4), line)


def test_st_2_after_the_laying_nobody_lays() -> None:
    assert refused(st("0: 3C 4C 5C; 1: 3D 4D 5D"), "lay 3C 4C 5C").rule == "ST-2"


@pytest.mark.parametrize(
    ("six", "laid"),
    [
        ("10C 7D 2H AS KC QD", "2H 7D 10C"),  # special cards first
        ("10C 10D 7C 7D 2C 2D", "7C 10C 10D"),  # 10, then 7, then 2
        ("7C 2D 2H AS AC AD", "2D 2H 7C"),
        ("3C 2D AS KC QD JH", "2D KC AS"),  # then the highest
        ("9C 8D 6C 5D 4H 3S", "6C 8D 9C"),
        ("JC QD 9D 8C 8H 8S", "9D JC QD"),
        ("KS KH KD KC 3C 4C", "KC KD KH"),  # among equals by suit
        ("10S 3S 3H 3D 3C 4D", "3C 4D 10S"),
    ],
)
def test_st_2_option_best_lays_the_best_by_itself(six: str, laid: str) -> None:
    others = [code for code in CODES if code not in six.split()]
    hands = zip(six.split(), others[6:12], strict=True)
    match = dealt(
        ST, 2, " ".join([*others[:6], *(c for pair in hands for c in pair)]), face_up="best"
    )
    assert seat(match, 0)["face_up"] == laid.split()
    assert set(hand(match, 0).split()) == set(six.split()) - set(laid.split())
    assert (match.to_act, table(match)["phase"], match.state.moves) == ([0], "play", 0)


def test_st_2_best_with_several_decks_may_lay_the_same_card_twice() -> None:
    others = [code for code in CODES if code[0] in "3456"]
    hands = zip(["KC", "KC", "KD", "QS", "QS", "QH"], others[6:12], strict=True)
    top = " ".join([*others[:6], *(c for pair in hands for c in pair)])
    match = dealt(ST, 2, top, face_up="best", decks=2)
    assert (seat(match, 0)["face_up"], hand(match, 0)) == (["KC", "KC", "KD"], "QH QS QS")


# The card turned over to start


def started(card: str, **options: Any) -> Match:
    """A match in which all have just laid, and this card was turned over."""
    match = st(f"{TWO_LAY}; draw {card}", **options)
    do(match, "lay 3C 4C 5C", "lay 3D 4D 5D")  # 6C 8C 9C and 6D 8D 9D are in hand
    return match


@pytest.mark.parametrize(
    ("card", "pile", "value", "playable"),
    [
        ("8H", ["8H"], "8", ["play 8C", "play 9C"]),
        ("AH", ["AH"], "A", ["pick_up"]),  # an ordinary turn, pick_up as always
        ("2S", ["2S"], "2", ["play 6C", "play 8C", "play 9C"]),  # asks for nothing
        ("7S", ["7S"], None, ["play 6C", "play 8C", "play 9C"]),
        ("10H", [], None, ["play 6C", "play 8C", "play 9C"]),  # removes itself
    ],
)
def test_st_3_the_turned_card_counts_for_its_rank_alone(
    card: str, pile: list[str], value: str | None, playable: list[str]
) -> None:
    match = started(card)
    assert (table(match)["pile"], table(match)["value"]) == (pile, value)
    assert table(match)["removed_count"] == (card == "10H")
    assert (match.to_act, legal(match)) == ([0], playable)
    assert cards_told(match, "card_turned") == [[card]] * 3
    do(match, playable[-1])
    assert match.to_act == [1]  # it gives no turn to play again


def test_st_3_the_first_player_of_the_round_turns_it_over() -> None:
    match = st(f"{TWO_LAY}; draw 8H; turn 1; round 2", rounds=2)
    do(match, "lay 3C 4C 5C", "lay 3D 4D 5D")
    assert (match.to_act, told(match, None, "card_turned")[0]["seat"]) == ([1], 1)
