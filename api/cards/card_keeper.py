"""Card Keeper's own deck. A colour is told three ways: by itself, by the hatching of heraldry, and
by a sign; so that nobody has to tell red from green."""

from __future__ import annotations

from typing import NamedTuple

from api.cards import charges
from api.cards.charges import Charge
from api.cards.glyphs import written
from api.cards.svg import (
    HEIGHT,
    WIDTH,
    card,
    circle,
    element,
    line,
    path,
    placed,
    rect,
    text,
    twice,
)

CREAM, GREY = "#fff8e6", "#4a5160"


class Colour(NamedTuple):
    """One of the four: its paint, a darker one, what is written on it, hatching, sign."""

    paint: str
    dark: str
    on: str
    hatching: str
    sign: str


#: Hatchings as heralds print them: red upright, blue level, green slanting, yellow dotted.
COLOURS = {
    "red": Colour(
        "#c02a2a",
        "#8c1518",
        CREAM,
        line("M7 0V14", 1.6, "#d6605a"),
        path(
            "M2-50C6-30 34-16 34 14 34 36 18 48 0 48S-34 36-34 14"
            "C-34 0-28-10-20-18-20-8-16-2-10 0-12-18-8-38 2-50ZM2 10"
            "C-2 18-12 22-12 32-12 40-6 44 0 44S14 40 14 30C14 20 6 18 2 10Z",
            fill_rule="evenodd",
        ),
    ),
    "blue": Colour(
        "#2463b4",
        "#123f7d",
        CREAM,
        line("M0 7H14", 1.6, "#5f93d8"),
        line(
            "M-44-22C-30-40-16-40 0-22S30-4 44-22M-44 8C-30-10-16-10 0 8"
            "S30 26 44 8M-44 38C-30 20-16 20 0 38S30 56 44 38",
            11,
            "currentColor",
        ),
    ),
    "green": Colour(
        "#2b8048",
        "#14562b",
        CREAM,
        line("M-4-4L18 18M-4 10L4 18M10-4L18 4", 1.6, "#5fae79"),
        path(
            "M44-46C48 4 30 38-10 36-18 36-24 32-24 32L-38 48-46 40-30 24"
            "C-44-20-6-44 44-46ZM22-24C2-14-12 2-20 20L-16 24C-6 8 8-8 22-24Z",
            fill_rule="evenodd",
        ),
    ),
    "yellow": Colour(
        "#eab21c",
        "#8a6100",
        "#3b2a00",
        circle(3.5, 3.5, 1.5, fill="#9c7306") + circle(10.5, 10.5, 1.5, fill="#9c7306"),
        circle(0, 0, 22)
        + "".join(placed(path("M-7-30H7L0-50Z"), 0, 0, 1, turn) for turn in range(0, 360, 45)),
    ),
}
CHARACTERS: tuple[tuple[str, Charge], ...] = (
    ("Banner", charges.banner),
    ("Jester", charges.jester),
    ("Herald", charges.herald),
    ("Guard", charges.guard),
    ("Tower", charges.tower),
    ("Bishop", charges.bishop),
    ("Knight", charges.knight),
    ("Queen", charges.queen),
    ("King", charges.king),
)
#: By value: name, what stands in the corner (None: the charge itself), charge.
COLOURED: dict[str, tuple[str, str | None, Charge]] = {
    **{
        str(number): (name, str(number), charge)
        for number, (name, charge) in enumerate(CHARACTERS, start=1)
    },
    "reverse": ("Reverse", None, charges.reverse),
    "capture-1": ("Capture", "+1", charges.portcullis),
}
GREYS: dict[str, tuple[str, str | None, Charge]] = {
    "wild": ("Wild", None, charges.wild),
    "capture-2": ("Capture", "+2", charges.portcullis),
    "chaos": ("Chaos", None, charges.chaos),
    "draw-3": ("Draw", "+3", charges.draw),
    "shield": ("Shield", None, charges.shield),
}
SWAPS = {"swap-red-yellow": ("red", "yellow"), "swap-blue-green": ("blue", "green")}
CODES = (*(f"{colour}-{value}" for colour in COLOURS for value in COLOURED), *GREYS, *SWAPS)

_INSIDE = (12, 12, WIDTH - 24, HEIGHT - 24)
_SHIELD = "M54 84H196V178C196 222 170 246 125 262 80 246 54 222 54 178Z"


def face(code: str) -> str:
    """A card's face."""
    if code in GREYS:
        return _grey(code)
    if code in SWAPS:
        return _swap(code)
    name, _, value = code.partition("-")
    word, corner, charge = COLOURED[value]
    colour = COLOURS[name]
    marks = _corner(corner, charge, colour.on, colour.paint) + _sign(name, 211, 50, 46, colour.on)
    return card(
        f"{_named(word, corner)}, {name}",
        _ground(name, *_INSIDE, r=12),
        twice(marks),
        path(_SHIELD, fill=CREAM, stroke=colour.dark, stroke_width=4),
        placed(charge(colour.dark, CREAM), 125, 160, 1),
        _ribbon(word, colour.dark),
    )


def back() -> str:
    """The back: the four colours, each with its sign, about a shield."""
    quarters = "".join(
        _ground(name, x, y, 101, 151) + _sign(name, x + dx, y + dy, 44, COLOURS[name].on)
        for name, x, y, dx, dy in (
            ("red", 24, 24, 38, 38),
            ("blue", 125, 24, 63, 38),
            ("green", 125, 175, 63, 113),
            ("yellow", 24, 175, 38, 113),
        )
    )
    return card(
        "Back of a card",
        rect(*_INSIDE, r=12, fill="#2c3140"),
        quarters,
        rect(24, 24, 202, 302, r=6, fill="none", stroke="#d9b65a", stroke_width=4),
        placed(path(_SHIELD, fill="#2c3140", stroke="#d9b65a", stroke_width=5), 15, 14, 0.88),
        placed(charges.king("#d9b65a", "#2c3140"), 125, 164, 0.85),
    )


def _grey(code: str) -> str:
    word, corner, charge = GREYS[code]
    middle = path(_SHIELD, fill=CREAM, stroke="#2c3140", stroke_width=4)
    if code == "wild":
        middle = _parted(
            {
                "red": (54, 84, 71, 84),
                "blue": (125, 84, 71, 84),
                "green": (125, 168, 71, 108),
                "yellow": (54, 168, 71, 108),
            },
            "#2c3140",
        )
    ink, cut = (CREAM, "#2c3140") if code == "wild" else ("#2c3140", CREAM)
    return card(
        f"{_named(word, corner)}, grey",
        rect(*_INSIDE, r=12, fill=GREY),
        twice(_corner(corner, charge, CREAM, GREY)),
        middle,
        placed(charge(ink, cut), 125, 160 if code != "wild" else 168, 1 if code != "wild" else 0.8),
        _ribbon(word, "#2c3140"),
    )


def _swap(code: str) -> str:
    one, other = SWAPS[code]
    marks = _corner(None, charges.swap, CREAM, GREY) + _seal(one, 165, 48) + _seal(other, 212, 48)
    return card(
        f"Swap, {one} or {other}",
        rect(*_INSIDE, r=12, fill=GREY),
        twice(marks),
        _parted({one: (54, 84, 71, 190), other: (125, 84, 71, 190)}, "#2c3140"),
        placed(charges.swap(CREAM, GREY), 125, 178, 0.9),
        _ribbon("Swap", "#2c3140"),
    )


def _named(word: str, corner: str | None) -> str:
    return f"{word} {corner}" if corner else word


def _corner(word: str | None, charge: Charge, ink: str, cut: str) -> str:
    if word is None:
        return placed(charge(ink, cut), 40, 50, 0.4)
    return written(word, 40 if len(word) == 1 else 50, 27, 46, ink, 13)


def _sign(name: str, x: float, y: float, height: float, ink: str) -> str:
    return placed(COLOURS[name].sign, x, y, height / 100, fill=ink, color=ink)


def _seal(name: str, x: float, y: float) -> str:
    """A colour's sign on a disc of the colour."""
    colour = COLOURS[name]
    disc = circle(x, y, 21, fill=colour.paint, stroke=CREAM, stroke_width=2.5)
    return disc + _sign(name, x, y, 27, colour.on)


def _ground(name: str, x: float, y: float, width: float, height: float, **shape: float) -> str:
    """A field of a colour with its hatching."""
    colour = COLOURS[name]
    tile = element(
        "pattern",
        rect(0, 0, 14, 14, fill=colour.paint) + colour.hatching,
        id=f"hatching-{name}",
        width=14,
        height=14,
        patternUnits="userSpaceOnUse",
    )
    return tile + rect(x, y, width, height, fill=f"url(#hatching-{name})", **shape)


def _parted(fields: dict[str, tuple[float, float, float, float]], edge: str) -> str:
    """A shield of several fields, each with its colour's sign."""
    drawn = "".join(_ground(name, *field) for name, field in fields.items())
    signs = "".join(
        _sign(
            name, x + (25 if x < 100 else width - 25), 108 if y < 100 else 208, 32, COLOURS[name].on
        )
        for name, (x, y, width, _) in fields.items()
    )
    return (
        element("clipPath", path(_SHIELD), id="shield")
        + element("g", drawn + signs, clip_path="url(#shield)")
        + path(_SHIELD, fill="none", stroke=edge, stroke_width=5)
    )


def _ribbon(word: str, colour: str) -> str:
    """The name on a band across the foot of the shield."""
    return rect(50, 230, 150, 38, r=6, fill=CREAM, stroke=colour, stroke_width=4) + text(
        word, 125, 258, 28, fill=colour, font_weight="bold", letter_spacing=1
    )
