"""The store in trouble, seen through the service: refused at once, nothing half done, and served
again by itself when it is over (case 44)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, kept, placed
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import eventually
from tests.valkey import Server

AT_MOST = 3.0
"""Seconds within which a request has its answer, whatever the store does."""

MOVE = {"action": "play", "card": "7H"}


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the test's own that keeps what it wrote."""
    with Server(appendonly="yes", appendfsync="always") as server:
        yield server


@pytest.fixture
def store(server: Server) -> Iterator[RedisStore]:
    store = RedisStore(server.url, ttl_seconds=3600)
    yield store
    store.close()


@pytest.fixture
def app(store: RedisStore) -> Flask:
    return create_app(Config(rate_limit=None), store=store)


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H."""
    return placed(client, store, POSITIONS["even-steven"]())


def readers(seats: Seats) -> list[Callable[[], TestResponse]]:
    """Requests that only read."""
    return [lambda: seats.get(0), lambda: seats.get(None)]


def writers(seats: Seats) -> list[Callable[[], TestResponse]]:
    """Requests that write something new, each of which would be right."""
    client, new = seats.client, {"seats": [{}, {}]}
    return [
        lambda: seats.move(0, MOVE),
        lambda: client.post("/v1/games/card-keeper/matches", json=new),
    ]


def delete(seats: Seats) -> TestResponse:
    """Deleting the match, which would be right."""
    return seats.client.delete(seats.path, headers=seats.auth("host"))


def refused(request: Callable[[], TestResponse]) -> None:
    """The request is answered soon, as one to send again."""
    started = time.monotonic()
    answer = request()
    assert time.monotonic() - started < AT_MOST
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/store-unavailable")
    assert 1 <= int(answer.headers["Retry-After"]) <= 10
    assert "redis" not in answer.text.lower()
    assert "sock" not in answer.text


def well_again(seats: Seats) -> None:
    """The match is as it was, and goes on."""
    assert eventually(lambda: seats.get(0).status_code == 200)
    assert seats.view(0)["version"] == 0
    moved = seats.move(0, MOVE).get_json()
    assert moved["version"] == 1
    assert seats.view(0)["version"] == 1
    assert Seats.create(seats.client, "card-keeper").view()["version"] == 0


@contextmanager
def full(server: Server) -> Iterator[None]:
    """The server's memory is used up."""
    with server.client() as client:
        client.config_set("maxmemory", 1)
        yield
        client.config_set("maxmemory", 0)


@contextmanager
def read_only(server: Server) -> Iterator[None]:
    """The server follows another one, as after a failover."""
    with server.client() as client:
        client.replicaof("127.0.0.1", 1)
        yield
        client.replicaof("NO", "ONE")


@pytest.mark.parametrize("trouble", [full, read_only])
def test_case_44_a_store_that_refuses_writes_is_read_and_nothing_is_lost(
    seats: Seats, server: Server, trouble: Callable[[Server], Iterator[None]]
) -> None:
    before = kept(server)
    with trouble(server):
        for request in writers(seats):
            refused(request)
        for request in readers(seats):
            assert request().status_code == 200
        assert kept(server) == before
    well_again(seats)


def test_a_store_that_is_read_only_deletes_nothing(seats: Seats, server: Server) -> None:
    with read_only(server):
        refused(lambda: delete(seats))
    well_again(seats)


def test_a_full_store_can_be_relieved_by_deleting(seats: Seats, server: Server) -> None:
    with full(server):
        assert delete(seats).status_code == 204
        assert seats.get(0).status_code == 404
    assert kept(server) == {}


def test_a_store_that_hangs_is_refused_in_time(seats: Seats, server: Server) -> None:
    before = kept(server)
    server.pause()
    try:
        assert seats.client.get("/healthz").status_code == 200
        for request in (*readers(seats), writers(seats)[0], lambda: delete(seats)):
            refused(request)
        refused(lambda: seats.client.get("/readyz"))
    finally:
        server.resume()
    assert kept(server) == before
    well_again(seats)
    assert seats.client.get("/readyz").status_code == 200


def test_a_store_that_died_is_refused_in_time_and_used_again_when_it_is_back(
    seats: Seats, server: Server
) -> None:
    before = kept(server)
    server.kill()
    assert seats.client.get("/healthz").status_code == 200
    for request in (*readers(seats), *writers(seats), lambda: delete(seats)):
        refused(request)
    refused(lambda: seats.client.get("/readyz"))
    server.start()
    assert kept(server) == before
    well_again(seats)


def test_case_43_a_move_sent_as_the_store_hung_is_made_once_or_not_at_all(
    seats: Seats, store: RedisStore, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = store.commit

    def hanging(change: object) -> object:
        server.pause()
        return commit(change)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(store, "commit", hanging)
        try:
            refused(lambda: seats.move(0, MOVE))
        finally:
            server.resume()
    version = eventually(lambda: seats.get(0)).get_json()["version"]
    with server.client() as client:
        entries = client.xlen(f"croupier:{{{seats.match_id}}}:events")
    assert version == entries <= 1
    assert seats.move(0, MOVE).status_code == (409 if version else 200)
    assert seats.view(0)["version"] == 1


def test_the_catalogue_and_the_contract_need_no_store(seats: Seats, server: Server) -> None:
    server.kill()
    for path in ("/", "/v1/games", "/v1/games/even-steven", "/openapi.json", "/docs", "/healthz"):
        assert seats.client.get(path).status_code == 200
    assert seats.client.get("/nothing").status_code == 404
    answer = seats.client.post("/v1/games/even-steven/matches", json={"seats": []})
    assert answer.status_code == 422
