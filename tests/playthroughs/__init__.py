"""Recorded playthroughs: whole matches as text, with all that everybody was shown at every step.

A file tells how the match was set up, and then for every version the move, the events, and of each
view what has changed. `-` is the spectator, a number a seat; a seat's lines hold only what it saw
otherwise than the spectator. The test plays the moves of the file again and compares the text, so a
change of anything that is ever shown is seen in a diff. `python -m tests.playthroughs` records all
of them anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine import GAMES, Match, Step, Viewer
from tests.known.base import Body

FOLDER = Path(__file__).parent
GONE = "(gone)"


def write(set_up: dict[str, Any], moves: Iterable[tuple[int, Body]]) -> str:
    """The text of a match: `set_up` has `game`, `seats`, `seed` and `options`."""
    match = Match.new(
        GAMES[set_up["game"]],
        seats=set_up["seats"],
        seed=set_up["seed"],
        options=set_up["options"],
        host_seeded=True,
    )
    lines = [f"set_up {_line(set_up)}"]
    seen: dict[Viewer, dict[str, Any]] = {}
    lines += _shown(match, match.log[0], seen)
    for seat, body in moves:
        step = match.play(seat, body)
        lines.append(f"move {seat} {_line(body)}")
        lines += _shown(match, step, seen)
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[dict[str, Any], list[tuple[int, Body]]]:
    """The set-up and the moves of such a text."""
    words = [line.split(" ", 2) for line in text.splitlines()]
    set_up = text.split("\n", 1)[0].removeprefix("set_up ")
    return json.loads(set_up), [(int(w[1]), json.loads(w[2])) for w in words if w[0] == "move"]


def _shown(match: Match, step: Step, seen: dict[Viewer, dict[str, Any]]) -> Iterator[str]:
    public = match.show(step, None)
    seats = range(len(match.seats))
    own = [match.show(step, seat) for seat in seats]
    for index, event in enumerate(public):
        yield f"event - {_line(event)}"
        for seat in seats:
            if own[seat][index] != event:
                yield f"event {seat} {_line(_changes(event, own[seat][index]))}"
    before, spectator = seen.get(None, {}), _flat(match.view(None))
    yield f"view - {_line(_changes(before, spectator))}"
    for seat in seats:
        last, view = seen.get(seat, {}), _flat(match.view(seat))
        if own_changes := dict(_own_changes((before, last), (spectator, view))):
            yield f"view {seat} {_line(own_changes)}"
        seen[seat] = view
    seen[None] = spectator


def _changes(before: Body, after: Body) -> Body:
    keys = [*after, *(key for key in before if key not in after)]
    pairs = ((key, before.get(key, GONE), after.get(key, GONE)) for key in keys)
    return {key: now for key, then, now in pairs if now != then}


def _own_changes(before: tuple[Body, Body], after: tuple[Body, Body]) -> Iterator[tuple[str, Any]]:
    """Of what has changed for the spectator or for a seat, what the seat does not share: where it
    sees, or saw, something else."""
    for key in dict.fromkeys(key for view in (*after, *before) for key in view):
        then, now = ([view.get(key, GONE) for view in views] for views in (before, after))
        if now != then and (now[0] != now[1] or then[0] != then[1]):
            yield key, now[1]


def _flat(view: dict[str, Any]) -> dict[str, Any]:
    """A view with the members of its members by their path, as `seats.0.hand_count`."""
    flat: dict[str, Any] = {}
    for name, value in view.items():
        inner = dict(enumerate(value)) if name in ("seats", "known") else value
        if isinstance(inner, dict):
            flat |= {f"{name}.{key}": leaf for key, leaf in _flat(inner).items()}
        else:
            flat[name] = value
    return flat


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
