"""Legal moves as numbered choices: first the card, then at whom or in which colour."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from parlour import faces
from parlour.sentences import players, seat_name

Move = dict[str, Any]
#: The members that are asked for in a second question.
SECOND = ("targets", "colour")


def grouped(moves: Sequence[Move]) -> list[list[Move]]:
    """Moves that differ only in what the second question asks for, together."""
    groups: dict[str, list[Move]] = {}
    for move in moves:
        first = {k: v for k, v in move.items() if k not in SECOND or move["action"] != "play"}
        groups.setdefault(json.dumps(first), []).append(move)
    return list(groups.values())


def first(move: Move, names: Sequence[str]) -> Text:
    """A move's first half in words, as a choice."""
    action = move["action"]
    if action == "play":
        return Text("Play ") + faces.cards(move.get("cards") or [move["card"]])
    if action == "burn":
        return Text("Burn ") + faces.card(move["card"])
    if action == "lay":
        return Text("Lay ") + faces.cards(move["cards"])
    if action == "name_colour":
        return Text("Name ") + faces.colour(move["colour"])
    if action == "steal":
        which = f", face-down card {move['slot'] + 1}" if "slot" in move else ""
        return Text("Steal from ") + seat_name(move["target"], names, None) + Text(which)
    if action == "flip":
        return Text(f"Turn over face-down card {move['slot'] + 1}")
    plain = {
        "draw": "Draw from the deck and play it unseen",
        "pick_up": "Pick up the pile",
        "decline": "Steal nothing",
    }
    if action in plain:
        return Text(plain[action])
    rest = ", ".join(f"{name} {value}" for name, value in move.items() if name != "action")
    return Text(f"{action.replace('_', ' ').capitalize()} {rest}".strip())


def second(move: Move, names: Sequence[str]) -> Text:
    """A move's second half in words, as a choice."""
    if "colour" in move:
        return faces.colour(move["colour"])
    return players(move["targets"], names, None)
