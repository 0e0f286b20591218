"""Whole lives of matches over HTTP: joins, moves, leaves, bots and decisions that come too late."""

from __future__ import annotations

from random import Random
from typing import Any

from flask.testing import FlaskClient

from tests.api.clocks import Clock
from tests.api.places import OPEN, joined, leave
from tests.seats import Seats

SECONDS = 10


def lived(client: FlaskClient, clock: Clock, game: str, seed: str, **request: Any) -> Seats:
    """A finished match in which a bit of everything has happened."""
    rng = Random(f"{game} {seed}")
    seats: list[dict[str, Any]] = [{"name": "Ada", "client_seed": seed}, OPEN, OPEN]
    seats += [{"bot": "random"}] * rng.randint(0, 1)
    request = {"turn_seconds": SECONDS, "options": {"turn_limit": 60}, **request}
    made = Seats.create(client, game, seats=seats, **request)
    joined(made, {"name": "Eve"})
    leave(made, 1)
    joined(made, {"name": "Ben", "client_seed": f"{seed} of Ben"})
    joined(made, {"name": "Cem"})
    clock.go_on(SECONDS)
    while (view := made.view("host"))["status"] == "playing":
        present = [seat for seat in view["to_act"] if seat in made.tokens]
        chance = rng.random()
        if chance < 0.05 or not present:
            clock.go_on(SECONDS)
        elif chance < 0.07 and len(made.tokens) > 1:
            leave(made, present[0])
            del made.tokens[present[0]]
        else:
            seat = rng.choice(present)
            made.move(seat, rng.choice(made.view(seat)["legal_moves"]))
    return made


def events(seats: Seats, who: int | str | None) -> list[dict[str, Any]]:
    """All events of a match as somebody may see them."""
    found: list[dict[str, Any]] = []
    while True:
        path = f"{seats.path}/events?limit=1000&after={len(found)}"
        page = seats.client.get(path, headers=seats.auth(who)).get_json()["events"]
        if not page:
            return found
        found += page
