"""The service beside the least that could be done in its place: requests a second, and delays.

    .venv/bin/python -m bench.ceiling [ROUNDS]

The least is `bench/bare.py`: Flask under the same settings of gunicorn, which makes the same calls
to its store and answers with as many bytes, but neither reads, judges nor deals. The two take turns
in short stretches, and each ratio is taken within a turn: the printed one is the median.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from bench.load import Load, Replayed, Stretch, random_plays
from bench.services import WORKERS, Connection, Running, service
from engine import GAMES, Game
from scripts.fast import found

#: Seats of a match, matches in play at once, each with a request under way.
PLAYERS, MATCHES = 4, 64
#: Seconds of a stretch, and stretches of each contestant.
SECONDS, ROUNDS = 2.0, 11
#: Matches that stand by during a stretch.
SPARE = 150
#: Matches from which the sizes are taken.
SAMPLE = 5
#: The store writes its file once a second: a disk that is waited for would make all alike.
SETTINGS = {"CROUPIER_APPENDFSYNC": "everysec"}
RATE_BAR, DELAY_BAR = 0.75, 2.0

Sizes = dict[str, int]


class Turn(NamedTuple):
    """One contestant's stretch, and the processor time of its workers for a request."""

    stretch: Stretch
    seconds: float


class Contestant:
    """A running service with a load of one game."""

    def __init__(self, running: Running, game: Game[Any]) -> None:
        self._running = running
        self._load = Load.of_random_plays(running.address, MATCHES, game, PLAYERS)

    def move(self) -> Turn:
        """Makes moves for a stretch."""
        return self._measured(partial(self._load.move, SECONDS, SPARE))

    def look(self) -> Turn:
        """Asks for views for a stretch."""
        return self._measured(partial(self._load.look, SECONDS))

    def _measured(self, stretch: Callable[[], Stretch]) -> Turn:
        before = self._running.worker_seconds()
        found = stretch()
        used = self._running.worker_seconds() - before
        return Turn(found, used / max(1, len(found.delays)))


def sizes(running: Running, game: Game[Any]) -> Sizes:
    """Mean bytes of what goes to and fro, over whole matches."""
    found: dict[str, list[int]] = {"state": [], "entry": [], "move": [], "view": []}
    plays = random_plays(game, PLAYERS)
    with closing(Connection(running.address)) as connection, running.store() as store:
        for _ in range(SAMPLE):
            match = Replayed(connection, game, PLAYERS, next(plays))
            key = f"croupier:{{{match.match_id}}}"
            for move in match:
                connection.socket.sendall(move)
                found["move"].append(len(connection.read()))
                connection.socket.sendall(match.look())
                found["view"].append(len(connection.read()))
                found["state"].append(int(store.hstrlen(f"{key}:match", "state")))
            entries: Any = store.xrange(f"{key}:events")
            found["entry"] += [len(fields[b"data"]) for _, fields in entries]
    return {what: round(statistics.mean(many)) for what, many in found.items()}


def compare(
    ours: Contestant, bare: Contestant, turn: Callable[[Contestant], Turn], rounds: int
) -> Iterator[str]:
    """The figures of one kind of request, as cells of a table."""
    turn(ours)  # warms up
    turn(bare)
    pairs = [(turn(ours), turn(bare)) for _ in range(rounds)]

    def median(of: Callable[[Turn], float], scale: float = 1.0) -> Iterator[str]:
        a, b = ([of(pair[who]) * scale for pair in pairs] for who in (0, 1))
        ratio = statistics.median(x / y if y else 0.0 for x, y in zip(a, b, strict=True))
        yield f"{statistics.median(a):,.0f}"
        yield f"{statistics.median(b):,.0f}"
        yield f"{ratio:.2f}"

    yield from median(lambda one: one.stretch.rate)
    yield from median(lambda one: one.stretch.within(0.99), 1000)
    yield from median(lambda one: one.seconds, 1_000_000)


def row(what: str, cells: Iterator[str]) -> str:
    """A table's line."""
    return f"{what:<24}" + "".join(f"{cell:>9}" for cell in cells)


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with service(**SETTINGS) as ours:
        told = {game.id: sizes(ours, game) for game in GAMES.values()}
        print(
            f"{MATCHES} matches of {PLAYERS} in play at once, {WORKERS} workers; medians of "
            f"{rounds} turns of {SECONDS} s; the engine is {'compiled' if found() else 'in Python'}"
        )
        for name, of in told.items():
            print(f"  {name}: bytes, " + ", ".join(f"{w} {size}" for w, size in of.items()))
        print(f"the bars: {RATE_BAR} of the bare rate, {DELAY_BAR} times the bare 99 of 100")
        print()
        print(row("", iter(("a second", "", "", "99 of 100", "within ms", "", "worker", "µs", ""))))
        print(row("", iter(("ours", "bare", "ratio") * 3)))
        with service("bench.bare:app", BENCH_SIZES=json.dumps(told), **SETTINGS) as bare:
            for game in GAMES.values():
                pair = Contestant(ours, game), Contestant(bare, game)
                print(row(f"{game.id}, moves", compare(*pair, Contestant.move, rounds)))
                print(row(f"{game.id}, views", compare(*pair, Contestant.look, rounds)))


if __name__ == "__main__":
    main()
