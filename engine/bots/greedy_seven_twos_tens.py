"""Seven, Twos & Tens for the `greedy` bot: low cards early, several at once, specials last.

- The specials go on the table, where they are wanted when the hand and the draw pile are gone, and
  then the highest ranks.
- The lowest rank that may be played goes first, all its cards together. A 2, a 7 or a 10 is kept as
  long as another card will do, then played one at a time, the 7 first; a 10 rather the larger the
  pile.
- Four of a kind remove the pile and give another turn, so they come before all else.
- The pile is picked up only when nothing can be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from engine.bots.base import Json, Pick

#: What a card is worth keeping: ranks by height, then the specials.
KEEP: Final = {"3": 3, "4": 4, "5": 5, "6": 6, "8": 8, "9": 9, "J": 11, "Q": 12, "K": 13, "A": 14}
SPECIAL: Final = {"7": 14, "2": 16, "10": 18}
#: What a card is worth face up, where only the last turns need it: the specials before an A.
FACE_UP: Final = KEEP | {"7": 18, "2": 17, "10": 20}

FOUR_OF_A_KIND: Final = 50
#: For each card of an ordinary rank played together: less than the step from one rank to the next.
TOGETHER: Final = 0.5
#: A 10's gain for each card that it removes.
REMOVED: Final = 0.5
PICK_UP: Final = -1000


def choose(view: Json, events: Sequence[Json], pick: Pick) -> Json:
    """Chooses the play of least loss, or the best three to lay; the lowest slot is flipped."""
    moves: Sequence[Json] = view["legal_moves"]
    action = moves[0]["action"]
    if action == "flip":
        return moves[0]
    if action == "lay":
        return max(moves, key=_lay_worth)
    pile: Sequence[str] = view["table"]["pile"]
    top = pile[-1][:-1] if pile else ""
    run = sum(1 for _ in takewhile(lambda card: card[:-1] == top, reversed(pile)))

    def worth(move: Json) -> float:
        if move["action"] == "pick_up":
            return PICK_UP
        cards = move["cards"]
        rank, count = cards[0][:-1], len(cards)
        fours = FOUR_OF_A_KIND if count + (run if rank == top else 0) >= 4 else 0
        if rank in SPECIAL:
            gain = REMOVED * len(pile) if rank == "10" else 0
            return fours + gain - SPECIAL[rank] * count
        return fours + TOGETHER * count - KEEP[rank]

    return max(moves, key=worth)


def _lay_worth(move: Json) -> int:
    return sum(FACE_UP[card[:-1]] for card in move["cards"])
