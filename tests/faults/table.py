"""One match of the load: it is made, joined, watched and played to its end by a client for each
seat, and looked at when everything is over."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.faults.history import Attempt, Final, Json, MatchHistory, Operation, Request, Who
from tests.faults.line import GaveUp, Line
from tests.faults.watcher import follow

#: Events that are asked for at a time.
PAGE = 1000
#: Of all moves, the share that goes out with If-Match, and that is sent again once it is answered.
WITH_IF_MATCH = 0.5
SENT_AGAIN = 0.15
#: How often a rival who is not to act moves all the same.
OUT_OF_TURN = 0.2


class Missing(Exception):
    """The service refuses what it must not: the match or the token is not there any more."""


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How a load's clients behave; see Load."""

    urls: Sequence[str]
    seats: int
    rivals: int
    watchers: Sequence[Who]
    turn_limit: int
    pause: float
    rudeness: float
    patience: float
    #: Called for each move that is acknowledged.
    moved: Callable[[], None]
    #: Set to end at once, in the middle of everything.
    given_up: threading.Event = field(default_factory=threading.Event)


class Table:
    """A match, its clients and what they saw. `tokens` are those of the seats, by number."""

    def __init__(self, habits: Habits, game: str, seed: str) -> None:
        self.habits = habits
        self.history = MatchHistory(game=game)
        self.tokens: dict[Who, str | None] = {None: None}
        self._rng = Random(seed)
        self._over = threading.Event()

    def play(self) -> bool:
        """Makes the match, plays it and returns when it is over. False when it cannot be played
        on."""
        line = self.line()
        threads: list[threading.Thread] = []
        try:
            self._make(line)
            watchers, seats = self.habits.watchers, self.history.seats
            threads += [self._thread(f"watcher {who}", self._watch, who) for who in watchers]
            for seat in seats * self.habits.rivals:
                threads.append(self._thread(f"seat {seat}", self._play_seat, seat))
        except (GaveUp, Missing) as error:
            self.history.troubles.append(str(error))
        finally:
            line.close()
            for thread in threads:
                thread.join()
        return not self.history.troubles

    def line(self) -> Line:
        """A line for a client of its own."""
        rng = Random(self._rng.random())
        return Line(self.habits.urls, rng, rudeness=self.habits.rudeness)

    def ask(
        self,
        line: Line,
        operation: Operation,
        path: str = "",
        *,
        who: Who = None,
        method: str = "GET",
        body: Json | None = None,
        if_match: int | None = None,
    ) -> tuple[Request, Attempt]:
        """Sends a request until it is answered for good; what changes something has a key.

        Raises GaveUp, or Missing when the match or the token is not known.
        """
        key = None if method == "GET" else str(uuid.UUID(int=self._rng.getrandbits(128)))
        request = Request(operation, who, key, if_match, body)
        self.history.requests.append(request)
        answer = line.ask(
            request,
            method,
            (self.history.path or f"/v1/games/{self.history.game}/matches") + path,
            token=self.tokens[who],
            patience=self.habits.patience,
            given_up=self.habits.given_up.is_set,
        )
        if answer.status in (401, 403, 404):
            raise Missing(f"{operation} of {who}: {answer.status} {answer.body!r}")
        return request, answer

    def _thread(self, name: str, work: Callable[[int], None], who: Any) -> threading.Thread:
        def run() -> None:
            try:
                work(who)
            except (GaveUp, Missing) as error:
                self.history.troubles.append(f"{name}: {error}")
            except Exception as error:
                self.history.troubles.append(f"{name}: {error!r}")
                raise
            finally:
                if name.startswith("seat"):
                    self._over.set()

        thread = threading.Thread(target=run, name=name)
        thread.start()
        return thread

    def _make(self, line: Line) -> None:
        count = self.habits.seats
        seats = [{"name": "Ada"}, *({"open": True} for _ in range(count - 1))]
        body = {"seats": seats, "options": {"turn_limit": self.habits.turn_limit}}
        _, answer = self.ask(line, "create", method="POST", body=body)
        made = _expect(answer, 201)
        self.history.path = f"/v1/games/{self.history.game}/matches/{made['match_id']}"
        self.tokens[0] = made["seats"][0]["token"]
        for seat in range(1, count):
            body = {"seat": seat, "name": f"Player of {seat}"}
            _, answer = self.ask(line, "join", "/seats", method="POST", body=body)
            self.tokens[seat] = _expect(answer, 201)["token"]
        self.history.seats = list(range(count))

    def _play_seat(self, seat: int) -> None:
        line, rng = self.line(), Random(self._rng.random())
        rival = self.habits.rivals > 1
        before: Json = {}
        try:
            while not self.habits.given_up.is_set():
                _, answer = self.ask(line, "view", who=seat)
                view = _expect(answer, 200)
                if view["status"] == "finished":
                    return
                if seat in view["to_act"]:
                    time.sleep(self.habits.pause)
                    self._move(line, seat, view, rng)
                    before = view
                elif rival and before and rng.random() < OUT_OF_TURN:
                    self._move(line, seat, before, rng)
                else:
                    self.ask(line, "poll", f"/events?after={view['last_seq']}&wait=1", who=seat)
        finally:
            line.close()

    def _move(self, line: Line, seat: int, view: Json, rng: Random) -> None:
        if_match = view["version"] if rng.random() < WITH_IF_MATCH else None
        body = rng.choice(view["legal_moves"])
        request, answer = self.ask(
            line, "move", "/moves", who=seat, method="POST", body=body, if_match=if_match
        )
        if answer.status == 200:
            self.habits.moved()
            if rng.random() < SENT_AGAIN:
                with suppress(GaveUp):
                    line.ask(
                        request,
                        "POST",
                        f"{self.history.path}/moves",
                        token=self.tokens[seat],
                        patience=self.habits.patience,
                        given_up=self.habits.given_up.is_set,
                    )

    def _watch(self, who: Who) -> None:
        watch = follow(
            self.habits.urls,
            f"{self.history.path}/events",
            who=who,
            token=self.tokens[who],
            given_up=self.habits.given_up.is_set,
            into=self.history.watches,
        )
        if not watch:
            raise Missing(f"the stream of {who} is refused")

    def look_back(self, line: Line) -> None:
        """Fetches what is there at the end."""
        if not self.history.path:
            return
        until = time.monotonic() + self.habits.patience

        def get(path: str, who: Who = None) -> Any:
            token = self.tokens[who]
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            while True:
                answer = line.send("GET", self.history.path + path, headers=headers)
                if answer.status == 200:
                    return answer.json()
                if answer.for_good or time.monotonic() > until:
                    raise Missing(f"GET {path}: {answer}")
                time.sleep(0.1)

        def events(who: Who) -> list[Json]:
            found: list[Json] = []
            while page := get(f"/events?limit={PAGE}&after={len(found)}", who)["events"]:
                found += page
            return found

        try:
            view = get("")
            everybody = {who: events(who) for who in self.tokens}
            record = get("/replay") if view["status"] == "finished" else {}
            self.history.final = Final(view, everybody, record)
        except Missing as error:
            self.history.troubles.append(f"in the end: {error}")


def _expect(answer: Attempt, status: int) -> Any:
    if answer.status != status:
        raise Missing(f"{status} expected: {answer.status} {answer.body!r}")
    return answer.json()
