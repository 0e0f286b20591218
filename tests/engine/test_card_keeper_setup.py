"""Card Keeper: the deck, the deal, the card turned over to start and the options."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalMove, InvalidSetup, Match
from engine.chance import Chance
from engine.events import Log
from engine.match import settle_options
from tests.engine.positions import CK, Stacked, ck, dealt
from tests.engine.steps import do, hand, legal, refused, seat, table, words_taken

DECK = [CK.codes[card] for card in CK.deck]
COLOURS = ["red", "blue", "green", "yellow"]
NO_START = {"capture-2", "chaos", "draw-3", "shield", "swap-red-yellow", "swap-blue-green"}


def hands_then(*cards: str, players: int) -> str:
    """The top of a deck that deals none of some cards, and then has them."""
    others = [code for code in DECK if code not in cards]
    return " ".join([*others[: 10 * players], *cards])


def turned(*cards: str, players: int = 2, **options: Any) -> Match:
    """A match in which the cards come up to start, one after the other."""
    return dealt(CK, players, hands_then(cards[0], players=players), *cards[1:], **options)


# The deck


def test_the_deck_in_deck_order() -> None:
    values = [*(str(n) for n in range(1, 10)), "reverse", "capture-1"]
    coloured = [f"{colour}-{value}" for colour in COLOURS for value in values for _ in range(2)]
    grey = {"wild": 4, "capture-2": 4, "chaos": 2, "draw-3": 4, "shield": 4}
    expected = coloured + [code for code, copies in grey.items() for _ in range(copies)]
    assert [*expected, "swap-red-yellow", "swap-blue-green"] == DECK
    assert len(DECK) == 108


def test_a_hand_is_sorted_in_deck_order() -> None:
    match = ck(f"0: {' '.join(reversed(DECK[2:]))}; 1: red-1; discard red-1")
    assert hand(match, 0).split() == DECK[2:]


# The deal


@pytest.mark.parametrize("players", [0, 1, 11])
def test_ck_1_2_to_10_players(players: int) -> None:
    with pytest.raises(InvalidSetup) as caught:
        settle_options(CK, {}, players=players)
    assert set(caught.value.errors) == {"seats"}


@pytest.mark.parametrize("players", range(2, 11))
def test_ck_1_10_cards_each_one_turned_over_the_rest_is_the_draw_pile(players: int) -> None:
    match = turned("green-9", players=players)
    assert [seat(match, number)["hand_count"] for number in range(players)] == [10] * players
    assert [seat(match, number)["shields"] for number in range(players)] == [0] * players
    assert table(match)["draw_count"] == 107 - 10 * players
    assert (table(match)["discard_count"], table(match)["burn_count"]) == (1, 0)


@pytest.mark.parametrize("seed", [f"seed {n}" for n in range(30)])
@pytest.mark.parametrize("players", [2, 10])
def test_the_deal_follows_the_recipe(seed: str, players: int) -> None:
    match = Match.new(CK, seats=["A"] * players, seed=seed)
    chance, deck = Chance(seed.encode()), list(DECK)
    chance.shuffle(deck)
    draw = deck[10 * players :]
    while draw[0] in NO_START:
        chance.shuffle(draw)
    for number in range(players):
        dealt_cards = deck[number : 10 * players : players]
        assert hand(match, number).split() == sorted(dealt_cards, key=DECK.index)
    assert table(match)["discard_top"] == draw[0]
    assert [CK.codes[card] for card in reversed(match.state.draw)] == draw[1:]
    assert words_taken(match) == chance.position


# The card turned over to start


@pytest.mark.parametrize("players", [2, 3, 10])
def test_a_number_starts_with_the_dealers_left_and_passes_left(players: int) -> None:
    match = turned("green-5", players=players)
    assert (match.to_act, table(match)["direction"]) == ([0], "left")
    assert (table(match)["colour"], table(match)["phase"]) == ("green", "play")
    do(match, "burn red-1")
    assert match.to_act == [1]


@pytest.mark.parametrize(("players", "starter"), [(2, 0), (3, 1), (4, 2), (10, 8)])
def test_ck_2_a_reverse_starts_at_the_dealers_right_and_passes_right(
    players: int, starter: int
) -> None:
    match = turned("green-reverse", players=players)
    assert (match.to_act, table(match)["direction"]) == ([starter], "right")
    do(match, legal(match)[-1])
    assert match.to_act == [(starter - 1) % players]


def test_a_capture_1_has_no_effect() -> None:
    match = turned("blue-capture-1", players=3)
    assert (match.to_act, table(match)["direction"]) == ([0], "left")
    assert [seat(match, number)["hand_count"] for number in range(3)] == [10, 10, 10]


@pytest.mark.parametrize("value", ["reverse", "capture-1"])
def test_ck_3_a_first_reverse_or_capture_1_is_matched_like_any_card(value: str) -> None:
    first = turned(f"green-{value}")
    assert (table(first)["discard_top"], table(first)["colour"]) == (f"green-{value}", "green")
    match = ck(f"0: green-1 red-{value} red-1; 1: blue-1 blue-2; discard green-{value}")
    playable = {move.split()[1] for move in legal(match) if move.startswith("play")}
    assert playable == {"green-1", f"red-{value}"}


@pytest.mark.parametrize("card", sorted(NO_START))
@pytest.mark.parametrize("then", ["blue-3", "green-reverse", "wild"])
def test_a_card_that_cannot_start_is_put_back_and_the_draw_pile_shuffled(
    card: str, then: str
) -> None:
    match = turned(card, then)
    assert table(match)["discard_top"] == then
    assert (table(match)["draw_count"], table(match)["discard_count"]) == (87, 1)
    assert CK.codes.index(card) in match.state.draw


def test_the_card_is_put_back_on_top_and_all_of_the_draw_pile_shuffled_as_often_as_needed() -> None:
    first = [CK.codes.index(code) for code in hands_then("chaos", "shield", players=2).split()]
    chance = Stacked([first, [CK.codes.index("shield")], [CK.codes.index("blue-9")]])
    log = Log()
    CK.deal(players=2, options=settle_options(CK, {}, players=2), chance=chance, log=log)
    assert [len(items) for items in chance.shuffled] == [108, 88, 88]
    assert [CK.codes[items[0]] for items in chance.shuffled[1:]] == ["chaos", "shield"]
    put_back = [event.cards for event in log.events if event.type == "card_put_back"]
    assert put_back == [(CK.codes.index("chaos"),), (CK.codes.index("shield"),)]


def test_ck_9_a_deal_that_leaves_no_card_to_start_is_dealt_anew() -> None:
    bad = [card for card in CK.deck if CK.codes[card] not in ("shield", "draw-3")]
    good = [card for card in CK.deck if CK.codes[card] != "wild"][:100]
    chance, log = Stacked([bad, bad, [*good, CK.codes.index("wild")]]), Log()
    state = CK.deal(players=10, options=settle_options(CK, {}, players=10), chance=chance, log=log)
    assert chance.shuffled == [list(CK.deck)] * 3  # each time all 108, gathered in deck order
    assert state.hands[0] == good[::10]
    assert CK.codes[state.discard[0]] == "wild"
    assert [event.type for event in log.events] == ["cards_dealt"] * 10 + ["first_card_turned"]


def test_ck_9_is_looked_at_before_any_card_is_turned_over() -> None:
    kinds = ("shield", "draw-3", "wild")
    hands = [code for code in DECK if code not in kinds][:96] + ["wild"] * 3 + ["draw-3"]
    match = dealt(CK, 10, " ".join(hands), "wild")  # of the 8 left only one Wild can start
    assert (table(match)["discard_top"], table(match)["draw_count"]) == ("wild", 7)


# A Wild turned over to start


def test_a_first_wild_is_named_by_the_first_player_who_then_takes_an_ordinary_turn() -> None:
    match = turned("wild", players=3)
    assert (match.to_act, table(match)["phase"], table(match)["colour"]) == (
        [0],
        "name_colour",
        None,
    )
    assert legal(match) == [f"name_colour {colour}" for colour in COLOURS]
    do(match, "name_colour green")
    assert (match.to_act, table(match)["phase"], table(match)["colour"]) == ([0], "play", "green")
    assert (match.version, match.state.moves) == (1, 1)
    do(match, "burn red-1")
    assert match.to_act == [1]


@pytest.mark.parametrize("line", ["play red-1", "burn red-1", "play wild red"])
def test_before_the_colour_is_named_nothing_else_is_done(line: str) -> None:
    refused(turned("wild"), line)


def test_option_first_wild_random_picks_the_colour_after_the_turning_over() -> None:
    match = turned("wild", first_wild="random")
    expected = COLOURS[Chance(b"stacked").below(4)]
    assert (table(match)["colour"], table(match)["phase"]) == (expected, "play")
    assert match.to_act == [0]


@pytest.mark.parametrize(
    ("seed", "colour"),
    [
        ("wild 5", "yellow"),
        ("wild 8", "red"),
        ("wild 10", "blue"),
        ("wild 178", "green"),
        ("wild 0", None),  # no Wild, and so no word either
    ],
)
def test_option_first_wild_random_takes_a_word_for_a_wild_alone(
    seed: str, colour: str | None
) -> None:
    asked, drawn = (
        Match.new(CK, seats=["Ada", "Ben"], seed=seed, options={"first_wild": option})
        for option in ("first_player", "random")
    )
    wild = colour is not None
    assert (table(asked)["discard_top"] == "wild") == wild
    assert words_taken(drawn) - words_taken(asked) == wild
    assert table(drawn)["colour"] == (colour or table(asked)["colour"])


def test_a_colour_is_named_for_a_first_wild_only() -> None:
    match = ck("0: red-1 red-2; 1: blue-1 blue-2; discard wild; colour red")
    refused(match, "name_colour red", by=IllegalMove)


# Options


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("first_wild", ("first_player", "random")),
        ("used_shields", ("leave", "burn_pile")),
        ("last_together", ("player", "draw")),
    ],
)
def test_the_sheets_open_questions_are_options_of_two_words(
    name: str, values: tuple[str, str]
) -> None:
    assert getattr(settle_options(CK, {}, players=2), name) == values[0]
    for value in values:
        assert getattr(settle_options(CK, {name: value}, players=2), name) == value
    for wrong in ("", "other", values[0].upper(), None, 0, True, [values[0]]):
        with pytest.raises(InvalidSetup) as caught:
            settle_options(CK, {name: wrong}, players=2)
        assert set(caught.value.errors) == {f"options.{name}"}
