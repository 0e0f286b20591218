"""Events as a stream of lines, `application/x-ndjson`: the view first, then each event on a line.
What ends a stream of either kind is in test_sse.py."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from flask import Flask

from api.store.redis import RedisStore
from engine import GAMES
from tests.api.places import OPEN, joined
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.follow import follower, public
from tests.histories import history, store_with_log
from tests.seats import Seats
from tests.streams import NDJSON, watching

SIGN_OF_LIFE = 0.1


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life come often."""
    monkeypatch.setattr("api.watching.KEEPALIVE", SIGN_OF_LIFE)


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match in the middle, with its log."""
    return Seats(client, "even-steven", store_with_log(store, history("even-steven", moves=8)))


def events(seats: Seats, who: int | str | None = None) -> list[Any]:
    """All events of a short match, as a page has them."""
    answer = seats.client.get(f"{seats.path}/events?limit=1000", headers=seats.auth(who))
    found: list[Any] = answer.get_json()["events"]
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("who", [0, 1, "host", None])
def test_the_first_line_is_the_whole_view_and_all_after_it_follows(
    app: Flask, client: CheckedClient, store: RedisStore, game: str, who: int | str | None
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    seats.play_on(2)
    before = seats.get(who)
    with watching(app, seats, who, NDJSON) as stream:
        first = stream.until(lambda got: got.others).others[0]
        assert stream.headers["Content-Type"] == "application/x-ndjson"
        assert stream.headers["X-Accel-Buffering"] == "no"
        assert first == before.data
        table = follower(json.loads(first))
        seats.play_on(5)
        after = seats.view(who)
        for event in stream.until_seq(after["last_seq"]):
            table.take(event)
        assert table.now == public(after)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_begins_waiting_is_followed_to_its_end(
    app: Flask, client: CheckedClient, game: str
) -> None:
    seats = Seats.create(client, game, seats=[{"name": "Ada"}, OPEN], options={"turn_limit": 50})
    with watching(app, seats, 0, NDJSON) as own, watching(app, seats, None, NDJSON) as other:
        first = json.loads(own.until(lambda got: got.others).others[0])
        assert (first["status"], first["table"]) == ("waiting", None)
        other.until(lambda got: got.others)
        joined(seats)
        seats.play_on()
        last = seats.view()
        assert last["status"] == "finished"
        for stream, who in ((own, 0), (other, None)):
            table = follower(first)
            for event in stream.until_end():
                table.take(event)
            assert table.now == public(last)
            assert stream.got.events == events(seats, who)[first["last_seq"] :]


@pytest.mark.parametrize("after", [0, 1, 5])
def test_with_a_number_to_go_on_from_no_view_is_sent(app: Flask, seats: Seats, after: int) -> None:
    whole = events(seats, 0)
    with watching(app, seats, 0, NDJSON, f"?after={after}") as stream:
        assert stream.until_seq(len(whole)) == whole[after:]
        assert set(stream.got.others) == {b""}


def test_a_client_learns_at_once_that_it_is_served(
    app: Flask, seats: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when nothing happens for a long time: headers go out with the first bytes."""
    monkeypatch.setattr("api.watching.KEEPALIVE", 30)
    last, begun = len(events(seats)), time.monotonic()
    with watching(app, seats, 0, NDJSON, f"?after={last}") as stream:
        stream.until(lambda got: got.raw == b"\n")
        assert time.monotonic() - begun < 10
        monkeypatch.setattr(app.extensions["croupier-hub"], "stopping", lambda: True)
        assert stream.until_end() == []


def test_silence_is_broken_by_blank_lines(app: Flask, seats: Seats) -> None:
    last = len(events(seats))
    with watching(app, seats, 0, NDJSON, f"?after={last}") as stream:
        begun = time.monotonic()
        got = stream.until(lambda got: len(got.raw) >= 6)
        assert time.monotonic() - begun > 3 * SIGN_OF_LIFE
        assert got.raw.strip(b"\n") == b""


def test_last_event_id_is_for_browsers_and_changes_nothing_here(app: Flask, seats: Seats) -> None:
    view = seats.get(0).data
    with watching(app, seats, 0, NDJSON, **{"Last-Event-ID": "1"}) as stream:
        assert stream.until(lambda got: got.others).others[0] == view


def test_a_finished_match_is_told_and_then_the_stream_ends(
    app: Flask, client: CheckedClient, store: RedisStore
) -> None:
    match = history("even-steven", turn_limit=50)
    seats = Seats(client, "even-steven", store_with_log(store, match))
    with watching(app, seats, 1, NDJSON) as stream:
        assert stream.until_end() == []
        assert stream.got.raw == seats.get(1).data + b"\n"
    with watching(app, seats, 1, NDJSON, f"?after={match.seq - 2}") as stream:
        assert stream.until_end() == events(seats, 1)[-2:]
    with watching(app, seats, 1, NDJSON, f"?after={match.seq}") as stream:
        assert stream.until_end() == []
