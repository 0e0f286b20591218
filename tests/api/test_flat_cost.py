"""The two-thousandth move of a match costs the store what its twentieth does: as many commands and
bytes, whatever has been logged and kept since. `bench/flat.py` holds the stopwatch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from api.store import keys
from api.store.redis import RedisStore
from engine import GAMES, Match
from tests.histories import long_history, store_with_log
from tests.seats import Seats
from tests.traffic import Meter
from tests.valkey import Server

EARLY, LATE = 20, 2000
#: Bytes that longer numbers may add to a request or its answer: versions, event numbers, draws.
NUMBERS = 24
#: How much larger a match may be in its second half: what is known of cards comes and goes, and
#: Seven, Twos & Tens keeps the points of up to twenty rounds. A log in it would double it.
GROWTH = 1.25
#: What the store does for a move: two round trips, and what the script of the second one calls.
MOVE = Counter(hmget=2, evalsha=1, xadd=1, hset=1, pexpire=2, publish=1)

Request = Callable[[Seats, int, Any], TestResponse]
REQUESTS: dict[str, Request] = {
    "a move": lambda seats, seat, body: seats.move(seat, body),
    "a move with a key": lambda seats, seat, body: seats.move(
        seat, body, **{"Idempotency-Key": "the-same"}
    ),
    "a dry run": lambda seats, seat, body: seats.client.post(
        f"{seats.path}/moves?dry_run=true", json=body, headers=seats.auth(seat)
    ),
    "a view": lambda seats, seat, body: seats.get(seat),
    "what is new": lambda seats, seat, body: seats.client.get(
        f"{seats.path}/events?after={seats.view(seat)['last_seq'] - 1}", headers=seats.auth(seat)
    ),
}


@pytest.fixture(scope="module")
def late() -> dict[str, Match]:
    """By game, a match of many moves."""
    return {game: long_history(game, moves=LATE) for game in GAMES}


@pytest.fixture
def meter(valkey: Server) -> Iterator[Meter]:
    with valkey.client() as client:
        meter = Meter(client)
        yield meter
        meter.close()


def seated(app: Flask, store: RedisStore, match: Match) -> Seats:
    """The match with its log, where it can be asked for over HTTP."""
    return Seats(Client(app), match.game.id, store_with_log(store, match))


def next_move(match: Match) -> tuple[int, Any]:
    """A seat and a move that it may make."""
    seat = match.to_act[0]
    return seat, match.game.body(match.legal_moves(seat)[0])


def twin(match: Match) -> Match:
    """The same table, with so short a log as if the match had only just begun."""
    other = Match.from_bytes(match.to_bytes())
    other.log = match.log[-EARLY:]
    return other


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("game", GAMES)
def test_a_request_costs_the_store_the_same_however_much_was_logged(
    app: Flask,
    store: RedisStore,
    valkey: Server,
    meter: Meter,
    late: dict[str, Match],
    game: str,
    name: str,
) -> None:
    seat, body = next_move(late[game])
    tables = [
        seated(app, store, match) for match in (twin(late[game]), twin(late[game]), late[game])
    ]
    with valkey.client() as client:
        answers = {f"answer:{number:032x}": b"x" * 500 for number in range(LATE)}
        client.hset(keys.match(tables[-1].match_id), mapping=answers)
    # The first table is for what happens once in a process.
    found = []
    for seats in tables:
        traffic, answer = meter.of(partial(REQUESTS[name], seats, seat, body))
        assert answer.status_code == 200, answer.text
        found.append(traffic)
    _, few, many = found
    assert many.commands == few.commands
    assert many.received == pytest.approx(few.received, abs=NUMBERS)
    assert many.sent == pytest.approx(few.sent, abs=NUMBERS)
    assert few.commands


@pytest.mark.parametrize("game", GAMES)
def test_only_the_cards_on_the_table_make_a_late_move_another_size(
    app: Flask, store: RedisStore, valkey: Server, meter: Meter, late: dict[str, Match], game: str
) -> None:
    early = long_history(game, moves=EARLY)
    found = []
    for match in (early, early, late[game]):
        seats, (seat, body) = seated(app, store, match), next_move(match)
        with valkey.client() as client:
            before = client.hstrlen(keys.match(seats.match_id), "state")
            traffic, answer = meter.of(partial(seats.move, seat, body))
            assert answer.status_code == 200, answer.text
            after = client.hstrlen(keys.match(seats.match_id), "state")
            ((_, fields),) = client.xrevrange(keys.events(seats.match_id), count=1)
        found.append(
            (traffic, traffic.sent - before, traffic.received - after - len(fields[b"data"]))
        )
    _, first, last = found
    assert last[0].commands == first[0].commands == MOVE
    assert last[1:] == pytest.approx(first[1:], abs=NUMBERS)


@pytest.mark.parametrize("game", GAMES)
def test_a_saved_match_does_not_grow_with_its_moves(late: dict[str, Match], game: str) -> None:
    told = late[game]
    match = Match.new(told.game, seats=told.seats, seed=told.seed, options=told.chosen_options())
    sizes = []
    for step in told.log[1:]:
        assert step.seat is not None
        assert step.move is not None
        match.play(step.seat, step.move)
        match.log.clear()
        sizes.append(len(match.to_bytes()))
    assert match.to_bytes() == told.to_bytes()
    assert max(sizes[LATE // 2 :]) <= GROWTH * max(sizes[: LATE // 2])
