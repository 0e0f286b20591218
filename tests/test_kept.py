"""What earlier releases kept: every match goes on, as it was shown, with its tokens, its events and
the answers that are to be repeated."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from api.store import keys
from api.store.redis import RedisStore
from engine.records import FORMAT
from engine.replay import Replay
from tests import kept
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.streams import NDJSON, watching
from tests.test_docs_site import holds
from tests.valkey import Server

Json = dict[str, Any]
FILES = kept.files()
MATCHES = [
    pytest.param(number, match, id=f"format {number}, {match['game']}, {match['kind']}")
    for number, file in FILES.items()
    for match in file["matches"]
]


def seats_of(client: CheckedClient, match: Json) -> Seats:
    """The seats of a kept match."""
    seats = [{"seat": int(seat), "token": token} for seat, token in match["tokens"].items()]
    answer = {"match_id": match["match_id"], "host_token": match["host"], "seats": seats}
    return Seats(client, match["game"], answer)


def retried(app: Flask, seats: Seats, first: Json) -> Json:
    """The answer to a request that comes again. It is the first one word for word, without what
    answers have been given since: so it is not held against the contract."""
    headers = {**seats.auth(first["seat"]), "Idempotency-Key": first["key"]}
    again = Client(app).post(f"{seats.path}/moves", json=first["body"], headers=headers)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (200, "true")
    answer: Json = again.get_json()
    return answer


@pytest.fixture
def put_back(valkey: Server) -> Server:
    """The server, with all that was kept in it."""
    with valkey.client() as client:
        for file in FILES.values():
            kept.put(client, file)
    return valkey


def test_every_format_that_there_ever_was_has_its_file() -> None:
    assert sorted(FILES) == list(range(1, FORMAT + 1)), "see tests/kept.py"
    for number, file in FILES.items():
        assert file["format"] == number
        kinds = {(match["game"], match["kind"]) for match in file["matches"]}
        assert len(kinds) == len(file["matches"]) >= 12


@pytest.mark.parametrize(("number", "match"), MATCHES)
def test_a_kept_match_goes_on_to_its_end(
    put_back: Server,
    app: Flask,
    client: CheckedClient,
    store: RedisStore,
    number: int,
    match: Json,
) -> None:
    seats = seats_of(client, match)
    state = store.load(seats.match_id)
    assert state is not None
    assert re.search(b"%c[\x90-\x9f]" % number, state.state), "it is not of that format"
    if match["kind"] != "late":
        # Members may have been added since.
        assert holds(seats.view(0), match["view"])
    events = client.get(f"{seats.path}/events?limit=1000", headers=seats.auth(0)).get_json()
    told = events["events"][: len(match["events"])]
    assert len(told) == len(match["events"])
    assert all(map(holds, told, match["events"]))
    if match["retried"]:
        assert retried(app, seats, match["retried"]) == match["retried"]["answer"]
    if match["kind"] == "waiting":
        joined = client.post(f"{seats.path}/seats", json={"name": "Cem"})
        assert joined.status_code == 201
        seats.tokens[2] = joined.get_json()["token"]
    view = seats.play_on()
    assert view["status"] == "finished"
    record = client.get(f"{seats.path}/replay", headers=seats.auth(0)).get_json()
    replay = Replay(record)
    assert [step for step in replay.steps() if step.move is not None], "it reads, and is confirmed"
    assert client.post(f"{seats.path}/rematch", headers=seats.auth("host")).status_code == 200


def test_what_a_newer_release_has_saved_is_to_be_asked_for_again(
    valkey: Server, client: CheckedClient, app: Flask
) -> None:
    seats = Seats.create(client)
    body = seats.view(seats.view()["to_act"][0])["legal_moves"][0]
    with valkey.client() as server, watching(app, seats, None, NDJSON, "?after=0") as stream:
        stream.until_seq(1)
        key = keys.match(seats.match_id)
        state = server.hget(key, "state")
        assert isinstance(state, bytes)
        server.hset(key, "state", kept.as_newer(state))
        for answer in (
            seats.get(0),
            seats.move(0, body),
            client.get(f"{seats.path}/events?wait=1", headers=seats.auth(0)),
            client.post(f"{seats.path}/seats", json={}),
        ):
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
            assert "newer version" in answer.get_json()["detail"]
        server.publish(keys.channel(seats.match_id), "2")
        # Whoever comes back may reach a worker of the newer release.
        stream.until_end()
        server.hset(key, "state", state)
    assert seats.move(seats.view()["to_act"][0], body).status_code == 200
