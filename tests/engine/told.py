"""All that an engine tells of many matches, a line for each version. Run with one on the path.

The compiled engine must tell the same as the one in Python; `test_fast.py` holds them together.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

import engine.match
from engine import GAMES, EngineError, Game, InvalidSetup, Match, Seat


def option_sets(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """The usual options, then each other choice, or both ends of a range, on its own."""
    yield {}
    for option in game.options:
        if option.name == "turn_limit":
            yield {"turn_limit": 50}
        else:
            ends = {option.minimum, min(option.maximum or 0, 4)}
            yield from ({option.name: value} for value in option.choices or sorted(ends))


def refusals(match: Match, rng: Random) -> list[str]:
    """What is answered to moves of anybody, most of which are refused."""
    bodies = [match.game.body(move) for seat in match.to_act for move in match.legal_moves(seat)]
    told = []
    for _ in range(3):
        seat = rng.randrange(len(match.seats))
        body = {**rng.choice(bodies), rng.choice(["card", "slot", "extra"]): rng.randrange(4)}
        card = rng.choice(match.game.codes)
        for tried in (body, {"action": "play", "card": card}, {"action": "play", "cards": [card]}):
            try:
                match.judge(seat, tried)
            except EngineError as error:
                told.append(f"{type(error).__name__} {error} {getattr(error, 'rule', '')}")
    return told


def lines(game: Game[Any], players: int, options: dict[str, Any]) -> Iterator[str]:
    """A match from its making to its end, or to the 150th version."""
    rng = Random(f"{game.id} {players} {options}")
    seats = [Seat(name=f"P{n}", client_seed="mine" if n else None) for n in range(players)]
    seats[-1] = Seat(name="Bot", kind="bot", bot="greedy")
    seats[0] = Seat(kind="open")
    match = Match.new(game, seats=seats, seed=f"{rng.random()}", options=options)
    match.join(seat=None, name=None, client_seed="yours")
    while match.outcome is None and match.version < 150:
        told: list[Any] = refusals(match, rng)
        seat = rng.choice(match.to_act)
        if match.version % 40 == 39 and match.seats[0].kind == "human":
            match.leave(0, overdue=True)
        elif match.version % 10 == 9:
            match.play_for_absent(seat, rng.randrange)
        elif match.version % 2:
            match.play(seat, rng.choice(match.legal_moves(seat)))
        else:
            match.play(seat, game.body(rng.choice(match.legal_moves(seat))))
        match.play_bots(rng.randrange, most=2)
        for viewer in (None, *range(players)):
            told += [match.show(step, viewer) for step in match.log[-3:]]
            told.append(match.view(viewer))
        told += [match.why_not(seat) for seat in range(players)]
        if rng.random() < 0.1:
            match = Match.from_bytes(match.to_bytes())
        told += [match.log, match.to_bytes()]
        digest = hashlib.sha256(msgspec.json.encode(told)).hexdigest()
        yield f"{game.id}, {players} players, {options}, version {match.version}: {digest}"


def main() -> None:
    told: list[str] = []
    for game in GAMES.values():
        for number, options in enumerate(option_sets(game)):
            players = game.max_players if number % 2 else game.min_players
            with suppress(InvalidSetup):  # not at this table
                told += lines(game, players, options)
    json.dump({"file": engine.match.__file__, "told": told}, sys.stdout)


if __name__ == "__main__":
    main()
