"""The table as it is now: the seats, what lies in the middle, and one's own cards."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from parlour import faces

View = dict[str, Any]
#: Members of a seat that are no facts of a game, or are shown in a way of their own.
SHOWN = ("seat", "name", "kind", "hand_count", "face_down", "face_up", "out", "hand")
LONGEST_PILE = 12


def table(view: View, title: str) -> RenderableType:
    """The whole table, as `you` of the view see it."""
    parts: list[RenderableType] = [_seats(view), Text()]
    parts += [_middle(view["table"])] if view["table"] else [Text("Waiting for players.", "dim")]
    if view["you"]:
        parts += [Text(), _row("Your hand", view["you"]["hand"])]
    return Panel(Group(*parts), title=f"[bold]{title}", box=box.ROUNDED, padding=(1, 2))


def standings(view: View) -> RenderableType:
    """The result: places and the cards that everybody was left with."""
    shown = Table(box=box.SIMPLE_HEAD, title="Result", title_style="bold")
    for head in ("", "Player", "Cards left"):
        shown.add_column(head)
    for place, seats in enumerate(view["result"]["ranking"], start=1):
        for seat in seats:
            facts = view["seats"][seat]
            left = [*facts.get("hand", ()), *facts.get("face_up", ())]
            left += [card for card in facts.get("face_down_cards", ()) if card]
            name = Text(facts["name"], "bold" if place == 1 else "")
            row = faces.Flowing(faces.cards(left)) if left else Text("none")
            shown.add_row("★" if place == 1 else str(place), name, row)
    return shown


def _seats(view: View) -> Table:
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    me = view["you"]["seat"] if view["you"] else None
    known = view["known"] if view["table"] else []
    for seat in view["seats"]:
        number = seat["seat"]
        turn = Text("▶", "bold green") if number in view["to_act"] else Text(" ")
        name = Text(seat["name"] or "(open)", "bold" if number == me else "")
        if number == me:
            name.append(" (you)", "dim")
        elif seat["kind"] == "bot":
            name.append(" bot", "dim")
        cells = [turn, name]
        if "hand_count" in seat:
            out = seat.get("out")
            cells.append(Text("out", "dim") if out else faces.backs(seat["hand_count"]))
        if seat.get("face_up"):
            cells.append(faces.cards(seat["face_up"]))
        if seat.get("face_down"):
            cells.append(faces.labelled("face down", faces.slots(seat["face_down"])))
        cells += [_fact(name, value) for name, value in seat.items() if name not in SHOWN and value]
        if number != me and number < len(known) and known[number]:
            cells.append(faces.labelled("has", faces.cards(known[number])))
        rows.add_row(*cells)
    return rows


def _middle(facts: View) -> RenderableType:
    cells = []
    for name, value in facts.items():
        if name == "colour":
            named = faces.colour(value) if value else Text("not named yet")
            cells.append(faces.labelled("colour", named))
        elif name.endswith("_top"):
            cells.append(faces.labelled(name.replace("_", " "), faces.card(value)))
        elif name not in ("pile", "phase", "scores"):
            cells.append(_fact(name, "anything" if value is None else value))
    line = faces.side_by_side(cells)
    if "pile" not in facts:
        return line
    below = len(facts["pile"]) - LONGEST_PILE
    head = f"Pile (and {below} below)" if below > 0 else "Pile"
    return Group(line, Text(), _row(head, facts["pile"][-LONGEST_PILE:]))


def _row(head: str, codes: list[str]) -> RenderableType:
    cards = faces.cards(codes) if codes else Text("empty", "dim")
    return faces.Flowing(Text.assemble((f"{head}  ", "bold"), cards))


def _fact(name: str, value: Any) -> Text:
    label = name.removesuffix("_count").replace("_", " ")
    return faces.labelled(label, Text(str(value), "bold"))
