"""Steps: moves, legal moves and what was told of them, each as one line of text.

    do(match, "play 7H", "steal 1"); legal(match) == ["play 4C", "draw"]

A line is a body's values in order: `steal 1 2`, `play wild blue`, `play capture-2 1 2`,
`lay 3C 4C 5C`. It is made for the first seat that owes a decision, or for the one that it names:
`2: burn red-1`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from engine import EngineError, IllegalMove, Match, Step
from engine.games.card_keeper import COLOURS


def body(match: Match, line: str) -> dict[str, Any]:
    """The body that a line stands for."""
    action, *words = line.split()
    if match.game.id == "seven-twos-tens" and action in ("lay", "play"):
        return {"action": action, "cards": words}
    filled: dict[str, Any] = {"action": action}
    if action in ("play", "burn"):
        filled["card"], *words = words
    if match.game.id == "card-keeper":
        for word in words:
            if word in COLOURS:
                filled["colour"] = word
            else:
                filled.setdefault("targets", []).append(int(word))
        return filled
    names = {"steal": ("target", "slot"), "flip": ("slot",)}.get(action, ())
    return filled | {name: int(word) for name, word in zip(names, words, strict=False)}


def line(body: Mapping[str, Any]) -> str:
    """The line that stands for a body."""
    words: list[Any] = []
    for value in body.values():
        words += value if isinstance(value, list) else [value]
    return " ".join(str(word) for word in words)


def do(match: Match, *lines: str) -> Step:
    """Makes the moves one after the other, and returns the last step."""
    for each in lines:
        seat, move = _seat_and_move(match, each)
        match.play(seat, body(match, move))
    return match.log[-1]


def play_on(match: Match, moves: int) -> None:
    """Makes some moves, for the first seat to act each time, going through the lists of legal
    moves so that all kinds of them come."""
    for number in range(moves):
        lines = legal(match)
        do(match, lines[number % len(lines)])


def legal(match: Match, seat: int | None = None) -> list[str]:
    """The legal moves that a seat's view lists; by default that of the first seat to act."""
    viewer = match.to_act[0] if seat is None else seat
    return [line(move) for move in match.view(viewer)["legal_moves"]]


def refused(
    match: Match, move: str | Mapping[str, Any], by: type[EngineError] = IllegalMove
) -> Any:
    """Why a line, or a body for the first seat to act, is refused: the error, which must be `by`.

    A refused move changes nothing, not a byte.
    """
    if isinstance(move, str):
        seat, text = _seat_and_move(match, move)
        move = body(match, text)
    else:
        seat = match.to_act[0]
    before, steps = match.to_bytes(), len(match.log)
    with pytest.raises(EngineError) as caught:
        match.play(seat, move)
    assert type(caught.value) is by
    assert (match.to_bytes(), len(match.log)) == (before, steps)
    return caught.value


def table(match: Match) -> dict[str, Any]:
    """The table's public facts."""
    facts: dict[str, Any] = match.view(None)["table"]
    return facts


def seat(match: Match, number: int) -> dict[str, Any]:
    """A seat's public facts."""
    facts: dict[str, Any] = match.view(None)["seats"][number]
    return facts


def hand(match: Match, number: int) -> str:
    """A seat's hand, as its owner sees it."""
    return " ".join(match.view(number)["you"]["hand"])


def told(match: Match, viewer: int | None, *types: str) -> list[dict[str, Any]]:
    """What the last step told a viewer; with `types`, only the events of those types."""
    events = match.show(match.log[-1], viewer)
    return [event for event in events if not types or event["type"] in types]


def counts(match: Match) -> list[int]:
    """How many cards each seat has in hand."""
    return [seat(match, number)["hand_count"] for number in range(len(match.seats))]


def cards_told(match: Match, type_: str) -> list[list[str] | None]:
    """What each seat in turn, and then a spectator, was told of the cards of the last step's only
    event of a type."""
    viewers = [*range(len(match.seats)), None]
    shown = [told(match, viewer, type_) for viewer in viewers]
    assert all(len(events) == 1 for events in shown)
    return [events[0]["cards"] for events in shown]


def facts(match: Match, viewer: int | None, type_: str) -> dict[str, Any]:
    """The last step's only event of a type as told to a viewer, without its numbering and type."""
    (event,) = told(match, viewer, type_)
    return {key: value for key, value in event.items() if key not in ("seq", "version", "type")}


def codes_in(match: Match, viewer: int | None) -> set[str]:
    """Every card code that stands anywhere in a viewer's view."""
    return set(re.findall(r'"([^"]*)"', json.dumps(match.view(viewer)))) & set(match.game.codes)


def result(match: Match) -> tuple[list[int], list[list[int]], str]:
    """Winners, ranking and reason of a finished match."""
    found = match.view(None)["result"]
    return found["winners"], found["ranking"], found["reason"]


def words_taken(match: Match) -> int:
    """How many words of the seed's stream have been taken."""
    return match._chance.position


def _seat_and_move(match: Match, text: str) -> tuple[int, str]:
    seat, colon, move = text.partition(": ")
    return (int(seat), move) if colon else (match.to_act[0], text)
