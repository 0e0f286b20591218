"""Growth: what one and two workers carry, what a move costs each part, and what many would need.

    .venv/bin/python -m bench.growth [ROUNDS]

The client, the workers and Valkey share the machine, so that moves a second tell less than the
processor time of each. From these `bench/growth_model.py` works out a service of a million matches.
"""

from __future__ import annotations

import itertools
import random
import socket
import statistics
import sys
import time
from contextlib import ExitStack, closing
from functools import cache, partial
from typing import NamedTuple

from bench.growth_model import Measured, Part, print_model
from bench.growth_store import bus, kept
from bench.load import Load, Play, Replayed, Stretch, random_play
from bench.processor import seconds, server
from bench.services import PATIENCE, Connection, Running, service
from bench.watchers import memory
from engine import GAMES
from tests.services import eventually

PLAYERS, MATCHES, SPARE, PLAYS = 4, 48, 60, 60
SECONDS, ROUNDS = 2.0, 2
WORKERS = (1, 2)
#: Matches with and without a watcher, and moves in each of them in a turn.
WATCHED, MOVES, TURNS = 60, 6, 3
#: Seconds in which what was told to watchers has arrived.
ARRIVED = 0.5
#: Idle watchers, to see what one takes.
IDLE = 400
#: Moves of a match whose answers are measured.
SOME = 60
SETTINGS = {"CROUPIER_APPENDFSYNC": "everysec"}


@cache
def plays(game: str) -> list[Play]:
    """Random matches of a game, the same each time."""
    return [random_play(GAMES[game], PLAYERS, f"growth {number}") for number in range(PLAYS)]


def begun(game: str, connection: Connection) -> Replayed:
    """A new match, which goes as one of these."""
    return Replayed(connection, GAMES[game], PLAYERS, random.choice(plays(game)))


class Use(NamedTuple):
    """What something used: seconds of the workers' and the store's processor, bytes to and from the
    store, and bytes that the store wrote to its file."""

    worker: float
    store: float
    received: float
    sent: float
    file: float


class Counted(Connection):
    """A connection that counts what it gets."""

    got = 0

    def _more(self, data: bytes) -> bytes:
        more = super()._more(data)
        self.got += len(more) - len(data)
        return more


class Bench:
    """A running service with loads of all games."""

    def __init__(self, running: Running, workers: int) -> None:
        self.running = running
        self.client = running.store()
        eventually(lambda: len(running.workers()) == workers)
        self._workers = running.workers()
        self.valkey = server(self.client)
        self._loads = [Load(running.address, MATCHES, partial(begun, game)) for game in GAMES]

    def used(self) -> Use:
        """What has been used so far."""
        told = self.client.info("everything")
        return Use(
            seconds(self._workers),
            seconds([self.valkey]),
            told["total_net_input_bytes"],
            told["total_net_output_bytes"],
            told["aof_current_size"],
        )

    def stretches(self, look: bool) -> tuple[float, Use]:
        """A stretch of every game: requests a second, and what each used."""
        found: list[Stretch] = []
        spent = Use(0, 0, 0, 0, 0)
        for load in self._loads:
            if not look:
                load.move(0.0, SPARE)  # those that stand by are made before
            before = self.used()
            found.append(load.look(SECONDS) if look else load.move(SECONDS, 0))
            spent = Use(*map(sum, zip(spent, minus(self.used(), before), strict=True)))
        # Every connection's last answer is read after the time is up, and not counted.
        answers = sum(len(one.delays) + MATCHES for one in found)
        return statistics.fmean(one.rate for one in found), Use(*(x / answers for x in spent))

    def connections(self) -> float:
        """Connections of a worker to the store; the keeper's and this one's are not counted."""
        others = [one for one in self.client.client_list() if int(one["tot-cmds"]) > 20]
        return (len(others) - 1) / len(self._workers)


def minus(after: Use, before: Use) -> Use:
    """What was used between two looks."""
    return Use(*(a - b for a, b in zip(after, before, strict=True)))


def median(uses: list[Use]) -> Use:
    """The middle of each."""
    return Use(*map(statistics.median, zip(*uses, strict=True)))


def watched(bench: Bench) -> tuple[Part, float]:
    """What a move costs for each watcher: by turns, moves with one and moves without; and how many
    bytes a watcher gets of it."""
    address, games = bench.running.address, itertools.cycle(GAMES)
    turns: list[Use] = []
    got = 0
    with closing(Connection(address)) as connection:
        for _ in range(TURNS):
            spent = []
            for watching in (True, False):
                matches = [begun(game, connection) for game in itertools.islice(games, WATCHED)]
                streams = [stream(address, match) for match in matches if watching]
                time.sleep(ARRIVED)
                before = bench.used()
                for _ in range(MOVES):
                    for match in matches:
                        if (data := next(match, None)) is not None:
                            connection.socket.sendall(data)
                            connection.read()
                time.sleep(ARRIVED)
                spent.append(minus(bench.used(), before))
                for one in streams:
                    got += len(one.recv(1 << 20))
                    one.close()
            with_it, without = spent
            turns.append(Use(*(cost / (WATCHED * MOVES) for cost in minus(with_it, without))))
    return Part(*median(turns)), got / (TURNS * WATCHED * MOVES)


def stream(address: tuple[str, int], match: Replayed) -> socket.socket:
    """An open stream of a match, by a spectator, who has had what was told until now."""
    watcher = socket.create_connection(address, timeout=PATIENCE)
    head = match.look().split(b"\r\n")[0].replace(b" HTTP", b"/events HTTP")
    watcher.sendall(head + b"\r\nHost: croupier\r\nAccept: text/event-stream\r\n\r\n")
    data = b""
    while b"id: " not in data:
        data += watcher.recv(1 << 16)
    return watcher


def answers(bench: Bench) -> tuple[float, float, float]:
    """Mean bytes of the answers to a move and to a view, heads and all; mean moves of a match."""
    moved, looked, lengths = [], [], []
    with closing(Counted(bench.running.address)) as connection:
        for game in GAMES:
            for _ in range(3):
                match = begun(game, connection)
                for move in itertools.islice(match, SOME):
                    for data, found in ((move, moved), (match.look(), looked)):
                        before = connection.got
                        connection.socket.sendall(data)
                        connection.read()
                        found.append(connection.got - before)
        lengths += [len(play.moves) for play in plays(game)]
    return statistics.fmean(moved), statistics.fmean(looked), statistics.fmean(lengths)


def idle(bench: Bench) -> float:
    """Bytes of the workers for an idle watcher."""
    with closing(Connection(bench.running.address)) as connection:
        matches = [begun("even-steven", connection) for _ in range(IDLE // PLAYERS)]
    before = memory(bench.running.pid)
    streams = [stream(bench.running.address, one) for one in matches for _ in range(PLAYERS)]
    time.sleep(ARRIVED)
    after = memory(bench.running.pid)
    for one in streams:
        one.close()
    assert before is not None
    assert after is not None
    return (after - before) / IDLE


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with ExitStack() as stack:
        benches = [
            Bench(stack.enter_context(service(workers=workers, **SETTINGS)), workers)
            for workers in WORKERS
        ]
        rates: dict[str, list[list[float]]] = {}
        uses: dict[str, list[list[Use]]] = {}
        for look, what in ((False, "moves"), (True, "views")):
            for bench in benches:
                bench.stretches(look)
            found = [[bench.stretches(look) for bench in benches] for _ in range(rounds)]
            rates[what] = [[rate for rate, _ in turn] for turn in found]
            uses[what] = [[use for _, use in turn] for turn in found]
        print(
            f"{MATCHES} matches of {PLAYERS} at once, each with a request under way; medians of "
            f"{rounds} turns of {SECONDS} s for each game"
        )
        heads = ("a second", "worker µs", "store µs", "to store B", "from it B", "file B")
        print(f"{'':<20}" + "".join(f"{head:>12}" for head in heads))
        for what in rates:
            for which, workers in enumerate(WORKERS):
                use = median([turn[which] for turn in uses[what]])
                rate = statistics.median(turn[which] for turn in rates[what])
                cells = (rate, use.worker * 1e6, use.store * 1e6, *use[2:])
                told = "".join(f"{cell:>12,.0f}" for cell in cells)
                print(f"{what}, {workers} worker{'s' * (workers > 1):<5}{told}")
            ratio = statistics.median(two / one for one, two in rates[what])
            print(f"  two : one, {what} a second {ratio:.2f}")
        large = benches[-1]
        connections = large.connections()
        print(f"connections of a worker to the store: {connections:.1f}")
        event, told_bytes = watched(large)
        moved, looked, moves = answers(large)
        move, view = (median([turn[-1] for turn in uses[what]]) for what in uses)
        sizes = kept(PLAYERS)
        found_all = Measured(
            move=Part(*move, moved),
            view=Part(*view, looked),
            event=event._replace(to_clients=told_bytes),
            bus=bus(large.client),
            in_play=sizes[0],
            finished=sizes[1],
            place=sizes[2],
            watcher=idle(large),
            connections=connections,
            moves=moves,
        )
        print(
            f"a move told to a watcher: worker {event.worker * 1e6:,.0f} µs, store "
            f"{event.store * 1e6:,.0f} µs, {told_bytes:,.0f} B to the client"
        )
        print(
            f"a message on a Cluster's bus: {found_all.bus.received * 1e6:.2f} µs of each node, "
            f"{found_all.bus.sent * 1e6:.2f} µs of the sender for each, {found_all.bus.size:,.0f} B"
        )
        print()
        print_model(found_all)


if __name__ == "__main__":
    main()
