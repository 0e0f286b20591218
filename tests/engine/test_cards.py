"""Standard cards: codes, sorting order and deck order."""

from __future__ import annotations

import pytest

from engine import cards
from engine.cards import CODES, DECK, NO_CARD, RANKS, SUITS
from tests.engine.positions import ES, ST

BY_RANK = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def test_sorting_order_is_by_rank_2_to_ace_then_by_suit() -> None:
    assert list(CODES) == [rank + suit for rank in BY_RANK for suit in "CDHS"]
    assert CODES.index("2D") < CODES.index("KC")


def test_deck_order_is_suit_by_suit() -> None:
    deck = [CODES[card] for card in DECK]
    assert deck == [rank + suit for suit in "CDHS" for rank in BY_RANK]
    assert deck.index("KC") < deck.index("2D")


@pytest.mark.parametrize("game", [ES, ST], ids=lambda game: game.id)
def test_both_games_of_standard_cards_use_this_deck(game: object) -> None:
    assert (game.codes, game.deck) == (CODES, DECK)


@pytest.mark.parametrize("code", CODES)
def test_a_card_knows_its_rank(code: str) -> None:
    assert RANKS[cards.rank_of(CODES.index(code))] == code[:-1]
    assert code[-1] in SUITS


@pytest.mark.parametrize("rank", ["TWO", "THREE", "FIVE", "SEVEN", "NINE", "TEN"])
def test_ranks_by_name(rank: str) -> None:
    numbers = {"TWO": "2", "THREE": "3", "FIVE": "5", "SEVEN": "7", "NINE": "9", "TEN": "10"}
    assert RANKS[getattr(cards, rank)] == numbers[rank]
    assert RANKS[cards.ACE] == BY_RANK[-1]


def test_a_row_of_face_down_cards() -> None:
    row = [CODES.index("9S"), NO_CARD, CODES.index("2C")]
    assert cards.slots_held(row) == [0, 2]
    assert cards.row_codes(row) == ["9S", None, "2C"]
    assert (cards.slots_held([]), cards.row_codes([])) == ([], [])
