"""Three clients as others would write them: one polls pages, one reads server-sent events, one
reads lines. They know the contract and nothing of the service, and come back when cut off."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from abc import abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import urlsplit

import requests

from tests.follow import Follower, follower

#: What a connection may die of; `ValueError` is what half a line reads as.
CUT_OFF = (OSError, http.client.HTTPException, requests.RequestException, ValueError)
#: Seconds before a client comes back.
PAUSE = 0.05

Json = dict[str, Any]


class Client(threading.Thread):
    """Watches a match in its own way, moves when it is its turn, and sends every move twice.

    Now and then it hangs up by itself. At the turns numbered in `dawdles` it waits until its time
    is over. Whatever goes wrong ends up in `trouble`.
    """

    def __init__(
        self,
        url: str,
        match: str,
        token: str,
        *,
        seat: int,
        seed: str,
        dawdles: dict[int, float],
        within: float,
    ) -> None:
        super().__init__(name=f"{type(self).__name__} at seat {seat}")
        self.match_url = f"{url}{match}"
        self.seat = seat
        self.headers = {"Authorization": f"Bearer {token}"}
        self.rng = Random(seed)
        self.dawdles = dawdles
        self.until = time.monotonic() + within
        self.table: Follower | None = None
        self.events: list[Json] = []
        #: By number: events that the answer to a move told first.
        self.told: dict[int, Json] = {}
        self.turns = self.moves = self.lost = self.replays = self.reconnects = 0
        self.trouble: BaseException | None = None

    @property
    def last_seq(self) -> int:
        """The number of the last event that it has."""
        assert self.table is not None
        return int(self.table.now["last_seq"])

    def run(self) -> None:
        try:
            self.begin()
            while self.table is None or self.table.now["status"] != "finished":
                assert time.monotonic() < self.until, f"{self.name} at {self.table}"
                self.reconnects += 1
                try:
                    for event in self.watch():
                        self.take(event)
                        if self.rng.random() < 0.08:
                            break  # as if the phone had gone into a tunnel
                except CUT_OFF:
                    time.sleep(PAUSE)
        except BaseException as error:
            self.trouble = error

    def begin(self) -> None:
        """Fetches a first view. The only one, but for those to choose a move from."""
        self.table = follower(self.call("GET").json())

    @abstractmethod
    def watch(self) -> Iterator[Json]:
        """Events after the last one that it has; may end, or break off, at any time."""

    def take(self, event: Json) -> None:
        """Follows an event, and moves if it is its turn."""
        assert self.table is not None
        self.table.take(event)
        self.events.append(event)
        assert self.told.pop(event["seq"], event) == event, "the answer told it differently"
        if event["type"] == "turn" and self.seat in event["to_act"]:
            self.act()

    def act(self) -> None:
        """Chooses a move and sends it until it is answered, and then once more."""
        answer = self.call("GET")
        view = answer.json()
        if self.seat not in view["to_act"]:
            return  # it was long ago
        self.turns += 1
        time.sleep(self.dawdles.pop(self.turns, 0))
        body = self.rng.choice(view["legal_moves"])
        key = {"Idempotency-Key": str(uuid.uuid4()), "If-Match": answer.headers["ETag"]}
        moved = self.call("POST", "/moves", json=body, **key)
        if moved.status_code != 200:
            # Somebody else has moved since, or its time was over.
            assert moved.status_code == 412, moved.text
            return
        self.moves += 1
        self.lost += "Idempotent-Replayed" in moved.headers
        again = self.call("POST", "/moves", json=body, **key)
        assert (again.status_code, again.content) == (200, moved.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        self.replays += 1
        self.told |= {event["seq"]: event for event in moved.json()["events"]}

    def call(self, method: str, path: str = "", json: Any = None, **headers: str) -> Any:
        """Sends a request until it is answered, by whichever worker is alive."""
        return call(method, self.match_url + path, self.until, json, {**self.headers, **headers})


def call(method: str, url: str, until: float, json: Any, headers: dict[str, str]) -> Any:
    """Sends a request until it is answered."""
    while True:
        try:
            answer = requests.request(method, url, json=json, headers=headers, timeout=10)
            if answer.status_code != 503:
                return answer
        except requests.RequestException:
            assert time.monotonic() < until, f"{method} {url} is not answered"
        time.sleep(PAUSE)


class Poller(Client):
    """Asks for page after page, of any length."""

    def watch(self) -> Iterator[Json]:
        query = f"?after={self.last_seq}&limit={self.rng.choice((1, 3, 100))}&wait=2"
        answer = self.call("GET", f"/events{query}")
        assert answer.status_code == 200, answer.text
        page = answer.json()
        if page["events"]:
            assert page["last_seq"] >= page["events"][-1]["seq"]
        yield from page["events"]


class Streamer(Client):
    """Keeps a connection open and reads what comes."""

    def lines(self, query: str = "", **headers: str) -> Iterator[bytes]:
        """The lines of a new stream, without their ends."""
        where = urlsplit(self.match_url)
        assert where.hostname is not None
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
        try:
            path = f"{where.path}/events{query}"
            connection.request("GET", path, headers={**self.headers, **headers})
            answer = connection.getresponse()
            if answer.status == 503:
                return
            assert answer.status == 200, answer.read()
            while line := answer.readline():
                yield line.rstrip(b"\n")
        finally:
            connection.close()


class SseReader(Streamer):
    """Reads as a browser's EventSource does."""

    def watch(self) -> Iterator[Json]:
        frame: dict[str, str] = {}
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(self.last_seq)}
        for line in self.lines(**headers):
            if line:
                name, _, value = line.decode().partition(": ")
                frame[name] = value
                continue
            if "data" in frame:
                event = json.loads(frame["data"])
                assert (frame["event"], frame["id"]) == (event["type"], str(event["seq"]))
                yield event
            frame = {}


class LineReader(Streamer):
    """Takes its first view from the stream itself."""

    def begin(self) -> None:
        pass

    def watch(self) -> Iterator[Json]:
        query = "" if self.table is None else f"?after={self.last_seq}"
        for line in self.lines(query, Accept="application/x-ndjson"):
            if self.table is None:
                self.table = follower(json.loads(line))
            elif line:
                yield json.loads(line)
