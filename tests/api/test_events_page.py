"""Events as a page: who gets what, the same as on streams; paging, refusals, negotiation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from api.table import Terms
from engine import GAMES, Match
from tests.api.places import kind, leave, renew
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import es
from tests.histories import history, store_with_log
from tests.known import KNOWN
from tests.seats import Seats
from tests.streams import NDJSON, SSE, watching
from tests.valkey import Server

WATCHERS = (0, 1, 2, "host", None)


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams show signs of life so often that a reader who goes away is noticed at once."""
    monkeypatch.setattr("api.watching.KEEPALIVE", 0.1)


def page(seats: Seats, who: int | str | None = None, query: str = "", **headers: str) -> Any:
    """A page as it is answered."""
    path = f"{seats.path}/events{query}"
    return seats.client.get(path, headers={**seats.auth(who), **headers})


def events(seats: Seats, who: int | str | None = None, query: str = "?limit=1000") -> Any:
    """The events of a page."""
    answer = page(seats, who, query)
    assert answer.status_code == 200, answer.text
    return answer.get_json()["events"]


@pytest.fixture(scope="module", params=GAMES)
def over(request: pytest.FixtureRequest) -> Match:
    """A match of each game that is over."""
    match = history(request.param, turn_limit=50)
    assert match.outcome is not None
    return match


@pytest.fixture
def finished(over: Match, client: CheckedClient, store: RedisStore) -> Seats:
    """That match, in the store."""
    return Seats(client, over.game.id, store_with_log(store, over))


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in the middle, with its log."""
    return Seats(client, "even-steven", store_with_log(store, history("even-steven", moves=12)))


@pytest.mark.parametrize("who", WATCHERS)
def test_an_event_is_the_same_bytes_in_every_form(
    app: Flask, finished: Seats, who: int | str | None
) -> None:
    answer = page(finished, who, "?limit=1000")
    assert answer.headers["Content-Type"] == "application/json"
    told = answer.get_json()
    assert page(finished, who, "?limit=1000&wait=60").data == answer.data
    assert told["last_seq"] == len(told["events"]) < 1000
    sent = b"[" + answer.data.partition(b"[")[2].rpartition(b"]")[0] + b"]"
    for accept in (SSE, NDJSON):
        with watching(app, finished, who, accept, "?after=0") as stream:
            assert stream.until_end() == told["events"]
            assert b"[" + b",".join(stream.got.sent) + b"]" == sent


def test_numbers_have_no_gap_and_all_but_cards_is_the_same_for_all(finished: Seats) -> None:
    told = {who: events(finished, who) for who in WATCHERS}
    assert told["host"] == told[None]
    shown = told[None]
    assert [event["seq"] for event in shown] == list(range(1, len(shown) + 1))
    versions = [event["version"] for event in shown]
    assert versions == sorted(versions)
    assert set(versions) == set(range(versions[-1] + 1))
    audience = KNOWN[finished.game].audience
    steps = {v: [event for event in shown if event["version"] == v] for v in versions}
    for index, event in enumerate(shown):
        if "cards" not in event:
            assert all(told[who][index] == event for who in WATCHERS)
            continue
        allowed = audience[event["type"]](event, steps[event["version"]])
        for who in WATCHERS:
            own = told[who][index]
            assert own | {"cards": None} == event | {"cards": None}
            assert own["count"] == event["count"]
            may = allowed is None or who in allowed
            assert (own["cards"] is not None) == may, f"{event} as {who} sees it"
            assert not may or len(own["cards"]) == event["count"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_cut_anywhere_come_to_the_same(seats: Seats, limit: int) -> None:
    """A step has several events; a page may end in the middle of one."""
    whole, found = events(seats, 0), list[Any]()
    while True:
        told = page(seats, 0, f"?after={len(found)}&limit={limit}").get_json()
        assert told["last_seq"] == len(whole)
        if not told["events"]:
            break
        assert len(told["events"]) == min(limit, len(whole) - len(found))
        found += told["events"]
    assert found == whole
    assert max(sum(e["version"] == v for e in whole) for v in range(3)) > limit or limit == 7


def test_a_hundred_events_come_without_a_limit(finished: Seats) -> None:
    whole = events(finished)
    assert len(whole) > 100
    assert events(finished, query="") == whole[:100]
    assert events(finished, query="?after=100") == whole[100:]


def test_after_the_last_one_and_beyond_there_is_nothing(seats: Seats) -> None:
    last = len(events(seats))
    for after in (last, last + 1, 2**53 - 1):
        answer = page(seats, 0, f"?after={after}&limit=1")
        assert answer.get_json() == {"events": [], "last_seq": last}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        *((f"after={text}", "after") for text in ("-1", "x", "1.0", "+1", "%201", "1e3", "", "٣")),
        *((f"after={number}", "after") for number in (2**53, 10**16, 10**400)),
        *((f"limit={text}", "limit") for text in ("0", "-1", "1001", "true", "null")),
        *((f"wait={text}", "wait") for text in ("61", "-1", "0.5", "inf", "forever")),
        *((name, name.partition("=")[0]) for name in ("afer=1", "Last-Event-ID=1", "why=true")),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", SSE, NDJSON])
def test_a_bad_parameter_is_refused_by_name_before_anything_is_sent(
    seats: Seats, query: str, field: str, accept: str
) -> None:
    answer = page(seats, None, f"?{query}", Accept=accept)
    assert kind(answer) == (422, "validation")
    assert list(answer.get_json()["errors"]) == [field]


def test_every_bad_parameter_is_told_at_once(seats: Seats) -> None:
    answer = page(seats, None, "?after=x&limit=0&wait=61&more=1")
    assert sorted(answer.get_json()["errors"]) == ["after", "limit", "more", "wait"]


@pytest.mark.parametrize("accept", ["application/json", SSE, NDJSON])
def test_case_39_who_may_watch(
    client: CheckedClient, store: RedisStore, seats: Seats, accept: str
) -> None:
    made = store_with_log(store, history("even-steven", moves=3), terms=Terms(public=False))
    private = Seats(client, "even-steven", made)
    assert kind(page(private, Accept=accept)) == (403, "forbidden")
    for stranger in (seats.tokens[0], seats.host, "x" * 43, "", "x"):
        for watched in (private, seats):
            if watched is seats and stranger in (seats.tokens[0], seats.host):
                continue
            answer = page(watched, Accept=accept, Authorization=f"Bearer {stranger}")
            assert kind(answer) == (401, "unauthorized")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
    for who in (0, 1, 2, "host"):
        assert events(private, who)
    elsewhere = seats.path.replace("even-steven", "card-keeper")
    nowhere = seats.path.replace(seats.match_id, "a" * 16)
    for path in (elsewhere, nowhere, f"{seats.path}/nothing"):
        answer = client.get(f"{path}/events", headers={**seats.auth(0), "Accept": accept})
        assert kind(answer) == (404, "not-found")


@pytest.mark.parametrize("accept", ["application/json", SSE, NDJSON])
def test_case_40_nothing_is_kept_by_a_cache(finished: Seats, accept: str) -> None:
    refused = page(finished, Accept=accept, Authorization="Bearer x")
    assert refused.headers["Cache-Control"] == "no-store"
    for who in WATCHERS:
        last = finished.view()["last_seq"]
        answer = page(finished, who, f"?after={last - 1}", Accept=accept)
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["Vary"] == "Accept, Authorization"
        assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/*", SSE),
        ("text/event-stream", SSE),
        ("TEXT/Event-Stream", SSE),
        ("application/x-ndjson", NDJSON),
        ("text/event-stream, application/json", "application/json"),
        ("application/json;q=0.9, text/event-stream", SSE),
        ("text/event-stream;q=0.5, application/json;q=0.4", SSE),
        ("text/event-stream;q=0.4, application/x-ndjson;q=0.5", NDJSON),
        ("text/event-stream, */*;q=0.1", SSE),
        ("application/x-ndjson, */*", NDJSON),
        ("text/event-stream;q=0, */*", "application/json"),
        ("application/json;q=0, */*;q=0.5", SSE),
        ("text/html", "application/json"),
        ("application/problem+json", "application/json"),
        ("nonsense", "application/json"),
    ],
)
def test_the_form_is_the_one_that_the_client_likes_best(
    seats: Seats, accept: str | None, media_type: str
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    answer = seats.client.head(f"{seats.path}/events", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, media_type)


@pytest.mark.parametrize("accept", ["application/json", SSE, NDJSON])
def test_head_says_what_get_would_and_waits_for_nothing(seats: Seats, accept: str) -> None:
    """A live match: the body would never end."""
    answer = seats.client.head(f"{seats.path}/events", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype, answer.data) == (200, accept, b"")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert seats.client.application.extensions["croupier-hub"].watchers() == 0


@pytest.mark.parametrize("accept", ["application/json", SSE, NDJSON])
def test_every_form_carries_the_requests_id(finished: Seats, accept: str) -> None:
    last = finished.view()["last_seq"]
    for query in (f"?after={last - 1}", f"?after={last}"):
        answer = page(finished, None, query, Accept=accept, **{"X-Request-Id": "mine"})
        assert answer.headers["X-Request-Id"] == "mine"
    assert kind(page(finished, None, "?limit=0", Accept=accept)) == (422, "validation")


@pytest.mark.parametrize("game", GAMES)
def test_case_31_a_refused_move_brings_no_event(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    before = page(seats, 0).data
    with untouched(valkey):
        for who, body in ((1, seats.view(0)["legal_moves"][0]), (0, {"action": "fly"}), (0, [])):
            assert seats.move(who, body).status_code >= 400
        assert page(seats, 0).data == before


@pytest.mark.parametrize(("card", "to_act", "value"), [("5C", [1], 7), ("3C", [1], 6)])
def test_case_28_an_effect_outlives_all_that_has_nothing_to_do_with_it(
    client: CheckedClient, store: RedisStore, card: str, to_act: list[int], value: int
) -> None:
    """Seat 0 plays a 5 or a 3; before the next turn there is every kind of other traffic."""
    match = es(f"0: {card} 4C; 1: 6D QD; 2: 5D 8D; 3: KC 7D; pile 6C; value 6")
    seats = placed(client, store, match)
    assert seats.move(0, {"action": "play", "card": card}).status_code == 200
    played = seats.view()

    def unchanged(view: Any) -> bool:
        return (view["table"], view["to_act"]) == (played["table"], played["to_act"])

    assert (played["table"]["value"], played["to_act"]) == (value, to_act)
    assert events(seats, 2)
    with watching(client.application, seats, 3, NDJSON) as stream:
        first = stream.until(lambda got: got.others).others[0]
        assert unchanged(json.loads(first))
    assert seats.move(2, {"action": "play", "card": "8D"}).status_code == 409
    assert renew(seats, 2, "host").status_code == 200
    assert leave(seats, 3).status_code == 204
    with watching(client.application, seats, None, SSE):
        assert unchanged(seats.view())
    again = create_app(Config(rate_limit=None), store=store).test_client()
    restarted: TestResponse = again.get(seats.path)
    assert unchanged(restarted.get_json())
    legal = {body.get("card") for body in seats.view(1)["legal_moves"]}
    assert legal == ({"QD"} if value == 7 else {"6D", "QD"})
