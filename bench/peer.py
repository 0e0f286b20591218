"""The service beside boardgame.io: moves a second that the server confirms.

    .venv/bin/python -m bench.peer [ROUNDS]

boardgame.io (`bench/boardgameio/`) plays a small game of its own in one node process and keeps its
matches in memory. The service plays its three games and has each move in its store before it is
answered. `bench/bare.py`, which writes as much and knows no rules, shows what Flask and the store
leave room for. All have as many matches, each with one move under way, and take turns in short
stretches.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from bench.load import Load
from bench.parts import GAME as PLAIN
from bench.parts import SIZES
from bench.services import WORKERS, service
from engine import GAMES

HERE = Path(__file__).with_name("boardgameio")
#: Seats of a match, and matches in play at once.
PLAYERS, MATCHES = 4, 16
#: Seconds of a stretch, and stretches of each contestant.
SECONDS, ROUNDS = 2.0, 9
#: Matches of ours that stand by during a stretch.
SPARE = 150
#: node comes with the development set-up, and its libraries leave their checks for developers out.
BIN = Path(sys.executable).parent
ENVIRON = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "NODE_ENV": "production"}
#: Readers that the peer's server has for a match, by how its clients are set up.
CLIENTS = {"one client a match": 1, "a client a player": PLAYERS}

#: Plays for a stretch; gives moves a second.
Play = Callable[[], float]


@contextmanager
def node(*command: str) -> Iterator[tuple[IO[str], IO[str]]]:
    """A program on node: what it reads, and what it prints."""
    process = subprocess.Popen(
        ["node", *command],
        cwd=HERE,
        env=ENVIRON,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdin, process.stdout
    finally:
        # The wheel's `node` starts another process, which is the program itself.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def peers(stack: ExitStack) -> Iterator[tuple[str, Play]]:
    """boardgame.io's server, with clients of both kinds."""
    _, output = stack.enter_context(node("server.js"))
    port = json.loads(output.readline())["port"]
    for name, sockets in CLIENTS.items():
        clients = node("clients.js", str(port), str(MATCHES), str(sockets))
        yield f"boardgame.io, {name}", partial(_played, *stack.enter_context(clients))


def _played(orders: IO[str], answers: IO[str]) -> float:
    print(SECONDS, file=orders)
    told = json.loads(answers.readline())
    return float(told["moves"] / told["seconds"])


def ours(stack: ExitStack) -> Iterator[tuple[str, Play]]:
    """The service, which writes to its Valkey as it does for everybody."""
    running = stack.enter_context(service(CROUPIER_APPENDFSYNC="everysec"))
    for game in GAMES.values():
        load = Load.of_random_plays(running.address, MATCHES, game, PLAYERS)
        yield f"Croupier, {game.id}", partial(_moved, load)


def bare(stack: ExitStack) -> Iterator[tuple[str, Play]]:
    """The least that could stand in the service's place."""
    game = GAMES[PLAIN]
    settings = {"CROUPIER_APPENDFSYNC": "everysec", "BENCH_SIZES": json.dumps({PLAIN: SIZES})}
    running = stack.enter_context(service("bench.bare:app", **settings))
    load = Load.of_random_plays(running.address, MATCHES, game, PLAYERS)
    yield "Flask that only writes", partial(_moved, load)


def _moved(load: Load) -> float:
    return load.move(SECONDS, SPARE).rate


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with ExitStack() as stack:
        field = [*peers(stack), *ours(stack), *bare(stack)]
        for _, play in field:
            play()  # warms up
        turns = [[play() for _, play in field] for _ in range(rounds)]
    print(
        f"Moves a second with {MATCHES} matches of {PLAYERS}, each with a move under way: medians "
        f"of {rounds} turns of {SECONDS} s; ours with {WORKERS} workers"
    )
    print(f"{'':<38}{'moves/s':>9}" + "".join(f"{f'of {n}':>22}" for n in CLIENTS))
    for number, (name, _) in enumerate(field):
        rate = statistics.median(turn[number] for turn in turns)
        cells = "".join(
            f"{statistics.median(turn[number] / turn[peer] for turn in turns):>22.2f}"
            for peer in range(len(CLIENTS))
        )
        print(f"{name:<38}{rate:>9,.0f}{cells}")


if __name__ == "__main__":
    main()
