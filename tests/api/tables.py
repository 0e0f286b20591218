"""Tables put straight into the store, so that an API test begins in the middle of a match; and what
the store then holds, so that a test can tell that nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import redis

from api import tokens
from api.store.base import Commit, Outcome, Store
from api.table import Table, Terms
from engine import Match
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats
from tests.valkey import Server

CREATED_AT = 1_700_000_000_000

#: One match of each game, in which seat 0 is to act.
POSITIONS: Mapping[str, Callable[[], Match]] = {
    "even-steven": lambda: es("0: 4C 7H | 2D . 9S; 1: KC QD 3C; 2: 5D; pile 6C; value 6"),
    "card-keeper": lambda: ck(
        "0: red-1 capture-2 chaos wild red-2; 1: red-3 red-4; 2: blue-1 blue-1; discard red-9"
    ),
    "seven-twos-tens": lambda: st("0: 5C 5D 9H | 4C 4D 4H | 3C 3D 3H; 1: 8C 8D; 2: 9D; pile 4S"),
}


def put(
    store: Store,
    match: Match,
    *,
    match_id: str | None = None,
    host: str | None = None,
    seats: Sequence[str] = (),
    public: bool = True,
) -> dict[str, Any]:
    """Stores a match as it stands, with a token for each seat; the answer of its creation."""
    match_id = match_id or tokens.new_match_id()
    host = host or tokens.new_token()
    held = list(seats) or [tokens.new_token() for _ in match.seats]
    table = Table(
        match_id=match_id,
        match=match,
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
        terms=Terms(public=public),
        unclaimed=[],
        host_hash=tokens.digest(host),
        seat_hashes=[tokens.digest(token) for token in held],
    )
    commit = Commit(
        match_id=match_id,
        expected=None,
        version=match.version,
        state=table.to_bytes(),
        entries=[],
        base_seq=match.seq,
    )
    assert store.commit(commit) is Outcome.COMMITTED
    tickets = [{"seat": seat, "token": token} for seat, token in enumerate(held)]
    return {"match_id": match_id, "host_token": host, "seats": tickets}


def placed(client: CheckedClient, store: Store, match: Match, **ways: Any) -> Seats:
    """The seats of a match that was put into the store as it stands."""
    return Seats(client, match.game.id, put(store, match, **ways))


def kept(server: Server) -> dict[bytes, tuple[bytes, int]]:
    """All that the server holds: each key's value as bytes, and the moment at which it expires."""
    with server.client() as client:
        return {key: (_dump(client, key), _expiry(client, key)) for key in client.scan_iter()}


def plainly(server: Server) -> dict[bytes, bytes]:
    """All that the server holds, each key's parts one after the other; `kept` has it compressed."""
    with server.client() as client:
        return {key: b" ".join(_parts(client, key)) for key in client.scan_iter()}


@contextmanager
def untouched(server: Server) -> Iterator[None]:
    """Fails when anything that the server holds, or the time it is kept, has changed."""
    before = kept(server)
    yield
    assert kept(server) == before, "something was written"


def _dump(client: redis.Redis, key: bytes) -> bytes:
    dumped = client.dump(key)
    assert isinstance(dumped, bytes)
    return dumped


def _expiry(client: redis.Redis, key: bytes) -> int:
    return int(client.pexpiretime(key))


def _parts(client: redis.Redis, key: bytes) -> Iterator[bytes]:
    match client.type(key):
        case b"hash":
            pairs = [client.hgetall(key)]
        case b"stream":
            pairs = [fields for _, fields in client.xrange(key)]
        case b"zset":
            pairs = [dict.fromkeys(client.zrange(key, 0, -1), b"")]
        case b"string":
            pairs = [{b"value": client.get(key)}]
        case other:
            raise AssertionError(f"say here how to read a {other!r}")
    for pair in pairs:
        yield from (part for item in pair.items() for part in item)
