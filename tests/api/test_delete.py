"""Deleting a match: the host alone, at any moment, and nothing is left of it."""

from __future__ import annotations

import pytest

from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, placed, plainly, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server


def delete(seats: Seats, who: int | str | None) -> int:
    """The status of deleting in somebody's name."""
    return seats.client.delete(seats.path, headers=seats.auth(who)).status_code


def test_the_host_ends_and_removes_a_match(client: CheckedClient, valkey: Server) -> None:
    seats, other = Seats.create(client), Seats.create(client)
    answer = client.delete(seats.path, headers=seats.auth("host"))
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Cache-Control"] == "no-store"
    for who in (0, 1, "host", None):
        assert seats.get(who).status_code == 404
    assert seats.move(0, {"action": "draw"}).status_code == 404
    assert delete(seats, "host") == 404
    left = b"".join(key + value for key, value in plainly(valkey).items())
    assert seats.match_id.encode() not in left
    assert other.match_id.encode() in left
    assert other.get(0).status_code == 200


def test_nobody_else_may(client: CheckedClient, valkey: Server) -> None:
    seats, other = Seats.create(client), Seats.create(client)
    with untouched(valkey):
        for who in (0, 1):
            answer = client.delete(seats.path, headers=seats.auth(who))
            assert answer.status_code == 403
            assert answer.get_json()["type"] == "/problems/forbidden"
        for headers in ({}, other.auth("host"), other.auth(0), {"Authorization": "Bearer x"}):
            answer = client.delete(seats.path, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert delete(seats, "host") == 204


@pytest.mark.parametrize("asked", [{"seats": [{}, {"open": True}]}, {"public": False}])
def test_a_waiting_or_private_match_can_be_deleted(
    client: CheckedClient, asked: dict[str, object]
) -> None:
    assert delete(Seats.create(client, **asked), "host") == 204


def test_a_finished_match_can_be_deleted(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{"bot": "random"}] * 2)
    assert seats.view()["status"] == "finished"
    assert delete(seats, "host") == 204


def test_a_match_is_not_deleted_by_the_path_of_another_game(
    client: CheckedClient, store: RedisStore, valkey: Server
) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    with untouched(valkey):
        path = seats.path.replace("even-steven", "card-keeper")
        assert client.delete(path, headers=seats.auth("host")).status_code == 404
