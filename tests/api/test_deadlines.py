"""Deadlines: until when a decision may be made, and what moves that moment."""

from __future__ import annotations

from typing import Any

import pytest

from api.store.redis import RedisStore
from engine import GAMES
from tests.api.clocks import START, Clock, milliseconds, on_terms
from tests.api.places import OPEN, joined, kind, leave, renew
from tests.conformance import CheckedClient
from tests.engine.positions import st
from tests.seats import Seats

pytestmark = pytest.mark.usefixtures("clock")

every_game = pytest.mark.parametrize("game", GAMES)
SECONDS = 10


def due(view: dict[str, Any]) -> float | None:
    """In how many seconds from the clock's start a view's decision is due."""
    return view["deadline"] and (milliseconds(view["deadline"]) - START) / 1000


@every_game
def test_a_decision_is_due_so_many_seconds_after_it_is_first_owed(
    client: CheckedClient, clock: Clock, game: str
) -> None:
    seats = Seats.create(client, game, turn_seconds=SECONDS, options={"turn_limit": 50})
    view = seats.view()
    assert due(view) == SECONDS
    while view["status"] == "playing":
        before = view
        clock.go_on(3.25)
        seat = view["to_act"][0]
        view = seats.move(seat, seats.view(seat)["legal_moves"][0]).get_json()
        if view["status"] == "playing":
            still_out = set(view["to_act"]) < set(before["to_act"])
            now = (clock.now - START) / 1000
            assert due(view) == (due(before) if still_out else now + SECONDS)
    assert view["deadline"] is None
    clock.go_on(1000)
    assert seats.view() == seats.view("host")
    assert seats.view()["version"] == view["version"]


def test_without_terms_any_time_may_pass(client: CheckedClient, clock: Clock) -> None:
    seats = Seats.create(client)
    clock.go_on(10 * 365 * 86_400)
    assert (seats.view()["deadline"], seats.view()["version"]) == (None, 0)


def test_time_runs_from_the_deal_on(client: CheckedClient, clock: Clock) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, OPEN], turn_seconds=SECONDS)
    clock.go_on(1000)
    joined(seats)
    assert (seats.view()["deadline"], seats.view()["version"]) == (None, 1)
    clock.go_on(1000)
    assert due(joined(seats)["view"]) == 2000 + SECONDS


def test_what_is_no_decision_leaves_the_deadline_alone(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    seats = Seats.create(client, "seven-twos-tens", humans=3, turn_seconds=SECONDS)
    clock.go_on(4)
    assert leave(seats, 2).status_code == 204  # the bot lays at once
    seats.tokens[0] = renew(seats, 0, 0).get_json()["token"]
    seats.move(0, seats.view(0)["legal_moves"][0])
    view = seats.view()
    assert (view["to_act"], due(view)) == ([1], SECONDS)


def test_who_plays_again_has_the_whole_time_again(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    match = st("0: 2C 9H 10H; 1: 8C 8D; pile 4S")
    seats = on_terms(client, store, match, deadline=START + 5_000)
    clock.go_on(4)
    moved = seats.move(0, {"action": "play", "cards": ["2C"]}).get_json()
    assert (moved["to_act"], due(moved)) == ([0], 4 + SECONDS)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        *(("turn_seconds", value) for value in (4, 0, -1, 604_801, True, "60", 60.0, None)),
        *(("on_timeout", value) for value in ("skip", "", None, True, ["leave"])),
    ],
)
def test_terms_that_cannot_be_are_refused(client: CheckedClient, member: str, value: Any) -> None:
    body = {"seats": [{}, {}], member: value}
    answer = client.post("/v1/games/even-steven/matches", json=body)
    assert kind(answer) == (422, "validation")
    assert set(answer.get_json()["errors"]) == {member}
