"""Cards in a terminal: a chip of a few letters, in colour, and readable without the colour."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
STANDARD = re.compile(r"(10|[2-9JQKA])([CDHS])")
#: By colour: its sign, and how it is painted.
COLOURS = {
    "red": ("▲", "bold #fff8e6 on #b3201f"),
    "blue": ("≈", "bold #fff8e6 on #1f58a6"),
    "green": ("♣", "bold #fff8e6 on #21703c"),
    "yellow": ("☼", "bold #2b1f00 on #e8b01a"),
}
CHARACTERS = ("Banner", "Jester", "Herald", "Guard", "Tower", "Bishop", "Knight", "Queen", "King")
COLOURED = re.compile(r"(red|blue|green|yellow)-(\d|reverse|capture-1)")
SWAP = re.compile(r"swap-(red|blue)-(yellow|green)")
GREY = {
    "wild": "Wild",
    "capture-2": "Capture +2",
    "chaos": "Chaos",
    "draw-3": "Draw +3",
    "shield": "Shield",
}
#: Places of a face-down row, in every game that has one.
ROW = 3
ON_GREY = "bold #fff8e6 on #4a5160"


class Flowing:
    """A text whose lines are broken at plain spaces only, so that chips stay whole."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [Text()]
        for word in self.text.split(" ", allow_blank=True):
            if lines[-1].cell_len + 1 + word.cell_len > options.max_width:
                lines.append(word)
            else:
                lines[-1] = Text(" ").join([lines[-1], word]) if lines[-1] else word
        yield from lines


def labelled(label: str, value: Text) -> Text:
    """A fact: what it is, and how it stands."""
    return Text.assemble((f"{label} ", "dim"), value)


def side_by_side(facts: Sequence[Text]) -> Flowing:
    """Facts in a row; where it is too long it breaks between two of them."""
    unbroken = []
    for fact in facts:
        parts = fact.split(" ")
        unbroken.append(Text("\N{NO-BREAK SPACE}").join(parts))
    return Flowing(Text("\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} ").join(unbroken))


def card(code: str) -> Text:
    """A card's chip."""
    if found := STANDARD.fullmatch(code):
        rank, suit = found.groups()
        ink = "#c3272b" if suit in "DH" else "#1c2733"
        return _chip(f"{rank}{SUITS[suit]}", f"bold {ink} on #f4efe2")
    if found := COLOURED.fullmatch(code):
        name, value = found.groups()
        sign, paint = COLOURS[name]
        return _chip(f"{sign} {_value(value)}", paint)
    if found := SWAP.fullmatch(code):
        chip = _chip("Swap", ON_GREY)
        for name in found.groups():
            chip.append_text(_chip(*COLOURS[name]))
        return chip
    return _chip(GREY.get(code, code), ON_GREY)


def cards(codes: Sequence[str]) -> Text:
    """Chips side by side; they wrap between two."""
    return Text(" ").join(card(code) for code in codes)


def colour(name: str) -> Text:
    """A colour's name, painted."""
    sign, paint = COLOURS[name]
    return _chip(f"{sign} {name}", paint)


def backs(number: int) -> Text:
    """So many cards that one does not see."""
    shown = Text("▮" * min(number, 20), "#5f7fb8")
    return shown.append(f" {number}", "bold")


def slots(held: Sequence[int]) -> Text:
    """A row of face-down cards, empty places included."""
    return Text(" ").join(
        Text(f"▮{slot + 1}", "#5f7fb8") if slot in held else Text("·", "dim")
        for slot in range(max([ROW, *(slot + 1 for slot in held)]))
    )


def _chip(words: str, paint: str) -> Text:
    return Text(f" {words} ".replace(" ", "\N{NO-BREAK SPACE}"), paint)


def _value(value: str) -> str:
    if value.isdigit():
        return f"{CHARACTERS[int(value) - 1]} {value}"
    return "Reverse" if value == "reverse" else "Capture +1"
