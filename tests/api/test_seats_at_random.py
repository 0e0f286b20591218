"""Seats, tokens and keys in a random order, against a model of who may do what.

After every request: who holds a seat by the model holds it in the view, every living token opens
its own view, every dead one opens nothing, and versions and events grow without gaps.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import GAMES
from tests.api.clocks import Clock
from tests.api.lives import events
from tests.api.places import OPEN, join, kind
from tests.seats import Seats

SECONDS = 10
MATCHES = 50 if os.environ.get("CROUPIER_SOAK") == "1" else 2
STEPS = 70
#: What a run must have had, so that it does not hold for want of a case.
NEEDED = {
    *("joining 201", "leaves 204", "renewing 200", "moving 200", "is late", "knocks"),
    *("joining again 201", "moving again 200", "moving again 401"),
}


@dataclass
class Model:
    """One match, with what must be true of it."""

    seats: Seats
    rng: Random
    clock: Clock
    way: str
    kinds: list[str]
    version: int = 0
    dealt: bool = False
    over: bool = False
    dead: list[str] = field(default_factory=list)
    #: Requests that were accepted under a key, each with its first answer.
    keyed: list[tuple[Any, TestResponse]] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def step(self) -> None:
        """Something happens, or is refused."""
        act = self.rng.choice(
            [
                *(self.joins, self.leaves, self.renews, self.moves, self.moves, self.moves),
                *(self.is_late, self.knocks, self.comes_again, self.comes_again),
            ]
        )
        act()
        self.holds()

    def who(self) -> int | str | None:
        """Anybody: a seat that has a token, the host, or a stranger."""
        return self.rng.choice([*self.seats.tokens, "host", None])

    def key(self) -> dict[str, str]:
        """A new key, or none."""
        if self.rng.random() < 0.2:
            return {}
        return {"Idempotency-Key": f"{self.rng.getrandbits(64):016x}"}

    def keep(self, key: dict[str, str], request: Any, answer: TestResponse) -> None:
        self.happened[f"{request.__name__} {answer.status_code}"] += 1
        if key and answer.status_code < 300:
            self.keyed.append((request, answer))

    def joins(self) -> None:
        seat, key = self.rng.choice([None, *range(len(self.kinds))]), self.key()
        body = {} if seat is None else {"seat": seat}

        def joining() -> TestResponse:
            return join(self.seats, body, **key)

        answer = joining()
        opened = [n for n, held in enumerate(self.kinds) if held == "open"]
        self.keep(key, joining, answer)
        if self.over:
            assert kind(answer) == (409, "match-finished")
        elif seat is None and not opened:
            assert kind(answer) == (409, "match-full")
        elif seat is not None and seat not in opened:
            assert kind(answer) == (409, "seat-taken")
        else:
            told = answer.get_json()
            assert told["seat"] == (opened[0] if seat is None else seat)
            self.kinds[told["seat"]] = "human"
            self.seats.tokens[told["seat"]] = told["token"]

    def leaves(self) -> None:
        if self.rng.random() < 0.6:
            return
        seat, who = self.rng.randrange(len(self.kinds)), self.who()
        answer = self.seats.client.delete(
            f"{self.seats.path}/seats/{seat}", headers=self.seats.auth(who)
        )
        self.happened[f"leaves {answer.status_code}"] += 1
        if self.refused(answer, seat, who):
            return
        if self.over:
            assert kind(answer) == (409, "match-finished")
        elif self.kinds[seat] != "human":
            assert kind(answer) == (404, "not-found")
        else:
            assert answer.status_code == 204
            self.loses(seat, "bot" if self.dealt else "open")

    def renews(self) -> None:
        seat, who, key = self.rng.randrange(len(self.kinds)), self.who(), self.key()
        auth = self.seats.auth(who)

        def renewing() -> TestResponse:
            path = f"{self.seats.path}/seats/{seat}/token"
            return self.seats.client.post(path, headers={**auth, **key})

        answer = renewing()
        self.keep(key, renewing, answer)
        if self.refused(answer, seat, who):
            return
        if self.kinds[seat] != "human":
            assert kind(answer) == (404, "not-found")
        else:
            self.dead.append(self.seats.tokens[seat])
            self.seats.tokens[seat] = answer.get_json()["token"]

    def refused(self, answer: TestResponse, seat: int, who: int | str | None) -> bool:
        """Whether it is refused for whom it came from, as it must be."""
        if who is None:
            assert kind(answer) == (401, "unauthorized")
        elif who not in ("host", seat):
            assert kind(answer) == (403, "forbidden")
        return who not in ("host", seat)

    def moves(self) -> None:
        view = self.seats.view()
        acting = [seat for seat in view["to_act"] if seat in self.seats.tokens]
        if not acting:
            return
        seat, key = self.rng.choice(acting), self.key()
        mine = self.seats.get(seat)
        body, auth = self.rng.choice(mine.get_json()["legal_moves"]), self.seats.auth(seat)
        if self.rng.random() < 0.5:
            key |= {"If-Match": mine.headers["ETag"]}

        def moving() -> TestResponse:
            path = f"{self.seats.path}/moves"
            return self.seats.client.post(path, json=body, headers={**auth, **key})

        answer = moving()
        assert answer.status_code == 200, answer.text
        self.keep(key if "Idempotency-Key" in key else {}, moving, answer)

    def is_late(self) -> None:
        """The time for a decision goes by; what then happens the next look brings about."""
        view = self.seats.view()
        self.clock.go_on(SECONDS)
        if self.way == "leave":
            for seat in view["to_act"]:
                if self.kinds[seat] == "human":
                    self.loses(seat, "bot")
        self.happened["is late"] += bool(view["to_act"])

    def comes_again(self) -> None:
        """An accepted request comes again and gets its first answer; a move whose token is dead by
        now gets none."""
        if self.keyed:
            request, first = self.rng.choice(self.keyed)
            again = request()
            self.happened[f"{request.__name__} again {again.status_code}"] += 1
            if request.__name__ == "moving" and again.status_code == 401:
                token = first.request.headers["Authorization"].removeprefix("Bearer ")
                assert token in self.dead
                return
            assert (again.status_code, again.data) == (first.status_code, first.data)
            assert again.headers["Idempotent-Replayed"] == "true"

    def knocks(self) -> None:
        """A dead token is tried."""
        if self.dead:
            headers = {"Authorization": f"Bearer {self.rng.choice(self.dead)}"}
            path = self.seats.path + self.rng.choice(("", "/events", "/replay"))
            assert kind(self.seats.client.get(path, headers=headers)) == (401, "unauthorized")
            self.happened["knocks"] += 1

    def loses(self, seat: int, to: str) -> None:
        self.kinds[seat] = to
        self.dead.append(self.seats.tokens.pop(seat))

    def holds(self) -> None:
        """What must be true after every request."""
        view = self.seats.view()
        assert [seat["kind"] for seat in view["seats"]] == self.kinds
        assert view["version"] >= self.version
        self.version, self.over = view["version"], view["status"] == "finished"
        assert (view["status"] == "waiting") == ("open" in self.kinds)
        self.dealt = self.dealt or view["status"] != "waiting"
        for seat in self.seats.tokens:
            assert self.seats.view(seat)["you"]["seat"] == seat
        assert self.seats.get("host").status_code == 200


@pytest.mark.parametrize("way", ["random", "leave"])
@pytest.mark.parametrize("game", GAMES)
def test_seats_tokens_and_keys_in_a_random_order(
    quick: FlaskClient, clock: Clock, game: str, way: str
) -> None:
    happened = Counter[str]()
    for number in count():
        missing = NEEDED - happened.keys()
        if number >= MATCHES and not missing:
            break
        assert number < 40 * MATCHES, f"never happened: {missing}"
        rng = Random(f"{game} {way} {number}")
        seats = Seats.create(
            quick,
            game,
            seats=[{}, OPEN, {"bot": "random"}, OPEN, {}],
            options={"turn_limit": 50},
            turn_seconds=SECONDS,
            on_timeout=way,
        )
        model = Model(seats, rng, clock, way, ["human", "open", "bot", "open", "human"])
        for _ in range(STEPS):
            model.step()
        told = events(seats, "host")
        assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
        assert sorted({event["version"] for event in told}) == list(range(model.version + 1))
        happened += model.happened
