"""Overdue decisions: made once, by whoever comes next, as the host's terms have it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from api.table import logged
from engine import GAMES, Match
from tests.api.clocks import START, Clock, milliseconds, on_terms
from tests.api.places import is_dead, join, kind, leave, rematch, renew
from tests.api.tables import POSITIONS, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats
from tests.valkey import Server

pytestmark = pytest.mark.usefixtures("clock")

every_game = pytest.mark.parametrize("game", GAMES)
both_ways = pytest.mark.parametrize("way", ["random", "leave"])
SECONDS = 10
CHAOS = "0: chaos red-1; 1: red-3 red-4; 2: blue-1 wild; discard red-9"


@pytest.fixture
def clock(clock: Clock) -> Clock:
    """The service's clock, a millisecond before the decisions of these tests are due."""
    clock.now = START - 1
    return clock


def almost_due(client: CheckedClient, store: RedisStore, match: Match, way: str) -> Seats:
    """A match as it stands, whose decision is due a millisecond from now."""
    return on_terms(client, store, match, deadline=START, on_timeout=way, turn_seconds=SECONDS)


def told(seats: Seats) -> list[tuple[int, str, int | None]]:
    """Version, type and seat of all events."""
    events = seats.client.get(f"{seats.path}/events").get_json()["events"]
    return [(event["version"], event["type"], event.get("seat")) for event in events]


# Who brings it about


def get(path: str) -> Callable[[Seats], TestResponse]:
    return lambda seats: seats.client.get(seats.path + path)


#: All who may come by, each with the status that they are answered with.
COMERS: dict[str, tuple[Callable[[Seats], TestResponse], int]] = {
    "a spectator": (get(""), 200),
    "the host": (lambda seats: seats.get("host"), 200),
    "another seat": (lambda seats: seats.get(1), 200),
    "a reader of events": (get("/events"), 200),
    "a long poll": (get("/events?after=1000000&wait=0"), 200),
    "one who wants the replay": (get("/replay"), 409),
    "one who wants a rematch": (lambda seats: rematch(seats, "host"), 409),
    "one who would join": (join, 409),
    "one who renews a token": (lambda seats: renew(seats, 1, "host"), 200),
}


@pytest.mark.parametrize(
    "match",
    [
        es("0: 4C 6C 8C; 1: KC QD 3C; 2: 5D 9C KH; pile 2C; value 2"),
        *(POSITIONS[game]() for game in ("card-keeper", "seven-twos-tens")),
    ],
    ids=GAMES,
)
@both_ways
@pytest.mark.parametrize("comer", COMERS)
def test_whoever_comes_next_makes_the_move(
    client: CheckedClient, store: RedisStore, clock: Clock, match: Match, way: str, comer: str
) -> None:
    come, status = COMERS[comer]
    seats = almost_due(client, store, match, way)
    assert come(seats).status_code == status
    assert seats.view()["version"] == 0
    clock.go_on(0.001)
    assert come(seats).status_code == status
    first, *more = told(seats)
    assert first == (1, "move_overdue", 0)
    if way == "leave":
        assert more[0] == (1, "seat_left", 0)
        assert seats.view()["seats"][0]["kind"] == "bot"
        is_dead(seats, seats.tokens[0], 0)
    else:
        assert {version for version, *_ in more} == {1}
        assert seats.view()["seats"][0]["kind"] == "human"
        assert seats.view(0)["you"]["seat"] == 0


def test_a_list_makes_no_move_and_a_deletion_needs_none(
    client: CheckedClient, store: RedisStore, clock: Clock, valkey: Server
) -> None:
    seats = Seats.create(client, turn_seconds=SECONDS)
    clock.go_on(SECONDS)
    with untouched(valkey):
        (shown,) = client.get("/v1/games/even-steven/matches").get_json()["matches"]
    assert shown["version"] == 0
    assert client.delete(seats.path, headers=seats.auth("host")).status_code == 204


# What is made


@every_game
def test_the_move_is_a_legal_one_and_is_made_once_however_late(
    client: CheckedClient, store: RedisStore, clock: Clock, game: str
) -> None:
    seats = almost_due(client, store, POSITIONS[game](), "random")
    legal = seats.view(0)["legal_moves"]
    clock.go_on(100 * SECONDS)
    view = seats.view()
    now = clock.now
    assert view["version"] == 1
    assert seats.view() == view
    if view["status"] == "playing":
        assert milliseconds(view["deadline"]) == now + 1000 * SECONDS
    steps = [logged(entry.data).step for entry in store.entries(seats.match_id, 0, 9)]
    assert [(step.seat, step.move in legal) for step in steps] == [(0, True)]


def test_bots_play_on_after_it(client: CheckedClient, clock: Clock) -> None:
    seats = [{}, {"bot": "random"}, {}]
    for seed in range(5):
        made = Seats.create(
            client, "card-keeper", seats=seats, turn_seconds=SECONDS, seed=f"bots {seed}"
        )
        before = made.view()
        clock.go_on(SECONDS)
        assert set(made.view()["to_act"]) <= {0, 2}
        late = (before["version"] + 1, "move_overdue", before["to_act"][0])
        assert late in told(made)


@every_game
def test_a_match_that_all_have_forgotten_is_played_to_its_end_by_who_looks_in(
    client: CheckedClient, clock: Clock, game: str
) -> None:
    seats = Seats.create(client, game, turn_seconds=5, options={"turn_limit": 50}, seed="forgotten")
    for looks in range(1, 200):
        clock.go_on(5)
        view = seats.view()
        if view["status"] == "finished":
            break
        assert view["version"] >= looks
    assert view["status"] == "finished"
    assert view["deadline"] is None


def test_when_all_have_left_overdue_the_bots_play_to_the_end(
    client: CheckedClient, clock: Clock
) -> None:
    seats = Seats.create(
        client, turn_seconds=5, on_timeout="leave", options={"turn_limit": 50}, seed="left"
    )
    for _ in range(2):
        clock.go_on(5)
        view = seats.view()
    assert (view["status"], [s["kind"] for s in view["seats"]]) == ("finished", ["bot", "bot"])


# Simultaneous choices


@both_ways
def test_all_who_still_owe_a_choice_are_late_together(
    client: CheckedClient, store: RedisStore, clock: Clock, way: str
) -> None:
    seats = almost_due(client, store, ck(CHAOS), way)
    seats.move(0, {"action": "play", "card": "chaos"})
    clock.go_on(4)
    seats.move(2, {"action": "burn", "card": "blue-1"})
    assert seats.view()["to_act"] == [1]
    clock.go_on(SECONDS - 4)
    assert seats.view()["to_act"] != [1] or way == "random"
    overdue = [(version, seat) for version, kind, seat in told(seats) if kind == "move_overdue"]
    assert overdue == [(3, 1)]
    assert [seat for _, kind, seat in told(seats) if kind == "card_burned"][:2] == [1, 2]


@both_ways
def test_nobody_has_chosen_and_all_are_late(client: CheckedClient, clock: Clock, way: str) -> None:
    seats = Seats.create(
        client, "seven-twos-tens", humans=4, turn_seconds=SECONDS, on_timeout=way, seed="late"
    )
    clock.go_on(SECONDS)
    view = seats.view()
    overdue = [(version, seat) for version, kind, seat in told(seats) if kind == "move_overdue"]
    assert overdue == [(1, 0), (2, 1), (3, 2), (4, 3)]
    if way == "random":
        assert (view["version"], view["table"]["phase"]) == (4, "play")
    else:
        assert view["status"] == "finished"


@pytest.mark.parametrize("comer", ["a spectator", "another seat", "a reader of events"])
def test_the_turn_limit_may_come_before_all_late_ones_have_chosen(
    client: CheckedClient, store: RedisStore, clock: Clock, comer: str
) -> None:
    match = ck(
        "0: red-1; 1: red-3 red-4; 2: blue-1 wild; discard chaos; colour red; chaos 1 2; moves 49",
        turn_limit=50,
    )
    seats = almost_due(client, store, match, "random")
    clock.go_on(SECONDS)
    assert COMERS[comer][0](seats).status_code == 200
    view = seats.view()
    assert (view["version"], view["status"]) == (1, "finished")
    assert view["result"]["reason"] == "turn_limit"


# Whoever is late


def test_a_late_mover_is_told_that_it_is_not_their_turn(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    seats = almost_due(client, store, es("0: 4C 6C; 1: KC QD; pile 2C; value 2"), "random")
    seen = {"If-Match": seats.get(0).headers["ETag"]}
    key = {"Idempotency-Key": "late"}
    clock.go_on(0.001)
    body = {"action": "play", "card": "4C"}
    assert kind(seats.move(0, body, **key)) == (409, "not-your-turn")
    assert kind(seats.move(0, body, **seen)) == (412, "version-mismatch")
    assert seats.view()["version"] == 1


def test_a_late_move_is_no_longer_judged_on_the_decision_that_was_missed(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    """It is this seat's turn again: only If-Match tells that it is another decision."""
    seats = almost_due(
        client, store, st("0: 2C | | 3C . .; 1: 8C 8D; pile 4S; draw 2D 2H 9H"), "random"
    )
    seen = {"If-Match": seats.get(0).headers["ETag"]}
    clock.go_on(0.001)
    body = {"action": "play", "cards": ["2D"]}
    assert kind(seats.move(0, body, **seen)) == (412, "version-mismatch")
    assert seats.view()["to_act"] == [0]
    assert seats.move(0, body).status_code == 200


def test_who_was_put_out_of_the_seat_is_a_stranger(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    seats = almost_due(client, store, POSITIONS["even-steven"](), "leave")
    clock.go_on(0.001)
    assert kind(seats.move(0, {"action": "play", "card": "7H"})) == (401, "unauthorized")
    is_dead(seats, seats.tokens[0], 0)
    # The bots may have played on to the end by now, as chance will have it.
    assert kind(leave(seats, 0, "host")) in ((404, "not-found"), (409, "match-finished"))


def test_in_time_is_before_the_deadline(
    client: CheckedClient, store: RedisStore, clock: Clock
) -> None:
    seats = almost_due(client, store, POSITIONS["even-steven"](), "random")
    moved = seats.move(0, {"action": "play", "card": "7H"})
    assert moved.get_json()["version"] == 1
    assert "move_overdue" not in {kind for _, kind, _ in told(seats)}
