"""The lobby: what the list of Even Steven shows, matches for it, and a model of it."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.api.clocks import Clock
from tests.api.places import OPEN, joined, kind, leave
from tests.conformance import CheckedClient
from tests.seats import Seats

PATH = "/v1/games/even-steven/matches"
STATUSES = ("waiting", "playing", "finished")
#: More pages than any list here has.
ENOUGH = 200


def page(client: CheckedClient, **query: Any) -> dict[str, Any]:
    """One page of the list of Even Steven."""
    answer = client.get(PATH, query_string={k: v for k, v in query.items() if v is not None})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    told: dict[str, Any] = answer.get_json()
    return told


def ids(client: CheckedClient, **query: Any) -> list[str]:
    """The matches of a whole list, in its order."""
    found, cursor = [], None
    for _ in range(ENOUGH):
        told = page(client, **query, cursor=cursor)
        found += [match["match_id"] for match in told["matches"]]
        cursor = told["next_cursor"]
        if cursor is None:
            return found
    raise AssertionError("the list does not end")


def waiting(client: CheckedClient, **request: Any) -> Seats:
    """A match that one join deals."""
    return Seats.create(client, seats=[{}, OPEN], options={"turn_limit": 50}, **request)


def ended(seats: Seats) -> None:
    """Lets a dealt match come to its end."""
    for seat in list(seats.tokens):
        assert leave(seats, seat).status_code == 204


class Model:
    """Matches that come and go in a random order, and what a list must have shown of them."""

    def __init__(self, client: CheckedClient, clock: Clock, rng: Random) -> None:
        self.client, self.clock, self.rng = client, clock, rng
        self.tables: dict[str, Seats] = {}
        self.status: dict[str, str] = {}
        self.private: set[str] = set()

    def something_happens(self) -> None:
        """A match is made, dealt, ended or deleted. Two may have the same time."""
        self.clock.go_on(self.rng.choice((0, 0, 0.001)))
        now = {name: [m for m in self.tables if self.status[m] == name] for name in STATUSES}
        match self.rng.choice(("make", "make", "join", "end", "delete")):
            case "join" if now["waiting"]:
                match_id = self.rng.choice(now["waiting"])
                joined(self.tables[match_id])
                self.status[match_id] = "playing"
            case "end" if now["playing"]:
                match_id = self.rng.choice(now["playing"])
                ended(self.tables[match_id])
                self.status[match_id] = "finished"
            case "delete" if len(self.tables) > 12:
                seats = self.tables.pop(self.rng.choice(list(self.tables)))
                self.client.delete(seats.path, headers=seats.auth("host"))
            case _:
                seats = waiting(self.client, public=self.rng.random() < 0.8)
                self.tables[seats.match_id] = seats
                self.status[seats.match_id] = "waiting"
                if kind(seats.get())[0] == 403:
                    self.private.add(seats.match_id)

    def listed(self, status: str | None) -> set[str]:
        """The matches that belong into a list now."""
        return {m for m in self.tables if status in (None, self.status[m])} - self.private
