"""Where a request's processor time goes: by part of the service, beside the least it could do.

    .venv/bin/python -m bench.parts [REQUESTS]

Moves of Card Keeper, and views, go straight into the application, as a server would call it, with
a Valkey behind it. Every function's own time is counted, that of a function in C with whoever
called it, and put together by file. The profiler makes Python dearer than C, so this tells what a
part weighs beside another one, not how long it takes: that is for `bench.ceiling`.
"""

from __future__ import annotations

import cProfile
import io
import json
import logging.config
import os
import pstats
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from flask import Flask

from api import logs
from api.config import Config
from api.factory import create_app
from api.store.embedded import EmbeddedStore
from bench.load import names, random_plays
from engine import GAMES, Game

GAME, PLAYERS, REQUESTS = "card-keeper", 4, 3000
#: Requests before any is counted.
WARM = 200
#: Bytes of a saved match, of an entry of its log, of the answers to a move and to a view.
SIZES = {"state": 507, "entry": 118, "move": 1285, "view": 1049}
#: A file belongs to the first part that a word of it names.
PARTS = {
    "rules and views (engine)": ("/engine/",),
    "calls to the store": ("/api/store/", "/api/measured.py", "/redis/"),
    "log, metrics, traces": (
        "/api/observing.py",
        "/api/logs.py",
        "/api/notes.py",
        "/api/metrics.py",
        "/api/tracing.py",
        "/prometheus_client/",
        "/logging/",
    ),
    "reading requests, headers": (
        "/api/web.py",
        "/api/wire.py",
        "/api/schemas/",
        "/api/browsers.py",
        "/marshmallow/",
    ),
    "use cases": ("/api/", "/bench/"),
    "Flask and werkzeug": ("/flask/", "/werkzeug/", "/flask_smorest/"),
}
REST = "the standard library"
#: Where the profiler says that functions in C are.
IN_C = "~"

Environ = dict[str, Any]
#: Environments of requests, made one after another.
Asked = Iterator[Environ]


def environ(method: str, path: str, body: object = None, token: str = "") -> Environ:
    """A request as a server hands it to the application (PEP 3333)."""
    data = b"" if body is None else json.dumps(body).encode()
    found: Environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "croupier",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "croupier",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(data),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if data:
        found |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(data))}
    if token:
        found["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return found


def ask(app: Flask, asked: Environ) -> bytes:
    """The body of the answer."""
    told: list[str] = []
    parts: Any = app(asked, lambda status, headers, raised=None: told.append(status))
    try:
        body = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    assert told[0].startswith("20"), (told, body)
    return body


def moves(app: Flask, game: Game[Any]) -> Asked:
    """The moves of one match after another."""
    path = f"/v1/games/{game.id}/matches"
    for play in random_plays(game, PLAYERS):
        seats = [{"name": name} for name in names(PLAYERS)]
        made = json.loads(ask(app, environ("POST", path, {"seats": seats, "seed": play.seed})))
        tokens = [seat["token"] for seat in made["seats"]]
        for seat, body in play.moves:
            yield environ("POST", f"{path}/{made['match_id']}/moves", body, tokens[seat])


def views(app: Flask, game: Game[Any]) -> Asked:
    """A view after each of those moves."""
    for move in moves(app, game):
        ask(app, dict(move))
        path, token = move["PATH_INFO"].removesuffix("/moves"), move["HTTP_AUTHORIZATION"]
        yield environ("GET", path, token=token.removeprefix("Bearer "))


def profiled(app: Flask, asked: Asked, requests: int) -> Counter[str]:
    """Seconds by part."""
    for one in islice(asked, WARM):
        ask(app, one)
    profile = cProfile.Profile(time.process_time)
    for one in islice(asked, requests):
        profile.enable()
        ask(app, one)
        profile.disable()
    found: Counter[str] = Counter()
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, *_rest), (_calls, _primitive, own, _all, callers) in stats.items():
        if file != IN_C:
            found[_part(file)] += own
        for (caller, *_where), (*_counts, own_for_it, _all_for_it) in callers.items():
            if file == IN_C:
                found[_part(caller)] += own_for_it
    return found


def _part(file: str) -> str:
    return next((part for part, words in PARTS.items() if any(w in file for w in words)), REST)


def main() -> None:
    """Measures and prints."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as place:
        store = EmbeddedStore.start(Path(place), appendfsync="everysec")
        try:
            os.environ |= {"REDIS_URL": store.url, "BENCH_SIZES": json.dumps({GAME: SIZES})}
            # Every line is made, and written where it costs next to nothing.
            logging.config.dictConfig(logs.settings("info", "json"))
            os.dup2(os.open(os.devnull, os.O_WRONLY), logs.STDERR)
            from bench.bare import app as bare

            config = Config.from_environ({**os.environ, "CROUPIER_RATE_LIMIT": "off"})
            compare({"ours": create_app(config), "bare": bare}, requests)
        finally:
            store.stop()


def compare(apps: dict[str, Flask], requests: int) -> None:
    """Prints a table for each kind of request."""
    kinds: dict[str, Callable[[Flask, Game[Any]], Asked]] = {"a move": moves, "a view": views}
    for kind, make in kinds.items():
        found = {
            name: profiled(app, make(app, GAMES[GAME]), requests) for name, app in apps.items()
        }
        whole = found["ours"].total()
        print(f"{kind}, in hundredths of ours:" + "".join(f"{name:>8}" for name in found))
        for part in (*PARTS, REST):
            cells = (f"{100 * parts[part] / whole:>8.0f}" for parts in found.values())
            print(f"  {part:<32}" + "".join(cells))
        print(
            f"  {'together':<32}"
            + "".join(f"{100 * p.total() / whole:>8.0f}" for p in found.values())
        )


if __name__ == "__main__":
    main()
