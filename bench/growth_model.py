"""What a large service would need, worked out from what was measured of a small one.

A part of `bench.growth`, which prints it. Every assumption is printed beside what follows from it.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

MATCHES, MOVES, SEATS, GAMES = 1_000_000, 50_000, 4, 3
#: Shares of a core that workers and Redis servers are to be busy for, at most.
WORKER_BUSY, STORE_BUSY = 0.7, 0.6
#: Bytes of data on one Redis server, and watchers of one worker (its connections, with some spare).
SERVER_BYTES, WORKER_WATCHERS = 24e9, 9_000
#: Days for which matches are kept after their last change: the default, and the least.
DAYS = (30, 1)
#: Nodes of a Cluster for each shard: a primary and a replica.
COPIES = 2


class Part(NamedTuple):
    """What one request, or one move told to one watcher, costs: seconds of the worker's and the
    store's processor, bytes to and from the store, bytes of its file, and bytes to clients."""

    worker: float
    store: float
    to_store: float
    from_store: float
    file: float
    to_clients: float = 0.0


class Bus(NamedTuple):
    """What a message costs on a Cluster's bus: seconds of each node that gets it, of its sender for
    each other node, and bytes."""

    received: float
    sent: float
    size: float


class Measured(NamedTuple):
    """All that the model is made from. Bytes are of Redis, but for the watcher's, which are the
    worker's."""

    move: Part
    view: Part
    event: Part
    bus: Bus
    in_play: float
    finished: float
    place: float
    watcher: float
    connections: float
    moves: float


def si(value: float) -> str:
    """A number to two places or so, with its thousands as letters."""
    for size, letter in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:,.1f}{letter}"
    return f"{value:,.1f} "


def line(what: str, value: str, why: str) -> None:
    """A result, and what it rests on."""
    print(f"  {what:<42}{value:>14}   {why}")


def shards(load: float, everywhere: float) -> str:
    """Servers for so many cores' work that divides, and some that each of them has to do."""
    left = STORE_BUSY - everywhere
    return f"{ceil(load / left):,}" if left > 0 else "none is enough"


def print_way(found: Measured, name: str, follow: Part, workers_least: int) -> tuple[int, float]:
    """The lines on one way to follow a match; workers, and seconds of Redis for a move."""
    worker = found.move.worker + SEATS * follow.worker
    store = found.move.store + SEATS * follow.store
    to_clients = found.move.to_clients + SEATS * follow.to_clients
    wire = found.move.to_store + found.move.from_store
    wire += SEATS * (follow.to_store + follow.from_store)
    cores = MOVES * worker / WORKER_BUSY
    workers = max(ceil(cores), workers_least)
    print(f" {name}")
    line("workers by processor", f"{ceil(cores):,}", f"{worker * 1e6:,.0f} µs a move, a core each")
    if workers_least:
        why = f"{SEATS * MATCHES:,} streams, {WORKER_WATCHERS:,} a worker"
        line("workers by open streams", f"{workers_least:,}", why)
        gigabytes = f"{SEATS * MATCHES * found.watcher / 1e9:,.0f} GB"
        line("memory of streams, all workers", gigabytes, f"{found.watcher / 1024:.1f} KiB each")
    why = f"{store * 1e6:,.0f} µs a move, {STORE_BUSY:.0%} busy"
    line("Redis servers by processor, no bus", shards(MOVES * store, 0), why)
    bus = MOVES * (found.bus.received + COPIES * found.bus.sent)
    line("shards of a Cluster by processor", shards(MOVES * store, bus), f"bus {bus:.2f} of a core")
    line("network to clients", f"{si(8 * MOVES * to_clients)}bit/s", f"{to_clients:,.0f} B a move")
    line("network to Redis, both ways", f"{si(8 * MOVES * wire)}bit/s", f"{wire:,.0f} B a move")
    return workers, store


def print_model(found: Measured) -> None:
    """Prints what so many matches and moves would need, and what would be too small first."""
    print(f"A model: {MATCHES:,} matches of {SEATS} in play, {MOVES:,} moves a second by people")
    print(f" Assumed: workers {WORKER_BUSY:.0%} and Redis {STORE_BUSY:.0%} busy, no bots, no rate")
    print(" limits, requests without keys, all three games alike, cores as fast as this one's.")
    print(f" Each seat learns of each move: {SEATS} stream events or {SEATS} views for each.")
    streamed, store = print_way(
        found,
        "Everybody has a stream, each on a worker of its own",
        found.event,
        ceil(SEATS * MATCHES / WORKER_WATCHERS),
    )
    print_way(found, "Everybody fetches a view after each move", found.view, 0)
    print(" Either way")
    written = si(MOVES * found.move.file)
    line("to disk, and to each replica", f"{written}B/s", f"{found.move.file:,.0f} B a move")
    size = MATCHES * found.in_play
    line("memory of matches in play", f"{size / 1e9:,.0f} GB", f"{found.in_play:,.0f} B each")
    ended = MOVES / found.moves * 86_400
    line("matches that end in a day", f"{si(ended)}", f"{found.moves:,.0f} moves each")
    for days in DAYS:
        kept = days * ended * found.finished
        why = f"{found.finished:,.0f} B each, CROUPIER_MATCH_TTL_DAYS={days}"
        line(f"memory of those that ended, {days} days", f"{si(kept)}B", why)
        why = f"{SERVER_BYTES / 1e9:.0f} GB each"
        line("  Redis servers by memory", f"{ceil((size + kept) / SERVER_BYTES):,}", why)
        place = days * ended * found.place / GAMES
        line(
            "  one list of finished matches",
            f"{si(place)}B",
            f"a key, {found.place:,.0f} B a place",
        )
    each = found.connections
    line(
        "connections to one server", f"{streamed * each:,.0f}", f"{streamed:,} workers x {each:.0f}"
    )
    print_limits(found, store)


def print_limits(found: Measured, store: float) -> None:
    """Prints where each part ends, the lowest first."""
    bus = found.bus.received + COPIES * found.bus.sent
    day = 86_400 * found.finished / found.moves
    places = 86_400 * found.place / found.moves / GAMES
    ends = [
        (STORE_BUSY / store, "one Redis server's core: a Cluster is needed"),
        (
            STORE_BUSY / bus,
            "a Cluster's bus: each wake-up goes to each node, so shards do not help",
        ),
        (SERVER_BYTES / (DAYS[0] * day), f"one server's memory, matches kept {DAYS[0]} days"),
        (SERVER_BYTES / (DAYS[1] * day), f"one server's memory, matches kept {DAYS[1]} day"),
        (SERVER_BYTES / (DAYS[0] * places), "a Cluster's server with a list of finished matches"),
    ]
    print(" What ends first, in moves a second")
    for moves, what in sorted(ends):
        print(f"  {moves:>10,.0f}   {what}")
