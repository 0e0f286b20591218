"""The service as the terminal client uses it: plain requests, and events as they happen."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Iterator
from typing import Any

import requests

Body = dict[str, Any]
#: What a terminal would obey, and what turns the direction of text; line ends and tabs are none.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
#: Seconds. An idle stream says something more often than this.
PATIENCE = 40
#: Times that a request is sent, and seconds in between.
TRIES, PAUSE = 3, 0.5
#: Times that a stream is asked for in a row, a second apart.
STREAM_TRIES = 30


class Away(Exception):
    """No service answers."""


class Refused(Exception):
    """A request was refused; `problem` is the answer."""

    def __init__(self, problem: Body) -> None:
        self.problem = problem
        lines = [problem.get("reason") or f"{problem['title']}. {problem['detail']}"]
        lines += [f"{name}: {' '.join(texts)}" for name, texts in problem.get("errors", {}).items()]
        super().__init__("\n".join(lines))


def harmless(value: Any) -> Any:
    """An answer whose texts, such as the names of strangers, do nothing but show on a terminal."""
    if isinstance(value, str):
        return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [harmless(item) for item in value]
    if isinstance(value, dict):
        return {harmless(name): harmless(inner) for name, inner in value.items()}
    return value


class Service:
    """A service by its address."""

    def __init__(self, url: str) -> None:
        self.url = (url if "://" in url else f"http://{url}").rstrip("/")
        self.session = requests.Session()

    def call(self, method: str, path: str, body: Body | None = None, token: str = "") -> Any:
        """An answer's JSON. Raises Away or Refused."""
        # The key makes it safe to ask again when no answer comes: nothing is done twice.
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        tries = 0
        while True:
            tries += 1
            try:
                answer = self.session.request(
                    method, self.url + path, json=body, headers=headers, timeout=PATIENCE
                )
                _raise_refusal(answer)
                return harmless(answer.json()) if answer.content else None
            except requests.RequestException as error:
                if tries == TRIES:
                    raise Away(self.url) from error
                time.sleep(PAUSE)

    def games(self) -> list[Body]:
        """The catalogue. Raises Away where something else answers."""
        found = self.call("GET", "/v1/games")
        if not isinstance(found, dict) or not isinstance(found.get("games"), list):
            raise Away(self.url)
        games: list[Body] = found["games"]
        return games

    def find(self, match_id: str, games: list[Body]) -> Body | None:
        """The game that a match is of, or None where there is no such match. Raises Away or
        Refused."""
        for game in games:
            try:
                self.call("GET", f"{game['links']['matches']}/{match_id}")
            except Refused as refusal:
                if refusal.problem["status"] == 404:
                    continue
                if refusal.problem["status"] != 403:  # there it is, for those with a token
                    raise
            return game
        return None


class Match:
    """A match as one seat, or a spectator without a token, sees it."""

    def __init__(self, service: Service, game: Body, match_id: str, token: str = "") -> None:
        self.service = service
        self.game = game
        self.match_id = match_id
        self.token = token
        self.path = f"{game['links']['matches']}/{match_id}"

    def view(self, *, why: bool = False) -> Body:
        """What the seat may know now; with `why`, why cards cannot be played."""
        found: Body = self.service.call(
            "GET", self.path + ("?why=true" if why else ""), token=self.token
        )
        return found

    def move(self, body: Body) -> None:
        """Makes a move. Raises Refused; what happens then comes as events."""
        self.service.call("POST", f"{self.path}/moves", body, self.token)

    def rematch(self) -> Match:
        """The same players' next match."""
        made = self.service.call("POST", f"{self.path}/rematch", token=self.token)
        return Match(self.service, self.game, made["match_id"], made["token"])

    def events(self, after: int) -> Iterator[Body]:
        """Every event after that number as it happens, to the match's last; reconnects by itself.

        Raises Away when the service stays away, and Refused.
        """
        missed = 0
        while True:
            try:
                for event in self._stream(after):
                    after, missed = event["seq"], 0
                    yield event
                    if event["type"] == "match_finished":
                        return
            except requests.RequestException as error:
                missed += 1
                if missed == STREAM_TRIES:
                    raise Away(self.service.url) from error
            time.sleep(1 if missed else 0.1)

    def _stream(self, after: int) -> Iterator[Body]:
        headers = {"Accept": "application/x-ndjson"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        with requests.get(
            f"{self.service.url}{self.path}/events",
            {"after": after},
            headers=headers,
            stream=True,
            timeout=PATIENCE,
        ) as answer:
            _raise_refusal(answer)
            for line in answer.iter_lines(chunk_size=1):
                if line:  # an empty one only keeps the connection open
                    yield harmless(json.loads(line))


def _raise_refusal(answer: requests.Response) -> None:
    """Raises Refused for a problem, and RequestException for what another try may mend: the store
    is away for a moment, or what answers is a proxy."""
    problem = "problem" in answer.headers.get("Content-Type", "")
    if problem and answer.status_code != requests.codes.unavailable:
        raise Refused(harmless(answer.json()))
    answer.raise_for_status()
