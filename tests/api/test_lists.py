"""The public lists: which matches are shown, in which order, page by page, and what of them."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from api import create_app
from api.config import Config
from api.store.base import Place
from api.store.redis import RedisStore
from engine import GAMES
from tests import kept
from tests.api.clocks import Clock, milliseconds
from tests.api.lobby import ENOUGH, PATH, STATUSES, Model, ended, ids, page, waiting
from tests.api.places import OPEN, joined, kind
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

pytestmark = pytest.mark.usefixtures("clock")


def at_call(
    moment: int, monkeypatch: pytest.MonkeyPatch, store: RedisStore, change: Callable[[], Any]
) -> None:
    """Makes a change right before the store is asked for the `moment`th time, from 0."""
    calls = 0

    def meanwhile(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == moment + 1:
                monkeypatch.undo()
                change()
            return method(*arguments)

        return call

    for name in ("listed", "load"):
        monkeypatch.setattr(store, name, meanwhile(getattr(store, name)))


# Which are shown


def test_a_match_is_in_the_list_of_its_status(client: CheckedClient) -> None:
    seats = waiting(client)
    for status in STATUSES:
        for asked in (None, *STATUSES):
            shown = page(client, status=asked)["matches"]
            assert [match["status"] for match in shown] == [status] * (asked in (None, status))
        if status == "waiting":
            joined(seats)
        elif status == "playing":
            ended(seats)


def test_each_game_lists_its_own(client: CheckedClient) -> None:
    made = {game: Seats.create(client, game).match_id for game in GAMES}
    for game, match_id in made.items():
        (shown,) = client.get(f"/v1/games/{game}/matches").get_json()["matches"]
        assert (shown["match_id"], shown["game"]) == (match_id, game)


def test_a_match_of_bots_alone_is_finished_when_it_is_first_listed(client: CheckedClient) -> None:
    bots = Seats.create(client, seats=[{"bot": "random"}] * 2, options={"turn_limit": 50})
    assert ids(client) == ids(client, status="finished") == [bots.match_id]
    assert ids(client, status="playing") == ids(client, status="waiting") == []


def test_a_match_that_is_not_public_is_never_listed(
    client: CheckedClient, store: RedisStore, valkey: Server
) -> None:
    private = waiting(client, public=False)
    for step in (joined, ended):
        assert ids(client) == []
        step(private)
    assert ids(client) == []
    with valkey.client() as plain:
        assert not list(plain.scan_iter("croupier:list:*"))
    made = milliseconds(private.view("host")["created_at"])
    store.enlist("even-steven:finished", private.match_id, made)  # nor if it stands in a list
    assert ids(client) == []


def test_a_match_that_a_newer_version_saved_does_not_spoil_the_list(
    client: CheckedClient, valkey: Server
) -> None:
    newer, known = Seats.create(client), Seats.create(client)
    with valkey.client() as plain:
        key = f"croupier:{{{newer.match_id}}}:match"
        state = plain.hget(key, "state")
        assert isinstance(state, bytes)
        plain.hset(key, "state", kept.as_newer(state))
    page = client.get("/v1/games/even-steven/matches").get_json()
    assert [match["match_id"] for match in page["matches"]] == [known.match_id]


def test_a_match_that_is_gone_is_not_shown(client: CheckedClient, valkey: Server) -> None:
    deleted, expired, left = (waiting(client) for _ in range(3))
    client.delete(deleted.path, headers=deleted.auth("host"))
    with valkey.client() as plain:
        plain.delete(*plain.scan_iter(f"croupier:{{{expired.match_id}}}:*"))
    assert ids(client) == [left.match_id]


def test_the_places_of_matches_that_are_gone_are_swept(
    client: CheckedClient, valkey: Server, clock: Clock
) -> None:
    gone = [waiting(client).match_id for _ in range(6)]
    with valkey.client() as plain:
        for match_id in gone:
            plain.delete(*plain.scan_iter(f"croupier:{{{match_id}}}:*"))
        clock.go_on(61)
        living = [waiting(client).match_id for _ in range(3)]
        members = plain.zrange("croupier:list:even-steven:waiting", 0, -1)
    assert {member.decode().partition(":")[2] for member in members} == set(living)


def test_leftovers_behind_matches_that_go_on_are_swept_too(
    client: CheckedClient, store: RedisStore, valkey: Server, clock: Clock
) -> None:
    name = "even-steven:waiting"
    going_on = [waiting(client).match_id for _ in range(3)]
    for number in range(30):
        store.enlist(name, f"gone{number}", clock() + 1)
    clock.go_on(61)
    # One of them is left this time in less than one of a thousand million cases.
    for _ in range(100):
        store.enlist(name, going_on[0], clock())
    left = {place.match_id for place in store.listed(name, None, 100)}
    assert left == set(going_on)


def test_a_list_lasts_as_long_as_its_matches_are_played(redis_url: str) -> None:
    store = RedisStore(redis_url, ttl_seconds=2)
    client = create_app(Config(rate_limit=None), store=store).test_client()
    seats = Seats.create(client)
    for _ in range(3):
        time.sleep(0.8)
        seats.play_on(moves=1)
    shown = client.get("/v1/games/even-steven/matches").get_json()["matches"]
    store.close()
    assert [match["match_id"] for match in shown] == [seats.match_id]


@pytest.mark.parametrize("moment", ["later", "at the same time"])
def test_a_creation_that_comes_twice_is_listed_once(
    client: CheckedClient,
    store: RedisStore,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    def create() -> str:
        headers = {"Idempotency-Key": "twice"}
        answer = client.post(PATH, json={"seats": [{}, OPEN]}, headers=headers)
        match_id: str = answer.get_json()["match_id"]
        return match_id

    first = create()
    clock.go_on(1)
    if moment == "at the same time":  # neither finds an answer of the other
        monkeypatch.setattr(store, "load", lambda *asked: None)
    assert create() == first
    monkeypatch.undo()
    assert ids(client) == [first]


@pytest.mark.parametrize("transition", [joined, ended], ids=["dealt", "ended"])
@pytest.mark.parametrize("moment", range(8))
def test_a_match_that_changes_lists_while_they_are_read_is_shown_once(
    client: CheckedClient,
    store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    transition: Callable[[Seats], Any],
    moment: int,
) -> None:
    others = [waiting(client).match_id]
    moving = waiting(client)
    others.append(waiting(client).match_id)
    if transition is ended:
        joined(moving)
    at_call(moment, monkeypatch, store, lambda: transition(moving))
    shown = [match["match_id"] for match in page(client)["matches"]]
    assert sorted(shown) == sorted([moving.match_id, *others])


@pytest.mark.parametrize("transition", [joined, ended], ids=["dealt", "ended"])
@pytest.mark.parametrize("moment", range(16))
def test_a_match_behind_leftovers_that_changes_lists_while_they_are_read_is_shown_once(
    client: CheckedClient,
    store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    transition: Callable[[Seats], Any],
    moment: int,
) -> None:
    """So many newer places lead nowhere that its old list is read in several stretches."""
    moving, old = waiting(client), "waiting"
    if transition is ended:
        joined(moving)
        old = "playing"
    made = milliseconds(moving.view()["created_at"])
    for number, letter in enumerate("abcdef", start=1):
        store.enlist(f"even-steven:{old}", letter * 16, made + number)
    at_call(moment, monkeypatch, store, lambda: transition(moving))
    shown = [match["match_id"] for match in page(client, limit=1)["matches"]]
    assert shown == [moving.match_id]


# Page by page


def test_a_page_has_as_many_as_were_asked_for(client: CheckedClient, clock: Clock) -> None:
    made = []
    for _ in range(25):
        made.append(waiting(client).match_id)
        clock.go_on(0.001)
    newest_first = made[::-1]
    assert [match["match_id"] for match in page(client)["matches"]] == newest_first[:20]
    for limit in (1, 7, 24, 25, 26, 100):
        told = page(client, limit=limit)
        assert [match["match_id"] for match in told["matches"]] == newest_first[:limit]
        assert (told["next_cursor"] is None) == (limit >= 25)
        assert ids(client, limit=limit) == newest_first


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=101", "limit=-1", "limit=", "limit=ten", "limit=1.0", "limit=%D9%A3"),
        *("status=", "status=open", "status=WAITING", "status=waiting,playing", "game=x"),
        *("cursor=", "cursor=!", "cursor=x", "cursor=AAAA", "cursor=eDp4", "cursor=%FF"),
        *("limit=5&limit=x", f"cursor={'A' * 101}"),
    ],
)
def test_what_no_list_has_is_refused(client: CheckedClient, query: str) -> None:
    answer = client.get(f"{PATH}?{query}")
    assert kind(answer) == (422, "validation")
    assert len(answer.get_json()["errors"]) == 1


@pytest.mark.parametrize("text", ["0:", "5:x", "-5:aaaa", "9" * 60 + ":a", "1:\n[(+", "1_0: ", "7"])
def test_a_made_up_cursor_is_a_place_like_any_other_or_refused(
    client: CheckedClient, text: str
) -> None:
    waiting(client)
    cursor = base64.urlsafe_b64encode(text.encode()).decode()
    answer = client.get(PATH, query_string={"cursor": cursor})
    assert answer.status_code in (200, 422)


def test_a_page_looks_at_so_many_places_and_the_next_goes_on(
    client: CheckedClient, valkey: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many have left their places: a page may then be short, or empty, and not the last."""
    monkeypatch.setattr("api.lists.MOST_LOOKED_AT", 3)
    living = []
    for number in range(17):
        match_id = waiting(client).match_id
        clock.go_on(0.001)
        if number % 8 == 0:
            living.append(match_id)
            continue
        with valkey.client() as plain:
            plain.delete(*plain.scan_iter(f"croupier:{{{match_id}}}:*"))
    assert page(client, limit=5)["matches"] == page(client, limit=1)["matches"]
    assert page(client, limit=5)["next_cursor"] is not None
    for limit in (1, 2, 5):
        assert ids(client, limit=limit) == living[::-1]


@pytest.mark.parametrize("seed", range(3))
def test_a_cursor_neither_skips_nor_repeats_while_matches_come_and_go(
    client: CheckedClient, clock: Clock, seed: int
) -> None:
    rng = Random(f"lists {seed}")
    model = Model(client, clock, rng)
    for _ in range(25):
        model.something_happens()
    for _ in range(12):
        status, limit = rng.choice((None, None, *STATUSES)), rng.randint(1, 4)
        always = model.listed(status)
        shown: list[Place] = []
        cursor = None
        for _ in range(ENOUGH):
            told = page(client, status=status, limit=limit, cursor=cursor)
            assert {match["match_id"] for match in told["matches"]} <= model.listed(status)
            assert len(told["matches"]) <= limit
            for match in told["matches"]:
                assert match["status"] == model.status[match["match_id"]]
                shown.append(Place(match["created_at"], match["match_id"]))
            cursor = told["next_cursor"]
            if cursor is None:
                break
            for _ in range(rng.randrange(3)):
                model.something_happens()
                always &= model.listed(status)
        assert cursor is None, "the list does not end"
        assert shown == sorted(set(shown), reverse=True), "repeated, or not newest first"
        assert always <= {place.match_id for place in shown}, "skipped"


# What is told


def test_a_list_tells_what_a_spectator_sees_and_no_more(client: CheckedClient) -> None:
    seats = [{"name": "Ada", "client_seed": "of Ada"}, OPEN, {"bot": "random"}]
    made = Seats.create(client, seats=seats, turn_seconds=60, seed="a seed that nobody may see")
    joined(made, {"name": "Ben", "client_seed": "of Ben"})
    answer = client.get(PATH)
    (shown,) = answer.get_json()["matches"]
    view = made.view()
    assert shown == {
        **{name: view[name] for name in ("match_id", "game", "status", "version", "options")},
        "seats": [{name: s[name] for name in ("seat", "name", "kind")} for s in view["seats"]],
        "turn_seconds": 60,
        "created_at": view["created_at"],
        "updated_at": view["updated_at"],
    }
    headers = made.auth(0)
    assert client.get(PATH, headers=headers).data == answer.data
