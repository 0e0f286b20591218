"""The least that a service of this kind can do: Flask, the same calls to the store, as many bytes.

It deals, judges and checks nothing. A request's match is loaded, and for a move a state and an
entry of the usual sizes are committed by the service's own script; the answer is as long as ours.
`bench/ceiling.py` runs it under the service's own gunicorn settings and tells it the sizes.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

import redis
from flask import Flask, Response, request

#: By game: bytes of a saved match, of an entry of its log, of the answers to a move and to a view.
SIZES: dict[str, dict[str, int]] = json.loads(os.environ["BENCH_SIZES"])
TTL = 30 * 24 * 3600 * 1000

app = Flask(__name__)
store = redis.Redis.from_url(os.environ["REDIS_URL"], protocol=2)
commit = store.register_script(Path("api/store/commit.lua").read_text())


def _letters(size: int) -> bytes:
    return b'"' + b"x" * (size - 2) + b'"'


STATES = {game: os.urandom(sizes["state"]) for game, sizes in SIZES.items()}
ENTRIES = {game: os.urandom(sizes["entry"]) for game, sizes in SIZES.items()}
MOVED = {game: _letters(sizes["move"]) for game, sizes in SIZES.items()}
VIEWED = {game: _letters(sizes["view"]) for game, sizes in SIZES.items()}


def _write(game: str, match_id: str, expected: str | bytes, version: int) -> None:
    keys = [f"croupier:{{{match_id}}}:match", f"croupier:{{{match_id}}}:events"]
    channel = f"croupier:{{{match_id}}}:wake"
    nonce = secrets.token_urlsafe(12)
    entry = (version + 1, ENTRIES[game])
    answer = ("", "")
    # One entry a version: the number of the last event read is the version itself, from 1.
    arguments = (expected, version, STATES[game], version, nonce, TTL, channel, *answer, *entry)
    outcome, *_ = commit(keys, arguments)
    assert outcome == b"committed", outcome


@app.post("/v1/games/<game>/matches")
def create(game: str) -> dict[str, Any]:
    """Makes a match that can be moved in, with as many tokens as were asked for."""
    match_id = secrets.token_hex(8)
    _write(game, match_id, "", 0)
    seats = [{"token": secrets.token_urlsafe(32)} for _ in request.get_json()["seats"]]
    return {"match_id": match_id, "seats": seats}


@app.get("/v1/games/<game>/matches/<match_id>")
def view(game: str, match_id: str) -> Response:
    """One call to the store."""
    version, _ = store.hmget(f"croupier:{{{match_id}}}:match", "version", "state")
    assert version is not None
    return Response(VIEWED[game], mimetype="application/json")


@app.post("/v1/games/<game>/matches/<match_id>/moves")
def move(game: str, match_id: str) -> Response:
    """Two calls to the store."""
    request.get_data()
    version, _ = store.hmget(f"croupier:{{{match_id}}}:match", "version", "state")
    _write(game, match_id, version, int(version) + 1)
    return Response(MOVED[game], mimetype="application/json")
