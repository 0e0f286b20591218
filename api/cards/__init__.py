"""Pictures of cards as SVG, drawn by ourselves from numbers: nothing is loaded or read from files.

`standard.py` and `card_keeper.py` draw a deck each, `plain.py` any other card; `deck.py` keeps what
they draw and names it by its content.
"""

from api.cards.deck import BACK, Deck, deck_of

__all__ = ["BACK", "Deck", "deck_of"]
