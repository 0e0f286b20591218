"""Histories that nobody has seen: a real match, played without a network, with times as a test
needs them. One request is over before the next one begins, a second each."""

from __future__ import annotations

import itertools
from typing import Any

from flask.testing import FlaskClient

from tests.faults.history import (
    Attempt,
    Final,
    History,
    Json,
    MatchHistory,
    Operation,
    Request,
    StreamPart,
    Watch,
    Who,
)

MATCHES = "/v1/games/even-steven/matches"


class Played:
    """A match that is played by `client`: each move is looked at before and after, and one is sent
    again. The clock only ticks when something is asked."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client
        self._clock = itertools.count()
        self._keys = itertools.count()
        self.match = MatchHistory("even-steven")
        self._tokens: dict[Who, str | None] = {None: None}

    def play(self) -> History:
        """The whole history."""
        body = {"seats": [{"name": "Ada"}, {"open": True}], "options": {"turn_limit": 50}}
        body["seed"] = "made up"
        made = self.ask("create", None, "", body)
        self.match.path = f"{MATCHES}/{made['match_id']}"
        self._tokens[0] = made["seats"][0]["token"]
        joined = self.ask("join", None, "/seats", {"seat": 1, "name": "Ben"})
        self._tokens[1] = joined["token"]
        self.match.seats = [0, 1]
        view = self.ask("view", None)
        self._refused(view["to_act"][0])
        while view["status"] == "playing":
            seat = view["to_act"][0]
            view = self.ask("view", seat)
            self.ask("view", 1 - seat)
            view = self.ask("move", seat, "/moves", view["legal_moves"][-1], view["version"])
            self.ask("poll", None, f"/events?after={view['last_seq']}")
        self._again(self.match.moves()[3])
        self._look_back()
        return History([self.match])

    def ask(
        self,
        operation: Operation,
        who: Who,
        path: str = "",
        body: Json | None = None,
        if_match: int | None = None,
    ) -> Any:
        """Asks for something, and notes it."""
        key = None if body is None else f"key-{next(self._keys):032d}"
        request = Request(operation, who, key, if_match, body)
        self.match.requests.append(request)
        return self._send(request, path).json()

    def _send(self, request: Request, path: str) -> Attempt:
        token = self._tokens[request.who]
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if request.key is not None:
            headers["Idempotency-Key"] = request.key
        if request.if_match is not None:
            headers["If-Match"] = f'"{request.if_match}"'
        method = "GET" if request.body is None else "POST"
        answer = self._client.open(
            (self.match.path or MATCHES) + path, method=method, json=request.body, headers=headers
        )
        began = float(next(self._clock))
        replayed = answer.headers.get("Idempotent-Replayed") == "true"
        attempt = Attempt(began, began + 0.5, answer.status_code, answer.data, replayed=replayed)
        request.attempts.append(attempt)
        return attempt

    def _refused(self, seat: int) -> None:
        """A move out of turn, and one of the seat to act at another version."""
        body = {"action": "draw"}
        self.ask("move", 1 - seat, "/moves", body)
        self.ask("move", seat, "/moves", body, if_match=77)

    def _again(self, request: Request) -> None:
        self._send(request, "/moves")

    def _look_back(self) -> None:
        def get(path: str, who: Who = None) -> Any:
            token = self._tokens[who]
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            return self._client.get(self.match.path + path, headers=headers).get_json()

        events = {who: get("/events?limit=1000", who)["events"] for who in self._tokens}
        self.match.final = Final(get(""), events, get("/replay"))
        half = len(events[0]) // 2
        parts = []
        for after, some in ((0, events[0][:half]), (half, events[0][half:])):
            now = float(next(self._clock))
            parts.append(StreamPart(after, now, now, 200, list(some), [now] * len(some)))
        self.match.watches = [Watch(0, parts)]
