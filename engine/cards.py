"""Cards of the standard deck. Inside the engine a card is a small integer, its place in sorting
order, so that a sorted hand is a sorted list of numbers; `CODES` gives the text on the wire."""

from __future__ import annotations

from typing import Final

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("C", "D", "H", "S")

#: Wire codes in sorting order: by rank 2 … A, then by suit C, D, H, S.
CODES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)

#: The unshuffled deck: suit by suit, 2 … A within a suit.
DECK: Final = tuple(4 * rank + suit for suit in range(4) for rank in range(13))

TWO: Final = RANKS.index("2")
THREE: Final = RANKS.index("3")
FIVE: Final = RANKS.index("5")
SEVEN: Final = RANKS.index("7")
NINE: Final = RANKS.index("9")
TEN: Final = RANKS.index("10")
ACE: Final = RANKS.index("A")

#: An emptied place in a row of face-down cards.
NO_CARD: Final = -1


def rank_of(card: int) -> int:
    """The index in `RANKS` of a standard card."""
    return card >> 2


def slots_held(row: list[int]) -> list[int]:
    """The slots of a face-down row that still hold a card."""
    return [slot for slot, card in enumerate(row) if card != NO_CARD]


def row_count(row: list[int]) -> int:
    """How many cards a face-down row still holds."""
    return len(row) - row.count(NO_CARD)


def row_codes(row: list[int]) -> list[str | None]:
    """A face-down row turned over: a code for each slot dealt, None where it is empty."""
    return [None if card == NO_CARD else CODES[card] for card in row]
