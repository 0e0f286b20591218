"""Events as a stream for browsers, `text/event-stream` as the HTML standard has it: frames, coming
back without loss or repeat, signs of life, and every reason to end."""

from __future__ import annotations

import time
from typing import Any

import pytest
from flask import Flask

from api.hub import Hub
from api.store import keys
from api.store.redis import RedisStore
from api.table import Terms
from engine import GAMES
from tests.api.places import OPEN, joined, leave, renew
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.histories import history, store_with_log
from tests.seats import Seats
from tests.services import eventually
from tests.streams import NDJSON, SSE, watching
from tests.valkey import Server

SIGN_OF_LIFE = 0.05
#: Streams that end, and what comes of it, are the same for both kinds.
either = pytest.mark.parametrize("accept", [SSE, NDJSON])


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of life come often."""
    monkeypatch.setattr("api.watching.KEEPALIVE", SIGN_OF_LIFE)


@pytest.fixture
def hub(app: Flask) -> Hub:
    hub = app.extensions["croupier-hub"]
    assert isinstance(hub, Hub)
    return hub


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match in the middle, with its log."""
    return Seats(client, "even-steven", store_with_log(store, history("even-steven", moves=5)))


def events(seats: Seats, who: int | str | None = None) -> list[Any]:
    """All events of a short match, as a page has them."""
    answer = seats.client.get(f"{seats.path}/events?limit=1000", headers=seats.auth(who))
    found: list[Any] = answer.get_json()["events"]
    return found


def legal(seats: Seats) -> tuple[int, dict[str, Any]]:
    """The next seat to act, and its first move."""
    (seat,) = seats.view()["to_act"]
    return seat, seats.view(seat)["legal_moves"][0]


def test_a_frame_is_number_type_and_data(app: Flask, client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{"name": "Zoë ♠"}, OPEN])
    with watching(app, seats, 0) as stream:
        stream.until_seq(1)
        assert (stream.status, stream.headers["Content-Type"]) == (
            200,
            "text/event-stream; charset=utf-8",
        )
        assert stream.headers["X-Accel-Buffering"] == "no"
        assert "Content-Length" not in stream.headers
        assert stream.got.raw.startswith(
            b"retry: 1000\n\n"
            b"id: 1\n"
            b"event: match_created\n"
            b'data: {"seq":1,"version":0,"type":"match_created","seats":['
            b'{"seat":0,"name":"Zo\xc3\xab \xe2\x99\xa0","kind":"human"},'
            b'{"seat":1,"name":null,"kind":"open"}]}\n\n'
        )


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_told_to_all_from_the_first_event_to_the_last(
    app: Flask, client: CheckedClient, game: str
) -> None:
    seats = Seats.create(
        client, game, seats=[{"name": "Ada"}, OPEN, OPEN], options={"turn_limit": 50}
    )
    with watching(app, seats, 0) as own, watching(app, seats, None) as open_to_all:
        joined(seats)
        joined(seats)
        with watching(app, seats, 2) as third, watching(app, seats, "host") as host:
            seats.play_on(20)
            with watching(app, seats, 1) as late:
                seats.play_on()
                assert seats.view()["status"] == "finished"
                assert host.until_end() == open_to_all.until_end() == events(seats)
                for seat, stream in enumerate((own, late, third)):
                    assert stream.until_end() == events(seats, seat)


def test_whoever_comes_back_goes_on_where_they_were(app: Flask, seats: Seats) -> None:
    """At every number there is; the header that a browser sends counts more than its first URL."""
    whole = events(seats, 0)
    for had in range(len(whole) + 1):
        for query in ("", f"?after={len(whole) - 1}"):
            with watching(app, seats, 0, query=query, **{"Last-Event-ID": str(had)}) as stream:
                stream.until(lambda got: got.last_seq == len(whole) or len(got.others) > 1)
                assert stream.got.events == whole[had:]
        with watching(app, seats, 0, query=f"?after={had}") as stream:
            stream.until(lambda got: got.last_seq == len(whole) or len(got.others) > 1)
            assert stream.got.events == whole[had:]


@pytest.mark.parametrize("junk", ["", "x", "-1", "1.5", "+3", "٣", "3 4", "9" * 16, "9" * 5000])
def test_a_number_that_is_none_of_ours_counts_as_none(app: Flask, seats: Seats, junk: str) -> None:
    header = junk.encode().decode("latin-1")
    with watching(app, seats, query="?after=3", **{"Last-Event-ID": header}) as stream:
        assert stream.until_seq(4)[0]["seq"] == 4


def test_beyond_the_last_event_one_waits_for_what_comes_after(app: Flask, seats: Seats) -> None:
    beyond = len(events(seats)) + 2
    with watching(app, seats, query=f"?after={beyond}") as stream:
        stream.until(lambda got: len(got.others) > 2)
        seats.play_on(3)
        assert stream.until_seq(beyond + 1)[0]["seq"] == beyond + 1


def test_when_all_has_been_told_a_browser_is_kept_from_coming_back(
    client: CheckedClient, store: RedisStore
) -> None:
    match = history("even-steven", turn_limit=50)
    seats = Seats(client, "even-steven", store_with_log(store, match))
    path, stream = f"{seats.path}/events", {"Accept": SSE}
    for answer in (
        client.get(path, headers={**stream, "Last-Event-ID": str(match.seq)}),
        client.get(f"{path}?after={match.seq}", headers=stream),
        client.get(f"{path}?after={match.seq + 5}", headers=stream),
    ):
        assert (answer.status_code, answer.data) == (204, b"")
        assert answer.headers["Cache-Control"] == "private, no-store"
    last = client.get(path, headers={**stream, "Last-Event-ID": str(match.seq - 1)})
    assert (last.status_code, last.data.count(b"\nid: ")) == (200, 1)


def test_silence_is_broken_by_comments(app: Flask, seats: Seats) -> None:
    last = len(events(seats))
    with watching(app, seats, query=f"?after={last}") as stream:
        begun = time.monotonic()
        got = stream.until(lambda got: len(got.others) >= 6)
        assert time.monotonic() - begun > 3 * SIGN_OF_LIFE
        assert got.others[0] == b"retry: 1000"
        assert set(got.others[1:]) == {b": still here"}
        assert got.events == []


@either
def test_a_deleted_match_ends_its_streams(app: Flask, hub: Hub, seats: Seats, accept: str) -> None:
    with (
        watching(app, seats, 0, accept) as own,
        watching(app, seats, "host", accept) as host,
        watching(app, seats, None, accept) as open_to_all,
    ):
        eventually(lambda: hub.watchers() == 3)
        assert seats.client.delete(seats.path, headers=seats.auth("host")).status_code == 204
        for stream in (own, host, open_to_all):
            stream.until_end()
        assert hub.watchers() == 0


@either
def test_an_expired_match_ends_its_streams(
    app: Flask, seats: Seats, valkey: Server, accept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody tells of it: the match is looked at once in a while."""
    monkeypatch.setattr("api.hub.UNTOLD", 0.3)
    with watching(app, seats, 0, accept) as stream, valkey.client() as client:
        stream.until(lambda got: len(got.others) > 5)
        for key in (keys.match(seats.match_id), keys.events(seats.match_id)):
            client.pexpire(key, 1)
        stream.until_end()


@either
@pytest.mark.parametrize("change", [leave, renew], ids=["left", "renewed"])
def test_a_dead_token_ends_its_streams_and_nobody_elses(
    app: Flask, seats: Seats, accept: str, change: Any
) -> None:
    """Before anything that only the seat may know is told to whoever held it."""
    (other,) = seats.view()["to_act"]
    dead = (other + 1) % 3
    last = len(events(seats))
    with (
        watching(app, seats, dead, accept, f"?after={last}") as stream,
        watching(app, seats, other, accept, f"?after={last}") as goes_on,
    ):
        stream.until(lambda got: got.others)
        goes_on.until(lambda got: got.others)
        assert change(seats, dead, dead).status_code in (200, 204)
        assert stream.until_end() == []
        seats.play_on(1)
        now = seats.view()["last_seq"]
        assert goes_on.until_seq(now)[-1]["seq"] == now
        assert not goes_on.ended


@either
def test_a_worker_that_stops_ends_its_streams_in_good_order(
    app: Flask, hub: Hub, seats: Seats, accept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.watching.KEEPALIVE", 60)
    with watching(app, seats, 0, accept) as own, watching(app, seats, None, accept) as other:
        eventually(lambda: hub.watchers() == 2)
        monkeypatch.setattr(hub, "stopping", lambda: True)
        own.until_end(within=5)
        other.until_end(within=5)


@either
def test_watchers_bring_overdue_moves_about(
    app: Flask, client: CheckedClient, store: RedisStore, accept: str
) -> None:
    """Nobody else comes; the bot then plays on for those who have left, to the end."""
    match = history("card-keeper", moves=45, turn_limit=50)
    due = time.time_ns() // 1_000_000 + 500
    terms = Terms(turn_seconds=5, on_timeout="leave")
    seats = Seats(client, "card-keeper", store_with_log(store, match, terms=terms, deadline=due))
    (late,) = match.to_act
    query = f"?after={match.seq}"
    with (
        watching(app, seats, None, accept, query) as stream,
        watching(app, seats, late, accept, query) as own,
    ):
        first, second, *_ = stream.until_seq(match.seq + 3)
        assert (first["type"], first["seat"]) == ("move_overdue", late)
        assert (second["type"], second["kind"]) == ("seat_left", "bot")
        own.until_end()  # its token is dead


@either
def test_streams_that_come_and_go_leave_no_room_behind(
    app: Flask, hub: Hub, client: CheckedClient, store: RedisStore, accept: str
) -> None:
    for game in GAMES:
        seats = placed(client, store, POSITIONS[game]())
        with watching(app, seats, 0, accept), watching(app, seats, None, accept):
            eventually(lambda: hub.watchers() == 2)
        eventually(lambda: hub.watchers() == 0)
    assert hub._rooms == {}
