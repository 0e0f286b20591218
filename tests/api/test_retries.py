"""Idempotency-Key: a request that comes again gets its first answer, and nothing is done twice
(cases 30 and 43)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from engine import GAMES
from tests.api.places import OPEN, join, joined, kind, leave
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import es, st
from tests.seats import Seats
from tests.valkey import Server

KEY = {"Idempotency-Key": "0b0e1c1e-9f6a-4a57-8f3e-0d7b2b8f5f55"}
PLAY = {"action": "play", "card": "7H"}
NEW = {"seats": [{"name": "Ada"}, OPEN, {"bot": "random"}, {"name": "Ben"}]}


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H, after which it is to act again."""
    return placed(client, store, POSITIONS["even-steven"]())


def create(client: CheckedClient, body: Any = None, **headers: str) -> TestResponse:
    """A creation as it is answered."""
    return client.post("/v1/games/even-steven/matches", json=body or NEW, headers=headers)


def is_replay(again: TestResponse, first: TestResponse) -> None:
    """The same answer, which says that it is not the first."""
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers.get("ETag") == first.headers.get("ETag")
    assert again.headers.get("Location") == first.headers.get("Location")
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers


# Moves


@pytest.mark.parametrize("game", GAMES)
def test_a_move_sent_again_gets_its_first_answer(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    body = seats.view(0)["legal_moves"][-1]
    first = seats.move(0, body, **KEY)
    assert first.status_code == 200
    with untouched(valkey):
        for _ in range(2):
            is_replay(seats.move(0, body, **KEY), first)


def test_case_30_a_duplicate_does_not_count_as_the_extra_turn(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, st("0: 2C 9H 10H; 1: 8C 8D; pile 4S"))
    body = {"action": "play", "cards": ["2C"]}
    first = seats.move(0, body, **KEY)
    assert first.get_json()["to_act"] == [0]
    is_replay(seats.move(0, body, **KEY), first)
    assert seats.view()["version"] == 1


def test_a_duplicate_a_lap_later_is_not_a_move(client: CheckedClient, store: RedisStore) -> None:
    seats = placed(client, store, es("0: 7H 3C 9H; 1: 9C 9D 9S; deck 5C 5D; pile 6C; value 6"))
    body = {"action": "play", "card": "9H"}
    first = seats.move(0, body, **KEY)
    seats.move(1, {"action": "play", "card": "9C"})
    assert seats.view()["to_act"] == [0]
    is_replay(seats.move(0, body, **KEY), first)
    assert seats.view()["version"] == 2


def test_the_same_request_is_the_same_in_any_spelling(seats: Seats) -> None:
    headers = {**seats.auth(0), **KEY, "Content-Type": "application/json"}
    path = f"{seats.path}/moves"
    first = seats.client.post(path, data=b'{"action":"play","card":"7H"}', headers=headers)
    spaced = b' { "card" : "7\\u0048", "action":"play" }\n'
    is_replay(seats.client.post(path, data=spaced, headers=headers), first)


def test_another_request_under_the_same_key_is_refused(seats: Seats, valkey: Server) -> None:
    seats.move(0, PLAY, **KEY)
    with untouched(valkey):
        for body in ({"action": "steal", "target": 1}, {"action": "decline"}):
            answer = seats.move(0, body, **KEY)
            assert kind(answer) == (422, "validation")
            assert set(answer.get_json()["errors"]) == {"Idempotency-Key"}
    assert seats.move(0, {"action": "decline"}).status_code == 200


def test_a_key_is_a_seats_own(seats: Seats, valkey: Server) -> None:
    """Whoever knows another's key and body gets nothing of what was answered."""
    assert seats.move(0, PLAY, **KEY).status_code == 200
    with untouched(valkey):
        assert kind(seats.move(1, PLAY, **KEY)) == (409, "not-your-turn")
        assert kind(seats.move("host", PLAY, **KEY)) == (403, "forbidden")
        assert kind(seats.move(None, PLAY, **KEY)) == (401, "unauthorized")
    seats.move(0, {"action": "decline"})
    body = {"action": "play", "card": "KC"}
    assert "Idempotent-Replayed" not in seats.move(1, body, **KEY).headers
    assert seats.view()["version"] == 3


def test_a_key_is_for_one_match_and_one_kind_of_request(client: CheckedClient) -> None:
    made = [Seats(client, "even-steven", create(client, **KEY).get_json())]
    other = {**NEW, "options": {"turn_limit": 50}}
    made.append(Seats.create(client, **other))
    for seats in made:
        assert joined(seats, **KEY)["seat"] == 1
        mover = seats.view()["to_act"][0]
        body = seats.view(mover)["legal_moves"][0]
        answer = seats.move(mover, body, **KEY)
        assert answer.status_code == 200
        assert "Idempotent-Replayed" not in answer.headers


def test_a_refused_request_does_not_use_up_its_key(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{}, OPEN], seed="refused")
    refused: list[tuple[Any, dict[str, str], tuple[int, str]]] = [
        ({"action": "cheat"}, {}, (422, "validation")),
        (PLAY, {}, (409, "match-waiting")),
        (PLAY, {"If-Match": '"7-0"'}, (412, "version-mismatch")),
    ]
    for body, headers, expected in refused:
        assert kind(seats.move(0, body, **KEY, **headers)) == expected
    joined(seats)
    mover = seats.view()["to_act"][0]
    assert kind(seats.move(1 - mover, PLAY, **KEY)) == (409, "not-your-turn")
    assert kind(seats.move(mover, {"action": "decline"}, **KEY)) == (409, "illegal-move")
    body = seats.view(mover)["legal_moves"][0]
    assert seats.move(mover, body, **KEY).status_code == 200


def test_a_judged_move_does_not_use_up_its_key(seats: Seats) -> None:
    path = f"{seats.path}/moves?dry_run=true"
    judged = seats.client.post(path, json=PLAY, headers={**seats.auth(0), **KEY})
    assert judged.get_json()["version"] == 0
    moved = seats.move(0, PLAY, **KEY)
    assert "Idempotent-Replayed" not in moved.headers
    assert moved.get_json()["version"] == 1


def test_case_30_a_condition_that_has_been_met_is_not_asked_again(seats: Seats) -> None:
    """With the key alone it is the retry; without, the version is another one by now."""
    condition = {"If-Match": seats.get(0).headers["ETag"]}
    first = seats.move(0, PLAY, **KEY, **condition)
    is_replay(seats.move(0, PLAY, **KEY, **condition), first)
    assert kind(seats.move(0, PLAY, **condition)) == (412, "version-mismatch")


def test_case_33_a_retry_is_answered_when_the_match_is_over(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, es("0: 4C | . . .; 1: KC; pile 2C; value 2"))
    body = {"action": "play", "card": "4C"}
    first = seats.move(0, body, **KEY)
    assert first.get_json()["status"] == "finished"
    is_replay(seats.move(0, body, **KEY), first)
    assert kind(seats.move(0, body)) == (409, "match-finished")


def test_case_47_a_retry_from_a_seat_that_has_been_left_is_told_nothing(seats: Seats) -> None:
    seats.move(0, PLAY, **KEY)
    assert leave(seats, 0, "host").status_code == 204
    assert kind(seats.move(0, PLAY, **KEY)) == (401, "unauthorized")
    assert kind(seats.move(0, PLAY, **{"Idempotency-Key": "new"})) == (401, "unauthorized")


# Creating and joining: tokens are given again, and nobody else's


def test_a_creation_sent_again_gives_the_same_match_and_tokens(
    client: CheckedClient, valkey: Server
) -> None:
    first = create(client, **KEY)
    seats = Seats(client, "even-steven", first.get_json())
    joined(seats)
    with untouched(valkey):
        is_replay(create(client, **KEY), first)
    assert first.get_json()["view"]["version"] == 0
    assert seats.view(0)["you"]["seat"] == 0
    assert seats.view()["version"] > 0


def test_a_key_makes_one_match_of_each_game(client: CheckedClient) -> None:
    body = {"seats": [{}, {}]}
    made = [
        client.post(f"/v1/games/{game}/matches", json=body, headers=KEY).get_json()
        for game in GAMES
    ]
    assert len({told["match_id"] for told in made}) == len(GAMES)
    assert len({told["host_token"] for told in made}) == len(GAMES)


def test_a_join_sent_again_gives_the_same_seat_and_token(
    client: CheckedClient, valkey: Server
) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, OPEN])
    first = join(seats, {"name": "Cem"}, **KEY)
    joined(seats)
    with untouched(valkey):
        is_replay(join(seats, {"name": "Cem"}, **KEY), first)
        assert kind(join(seats, {"name": "Dee"}, **KEY)) == (422, "validation")
        assert kind(join(seats, {"name": "Cem"})) == (409, "match-full")
    seats.tokens[1] = first.get_json()["token"]
    assert seats.view(1)["you"]["seat"] == 1


def test_other_requests_under_the_keys_of_a_creation_and_a_join_get_no_token(
    client: CheckedClient,
) -> None:
    first = create(client, **KEY).get_json()
    answer = create(client, {**NEW, "public": False}, **KEY)
    assert kind(answer) == (422, "validation")
    assert set(answer.get_json()["errors"]) == {"Idempotency-Key"}
    assert first["host_token"] not in answer.text


@pytest.mark.parametrize("other", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_USER_AGENT": "another"}])
def test_a_weak_key_is_no_strangers_and_a_strong_one_holds_on_another_network(
    client: CheckedClient, other: dict[str, str]
) -> None:
    """Two who think of the same short key must not be given each other's tokens; a phone that comes
    again from elsewhere must be."""
    for key, same in (("join-1", False), (KEY["Idempotency-Key"], True)):
        headers = {"Idempotency-Key": key}
        first = create(client, **headers)
        again = client.post(first.request.path, json=NEW, headers=headers, environ_overrides=other)
        assert (first.data == again.data) is same
        assert ("Idempotent-Replayed" in again.headers) is same
        seats = Seats(client, "even-steven", first.get_json())
        taken = join(seats, **headers)
        path = f"{seats.path}/seats"
        second = client.post(path, json={}, headers=headers, environ_overrides=other)
        assert second.status_code == (201 if same else 409)
        assert (second.data == taken.data) is same


# What is no key


@pytest.mark.parametrize(
    "key", ["", " ", "a b", "\t", "x" * 129, "café", "\xff", "a\x7f", "\x00", "a\x1f"]
)
def test_case_43_what_is_no_key_is_refused_and_nothing_done(
    client: CheckedClient, seats: Seats, valkey: Server, key: str
) -> None:
    waiting = Seats.create(client, seats=[{}, OPEN])
    bad = {"Idempotency-Key": key}
    token = {**seats.auth(0), **bad}
    requests: list[Callable[[], TestResponse]] = [
        lambda: create(client, **bad),
        lambda: join(waiting, **bad),
        lambda: seats.move(0, PLAY, **bad),
        lambda: client.post(f"{seats.path}/seats/0/token", headers=token),
    ]
    with untouched(valkey):
        for request in requests:
            assert kind(request()) == (400, "malformed-request")


@pytest.mark.parametrize("key", ["!", "~", "x" * 128, 'a,b;c="d"', "''"])
def test_any_visible_characters_are_a_key(seats: Seats, key: str) -> None:
    first = seats.move(0, PLAY, **{"Idempotency-Key": key})
    is_replay(seats.move(0, PLAY, **{"Idempotency-Key": key}), first)
