"""A new token for a lost phone: who may ask, what it opens, and that the old one opens nothing."""

from __future__ import annotations

import pytest

from api.store.base import Commit, CommitResult
from api.store.redis import RedisStore
from engine import GAMES
from tests.api.places import OPEN, is_dead, join, kind, leave, renew
from tests.api.tables import POSITIONS, placed, plainly, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server


@pytest.fixture(params=GAMES)
def seats(request: pytest.FixtureRequest, client: CheckedClient, store: RedisStore) -> Seats:
    """A match of each game in which seat 0 is to act."""
    return placed(client, store, POSITIONS[request.param]())


@pytest.mark.parametrize("who", [0, "host"])
def test_the_new_token_is_the_seats_and_the_old_one_is_dead(seats: Seats, who: int | str) -> None:
    before = seats.get(0)
    old = seats.tokens[0]
    answer = renew(seats, 0, who)
    told = answer.get_json()
    assert answer.headers["Cache-Control"] == "no-store"
    assert list(told) == ["token", "match_id", "seat", "name"]
    assert (told["match_id"], told["seat"], told["name"]) == (seats.match_id, 0, "Player 1")
    assert told["token"] != old
    is_dead(seats, old, 0)
    seats.tokens[0] = told["token"]
    after = seats.get(0)
    assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])
    assert seats.move(0, seats.view(0)["legal_moves"][0]).status_code == 200


def test_a_new_token_is_no_news_to_anybody(seats: Seats) -> None:
    """No version, no event and no time in any view: an ETag goes on naming the same bytes."""
    before = [seats.get(who) for who in (1, "host", None)]
    events = seats.client.get(f"{seats.path}/events").data
    assert renew(seats, 0, "host").status_code == 200
    after = [seats.get(who) for who in (1, "host", None)]
    assert [(a.data, a.headers["ETag"]) for a in after] == [
        (b.data, b.headers["ETag"]) for b in before
    ]
    assert seats.client.get(f"{seats.path}/events").data == events


def test_each_renewal_kills_the_token_before_it(seats: Seats) -> None:
    given = [seats.tokens[0]]
    for _ in range(3):
        seats.tokens[0] = renew(seats, 0, 0).get_json()["token"]
        for old in given:
            is_dead(seats, old, 0)
        given.append(seats.tokens[0])
    assert len(set(given)) == 4


def test_who_may_not_have_one_changes_nothing(seats: Seats, valkey: Server) -> None:
    path = f"{seats.path}/seats"
    with untouched(valkey):
        assert kind(seats.client.post(f"{path}/0/token")) == (401, "unauthorized")
        assert kind(renew(seats, 0, 1)) == (403, "forbidden")
        assert kind(renew(seats, 9, 0)) == (404, "not-found")
        assert kind(renew(seats, 9, "host")) == (404, "not-found")
        for seat in ("host", "-1", "99999999999999999999", "0x0"):
            answer = seats.client.post(f"{path}/{seat}/token", headers=seats.auth("host"))
            assert kind(answer) == (404, "not-found")


def test_a_seat_without_a_player_has_no_token_to_renew(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, {"bot": "random"}])
    for seat in (1, 2):
        assert kind(renew(seats, seat, "host")) == (404, "not-found")
    assert join(seats).status_code == 201
    leave(seats, 0)
    assert kind(renew(seats, 0, "host")) == (404, "not-found")
    assert renew(seats, 1, "host").status_code == 200


def test_it_is_renewed_before_the_deal_and_after_the_end_too(client: CheckedClient) -> None:
    waiting = Seats.create(client, seats=[{}, OPEN])
    assert renew(waiting, 0, 0).status_code == 200
    ended = Seats.create(client, options={"turn_limit": 50}, public=False)
    ended.tokens[1] = renew(ended, 1, "host").get_json()["token"]
    while ended.view("host")["status"] == "playing":
        seat = ended.view("host")["to_act"][0]
        ended.move(seat, ended.view(seat)["legal_moves"][0])
    ended.tokens[0] = renew(ended, 0, 0).get_json()["token"]
    replay = ended.client.get(f"{ended.path}/replay", headers=ended.auth(0))
    assert replay.status_code == 200


def test_a_retried_renewal_gives_the_same_token_though_the_old_one_is_dead(
    seats: Seats, valkey: Server
) -> None:
    """A lost answer must not lock anybody out."""
    first = renew(seats, 0, 0, **{"Idempotency-Key": "my-phone"})
    with untouched(valkey):
        again = renew(seats, 0, 0, **{"Idempotency-Key": "my-phone"})
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert again.data == first.data
    stored = b"".join(key + value for key, value in plainly(valkey).items())
    for secret in ("my-phone", first.get_json()["token"]):
        assert secret.encode() not in stored
    assert kind(renew(seats, 0, 0, **{"Idempotency-Key": "another"})) == (401, "unauthorized")


def test_the_hosts_key_is_for_one_seat(seats: Seats) -> None:
    key = {"Idempotency-Key": "the-hosts"}
    assert renew(seats, 0, "host", **key).status_code == 200
    other = renew(seats, 1, "host", **key)
    assert kind(other) == (422, "validation")
    assert set(other.get_json()["errors"]) == {"Idempotency-Key"}


def test_a_renewal_from_a_dead_token_brings_no_dead_token_back(seats: Seats) -> None:
    """Who has the lost phone, with all that it had sent, gets what is as dead as the rest."""
    key = {"Idempotency-Key": "k"}
    lost = renew(seats, 0, 0, **key).get_json()["token"]
    assert renew(seats, 0, "host").status_code == 200
    assert renew(seats, 0, 0, **key).get_json()["token"] == lost
    is_dead(seats, lost, 0)


@pytest.mark.parametrize("other", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_USER_AGENT": "another"}])
def test_who_has_the_old_token_does_not_get_the_new_one_by_trying_easy_keys(
    seats: Seats, other: dict[str, str]
) -> None:
    path, old = f"{seats.path}/seats/0/token", seats.auth(0)
    for key, same in (("1", False), ("b6a1c2e0-7f2e-4f7e", True)):
        headers = {**old, "Idempotency-Key": key}
        first = seats.client.post(path, headers=headers)
        assert first.status_code == 200
        tried = seats.client.post(path, headers=headers, environ_overrides=other)
        assert (tried.status_code, tried.data == first.data) == (200 if same else 401, same)
        old = {"Authorization": f"Bearer {first.get_json()['token']}"}


@pytest.mark.parametrize("who", [0, "host"])
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "k"}], ids=["no key", "a key"])
def test_a_renewal_that_the_network_delivers_twice_is_answered_with_the_living_token(
    seats: Seats,
    store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    who: int | str,
    headers: dict[str, str],
) -> None:
    once = store.commit

    def twice(commit: Commit) -> CommitResult:
        monkeypatch.undo()
        once(commit)
        return once(commit)

    monkeypatch.setattr(store, "commit", twice)
    answer = renew(seats, 0, who, **headers)
    assert answer.status_code == 200
    seats.tokens[0] = answer.get_json()["token"]
    assert seats.view(0)["you"]["seat"] == 0
