"""Replays: a finished match played again from its record, and checked."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from engine.chance import seed_hash
from engine.errors import EngineError
from engine.game import Game
from engine.match import Match
from engine.records import Seat, Step
from engine.registry import GAMES
from engine.views import result


class BadReplay(EngineError):
    """A record that does not read, or that the rules do not confirm. The text says where."""

    code = "bad-replay"


class _Move(msgspec.Struct):
    version: int
    seat: int
    move: dict[str, Any]


class _Place(msgspec.Struct):
    name: str | None


class _Replay(msgspec.Struct):
    """What is read of a record; the service's answer holds more."""

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: list[_Place]
    seed: str
    seed_hash: str
    client_seeds: list[str | None]
    moves: list[_Move]
    result: dict[str, Any]
    #: Records of earlier releases have none.
    deal: list[str] | None = None


class Replay:
    """A record, and the match that it gives. Raises BadReplay when it does not read."""

    def __init__(self, record: object, games: Mapping[str, Game[Any]] = GAMES) -> None:
        try:
            self._record = msgspec.convert(record, _Replay)
        except msgspec.ValidationError as error:
            raise BadReplay(f"This is no replay: {error}") from None
        record_ = self._record
        game = games.get(record_.game)
        if game is None:
            raise BadReplay(f"There is no game {record_.game!r}.")
        if record_.rules_version != game.rules_version:
            raise BadReplay(
                f"It was played by version {record_.rules_version} of the rules; "
                f"these are version {game.rules_version}."
            )
        texts = [record_.seed, *record_.client_seeds, *(place.name for place in record_.seats)]
        if not all(text is None or _is_text(text) for text in texts):
            raise BadReplay("Seeds and names have 1 to 128 characters and no control characters.")
        if seed_hash(record_.seed) != record_.seed_hash:
            raise BadReplay("The seed is not the one that `seed_hash` promised.")
        if len(record_.client_seeds) != len(record_.seats):
            raise BadReplay("There must be one client seed, or null, for each seat.")
        seats = [
            Seat(name=place.name, client_seed=text)
            for place, text in zip(record_.seats, record_.client_seeds, strict=True)
        ]
        try:
            self.match = Match.new(
                game,
                seats=seats,
                seed=record_.seed,
                options=record_.options,
                deal=record_.deal,
            )
        except EngineError as error:
            raise BadReplay(f"No such match can be dealt: {error}") from None

    def steps(self) -> Iterator[Step]:
        """Plays the match, step by step. Raises BadReplay at the first move that the rules refuse,
        and at the end when the result is not the recorded one."""
        match = self.match
        yield match.log[0]
        for number, made in enumerate(self._record.moves, 1):
            if made.version <= match.version:
                raise BadReplay(
                    f"Move {number}: version {made.version} does not follow {match.version}."
                )
            # Joins and leaves have versions too, and are no moves.
            match.version = made.version - 1
            try:
                yield match.play(made.seat, made.move)
            except EngineError as error:
                raise BadReplay(f"Move {number}, by seat {made.seat}: {error}") from None
        if match.outcome is None:
            raise BadReplay("After the last move the match is not over.")
        if result(match.outcome) != self._record.result:
            raise BadReplay(f"The moves lead to another result: {result(match.outcome)}.")


def _is_text(text: str) -> bool:
    """Whether it can be a seed or a name. What mixes the seeds relies on it: see `chance_seed`."""
    categories = {unicodedata.category(character) for character in text}
    return 1 <= len(text) <= 128 and categories.isdisjoint({"Cc", "Cs"})
