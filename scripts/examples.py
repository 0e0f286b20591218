"""Records the contract's examples from the service itself: `python -m scripts.examples`.

The service runs over a real Valkey server. Clock, tokens and the bots' choices are fixed, so that
recording again changes nothing unless the service's answers have.
"""

from __future__ import annotations

import itertools
import json
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from api import create_app
from api.config import Config
from api.documents import EXAMPLES
from api.events import NDJSON, SSE
from api.store.redis import RedisStore
from engine import GAMES
from scripts.recorder import NOON, empty_store

#: A table that others join, of any game.
WAITING: dict[str, Any] = {
    "seats": [{"name": "Ada"}, {"open": True}],
    "options": {"turn_limit": 200},
    "turn_seconds": 600,
    "seed": "demo",
}
#: By game: the seats and options of the example.
REQUESTS: dict[str, dict[str, Any]] = {
    "even-steven": {
        "seats": [{"name": "Ada"}, {"bot": "random"}],
        "options": {"round_starter": "next_player"},
    },
    "card-keeper": {"seats": [{"name": "Ada"}, {"name": "Ben"}, {"bot": "random"}]},
    "seven-twos-tens": {"seats": [{"name": "Ada"}, {"bot": "random"}], "options": {"rounds": 3}},
}
#: By game: options, players and a seed by which a match is over after so few moves, when everybody
#: always makes the first of their legal moves.
SHORT: dict[str, dict[str, Any]] = {
    "even-steven": {
        "options": {"hand_size": 4, "face_down": 0},
        "names": ["Ada", "Ben"],
        "seed": "demo 2",
        "moves": 6,
    },
    "card-keeper": {"options": {}, "names": ["Ada", "Ben"], "seed": "demo 797", "moves": 8},
    "seven-twos-tens": {
        "options": {"decks": 1, "face_up": "best"},
        "names": ["Ada", "Ben", "Cem", "Dana", "Eve"],
        "seed": "demo 612",
        "moves": 27,
    },
}


@contextmanager
def fixed_world() -> Iterator[None]:
    """Everything that would differ from one recording to the next, fixed, but for the clock."""
    rng, rest = random.Random("examples"), random.Random("the rest")
    with ExitStack() as stack:
        for target, fake in (
            ("api.tokens.secrets.token_urlsafe", lambda size: _token(rng)),
            ("api.tokens.secrets.randbits", rng.getrandbits),
            ("api.service.secrets.randbelow", rng.randrange),
            ("api.service.secrets.token_bytes", rest.randbytes),
            ("api.service.secrets.token_hex", lambda size: rest.randbytes(size).hex()),
        ):
            stack.enter_context(patch(target, fake))
        yield


def recorded() -> dict[str, Any]:
    """All examples, as `api/examples.json` holds them."""
    with fixed_world(), empty_store() as store:
        client = _service(store)
        examples: dict[str, Any] = {
            "shared": {
                "home": client.get("/").get_json(),
                "catalogue": client.get("/v1/games").get_json(),
            }
        }
        for game in GAMES:
            examples[game] = _match(client, game)
        for game in GAMES:
            # Each by a clock of its own: how often a stream looks at it depends on the machine.
            examples[game] |= _short(_service(store), game)
        # Whoever listened for the streams still does for a moment.
        for thread in threading.enumerate():
            if thread.name == "wake-ups":
                thread.join(timeout=5)
    return examples


def written(examples: dict[str, Any]) -> str:
    """The file's text."""
    return json.dumps(examples, indent=1, ensure_ascii=False) + "\n"


def _service(store: RedisStore) -> FlaskClient:
    clock = itertools.count(NOON, 1000)
    return create_app(Config(rate_limit=None), store=store, clock=lambda: next(clock)).test_client()


def _match(client: FlaskClient, game: str) -> dict[str, Any]:
    request = {**REQUESTS.get(game, {"seats": [{}, {}]}), "seed": "demo"}
    made = client.post(f"/v1/games/{game}/matches", json=request)
    created, path = made.get_json(), made.headers["Location"]
    seat = created["view"]["to_act"][0]
    token = next(s["token"] for s in created["seats"] if s["seat"] == seat)
    headers = _bearer(token)
    view = client.get(path, headers=headers).get_json()
    move = view["legal_moves"][0]
    moved = client.post(f"{path}/moves", json=move, headers=headers).get_json()
    return {
        "create": request,
        "created": created,
        "view": view,
        "move": move,
        "moved": moved,
        "events": client.get(f"{path}/events?limit=3").get_json(),
        **_joined(client, game),
    }


def _joined(client: FlaskClient, game: str) -> dict[str, Any]:
    matches, join = f"/v1/games/{game}/matches", {"name": "Ben"}
    path = client.post(matches, json=WAITING).headers["Location"]
    listed = client.get(f"{matches}?status=waiting&limit=1").get_json()
    joined = client.post(f"{path}/seats", json=join).get_json()
    return {"create_waiting": WAITING, "listed": listed, "join": join, "joined": joined}


def _short(client: FlaskClient, game: str) -> dict[str, Any]:
    """A whole match: a lost token at its beginning, its last move as streams tell it, its replay
    and the rematch."""
    story = SHORT[game]
    seats = [{"name": name} for name in story["names"]]
    request = {"seats": seats, "options": story["options"], "seed": story["seed"]}
    made = client.post(f"/v1/games/{game}/matches", json=request)
    created, path = made.get_json(), made.headers["Location"]
    tokens = [ticket["token"] for ticket in created["seats"]]
    host = _bearer(created["host_token"])
    renewed = client.post(f"{path}/seats/0/token", headers=host).get_json()
    tokens[0] = renewed["token"]

    def mover() -> dict[str, str]:
        (seat, *_) = client.get(path).get_json()["to_act"]
        return _bearer(tokens[seat])

    def move(headers: dict[str, str]) -> None:
        legal = client.get(path, headers=headers).get_json()["legal_moves"]
        client.post(f"{path}/moves", json=legal[0], headers=headers)

    for _ in range(story["moves"] - 1):
        move(mover())
    last = mover()
    seq = client.get(f"{path}/events").get_json()["last_seq"]
    lines = client.get(f"{path}/events", headers={**last, "Accept": NDJSON})
    chunks = iter(lines.iter_encoded())
    view = next(chunks)
    move(last)
    return {
        "renewed": renewed,
        "replay": client.get(f"{path}/replay").get_json(),
        "rematched": client.post(f"{path}/rematch", headers=_bearer(tokens[0])).get_json(),
        "lines": (view + b"".join(chunks)).decode(),
        "event_stream": client.get(
            f"{path}/events?after={seq}", headers={**last, "Accept": SSE}
        ).text,
    }


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _token(rng: random.Random) -> str:
    return "example-" + "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=35))


if __name__ == "__main__":
    EXAMPLES.write_text(written(recorded()), "utf-8")
