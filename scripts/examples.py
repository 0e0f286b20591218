"""Records the contract's examples from the service itself: `python -m scripts.examples`.

The service runs over a real Valkey server. Clock, tokens and the bots' choices are fixed, so that
recording again changes nothing unless the service's answers have.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from api import create_app
from api.config import Config
from api.documents import EXAMPLES
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


@contextmanager
def fixed_world() -> Iterator[None]:
    """Everything that would differ from one recording to the next, fixed, but for the clock."""
    rng = random.Random("examples")
    with ExitStack() as stack:
        for target, fake in (
            ("api.tokens.secrets.token_urlsafe", lambda size: _token(rng)),
            ("api.tokens.secrets.randbits", rng.getrandbits),
            ("api.service.secrets.randbelow", rng.randrange),
        ):
            stack.enter_context(patch(target, fake))
        yield


def recorded() -> dict[str, Any]:
    """All examples, as `api/examples.json` holds them."""
    with fixed_world(), empty_store() as store:
        clock = itertools.count(NOON, 1000)
        app = create_app(Config(rate_limit=None), store=store, clock=lambda: next(clock))
        client = app.test_client()
        examples: dict[str, Any] = {
            "shared": {
                "home": client.get("/").get_json(),
                "catalogue": client.get("/v1/games").get_json(),
            }
        }
        for game in GAMES:
            examples[game] = _match(client, game)
    return examples


def written(examples: dict[str, Any]) -> str:
    """The file's text."""
    return json.dumps(examples, indent=1, ensure_ascii=False) + "\n"


def _match(client: FlaskClient, game: str) -> dict[str, Any]:
    request = {**REQUESTS.get(game, {"seats": [{}, {}]}), "seed": "demo"}
    made = client.post(f"/v1/games/{game}/matches", json=request)
    created, path = made.get_json(), made.headers["Location"]
    seat = created["view"]["to_act"][0]
    token = next(s["token"] for s in created["seats"] if s["seat"] == seat)
    headers = {"Authorization": f"Bearer {token}"}
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


def _token(rng: random.Random) -> str:
    return "example-" + "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=35))


if __name__ == "__main__":
    EXAMPLES.write_text(written(recorded()), "utf-8")
