"""Lists that cannot be kept true for a moment: what counts is done, and is answered as done."""

from __future__ import annotations

import pytest

from api.store.base import StoreUnavailable
from api.store.redis import RedisStore
from tests.conformance import CheckedClient
from tests.seats import Seats


@pytest.fixture
def deaf(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store goes away each time after a commit, before the list is told."""

    def lost(*args: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(store, "unlist", lost)


@pytest.mark.usefixtures("deaf")
def test_a_join_that_was_kept_is_answered_with_its_token(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{}, {"open": True}])
    joined = client.post(f"{seats.path}/seats", json={})
    assert joined.status_code == 201
    headers = {"Authorization": f"Bearer {joined.get_json()['token']}"}
    assert client.get(seats.path, headers=headers).get_json()["you"]["seat"] == 1


@pytest.mark.usefixtures("deaf")
def test_a_match_that_was_deleted_is_answered_so(client: CheckedClient) -> None:
    seats = Seats.create(client)
    assert client.delete(seats.path, headers=seats.auth("host")).status_code == 204
    assert seats.get().status_code == 404
