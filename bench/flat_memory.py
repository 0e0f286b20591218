"""Redis memory of matches of so many moves, of an event, and of what else an entry could be.

A part of `bench.flat`, which prints it.
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Any

import msgspec
import redis

from api import tokens
from api.store import keys
from api.store.base import Answer, Commit, Entry, Outcome, Store
from api.table import Table, Terms, log_entry
from engine import GAMES, Match
from tests.histories import long_history

VERSIONS = (20, 200, 2000)
#: Only there are matches that long: a round is limited, and there may be twenty.
LONGEST = {"seven-twos-tens": 10_000}
#: The moment of an entry: any of our days is as long.
AT = 1_800_000_000_000
#: Bytes of an answer to a move as `Idempotency-Key` keeps it, when it was compressed.
ANSWER = 700
#: The server's settings of a stream's nodes.
NODES = ("stream-node-max-bytes", "stream-node-max-entries")
#: Other ways to keep a stream: what an entry's fields are, bytes and entries of a node.
WAYS: dict[str, tuple[tuple[str, ...], int, int]] = {
    "as it is": (("nonce", "data"), 4096, 100),
    "nodes of 1,024 bytes": (("nonce", "data"), 1024, 100),
    "nodes of 2,048 bytes": (("nonce", "data"), 2048, 100),
    "nodes of 16,384 bytes": (("nonce", "data"), 16384, 400),
    "names of one letter": (("n", "d"), 4096, 100),
    "without a nonce": (("data",), 4096, 100),
}
LENGTHS = (20, 100, 2000)


def keep(store: Store, match: Match, *, answer: bytes = b"") -> str:
    """Stores a match as it came about, a commit for each version; its id."""
    match_id, size = tokens.new_match_id(), len(match.seats)
    table = Table(
        match_id=match_id,
        match=match,
        created_at=AT,
        updated_at=AT,
        terms=Terms(),
        host_hash=bytes(32),
        seat_hashes=[bytes(32)] * size,
        unclaimed=[],
    )
    state = table.to_bytes()
    for step in match.log:
        commit = Commit(
            match_id=match_id,
            expected=step.version - 1 if step.version else None,
            version=step.version,
            state=state,
            entries=[Entry(seq=step.last_seq, data=log_entry(step, AT))],
            base_seq=step.first_seq - 1,
            answer=Answer(f"{step.version:032x}", answer) if answer else None,
        )
        assert store.commit(commit) is Outcome.COMMITTED
    return match_id


def memory(client: redis.Redis, key: str) -> int:
    """Bytes that a key takes, all of it looked at."""
    return int(client.memory_usage(key, samples=0) or 0)


def shares(entries: list[bytes]) -> Counter[str]:
    """What the bytes of some entries are."""
    found = Counter[str]()

    def look(value: Any, kind: str) -> None:
        whole = len(msgspec.msgpack.encode(value))
        if isinstance(value, str):
            found[kind] += len(value.encode())
            found["markers"] += whole - len(value.encode())
        elif isinstance(value, list):
            for item in value:
                look(item, kind)
            found["markers"] += len(msgspec.msgpack.encode([None] * len(value))) - len(value)
        elif isinstance(value, dict):
            for name, item in value.items():
                look(name, "names of members")
                look(item, kind)
            found["markers"] += 1 if len(value) < 16 else 3
        else:
            found["numbers" if isinstance(value, int) and value is not True else "no value"] += (
                whole
            )

    for entry in entries:
        look(msgspec.msgpack.decode(entry), "words")
    return found


def print_memory(store: Store, client: redis.Redis, players: int) -> None:
    """Measures and prints."""
    print(f"Redis memory of a match of {players}, bytes")
    heads = ("moves", "hash", "stream", "per move", "data/move", "per event", "data/event")
    print(f"{'':<18}" + "".join(f"{head:>11}" for head in heads))
    logs: dict[str, list[bytes]] = {}
    for game in GAMES:
        for moves in (*VERSIONS, *filter(None, [LONGEST.get(game)])):
            match = long_history(game, moves=moves, players=players, seed="memory")
            match_id = keep(store, match)
            entries = [log_entry(step, AT) for step in match.log]
            data, events, versions = sum(map(len, entries)), match.seq, len(entries)
            stream = memory(client, keys.events(match_id))
            cells = (moves, memory(client, keys.match(match_id)), stream)
            each = (stream / versions, data / versions, stream / events, data / events)
            print(
                f"{game:<18}"
                + "".join(f"{cell:>11,}" for cell in cells)
                + "".join(f"{cell:>11,.1f}" for cell in each)
            )
            if moves == LENGTHS[-1]:
                logs[game] = entries
    match = long_history("even-steven", moves=200, players=players, seed="memory")
    plain, keyed = (
        memory(client, keys.match(keep(store, match, answer=answer)))
        for answer in (b"", b"x" * ANSWER)
    )
    print(f"An answer of {ANSWER} bytes that a key keeps takes {(keyed - plain) / 201:,.0f} bytes.")
    print()
    print("What the data of an entry is")
    for game, entries in logs.items():
        found = shares(entries)
        told = ", ".join(f"{kind} {part / found.total():.0%}" for kind, part in found.most_common())
        packed = sum(min(len(entry), len(zlib.compress(entry))) for entry in entries)
        print(f"  {game}: {told}; compressed, {packed / found.total():.0%} of it")
    print()
    print_ways(client, logs)


def print_ways(client: redis.Redis, logs: dict[str, list[bytes]]) -> None:
    """A stream's bytes for each entry, kept in other ways."""
    print(
        f"A stream's bytes for an entry, after so many entries{'':<4}"
        + "".join(f"{n:>9,}" for n in LENGTHS)
    )
    was = {name: client.config_get(name)[name] for name in NODES}
    for name, (fields, most_bytes, most_entries) in WAYS.items():
        for setting, value in zip(NODES, (most_bytes, most_entries), strict=True):
            client.config_set(setting, value)
        cells = []
        for length in LENGTHS:
            total = 0
            for entries in logs.values():
                client.delete("way")
                with client.pipeline(transaction=False) as pipe:
                    for number, entry in enumerate(entries[:length], 1):
                        values = (tokens.new_token()[:16], entry)[-len(fields) :]
                        named = dict(zip(fields, values, strict=True))
                        pipe.xadd("way", named, id=f"{2 * number}-0")
                    pipe.execute()
                total += memory(client, "way")
            cells.append(total / len(logs) / length)
        print(f"  {name:<54}" + "".join(f"{cell:>9,.0f}" for cell in cells))
    client.delete("way")
    for setting, value in was.items():
        client.config_set(setting, value)
