"""Bots play a stretch in each request: whoever comes next lets them play on, and they are never
late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.api.clocks import START, Clock, milliseconds
from tests.api.lives import events
from tests.api.places import kind, leave
from tests.conformance import CheckedClient
from tests.seats import Seats

pytestmark = pytest.mark.usefixtures("clock")

STRETCH = 3
SECONDS = 10
BOT = {"bot": "random"}
both_ways = pytest.mark.parametrize("way", ["random", "leave"])


@pytest.fixture
def app(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The service, with bots that soon make a pause."""
    monkeypatch.setattr("api.service.BOT_MOVES", STRETCH)
    return app


def bots_alone(client: CheckedClient, **request: Any) -> Seats:
    """A match of bots, of more moves than one stretch has."""
    options = {"turn_limit": 50, "hand_size": 7}
    return Seats.create(client, seats=[BOT, BOT], options=options, seed="bots", **request)


LOOKS: dict[str, Callable[[Seats], Any]] = {
    "a spectator": lambda seats: seats.get(),
    "the host": lambda seats: seats.get("host"),
    "a reader of events": lambda seats: seats.client.get(f"{seats.path}/events"),
    "one who wants the replay": lambda seats: seats.client.get(f"{seats.path}/replay"),
}


@pytest.mark.parametrize("look", LOOKS)
def test_each_look_lets_the_bots_play_on(client: CheckedClient, look: str) -> None:
    seats = bots_alone(client)
    assert [seat["kind"] for seat in seats.view()["seats"]] == ["bot", "bot"]
    for looks in range(3, 50):
        assert LOOKS[look](seats).status_code in (200, 409)
        view = seats.view()
        if view["status"] == "finished":
            break
        assert view["version"] >= looks * STRETCH
    assert view["status"] == "finished"
    told = events(seats, None)
    assert [event["seq"] for event in told] == list(range(1, view["last_seq"] + 1))
    versions = {event["version"] for event in told}
    assert versions == set(range(view["version"] + 1))
    assert [event["type"] for event in told].count("match_finished") == 1


def test_a_list_lets_nobody_play_on(client: CheckedClient) -> None:
    bots_alone(client)
    shown = [client.get("/v1/games/even-steven/matches").get_json() for _ in range(3)]
    assert [page["matches"][0]["version"] for page in shown] == [STRETCH] * 3


@both_ways
def test_bots_are_never_late(client: CheckedClient, clock: Clock, way: str) -> None:
    seats = bots_alone(client, turn_seconds=SECONDS, on_timeout=way)
    view = seats.view()
    while view["status"] == "playing":
        assert view["deadline"] is None
        clock.go_on(SECONDS)
        answer = seats.get()
        assert answer.status_code == 200, answer.text
        view = answer.get_json()
    assert not [event for event in events(seats, None) if event["type"] == "move_overdue"]


@both_ways
def test_a_player_who_owes_a_choice_beside_bots_is_late_alone(
    client: CheckedClient, clock: Clock, way: str
) -> None:
    seats = Seats.create(
        client,
        "seven-twos-tens",
        seats=[{}, *[BOT] * 9],
        turn_seconds=SECONDS,
        on_timeout=way,
        seed="lay",
    )
    view = seats.view()
    assert set(view["to_act"]) > {0}  # bots that have not laid yet
    assert milliseconds(view["deadline"]) == START + 1000 * SECONDS
    clock.go_on(SECONDS)
    view = seats.view()
    overdue = [event["seat"] for event in events(seats, None) if event["type"] == "move_overdue"]
    assert overdue == [0]
    while view["table"]["phase"] == "lay":
        assert view["deadline"] is None
        view = seats.view()


def test_a_player_may_choose_while_bots_still_owe_theirs(client: CheckedClient) -> None:
    seats = Seats.create(client, "seven-twos-tens", seats=[*[BOT] * 9, {}], seed="lay")
    moved = seats.move(9, seats.view(9)["legal_moves"][0])
    assert moved.status_code == 200
    assert 9 not in moved.get_json()["to_act"]
    for _ in range(9):
        view = seats.view()
    assert view["table"]["phase"] == "play"


def test_a_seat_that_is_left_is_played_on_in_stretches_too(client: CheckedClient) -> None:
    options = {"turn_limit": 50}
    seats = Seats.create(client, options=options, seed="left", turn_seconds=SECONDS)
    leave(seats, 0)
    assert leave(seats, 1).status_code == 204
    for _ in range(50):
        view = seats.view()
    assert (view["status"], view["deadline"]) == ("finished", None)
    assert kind(leave(seats, 0, "host")) == (409, "match-finished")
