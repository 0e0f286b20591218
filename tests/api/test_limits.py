"""Limits: what is counted, what one request too many is answered, and what it costs."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config, ConfigError
from api.rates import Rates
from api.store.redis import RedisStore
from tests.api.clocks import Clock
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient, Contract
from tests.seats import Seats
from tests.services import eventually
from tests.streams import NDJSON, SSE, watching
from tests.valkey import Server

GAMES = "/v1/games"
CREATE = "/v1/games/even-steven/matches"
PLENTY = 10**6
EXEMPT = {"/healthz", "/readyz", "/metrics"}

Make = Callable[..., CheckedClient]
MINUTES = itertools.count()


def a_minute() -> Clock:
    """A clock that stands still in a minute of its own: what the services of other tests have
    counted is told to the store a little later, and must not count here."""
    clock = Clock()
    clock.go_on(60 * next(MINUTES))
    return clock


@pytest.fixture
def limited(store: RedisStore, contract: Contract) -> Make:
    """Makes a client of a service with these limits and no others, in which no minute ends."""

    def make(**rates: int) -> CheckedClient:
        names = Rates.__dataclass_fields__
        config = Config(rate_limit=Rates(**{**dict.fromkeys(names, PLENTY), **rates}))
        app = create_app(config, store=store, clock=a_minute())
        app.test_client_class = type("Client", (CheckedClient,), {"contract": contract})
        client = app.test_client()
        assert isinstance(client, CheckedClient)
        return client

    return make


def at(address: str, token: str = "") -> dict[str, Any]:
    """A request's environment: from where it comes and with which token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"environ_overrides": {"REMOTE_ADDR": address}, "headers": headers}


def refused(answer: TestResponse, limit: str) -> None:
    """It is refused as one too many, in the contract's form, and told how long to wait."""
    assert answer.status_code == 429
    problem = answer.get_json()
    assert (problem["type"], problem["limit"]) == ("/problems/too-many-requests", limit)
    wait = int(answer.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert str(wait) in problem["detail"]
    assert f'"{limit}";r=0' in answer.headers["RateLimit"]
    assert f'"{limit}";q=' in answer.headers["RateLimit-Policy"]


def test_an_address_has_its_limit_and_another_its_own(limited: Make) -> None:
    client = limited(address=3)
    for left in (2, 1, 0):
        answer = client.get("/nowhere", **at("192.0.2.1"))
        assert answer.status_code == 404
        assert answer.headers["RateLimit-Policy"] == '"address";q=3;w=60'
        assert re.fullmatch(rf'"address";r={left};t=\d\d?', answer.headers["RateLimit"])
    refused(client.get("/nowhere", **at("192.0.2.1")), "address")
    assert client.get("/nowhere", **at("192.0.2.2")).status_code == 404


def test_what_was_refused_is_not_counted_as_well(limited: Make, valkey: Server) -> None:
    client = limited(address=3)
    for _ in range(20):
        client.get("/nowhere", **at("198.51.100.7"))

    def counted() -> int:
        with valkey.client() as plain:
            keys = list(plain.scan_iter("croupier:limits:*"))
            return sum(int(plain.hget(key, "a:198.51.100.7") or 0) for key in keys)

    assert eventually(lambda: counted() == 3)


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::9", "2001:db8:0:2::1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("fe80::1%eth0", "fe80::2%eth1", "fe81::1"),
    ],
)
def test_an_ipv6_network_of_64_bits_counts_as_one(
    limited: Make, one: str, same: str, other: str
) -> None:
    client = limited(address=1)
    assert client.get("/nowhere", **at(one)).status_code == 404
    refused(client.get("/nowhere", **at(same)), "address")
    assert client.get("/nowhere", **at(other)).status_code == 404


def test_a_token_has_its_limit_from_wherever_it_comes(limited: Make, store: RedisStore) -> None:
    client = limited(address=100, token=2)
    seats = placed(client, store, POSITIONS["even-steven"]())
    for n, left in ((1, 1), (2, 0)):
        answer = client.get(seats.path, **at(f"192.0.2.{n}", seats.tokens[0]))
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"address";q=100;w=60, "token";q=2;w=60'
        assert '"address";r=99;t=' in answer.headers["RateLimit"]
        assert f'"token";r={left};t=' in answer.headers["RateLimit"]
    refused(client.get(seats.path, **at("192.0.2.3", seats.tokens[0])), "token")
    assert client.get(seats.path, **at("192.0.2.3", seats.tokens[1])).status_code == 200
    assert client.get(seats.path, **at("192.0.2.3")).status_code == 200


def test_forged_headers_give_nobody_a_new_limit(limited: Make) -> None:
    client = limited(address=1)
    client.get("/nowhere")
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP"):
        refused(client.get("/nowhere", headers={name: "198.51.100.7"}), "address")


def test_making_matches_is_stricter_and_what_is_refused_is_not_made(
    limited: Make, valkey: Server
) -> None:
    client = limited(matches=2)
    made = [Seats.create(client, "even-steven") for _ in range(2)]
    answer = client.post(CREATE, json={"seats": [{}, {}]})
    refused(answer, "matches")
    assert '"address";r=' in answer.headers["RateLimit"]
    with valkey.client() as plain:
        assert len(list(plain.scan_iter("croupier:{*}:match"))) == 2
    for seats in made:
        assert seats.play_on(3)["version"] == 3, "moves and views go on"


def test_a_rematch_is_a_match_made(limited: Make) -> None:
    client = limited(matches=2)
    seats = Seats.create(client, "even-steven", options={"turn_limit": 50})
    seats.play_on()
    again = f"{seats.path}/rematch"
    assert client.post(again, headers=seats.auth(0)).status_code == 200
    refused(client.post(again, headers=seats.auth(1)), "matches")


def test_a_creation_that_is_wrong_is_no_match_made(limited: Make) -> None:
    client = limited(matches=1)
    for _ in range(3):
        assert client.post(CREATE, json={"seats": []}).status_code == 422
    Seats.create(client)


# What is counted


def test_every_operation_is_refused_as_the_contract_says_and_health_never(
    limited: Make, contract: Contract
) -> None:
    client = limited(address=1)
    client.get("/nowhere")
    asked = 0
    names = {"{match_id}": "a" * 16, "{seat}": "0", "{slug}": "forbidden"}
    for template, item in contract.document["paths"].items():
        path = re.sub(r"\{\w+\}", lambda found: names.get(found[0], "x"), template)
        for method in item.keys() - {"parameters"}:
            answer = client.open(path, method=method.upper())
            if path in EXEMPT:
                assert answer.status_code == 200
                assert "RateLimit" not in answer.headers
                assert "429" not in item[method]["responses"]
            else:
                refused(answer, "address")
                headers = item[method]["responses"]["429"]["headers"]
                assert headers.keys() == {"Retry-After", "RateLimit", "RateLimit-Policy"}
                asked += 1
    assert asked > 30


def test_what_caches_may_keep_tells_nothing_of_one_caller(limited: Make) -> None:
    client = limited(address=100)
    for path in (GAMES, "/openapi.json", "/docs", "/problems/forbidden"):
        answer = client.get(path)
        assert answer.headers["Cache-Control"].startswith("public")
        assert "RateLimit" not in answer.headers
        again = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
        assert "RateLimit" not in again.headers
    assert '"address";r=91;' in client.get("/nowhere").headers["RateLimit"], "counted all the same"


def test_nothing_is_counted_where_limits_are_off() -> None:
    config = Config.from_environ({"CROUPIER_RATE_LIMIT": "off"})
    with Server() as server:
        store = RedisStore(server.url, ttl_seconds=60)
        client = create_app(config, store=store).test_client()
        for _ in range(3):
            assert "RateLimit" not in client.post(CREATE, json={"seats": [{}, {}]}).headers
        time.sleep(1.2)
        with server.client() as plain:
            assert not list(plain.scan_iter("croupier:limits:*"))
        store.close()


@pytest.mark.parametrize(
    "text", ["on", "100", "address", "address=0", "address=-1", "address=1.5", "address=1e3",
             "adress=5", "address=5,", "address=5;token=5", "address=1234567890", "token_streams=5"]
)  # fmt: skip
def test_what_is_no_limit_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"CROUPIER_RATE_LIMIT must be off, or .*"):
        Config.from_environ({"CROUPIER_RATE_LIMIT": text})


def test_limits_are_written_as_they_are_read() -> None:
    rates = Rates(address=600, token_streams=3)
    assert Rates.parse(str(rates)) == rates
    assert Rates.parse("token=5") == Rates(token=5)
    for text in ("off", "OFF", " Off "):
        assert Config.from_environ({"CROUPIER_RATE_LIMIT": text}).rate_limit is None


# Web pages


def test_a_page_may_read_what_is_left_and_a_preflight_is_never_refused(store: RedisStore) -> None:
    page = {"Origin": "https://play.example"}
    asks = {**page, "Access-Control-Request-Method": "POST"}
    config = Config(cors_origins=("https://play.example",), rate_limit=Rates(address=1))
    client = create_app(config, store=store, clock=a_minute()).test_client()
    answers = [client.get("/nowhere", headers=page) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [404, 429]
    for answer in answers:
        assert answer.headers["Access-Control-Allow-Origin"] == "https://play.example"
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= set(exposed)
    assert client.options(CREATE, headers=asks).status_code == 200


# Streams


@pytest.mark.parametrize(
    ("rates", "limit"), [("streams", "streams"), ("token_streams", "token-streams")]
)
@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_so_many_streams_at_once_and_a_place_for_each_that_ends(
    limited: Make,
    store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    rates: str,
    limit: str,
    accept: str,
) -> None:
    monkeypatch.setattr("api.watching.KEEPALIVE", 0.1)
    client = limited(**{rates: 2})
    seats = placed(client, store, POSITIONS["even-steven"]())
    path = f"{seats.path}/events"
    with watching(client.application, seats, 0, accept):
        with watching(client.application, seats, 0, accept):
            for kind in (SSE, NDJSON):
                refused(client.get(path, headers={**seats.auth(0), "Accept": kind}), limit)
            refused(client.get(f"{path}?after=99&wait=5", headers=seats.auth(0)), limit)
            assert client.get(path, headers=seats.auth(0)).status_code == 200
            assert client.get(seats.path, headers=seats.auth(0)).status_code == 200
        with watching(client.application, seats, 0, accept) as again:
            assert again.status == 200


def test_what_never_begins_to_stream_takes_no_place(limited: Make, store: RedisStore) -> None:
    """A HEAD, a refusal, a match that is over, and long polls that have ended."""
    client = limited(streams=1)
    seats = Seats.create(client, options={"turn_limit": 50})
    path = f"{seats.path}/events"
    for _ in range(3):
        for accept in (SSE, NDJSON):
            assert client.head(path, headers={"Accept": accept}).status_code == 200
            wrong = {"Accept": accept, "Authorization": "Bearer " + "x" * 43}
            assert client.get(path, headers=wrong).status_code == 401
        assert client.get(f"{path}?after=0&wait=5").status_code == 200
        assert client.get(f"{path}?after=99&wait=1").status_code == 200
        wrong = {"Authorization": "Bearer " + "x" * 43}
        assert client.get(f"{path}?after=99&wait=5", headers=wrong).status_code == 401
    seats.play_on()
    for accept in (SSE, NDJSON):
        for _ in range(3):
            with client.get(path, headers={"Accept": accept}) as whole:
                assert whole.status_code == 200


# What it costs, and what it does while the store is away


def test_a_request_takes_no_round_trip_more(
    limited: Make, store: RedisStore, valkey: Server
) -> None:
    """Counts are told to the store beside the requests, and by no means for each of them."""
    client = limited()
    seats = placed(client, store, POSITIONS["even-steven"]())
    seats.view(0)
    with valkey.client() as plain, plain.monitor() as monitor:
        begun = time.monotonic()
        for _ in range(100):
            seats.view(0)
        took = time.monotonic() - begun
        store.ping()
        commands = []
        for command in monitor.listen():
            if command["client_type"] != "lua":
                commands.append(command["command"].split()[0].upper())
            if commands[-1:] == ["PING"]:
                break
    assert commands.count("HMGET") == 100
    # A new connection says who it is.
    others = [n for n in commands if n not in ("HMGET", "PING", "AUTH", "CLIENT")]
    assert set(others) <= {"EVALSHA", "EVAL"}
    assert len(others) <= 2 + 2 * took


def test_a_store_that_is_away_is_told_as_ever_and_the_limit_holds(contract: Contract) -> None:
    with Server() as server:
        store = RedisStore(server.url, ttl_seconds=60)
        config = Config(rate_limit=Rates(address=6))
        client = create_app(config, store=store, clock=a_minute()).test_client()
        made = client.post(CREATE, json={"seats": [{}, {}]}).get_json()
        server.kill()
        path = f"{CREATE}/{made['match_id']}"
        statuses = [client.get(path).status_code for _ in range(4)]
        statuses.append(client.post(CREATE, json={"seats": [{}, {}]}).status_code)
        assert statuses == [503] * 5
        refused(client.get(path), "address")
        server.start()
        store.close()


def test_refusals_are_counted_by_limit(limited: Make) -> None:
    client = limited(address=1)

    def so_far() -> float:
        text = client.get("/metrics").text
        found = re.search(r'croupier_refused_total\{limit="address"\} (\S+)', text)
        return float(found[1]) if found else 0.0

    before = so_far()
    for _ in range(4):
        client.get("/nowhere")
    assert so_far() - before == 3


def test_a_proxy_that_is_not_named_is_told_of_once(
    limited: Make, caplog: pytest.LogCaptureFixture
) -> None:
    client = limited(address=1)
    for _ in range(4):
        client.get("/nowhere", headers={"X-Forwarded-For": "198.51.100.7"})
    assert caplog.text.count("CROUPIER_TRUSTED_PROXIES") == 1
    assert "198.51.100.7" not in caplog.text
