"""Flat cost: what the 2,000th move of a match costs beside its 20th, in time, bytes and commands.

    .venv/bin/python -m bench.flat [ROUNDS]

Matches early and late are moved in by turns, over HTTP with one real worker. A third kind is the
late table with a log of twenty entries: it shows what is the log's part, and what is the table's.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple

from api.store import keys
from api.store.redis import RedisStore
from bench.flat_memory import print_memory
from bench.processor import seconds, server
from bench.services import Connection, Running, service
from engine import GAMES, Match
from tests.histories import long_history, store_with_log
from tests.traffic import Meter

EARLY, LATE = 20, 2000
#: Seats of a match, different matches of a game, and moves that are made in each from there on.
PLAYERS, MATCHES, MOVES = 4, 8, 20
#: Times that all matches of a kind are moved in.
ROUNDS = 2
#: As many of an early move's costs as a late one may have.
BAR = 1.2
#: Seconds after which the store has written all to its file.
SETTLED = 2.0
SETTINGS = {"CROUPIER_APPENDFSYNC": "everysec"}
#: Makes the move of that number, from 0.
Move = Callable[[int], Any]


class Kind(NamedTuple):
    """Matches at some moment, and the moves that follow: the seat and the body."""

    name: str
    matches: list[tuple[Match, list[tuple[int, Any]]]]


class Cost(NamedTuple):
    """A move's cost: seconds of the request, of the worker's and the store's processor."""

    request: float
    worker: float
    store: float


class Wire(NamedTuple):
    """A move's mean traffic: bytes of the state, to the store and from it, and commands."""

    state: float
    to_store: float
    from_store: float
    commands: float


def at(told: Match, moves: int) -> Match:
    """A match as it was after so many moves, with its log until then."""
    match = Match.new(told.game, seats=told.seats, seed=told.seed, options=told.chosen_options())
    for step in told.log[1 : moves + 1]:
        assert step.seat is not None
        assert step.move is not None
        match.play(step.seat, step.move)
    return match


def kinds(game: str) -> list[Kind]:
    """The early and the late matches, and the late ones with a short log."""
    found = [
        Kind(f"move {EARLY}", []),
        Kind(f"move {LATE:,}", []),
        Kind(f"{LATE:,}, short log", []),
    ]
    for number in range(MATCHES):
        told = long_history(game, moves=LATE + MOVES, players=PLAYERS, seed=f"flat {number}")
        late = at(told, LATE)
        short = Match.from_bytes(late.to_bytes())
        short.log = late.log[-EARLY:]
        for kind, match in zip(found, (at(told, EARLY), late, short), strict=True):
            after = told.log[match.version + 1 :][:MOVES]
            kind.matches.append((match, [(step.seat or 0, step.move) for step in after]))
    return found


class Bench:
    """A running service with one worker, and the look at what it costs."""

    def __init__(self, running: Running, store: RedisStore, connection: Connection) -> None:
        self._store = store
        self._client = running.store()
        self._connection = connection
        self._worker = running.workers()
        self._valkey = [server(self._client)]

    def wire(self, kind: Kind) -> Wire:
        """What a move of that kind sends to and fro."""
        meter, found = Meter(self._client), []
        for match, _ in kind.matches:
            move, key = self._begun(match, kind)
            for number in range(MOVES):
                state = int(self._client.hstrlen(key, "state"))
                traffic, _ = meter.of(lambda number=number, move=move: move(number))
                commands = traffic.commands.total()
                found.append(Wire(state, traffic.received, traffic.sent, commands))
        meter.close()
        return Wire(*map(statistics.fmean, zip(*found, strict=True)))

    def copies(self, kind: Kind, many: int) -> list[Move]:
        """How the next moves are made in so many copies of the matches of that kind."""
        return [self._begun(match, kind)[0] for _ in range(many) for match, _ in kind.matches]

    def cost(self, move: Move) -> Cost:
        """What moves in one match cost, each."""
        delays = []
        worker, valkey = seconds(self._worker), seconds(self._valkey)
        for moved in range(MOVES):
            began = time.perf_counter()
            move(moved)
            delays.append(time.perf_counter() - began)
        worker, valkey = seconds(self._worker) - worker, seconds(self._valkey) - valkey
        return Cost(statistics.median(delays), worker / MOVES, valkey / MOVES)

    def _begun(self, match: Match, kind: Kind) -> tuple[Move, str]:
        """A copy of the match in the store, how its next moves are made, and its key."""
        made = store_with_log(self._store, match)
        path = f"/v1/games/{match.game.id}/matches/{made['match_id']}/moves"
        (moves,) = (moves for one, moves in kind.matches if one is match)
        tokens = [seat["token"] for seat in made["seats"]]

        def move(number: int) -> Any:
            seat, body = moves[number]
            return self._connection.ask("POST", path, body, tokens[seat])

        return move, keys.match(made["match_id"])


def costs(bench: Bench, found: list[Kind], rounds: int) -> dict[str, list[Cost]]:
    """By kind: the cost of each turn, taken in a new order each time."""
    copies = {kind.name: bench.copies(kind, rounds + 1) for kind in found}
    time.sleep(SETTLED)
    order, told = list(copies), {name: list[Cost]() for name in copies}
    for turn in range((rounds + 1) * MATCHES):
        random.shuffle(order)
        for name in order:
            cost = bench.cost(copies[name][turn])
            if turn >= MATCHES:  # the first round warms up
                told[name].append(cost)
    return told


def row(what: str, cells: list[str]) -> str:
    """A table's line."""
    return f"{what:<22}" + "".join(f"{cell:>11}" for cell in cells)


def print_game(bench: Bench, game: str, rounds: int) -> None:
    """The lines on a game."""
    found = kinds(game)
    wires = {kind.name: bench.wire(kind) for kind in found}
    told = costs(bench, found, rounds)
    print(row(game, ["state", "to store", "from store", "commands", "request", "worker", "store"]))
    for name, wire in wires.items():
        medians = [statistics.median(c) * 1e6 for c in zip(*told[name], strict=True)]
        cells = [*(f"{value:,.0f} B" for value in wire[:3]), f"{wire.commands:.1f}"]
        print(row(f"  {name}", [*cells, *(f"{value:,.0f} µs" for value in medians)]))
    early, late, short = (kind.name for kind in found)
    for name, base in ((f"  late : {EARLY}", early), ("  late : short log", short)):
        sizes = [a / b for a, b in zip(wires[late], wires[base], strict=True)]
        times = [
            statistics.median(
                a[which] / b[which] for a, b in zip(told[late], told[base], strict=True)
            )
            for which in range(len(Cost._fields))
        ]
        print(row(name, [f"{ratio:.2f}" for ratio in (*sizes, *times)]))
    print()


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with service(workers=1, **SETTINGS) as running, running.store() as client:
        path = client.connection_pool.connection_kwargs["path"]
        store = RedisStore(f"unix://{path}", ttl_seconds=3600)
        with closing(store), closing(Connection(running.address)) as connection:
            bench = Bench(running, store, connection)
            print(
                f"A move of a match of {PLAYERS} with one worker: medians of {rounds * MATCHES} "
                f"turns of {MOVES} moves; the bar is {BAR}"
            )
            for game in GAMES:
                print_game(bench, game, rounds)
            print_memory(store, client, PLAYERS)


if __name__ == "__main__":
    main()
