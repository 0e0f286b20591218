"""The standard deck of 52 cards: suits, pips and the ace; the courts are in `courts.py`."""

from __future__ import annotations

from api.cards.courts import court
from api.cards.glyphs import written
from api.cards.svg import HEIGHT, WIDTH, card, circle, line, path, placed, rect, twice

BLACK, RED = "#1c2733", "#c3272b"
#: Each about the origin, some 100 high.
SUITS = {
    "C": path(
        "M-7 8C-9 26-14 40-24 48H24C14 40 9 26 7 8"
        "A24 24 0 1 0 19-7 24 24 0 1 0-19-7 24 24 0 1 0-7 8Z"
    ),
    "D": path("M0-50C10-28 22-13 38 0 22 13 10 28 0 50-10 28-22 13-38 0-22-13-10-28 0-50Z"),
    "H": path(
        "M0 46C-16 26-44 6-44-18-44-36-32-46-20-46-10-46-3-40 0-30 3-40 "
        "10-46 20-46 32-46 44-36 44-18 44 6 16 26 0 46Z"
    ),
    "S": path(
        "M0-48C16-28 42-10 42 12 42 28 30 34 21 34 14 34 8 31 5 26 7 36 12 "
        "44 22 50H-22C-12 44-7 36-5 26-8 31-14 34-21 34-30 34-42 28-42 "
        "12-42-10-16-28 0-48Z"
    ),
}
NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {
    **{str(number): str(number) for number in range(2, 11)},
    "J": "Jack",
    "Q": "Queen",
    "K": "King",
    "A": "Ace",
}
#: Columns and rows of the pips.
_LEFT, _MIDDLE, _RIGHT = 91.0, 125.0, 159.0
_TOP, _HALF, _BOTTOM = 72.0, 175.0, 278.0
_PIPS = {
    "2": [(_MIDDLE, _TOP), (_MIDDLE, _BOTTOM)],
    "3": [(_MIDDLE, _TOP), (_MIDDLE, _HALF), (_MIDDLE, _BOTTOM)],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (_TOP, _BOTTOM)],
    "5": [(x, y) for x in (_LEFT, _RIGHT) for y in (_TOP, _BOTTOM)] + [(_MIDDLE, _HALF)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (_TOP, _HALF, _BOTTOM)],
}
_PIPS["7"] = [*_PIPS["6"], (_MIDDLE, 123.5)]
_PIPS["8"] = [*_PIPS["7"], (_MIDDLE, 226.5)]
_EIGHT = [(x, y) for x in (_LEFT, _RIGHT) for y in (_TOP, 140.7, 209.3, _BOTTOM)]
_PIPS["9"] = [*_EIGHT, (_MIDDLE, _HALF)]
_PIPS["10"] = [*_EIGHT, (_MIDDLE, 106), (_MIDDLE, 244)]

CODES = tuple(rank + suit for rank in RANKS for suit in SUITS)


def face(code: str) -> str:
    """A card's face."""
    rank, suit = code[:-1], code[-1]
    colour = RED if suit in "DH" else BLACK
    corner = written(rank, 36, 26, 50, colour, 13) + pip(suit, 36, 108, 36)
    middle = {"A": _ace, "J": court, "Q": court, "K": court}.get(rank, _pips)
    return card(
        f"{RANKS[rank]} of {NAMES[suit]}",
        twice(corner),
        middle(rank, pip(suit, 0, 0, 100), colour),
    )


def back() -> str:
    """The back: a lattice with a frame, the same both ways up."""
    lattice = "".join(
        f"M{x} 24L{x + 302} 326M{x} 326L{x + 302} 24" for x in range(24 - 302 + 7, 226, 24)
    )
    clip = (
        '<clipPath id="back"><rect x="24" y="24" width="202" height="302" rx="8"/></clipPath>'
        f'<g clip-path="url(#back)">{line(lattice, 2, "#7f9cc4")}</g>'
    )
    return card(
        "Back of a card",
        rect(14, 14, WIDTH - 28, HEIGHT - 28, r=10, fill="#1f3a63"),
        clip,
        rect(24, 24, 202, 302, r=8, fill="none", stroke="#e8dcbc", stroke_width=3),
        circle(125, 175, 48, fill="#1f3a63", stroke="#e8dcbc", stroke_width=3),
        "".join(
            placed(SUITS[suit], 125 + x, 175 + y, 0.27, fill="#e8dcbc")
            for suit, x, y in (("S", 0, -22), ("H", 22, 0), ("C", 0, 22), ("D", -22, 0))
        ),
    )


def pip(suit: str, x: float, y: float, height: float) -> str:
    """A suit's sign about a point, in its colour."""
    colour = RED if suit in "DH" else BLACK
    return placed(SUITS[suit], x, y, height / 100, fill=colour)


def _pips(rank: str, sign: str, colour: str) -> str:
    return "".join(placed(sign, x, y, 0.39, 180 if y > _HALF else 0) for x, y in _PIPS[rank])


def _ace(rank: str, sign: str, colour: str) -> str:
    ring = "".join(
        placed(circle(0, -86, 2.5), 125, 175, 1, angle, fill=colour) for angle in range(0, 360, 15)
    )
    return placed(sign, 125, 175, 1.15) + ring
