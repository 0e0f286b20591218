"""Events as a long poll: an empty page is held back until something happens, and no longer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from api.hub import Hub
from api.store.redis import RedisStore
from api.table import Terms
from engine import GAMES
from tests.api.places import OPEN, joined, kind, leave, renew
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.histories import history, store_with_log
from tests.seats import Seats
from tests.services import eventually

#: Seconds that a poll of a test may be held back; what it waits for comes long before.
LONG = 30
#: Seconds within which a poll must be answered when there is something to tell.
SOON = 5


@pytest.fixture
def hub(app: Flask) -> Hub:
    hub = app.extensions["croupier-hub"]
    assert isinstance(hub, Hub)
    return hub


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match in which seat 0 is to act."""
    return placed(client, store, POSITIONS["even-steven"]())


@contextmanager
def polling(
    app: Flask, hub: Hub, seats: Seats, *watchers: int | str | None, wait: int = LONG
) -> Iterator[list[Future[TestResponse]]]:
    """Polls that are held back already, one for each watcher, for what comes after the last event.
    Whatever is to be told must be told within `SOON`."""
    path = f"{seats.path}/events?after={seats.view('host')['last_seq']}&wait={wait}"

    def poll(who: int | str | None) -> TestResponse:
        return Client(app).get(path, headers=seats.auth(who))

    before = hub.watchers()
    with ThreadPoolExecutor(len(watchers)) as pool:
        polls = [pool.submit(poll, who) for who in watchers]
        eventually(lambda: hub.watchers() == before + len(watchers), within=SOON)
        time.sleep(0.1)  # for each of them to have looked, and found nothing
        assert not any(future.done() for future in polls)
        begun = time.monotonic()
        try:
            yield polls
        finally:
            for future in polls:
                future.result(LONG + SOON)
        assert time.monotonic() - begun < SOON
    assert hub.watchers() == before, "a poll is over and its watcher is still there"


def told(future: Future[TestResponse]) -> Any:
    """The events that a poll was answered with."""
    answer = future.result(SOON)
    assert answer.status_code == 200, answer.text
    return answer.get_json()["events"]


@pytest.mark.parametrize("game", GAMES)
def test_a_move_is_told_to_all_who_wait_as_each_may_see_it(
    app: Flask, hub: Hub, client: CheckedClient, store: RedisStore, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    watchers = (0, 1, 2, "host", None)
    with polling(app, hub, seats, *watchers) as polls:
        before = seats.view()["last_seq"]
        moved = seats.move(0, seats.view(0)["legal_moves"][-1])
        assert moved.status_code == 200
        assert told(polls[0]) == moved.get_json()["events"]
        for who, poll in zip(watchers, polls, strict=True):
            path = f"{seats.path}/events?after={before}"
            assert told(poll) == client.get(path, headers=seats.auth(who)).get_json()["events"]


def test_events_that_are_there_are_told_at_once(client: CheckedClient, store: RedisStore) -> None:
    made = store_with_log(store, history("even-steven", moves=3))
    seats = Seats(client, "even-steven", made)
    begun = time.monotonic()
    waited = client.get(f"{seats.path}/events?wait=60").data
    assert waited == client.get(f"{seats.path}/events").data
    assert time.monotonic() - begun < SOON


def test_a_finished_match_is_not_waited_for(client: CheckedClient, store: RedisStore) -> None:
    match = history("even-steven", turn_limit=50)
    seats = Seats(client, "even-steven", store_with_log(store, match))
    begun = time.monotonic()
    answer = client.get(f"{seats.path}/events?after={match.seq}&wait=60")
    assert answer.get_json() == {"events": [], "last_seq": match.seq}
    assert time.monotonic() - begun < SOON


def test_without_news_an_empty_page_comes_when_the_time_is_over(seats: Seats) -> None:
    last, begun = seats.view()["last_seq"], time.monotonic()
    answer = seats.client.get(f"{seats.path}/events?after={last}&wait=1")
    assert answer.get_json() == {"events": [], "last_seq": last}
    assert 1 <= time.monotonic() - begun < 1 + SOON


def test_case_31_a_refused_move_wakes_nobody(app: Flask, hub: Hub, seats: Seats) -> None:
    with polling(app, hub, seats, 1, None) as polls:
        legal = seats.view(0)["legal_moves"][0]
        for who, body in ((1, legal), (0, {"action": "fly"}), (0, {"action": "flip", "slot": 0})):
            assert seats.move(who, body).status_code >= 400
        assert seats.move(0, legal, **{"If-Match": '"77"'}).status_code == 412
        dry = seats.client.post(
            f"{seats.path}/moves?dry_run=true", json=legal, headers=seats.auth(0)
        )
        assert dry.status_code == 200
        time.sleep(0.3)
        assert not any(poll.done() for poll in polls)
        assert seats.move(0, legal).status_code == 200
        assert all(told(poll) for poll in polls)


def test_a_change_without_an_event_is_no_news(app: Flask, hub: Hub, seats: Seats) -> None:
    """Somebody else's new token wakes the room, and a poll goes on waiting."""
    with polling(app, hub, seats, 1) as (poll,):
        assert renew(seats, 2, "host").status_code == 200
        time.sleep(0.3)
        assert not poll.done()
        assert seats.move(0, seats.view(0)["legal_moves"][0]).status_code == 200


@pytest.mark.parametrize(
    ("change", "answered"),
    [
        (lambda seats: renew(seats, 1, 1), (401, "unauthorized")),
        (lambda seats: leave(seats, 1), (401, "unauthorized")),
        (lambda seats: seats.client.delete(seats.path, headers=seats.auth("host")),
         (404, "not-found")),
    ],
    ids=["renewed", "left", "deleted"],
)  # fmt: skip
def test_whoever_may_watch_no_longer_is_told_so_while_waiting(
    app: Flask, hub: Hub, seats: Seats, change: Any, answered: Any
) -> None:
    with polling(app, hub, seats, 1) as (poll,):
        assert change(seats).status_code in (200, 204)
        assert kind(poll.result(SOON)) == answered


def test_the_last_join_is_told_with_the_deal(app: Flask, hub: Hub, client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{"name": "Ada"}, OPEN])
    with polling(app, hub, seats, 0, None) as (own, open_to_all):
        joined(seats)
        kinds = [event["type"] for event in told(own)]
        assert kinds == ["seat_joined", "cards_dealt", "cards_dealt", "round_started", "turn"]
        hands = [event["cards"] for event in told(own) if event["type"] == "cards_dealt"]
        assert hands == [seats.view(0)["you"]["hand"], None]
        assert all(event.get("cards") is None for event in told(open_to_all))


def test_waiting_brings_an_overdue_move_about(
    app: Flask, hub: Hub, client: CheckedClient, store: RedisStore
) -> None:
    """Nobody else comes: the move is made because somebody waits for it."""
    match = history("even-steven", moves=3)
    due = time.time_ns() // 1_000_000 + 1000
    made = store_with_log(store, match, terms=Terms(turn_seconds=5), deadline=due)
    seats = Seats(client, "even-steven", made)
    (late,) = match.to_act
    with polling(app, hub, seats, None) as (poll,):
        first = told(poll)[0]
        assert time.time_ns() // 1_000_000 >= due
        assert (first["type"], first["seat"]) == ("move_overdue", late)


def test_a_worker_that_stops_answers_at_once(
    app: Flask, hub: Hub, seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = seats.view()["last_seq"]
    with polling(app, hub, seats, 0, None) as polls:
        monkeypatch.setattr(hub, "stopping", lambda: True)
        for poll in polls:
            assert poll.result(SOON).get_json() == {"events": [], "last_seq": last}
