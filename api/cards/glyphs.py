"""Numerals and letters for the corners of cards, drawn as lines, so that they look the same on
every machine, whatever fonts it has."""

from __future__ import annotations

from api.cards.svg import Number, line, placed

TALL = 80
#: How wide, and the line, from the top left corner.
_LINES: dict[str, tuple[float, str]] = {
    "0": (42, "M21 0C35 0 42 16 42 40S35 80 21 80 0 64 0 40 7 0 21 0Z"),
    "1": (16, "M0 13L16 0V80"),
    "2": (44, "M1 21A21 21 0 1 1 37 36L1 80H44"),
    "3": (46, "M4 0H42L21 30A25 25 0 1 1 0 68"),
    "4": (50, "M37 80V0L0 58H50"),
    "5": (46, "M42 0H9L5 35A25 25 0 1 1 0 69"),
    "6": (48, "M36 0L3.5 43A24 24 0 1 0 24 32C16 32 8 37 3.5 43"),
    "7": (44, "M0 0H44L16 80"),
    "8": (46, "M23 36A18 18 0 1 1 23.1 36A22 22 0 1 1 22.9 36"),
    "9": (48, "M12 80L44.5 37A24 24 0 1 0 24 48C32 48 40 43 44.5 37"),
    "J": (36, "M14 0H36V60A20 20 0 0 1 0 66"),
    "Q": (54, "M27 0C44 0 54 16 54 40S44 80 27 80 0 64 0 40 10 0 27 0ZM33 58L54 82"),
    "K": (46, "M0 0V80M43 0L0 48M16 32L46 80"),
    "A": (54, "M0 80L27 0L54 80M10 52H44"),
    "+": (28, "M14 28V56M0 42H28"),
}
_APART = 9


def written(word: str, x: Number, y: Number, height: Number, colour: str, pen: Number = 11) -> str:
    """A word of these glyphs, its top in the middle at `x`, `y`. `pen` is for a height of 80."""
    wide = [_LINES[letter][0] for letter in word]
    apart = _APART + pen / 2
    left = -(sum(wide) + apart * (len(word) - 1)) / 2
    drawn = []
    for letter, width in zip(word, wide, strict=True):
        drawn.append(placed(line(_LINES[letter][1], pen, colour), left, 0))
        left += width + apart
    return placed("".join(drawn), x, y, height / TALL)
