"""Cards that nobody has drawn: the code itself, on a plain card. A new game begins with these."""

from __future__ import annotations

from api.cards.svg import HEIGHT, SANS, WIDTH, card, path, rect, text, twice

INK = "#2c3140"
#: How wide a letter is, on the average, in parts of the font's size.
_LETTER = 0.62


def face(code: str) -> str:
    """A card's face."""
    large, small = (min(most, 200 / (_LETTER * len(code))) for most in (110, 34))
    return card(
        code,
        rect(12, 12, WIDTH - 24, HEIGHT - 24, r=12, fill="none", stroke=INK, stroke_width=2),
        twice(text(code, WIDTH / 2, 52, small, font_family=SANS, fill=INK)),
        text(code, WIDTH / 2, HEIGHT / 2 + 0.35 * large, large, font_family=SANS, fill=INK),
    )


def back() -> str:
    """The back."""
    return card(
        "Back of a card",
        rect(12, 12, WIDTH - 24, HEIGHT - 24, r=12, fill=INK),
        path("M125 60L210 175 125 290 40 175Z", fill="none", stroke="#aab2c4", stroke_width=4),
        path("M125 110L173 175 125 240 77 175Z", fill="#aab2c4"),
    )
