"""Card Keeper for the `greedy` bot: attack, but keep the last attack for a knock-out.

- A move that takes somebody's last card comes before all else. Without attacks nobody ever goes
  out, so they are used, and burned only when no plain card, Wild or Swap is there. The last one in
  hand is kept until it knocks out: hands shrink by themselves, and at the end one attack decides.
- Takes go to players without Shields, those with the fewest cards first.
- A Swap is made when it brings at least two cards more than it gives; Draw +3 and Shield are played
  as soon as there is nothing to win.
- Else a number goes, played rather than burned, and best in a colour in which a Capture +1 waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots.base import Json, Pick

KNOCK_OUT: Final = 1000
#: A card taken, and the most that comes on top when its owner holds few.
TAKE: Final = 20
FEW: Final = 10
#: Against an attack that is the last one in hand and knocks nobody out.
LAST_ATTACK: Final = -100
#: A card that a Chaos makes somebody burn.
CHAOS: Final = 15
#: For each card that a Swap brings beyond one more than it gives.
SWAP: Final = 10
DRAW_3: Final = 30
SHIELD: Final = 25
NUMBER: Final = 2
#: To the colour in which a Capture +1 waits, or away from it.
SET_UP: Final = 6
#: A Wild is for bringing a waiting Capture +1 into play.
WILD: Final = -8
WILD_SET_UP: Final = 14

#: What a kind of card is worth holding; the least is burned first.
KEEP: Final = {
    "capture-2": 27,
    "draw-3": 24,
    "shield": 21,
    "chaos": 21,
    "capture-1": 18,
    "swap": 15,
    "wild": 12,
    "plain": 3,
}
ATTACKS: Final = ("capture-1", "capture-2", "chaos")
COLOURS: Final = ("red", "blue", "green", "yellow")


def choose(view: Json, events: Sequence[Json], pick: Pick) -> Json:
    """Chooses the move of most worth."""
    return max(view["legal_moves"], key=_Weigher(view).worth)


def _kind(card: str) -> str:
    """A key of KEEP; numbers and Reverses are plain."""
    first, _, rest = card.partition("-")
    if first in COLOURS:
        return "capture-1" if rest == "capture-1" else "plain"
    return "swap" if first == "swap" else card


class _Weigher:
    """What the bot looks at before it weighs its moves."""

    def __init__(self, view: Json) -> None:
        hand: Sequence[str] = view["you"]["hand"]
        self.hand = hand
        self.colour: str | None = view["table"]["colour"]
        self.held = [facts["hand_count"] for facts in view["seats"]]
        self.shields = [facts["shields"] for facts in view["seats"]]
        self.others = [
            facts["seat"]
            for facts in view["seats"]
            if not facts["out"] and facts["seat"] != view["you"]["seat"]
        ]
        kinds = {card: _kind(card) for card in hand}
        self.kinds = kinds
        self.waiting = {c.partition("-")[0] for c in hand if kinds[c] == "capture-1"}
        self.last_attack = sum(kinds[card] in ATTACKS for card in hand) <= 1

    def worth(self, move: Json) -> int:
        """A move's worth, in points without a meaning of their own."""
        if move["action"] == "name_colour":
            return self._colour(move["colour"])
        card = move["card"]
        kind = self.kinds[card]
        if move["action"] == "burn":
            return -KEEP[kind]
        if kind in ("capture-1", "capture-2"):
            return self._captures(move["targets"])
        if kind == "swap":
            return self._swap(move["targets"][0])
        if kind == "chaos":
            return self._chaos()
        if kind == "draw-3":
            return DRAW_3
        if kind == "shield":
            return SHIELD
        if kind == "wild":
            helps = self.colour != move["colour"] and move["colour"] in self.waiting
            return WILD + WILD_SET_UP * helps
        return self._plain(card.partition("-")[0])

    def _colour(self, colour: str) -> int:
        of_colour = len([card for card in self.hand if card.startswith(f"{colour}-")])
        return of_colour + SET_UP * (colour in self.waiting)

    def _captures(self, targets: Sequence[int]) -> int:
        worth = 0
        held, shields = dict.fromkeys(targets, 0), dict.fromkeys(targets, 0)
        for target in targets:
            if shields[target] < self.shields[target]:
                shields[target] += 1
                worth += 1
            elif held[target] < self.held[target]:
                worth += TAKE + max(0, FEW - self.held[target] + held[target])
                held[target] += 1
                if held[target] == self.held[target]:
                    worth += KNOCK_OUT
        return self._attack(worth)

    def _swap(self, target: int) -> int:
        given = len(self.hand) - 1
        brought: int = self.held[target]
        return SWAP * (brought - given - 1)

    def _chaos(self) -> int:
        open_to_it = [self.held[seat] for seat in self.others if not self.shields[seat]]
        return self._attack(CHAOS * len(open_to_it) + KNOCK_OUT * open_to_it.count(1))

    def _attack(self, worth: int) -> int:
        return worth + LAST_ATTACK if self.last_attack and worth < KNOCK_OUT else worth

    def _plain(self, colour: str) -> int:
        if colour in self.waiting:
            return NUMBER + SET_UP
        return NUMBER - (SET_UP if self.colour in self.waiting else 0)
