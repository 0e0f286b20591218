"""Replays over HTTP: whose they are, when they are told, and that they hold the whole match."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.store.base import Entry
from api.store.redis import RedisStore
from engine import GAMES
from engine.replay import Replay
from tests.api.clocks import Clock, milliseconds
from tests.api.lives import events, lived
from tests.api.places import OPEN, kind
from tests.api.test_views import finished
from tests.conformance import CheckedClient
from tests.seats import Seats

pytestmark = pytest.mark.usefixtures("clock")

every_game = pytest.mark.parametrize("game", GAMES)


def replay(seats: Seats, who: int | str | None = None) -> Any:
    """The replay as it is answered."""
    return seats.client.get(f"{seats.path}/replay", headers=seats.auth(who))


# Whose it is


@every_game
def test_it_is_told_to_anybody_once_the_match_is_over(
    client: CheckedClient, store: RedisStore, game: str
) -> None:
    seats = finished(client, store, game)
    answers = [replay(seats, who) for who in (None, 0, 1, "host")]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    assert answers[0].headers["Cache-Control"] == "private, no-cache"
    assert answers[0].headers["Vary"] == "Authorization"


@pytest.mark.parametrize("places", [[{}, {}], [{}, OPEN]], ids=["playing", "waiting"])
def test_it_is_told_to_nobody_before(client: CheckedClient, places: list[dict[str, Any]]) -> None:
    seats = Seats.create(client, seats=places, seed="a seed to keep")
    for who in (None, 0, "host"):
        answer = replay(seats, who)
        assert kind(answer) == (409, "match-not-finished")
        assert "a seed to keep" not in answer.text


def test_a_private_matchs_is_for_those_with_a_token(
    client: CheckedClient, quick: FlaskClient, clock: Clock
) -> None:
    seats = lived(quick, clock, "even-steven", "private", public=False)
    seats.client = client
    assert kind(replay(seats)) == (403, "forbidden")
    other = Seats.create(client)
    headers = {"Authorization": f"Bearer {other.host}"}
    answer = client.get(f"{seats.path}/replay", headers=headers)
    assert kind(answer) == (401, "unauthorized")
    for who in (*seats.tokens, "host"):
        assert replay(seats, who).status_code == 200


def test_it_is_found_under_its_own_game_alone(client: CheckedClient, store: RedisStore) -> None:
    seats = finished(client, store, "even-steven")
    elsewhere = seats.path.replace("even-steven", "card-keeper")
    assert kind(client.get(f"{elsewhere}/replay")) == (404, "not-found")


def test_none_is_told_of_a_match_that_goes_while_it_is_read(
    client: CheckedClient, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = Seats.create(client, options={"turn_limit": 50})
    seats.play_on()
    read = store.entries

    def entries(match_id: str, after: int, limit: int) -> list[Entry]:
        if after:
            store.delete(match_id)
        return read(match_id, after, 2)

    monkeypatch.setattr(store, "entries", entries)
    assert kind(replay(seats)) == (404, "not-found")


# What it holds


@every_game
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_it_holds_the_whole_match_and_gives_it_again(
    client: CheckedClient, quick: FlaskClient, clock: Clock, game: str, seed: str
) -> None:
    """With joins, leaves, bots and moves that were overdue, which the record need not tell."""
    seats = lived(quick, clock, game, seed)
    seats.client = client
    record, view, told = replay(seats).get_json(), seats.view(), events(seats, None)
    for member in ("match_id", "game", "options", "seed_hash", "seed", "host_seeded", "result"):
        assert record[member] == view[member]
    assert record["created_at"] == view["created_at"]
    assert record["rules_version"] == GAMES[game].rules_version
    for member in ("seat", "name", "kind"):
        assert [s[member] for s in record["seats"]] == [s[member] for s in view["seats"]]
    assert record["client_seeds"][:3] == [seed, f"{seed} of Ben", None]

    versions = [move["version"] for move in record["moves"]]
    assert all(before < after for before, after in pairwise(versions))
    moved = {e["version"] for e in told if e["type"] not in ("seat_joined", "seat_left")}
    no_moves = {event["version"] for event in told if event["type"] in ("seat_joined", "seat_left")}
    assert (
        set(versions) == set(range(view["version"] + 1)) - no_moves - {0} == moved - no_moves - {0}
    )
    times = [milliseconds(move["at"]) for move in record["moves"]]
    assert times == sorted(times)
    assert milliseconds(record["created_at"]) <= times[0]
    assert times[-1] == milliseconds(view["updated_at"])

    again = Replay(record)
    shown = [event for step in again.steps() for event in again.match.show(step, None)]
    left_out = ("seat_joined", "seat_left", "move_overdue", "match_created")
    expected = [bare(event) for event in told if event["type"] not in left_out]
    assert [bare(event) for event in shown if event["type"] != "match_created"] == expected
    final = again.match.view(None)
    for member in ("table", "result", "known"):
        assert final[member] == view[member]
    for mine, theirs in zip(final["seats"], view["seats"], strict=True):
        assert mine == theirs | {"kind": "human"}


def bare(event: dict[str, Any]) -> dict[str, Any]:
    """An event without its numbers, which joins and leaves have shifted."""
    return {name: fact for name, fact in event.items() if name not in ("seq", "version")}


def test_a_match_longer_than_a_page_of_the_log_is_told_as_a_whole(client: CheckedClient) -> None:
    seats = Seats.create(
        client,
        "seven-twos-tens",
        seats=[{"bot": "random"}, {"bot": "random"}],
        options={"rounds": 6, "turn_limit": 200},
        seed="long",
    )
    record = replay(seats).get_json()
    assert len(record["moves"]) == seats.view()["version"] > 500
    assert [move["version"] for move in record["moves"]] == list(range(1, len(record["moves"]) + 1))
    for _ in Replay(record).steps():
        pass
