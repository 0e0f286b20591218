"""What a release keeps in Redis of some matches, as a file that stays: later releases must go on
from it.

    .venv/bin/python -m tests.kept

writes the file of the present format, where there is none yet. It is done once, when
`engine.records.FORMAT` is raised; the files of earlier formats are never written anew, since no
program that wrote them is left.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any, cast

import msgspec
import redis

from api import create_app
from api.config import Config
from api.store import keys
from api.store.redis import RedisStore
from engine import GAMES
from engine.records import FORMAT
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

Json = dict[str, Any]
DATA = Path(__file__).parent / "data"
#: Moves before a match is kept while it is played.
PLAYED = 7


def path(number: int) -> Path:
    """The file of a format."""
    return DATA / f"kept-format-{number}.json"


def files() -> dict[int, Json]:
    """What was kept, by format."""
    return {
        int(file.stem.rpartition("-")[2]): json.loads(file.read_text("utf-8"))
        for file in DATA.glob("kept-format-*.json")
    }


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)


def put(server: redis.Redis, kept: Json) -> None:
    """Puts back what was kept."""
    server.set(keys.secret(), _bytes(kept["secret"]))
    for match in kept["matches"]:
        name, log = keys.match(match["match_id"]), keys.events(match["match_id"])
        server.hset(name, mapping={field: _bytes(v) for field, v in match["hash"].items()})
        for number, fields in match["log"]:
            server.xadd(log, {field: _bytes(value) for field, value in fields}, id=number)
        for key in (name, log):
            server.pexpire(key, 3_600_000)


def as_newer(state: bytes) -> bytes:
    """A kept state with the number of a format that is not there yet."""
    table = msgspec.msgpack.decode(state)
    assert table[-1][0] == FORMAT, "what comes last is the match"
    table[-1] = bytes([FORMAT + 1]) + table[-1][1:]
    return msgspec.msgpack.encode(table)


def _taken(server: redis.Redis, match_id: str) -> Json:
    """What Redis has of a match."""
    entries = cast(Any, server.xrange(keys.events(match_id)))
    fields = cast(Any, server.hgetall(keys.match(match_id)))
    return {
        "hash": {field.decode(): _text(value) for field, value in fields.items()},
        "log": [
            [number.decode(), [[field.decode(), _text(value)] for field, value in entry.items()]]
            for number, entry in entries
        ],
    }


def _played(client: CheckedClient, game: str, kind: str) -> tuple[Seats, Json]:
    """A match of one kind, and a request that was answered with its answer."""
    table: list[Json] = [{"name": "Ada", "client_seed": "Ada's part"}, {"name": "Ben"}]
    table.append({"open": True} if kind == "waiting" else {"bot": "greedy"})
    request: Json = {"seats": table, "seed": f"kept {kind}", "options": {"turn_limit": 50}}
    if kind == "late":
        request["turn_seconds"] = 60
    seats = Seats.create(client, game, **request)
    if kind == "waiting":
        return seats, {}
    view = seats.play_on(PLAYED if kind != "finished" else 10_000)
    if view["status"] != "playing":
        return seats, {}
    seat = view["to_act"][0]
    body = seats.view(seat)["legal_moves"][-1]
    moved = seats.move(seat, body, **{"Idempotency-Key": f"key of {game}".replace(" ", "-")})
    assert moved.status_code == 200, moved.text
    key = f"key of {game}".replace(" ", "-")
    return seats, {"seat": seat, "key": key, "body": body, "answer": moved.get_json()}


def made() -> Json:
    """Matches of every game: waiting, being played, with a decision that is overdue, finished."""
    with Server() as server, server.client() as raw:
        store = RedisStore(server.url, ttl_seconds=3600)
        app = create_app(Config(rate_limit=None), store=store)
        client = cast(CheckedClient, app.test_client())
        matches = []
        for game in GAMES:
            for kind in ("waiting", "playing", "late", "finished"):
                seats, retried = _played(client, game, kind)
                matches.append(
                    {
                        "game": game,
                        "kind": kind,
                        "match_id": seats.match_id,
                        "host": seats.host,
                        "tokens": {str(seat): token for seat, token in seats.tokens.items()},
                        "view": seats.view(0),
                        "events": client.get(
                            f"{seats.path}/events?limit=1000", headers=seats.auth(0)
                        ).get_json()["events"],
                        "retried": retried,
                        **_taken(raw, seats.match_id),
                    }
                )
        kept = {"format": FORMAT, "secret": _text(store.secret()), "matches": matches}
        store.close()
        return kept


if __name__ == "__main__":
    if path(FORMAT).exists():
        sys.exit(f"{path(FORMAT).name} is there already, and stays as it is")
    path(FORMAT).write_text(json.dumps(made(), ensure_ascii=False) + "\n", "utf-8")
