"""A deck's pictures: drawn once, named by their content, found by their codes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from api.cards import card_keeper, plain, standard
from engine import Game

BACK = "back"


class Deck:
    """The pictures of a deck: one for each code, and `back`."""

    def __init__(
        self,
        name: str,
        codes: Iterable[str],
        face: Callable[[str], str],
        back: Callable[[], str],
    ) -> None:
        self.name = name
        drawn = {code: face(code).encode() for code in codes}
        self.pictures = {**drawn, BACK: back().encode()}
        self._versions = {code: _hash(picture) for code, picture in self.pictures.items()}

    def version(self, code: str) -> str:
        """What a picture's address carries: another one when the picture is another."""
        return self._versions[code]

    def path(self, code: str) -> str:
        """Where a picture is, for as long as it stays as it is."""
        return f"/cards/{self.name}/{code}.svg?v={self.version(code)}"


@cache
def drawn_decks() -> tuple[Deck, ...]:
    """The decks that we have drawn."""
    return (
        Deck("standard", standard.CODES, standard.face, standard.back),
        Deck("card-keeper", card_keeper.CODES, card_keeper.face, card_keeper.back),
    )


def deck_of(game: Game[Any]) -> Deck:
    """The deck that has all of a game's cards; a plain one, under the game's id, where none has."""
    for deck in drawn_decks():
        if deck.pictures.keys() >= set(game.codes):
            return deck
    return Deck(game.id, game.codes, plain.face, plain.back)


def _hash(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()[:12]
