"""Scripted deals: an order of the deck that somebody has set, in the place of the first shuffle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from engine.chance import Chance
from engine.errors import InvalidSetup
from engine.game import Game


class ScriptedChance(Chance):
    """Chance whose first shuffle gives the set order and takes no word; all else is the seed's."""

    __slots__ = ("_order",)

    def __init__(self, seed: bytes, order: Sequence[int]) -> None:
        super().__init__(seed)
        self._order = list(order)

    def shuffle(self, items: list[Any]) -> None:
        """Puts the items into the set order the first time, and shuffles them ever after."""
        if self._order:
            items[:] = self._order
            self._order = []
        else:
            super().shuffle(items)


def settle_deal(game: Game[Any], codes: Sequence[str], *, options: Any) -> list[int]:
    """The deck in an order given as codes, the top card first, as card numbers.

    Raises InvalidSetup (`deal`) unless it names each card of such a match exactly once.
    """
    sought = Counter(game.codes[card] for card in game.whole_deck(options))
    named = Counter(codes)
    errors = [
        f"{words}: {_listed(cards)}."
        for words, cards in (
            ("Cards of another deck", named.keys() - sought.keys()),
            ("Named too often", [code for code in sought if named[code] > sought[code]]),
            ("Missing", [code for code in sought if named[code] < sought[code]]),
        )
        if cards
    ]
    if errors:
        raise InvalidSetup({"deal": errors})
    numbers = {code: number for number, code in enumerate(game.codes)}
    return [numbers[code] for code in codes]


def _listed(codes: Iterable[str]) -> str:
    return ", ".join(sorted(map(str, codes)))
