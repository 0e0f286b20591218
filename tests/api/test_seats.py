"""The open table: who may join where, what the last join brings, and what is refused (case 50)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from engine import GAMES, settle_options
from tests.api.conftest import TTL_SECONDS
from tests.api.places import OPEN, READABLE, join, joined, kind, leave, renew
from tests.api.tables import kept, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

every_game = pytest.mark.parametrize("game", GAMES)
WAITING = [{"name": "Ada"}, OPEN, {"bot": "random"}, OPEN]


@pytest.fixture
def seats(client: CheckedClient) -> Seats:
    """A match that waits for seats 1 and 3."""
    return Seats.create(client, seats=WAITING)


# The open table


@every_game
def test_a_waiting_match_shows_who_sits_there_and_no_more(client: CheckedClient, game: str) -> None:
    seats = Seats.create(client, game, seats=WAITING)
    view = seats.view()
    options = settle_options(GAMES[game], {}, players=4)
    assert view == {
        "match_id": seats.match_id,
        "game": game,
        "version": 0,
        "last_seq": 1,
        "status": "waiting",
        "options": {name: getattr(options, name) for name in options.__struct_fields__},
        "seats": [
            {"seat": 0, "name": "Ada", "kind": "human"},
            {"seat": 1, "name": None, "kind": "open"},
            {"seat": 2, "name": "Player 3", "kind": "bot"},
            {"seat": 3, "name": None, "kind": "open"},
        ],
        "you": None,
        "to_act": [],
        "legal_moves": [],
        "table": None,
        "known": [[], [], [], []],
        "result": None,
        "seed_hash": view["seed_hash"],
        "seed": None,
        "host_seeded": False,
        "scripted": False,
        "created_at": view["created_at"],
        "updated_at": view["created_at"],
        "deadline": None,
    }
    assert seats.view("host") == view
    assert seats.view(0) == view | {"you": {"seat": 0, "hand": [], "committed": None}}
    assert kind(seats.move(0, READABLE[game])) == (409, "match-waiting")


def test_a_join_takes_the_first_open_seat(seats: Seats) -> None:
    told = joined(seats)
    assert list(told) == ["token", "match_id", "seat", "name", "view"]
    assert (told["match_id"], told["seat"], told["name"]) == (seats.match_id, 1, "Player 2")
    assert told["view"] == seats.view(1)
    assert told["view"]["version"] == 1
    assert told["view"]["you"] == {"seat": 1, "hand": [], "committed": None}
    assert joined(seats, {"name": "  Cem "})["name"] == "Cem"
    assert [place["name"] for place in seats.view()["seats"]] == [
        *("Ada", "Player 2", "Player 3", "Cem"),
    ]


def test_a_join_takes_the_seat_that_it_names(seats: Seats) -> None:
    answer = join(seats, {"seat": 3, "name": "Dee"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.get_json()["seat"] == 3
    assert [place["kind"] for place in seats.view()["seats"]] == ["human", "open", "bot", "human"]


@every_game
def test_the_last_join_deals_what_would_have_been_dealt_at_once(
    client: CheckedClient, game: str
) -> None:
    """Each event of a join carries its version; the deal comes with the last."""
    seats = Seats.create(client, game, seats=[OPEN, {}, OPEN], seed="demo")
    joined(seats, {"seat": 2})
    last = joined(seats)["view"]
    assert (last["status"], last["version"]) == ("playing", 2)
    at_once = Seats.create(client, game, humans=3, seed="demo")
    for seat in range(3):
        assert seats.view(seat)["you"] == at_once.view(seat)["you"]
    assert seats.view()["table"] == at_once.view()["table"]
    events = seats.client.get(f"{seats.path}/events").get_json()["events"]
    assert [(e["version"], e["type"]) for e in events[:3]] == [
        *((0, "match_created"), (1, "seat_joined"), (2, "seat_joined")),
    ]
    assert {event["version"] for event in events[3:]} == {2}
    assert "cards_dealt" in {event["type"] for event in events[3:]}
    assert (events[-1]["type"], events[-1]["to_act"]) == ("turn", last["to_act"])


def test_bots_among_open_seats_move_with_the_last_join(client: CheckedClient) -> None:
    seats = Seats.create(client, "seven-twos-tens", seats=[{"bot": "random"}, OPEN])
    view = joined(seats)["view"]
    assert (view["status"], view["to_act"]) == ("playing", [1])
    assert view["version"] == 2  # the join, and what the bot has laid


def test_a_table_of_nobody_but_bots_and_one_open_seat_can_be_hosted(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[OPEN, {"bot": "random"}])
    assert seats.tokens == {}
    joined(seats)
    assert seats.play_on()["status"] == "finished"


# What is refused


def test_refused_joins_change_nothing_and_give_no_token(seats: Seats, valkey: Server) -> None:
    joined(seats, {"seat": 1})
    asked: list[tuple[Any, tuple[int, str]]] = [
        ({"seat": 0}, (409, "seat-taken")),
        ({"seat": 1}, (409, "seat-taken")),
        ({"seat": 2}, (409, "seat-taken")),
        ({"seat": 4}, (422, "validation")),
        ({"seat": 64}, (422, "validation")),
        ({"seat": -1}, (422, "validation")),
        ({"seat": "3"}, (422, "validation")),
        ({"seat": True}, (422, "validation")),
        ({"seat": None}, (422, "validation")),
        ({"seat": 3, "bot": "random"}, (422, "validation")),
        ({"seat": 3, "token": seats.tokens[0]}, (422, "validation")),
        ({"seat": 3, "client_seed": ""}, (422, "validation")),
        *(
            ({"name": name}, (422, "validation"))
            for name in ("", "   ", "\u200b", "a\0b", "\u202eA")
        ),
        *(({"name": name}, (422, "validation")) for name in ("x" * 41, 7, None, "\ud800")),
    ]
    with untouched(valkey):
        for body, expected in asked:
            answer = join(seats, body)
            assert kind(answer) == expected, body
            assert "token" not in answer.get_json()
            if expected[0] == 422:
                assert set(answer.get_json()["errors"]) == set(body) - {"seat"} or {"seat"}


def test_a_full_match_takes_nobody_nor_does_a_finished_one(client: CheckedClient) -> None:
    seats = Seats.create(client, options={"turn_limit": 50})
    assert kind(join(seats)) == (409, "match-full")
    assert kind(join(seats, {"seat": 1})) == (409, "seat-taken")
    seats.play_on()
    for body in ({}, {"seat": 1}):
        assert kind(join(seats, body)) == (409, "match-finished")
    assert kind(join(seats, {"seat": 2})) == (422, "validation")


def test_a_match_is_joined_under_its_own_game_alone(seats: Seats) -> None:
    elsewhere = seats.path.replace("even-steven", "card-keeper")
    assert kind(seats.client.post(f"{elsewhere}/seats", json={})) == (404, "not-found")
    nowhere = f"{seats.path[:-1]}{'a' if seats.path[-1] != 'a' else 'b'}"
    assert kind(seats.client.post(f"{nowhere}/seats", json={})) == (404, "not-found")


def test_case_50_seats_of_one_name_are_told_apart_by_their_numbers(seats: Seats) -> None:
    joined(seats, {"name": "Ada"})
    joined(seats, {"name": "Ada"})
    assert [(place["seat"], place["name"]) for place in seats.view()["seats"]] == [
        *((0, "Ada"), (1, "Ada"), (2, "Player 3"), (3, "Ada")),
    ]


def test_a_match_that_is_not_public_is_joined_by_whoever_knows_it(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{}, OPEN], public=False)
    assert kind(seats.get()) == (403, "forbidden")
    joined(seats)
    assert seats.view(1)["status"] == "playing"


# How long it is kept


def test_case_44_whatever_happens_all_of_a_match_is_kept_equally_long(
    client: CheckedClient, valkey: Server
) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, OPEN])
    happens: list[Callable[[], Any]] = [
        lambda: joined(seats, {"seat": 1}),
        lambda: leave(seats, 1),
        lambda: seats.tokens.update({0: renew(seats, 0, "host").get_json()["token"]}),
        lambda: [joined(seats), joined(seats)],
        lambda: seats.play_on(1),
    ]
    last = 0
    for happen in happens:
        time.sleep(0.002)
        happen()
        moments = {at for key, (_, at) in kept(valkey).items() if seats.match_id.encode() in key}
        assert len(moments) == 1
        assert last < min(moments) <= 1000 * (time.time() + TTL_SECONDS)
        last = min(moments)
