"""Draws the documentation's pictures: `python -m scripts.pictures`.

A table's picture is a moment of a match as the seat at the bottom sees it, laid out of the pictures
of cards that the service answers.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

from api.cards import BACK, Deck, deck_of
from api.cards.svg import HEIGHT, SANS, WIDTH, circle, element, placed, rect, text
from engine import GAMES, Match

PICTURES = Path("docs/pictures")
#: Of the moment: the seed, and how many moves were made before it.
MOMENTS = {
    "even-steven": ("anchor", 8),
    "card-keeper": ("castle 13", 12),
    "seven-twos-tens": ("sundae", 11),
}
NAMES = ("Ada", "Ben", "Cy")
WIDE, HIGH = 960, 640
FELT, EDGE, INK = "#1f5b45", "#163f31", "#f2ead6"
#: The width of a card on the table, and in the hand at the bottom.
SMALL, LARGE = 62, 84


class Picture:
    """A table being laid."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.used: dict[str, str] = {}
        self.parts: list[str] = []

    def card(self, code: str, x: float, y: float, width: float = SMALL, turn: float = 0) -> None:
        """Lays a card with its middle at a point."""
        self.used.setdefault(code, f"card-{len(self.used)}")
        drawn = element(
            "use",
            href=f"#{self.used[code]}",
            x=-WIDTH / 2,
            y=-HEIGHT / 2,
            width=WIDTH,
            height=HEIGHT,
        )
        self.parts.append(placed(drawn, x, y, width / WIDTH, turn))

    def row(self, codes: list[str], x: float, y: float, apart: float, width: float = SMALL) -> None:
        """Lays cards side by side or one over the other, their middle at a point."""
        left = x - apart * (len(codes) - 1) / 2
        for number, code in enumerate(codes):
            self.card(code, left + apart * number, y, width)

    def words(self, words: str, x: float, y: float, **paint: str) -> None:
        """Writes a line, its middle at `x`."""
        self.parts.append(text(words, x, y, 17, font_family=SANS, fill=INK, **paint))

    def svg(self, title: str) -> str:
        """The whole picture."""
        symbols = "".join(_symbol(name, self.deck, code) for code, name in self.used.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" '
            f'width="{WIDE}" height="{HIGH}" role="img" aria-label="{title}">'
            f"<title>{title}</title><defs>{symbols}</defs>"
            + rect(4, 4, WIDE - 8, HIGH - 8, r=36, fill=FELT, stroke=EDGE, stroke_width=8)
            + "".join(self.parts)
            + "</svg>\n"
        )


def drawn(game: str) -> str:
    """A game's picture."""
    view = _moment(game)
    picture = Picture(deck_of(GAMES[game]))
    for seat, x in ((1, 250.0), (2, 710.0)):
        _opponent(picture, view, seat, x)
    _middle(picture, view["table"])
    _own(picture, view)
    return picture.svg(f"A table of {GAMES[game].title}".replace("&", "&amp;"))


def some_cards() -> str:
    """Some cards side by side, of both decks."""
    shown = {
        "even-steven": ["QH", "10H", BACK],
        "card-keeper": ["red-8", "blue-2", "green-7", "yellow-reverse", "wild"],
    }
    parts, places, x = [], [], 0.0
    for game, codes in shown.items():
        for code in codes:
            name = f"{game}-{code}"
            parts.append(_symbol(name, deck_of(GAMES[game]), code))
            places.append(
                element("use", href=f"#{name}", x=x, width=WIDTH * 0.6, height=HEIGHT * 0.6)
            )
            x += WIDTH * 0.6 + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x - 12:g} {HEIGHT * 0.6:g}" '
        f'width="{x - 12:g}" height="{HEIGHT * 0.6:g}"><defs>{"".join(parts)}</defs>'
        + "".join(places)
        + "</svg>\n"
    )


def made() -> dict[str, str]:
    """Every file in `PICTURES`, by its name."""
    return {**{f"{game}.svg": drawn(game) for game in MOMENTS}, "cards.svg": some_cards()}


def _moment(game: str) -> dict[str, Any]:
    seed, moves = MOMENTS[game]
    rng = Random(seed)
    match = Match.new(GAMES[game], seats=NAMES, seed=seed)
    while match.version < moves or match.to_act[:1] != [0]:
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal_moves(seat)))
    return match.view(0)


def _opponent(picture: Picture, view: dict[str, Any], seat: int, x: float) -> None:
    facts = view["seats"][seat]
    count = facts["hand_count"]
    picture.words(f"{facts['name']} · {count} in hand", x, 50, font_weight="bold")
    picture.row([BACK] * min(count, 9), x, 108, 22)
    _on_the_table(picture, facts, x, 208)


def _own(picture: Picture, view: dict[str, Any]) -> None:
    facts, hand = view["seats"][0], view["you"]["hand"]
    picture.row(hand, WIDE / 2, 540, min(LARGE + 8, 780 / max(len(hand), 1)), LARGE)
    _on_the_table(picture, facts, 790, 366)
    picture.words(f"{facts['name']} (you)", WIDE / 2, 623, font_weight="bold")


def _on_the_table(picture: Picture, facts: dict[str, Any], x: float, y: float) -> None:
    """What lies before a seat: face-down cards with open ones upon them, or Shields."""
    row = facts.get("face_down", ())
    picture.row([BACK] * len(row), x, y, SMALL + 12)
    picture.row(facts.get("face_up", []), x, y + 16, SMALL + 12)
    picture.row(["shield"] * facts.get("shields", 0), x, y, SMALL + 12)


def _middle(picture: Picture, table: dict[str, Any]) -> None:
    y = 366
    for place, name in ((300.0, "deck_count"), (300.0, "draw_count"), (616.0, "burn_count")):
        if table.get(name):
            _heap(picture, place, y, table[name], name.removesuffix("_count"))
    top = table.get("pile", [])[-5:] or [table[n] for n in ("discard_top",) if n in table]
    picture.row(top, 458, y, 36, 78)
    if "value" in table:
        value = "anything goes" if table["value"] is None else f"value {table['value']}"
        picture.words(value, 458, y + 84, font_weight="bold")
    if "colour" in table:
        picture.words(f"{table['colour']}, to the {table['direction']}", 458, y + 84)


def _heap(picture: Picture, x: float, y: float, count: int, name: str) -> None:
    for height in range(3):
        picture.card(BACK, x - 3 * height, y - 3 * height, 78)
    picture.parts.append(circle(x - 6, y - 6, 19, fill=EDGE, stroke=INK, stroke_width=2))
    picture.words(str(count), x - 6, y, font_weight="bold")
    picture.words(name, x - 4, y + 84)


def _symbol(name: str, deck: Deck, code: str) -> str:
    """A card to be used by name; its own title would be read out for each use."""
    whole = deck.pictures[code].decode()
    inner = re.sub(r"^<svg[^>]*>|<title>.*?</title>|</svg>\s*$", "", whole)
    return element("symbol", inner, id=name, viewBox=f"0 0 {WIDTH} {HEIGHT}")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name, picture in made().items():
        (PICTURES / name).write_text(picture, "utf-8")
