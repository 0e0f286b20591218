"""Even Steven for the `greedy` bot: climb in small steps, and let the odd cards wait.

- An even card goes while it still fits, the lowest first, so that the higher ones fit later.
- Odd cards always fit, so they are kept for the turns in which no even card does. A blind draw is
  the last resort: it sheds nothing and may bring the whole pile into the hand.
- An A is worth most when it makes the others draw, or takes a large pile off the table; a 9 when
  the pile's value is high.
- A steal is declined. A stolen card is one more to shed, and one less for the player robbed, who
  with one card left would even win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots.base import Json, Pick

#: What each even rank counts; an odd rank is not in it.
NUMBERS: Final = {"2": 2, "4": 4, "6": 6, "8": 8, "10": 10, "J": 11, "Q": 12, "K": 13}

#: A fitting even card comes before any odd one; its number is taken off, so the lowest wins.
EVEN: Final = 100
#: Odd cards whose worth does not depend on the table, the least useful later in the match first.
ODD: Final = {"3": 20, "7": 15, "5": 10}
#: A 9 is worth this much, and a point more for each of the pile's value.
RESET: Final = 5
#: An A: for each card that the others then draw, and for each card of the pile.
BURN_DRAWN: Final = 10
BURN_PILE: Final = 3


def choose(view: Json, events: Sequence[Json], pick: Pick) -> Json:
    """Chooses the move of most worth; with an empty hand the lowest slot is flipped."""

    def worth(move: Json) -> int:
        if move["action"] == "play":
            return _card_worth(view, move["card"][:-1])
        # What is left is all alike, but for a steal, which declining beats.
        return -1 if move["action"] == "steal" else 0

    return max(view["legal_moves"], key=worth)


def _card_worth(view: Json, rank: str) -> int:
    if rank in NUMBERS:
        return EVEN - NUMBERS[rank]
    table = view["table"]
    if rank == "9":
        return RESET + (table["value"] or 0)
    if rank == "A":
        return BURN_DRAWN * _others_would_draw(view) + BURN_PILE * len(table["pile"])
    return ODD[rank]


def _others_would_draw(view: Json) -> int:
    """How many cards the others draw if the round ends now; who ends it draws none (ES-8)."""
    refill: int = view["options"]["hand_size"] - view["table"]["round"]
    me = view["you"]["seat"]
    return sum(
        max(0, refill - facts["hand_count"]) for facts in view["seats"] if facts["seat"] != me
    )
