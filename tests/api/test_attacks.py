"""What a malicious player, page or client tries, beside what other tests have: forged requests of
web pages, poisoned caches, stolen scripts, and headers that lie about where a request came from."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from api import create_app, tokens
from api.config import Config
from api.store.redis import RedisStore
from tests.api.places import OPEN, join, kind
from tests.api.tables import POSITIONS, placed, plainly, untouched
from tests.api.test_browsers import address
from tests.conformance import CheckedClient
from tests.histories import history, store_with_log
from tests.seats import Seats
from tests.services import Service
from tests.valkey import Server

MATCHES = "/v1/games/even-steven/matches"
EVIL = "evil.example"
NAMED = {"X-Request-Id": "the-same"}
#: Headers by which proxies tell where a request came from, and others tell a program what it asks.
LIES = {
    "Forwarded": f"for=1.2.3.4;host={EVIL};proto=https",
    "X-Forwarded-For": f"{EVIL}, 1.2.3.4",
    "X-Forwarded-Host": EVIL,
    "X-Forwarded-Port": "1",
    "X-Forwarded-Prefix": f"//{EVIL}",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Server": EVIL,
    "X-Host": EVIL,
    "X-HTTP-Method-Override": "DELETE",
    "X-Original-URL": "/metrics",
    "X-Real-IP": "1.2.3.4",
    "X-Rewrite-URL": "/metrics",
}


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H."""
    return placed(client, store, POSITIONS["even-steven"]())


# Requests that a web page of another origin can have a browser send without asking first


#: Bodies that a form or a page may send anywhere, by their media types.
SIMPLE = {
    "text/plain": b'{"seats": [{}, {}]}',
    "text/plain;charset=UTF-8": b'{"seats": [{}, {}], "x": "="}',
    "text/plain; application/json": b'{"seats": [{}, {}]}',
    "application/x-www-form-urlencoded": b"seats=1",
    "multipart/form-data; boundary=x": b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"
    b"--x--\r\n",
    "": b'{"seats": [{}, {}]}',
}


@pytest.mark.parametrize("media_type", SIMPLE)
def test_no_form_and_no_page_makes_or_joins_or_moves(
    client: CheckedClient, valkey: Server, media_type: str
) -> None:
    seats = Seats.create(client, seats=[{}, OPEN])
    headers = {"Origin": f"https://{EVIL}", "Content-Type": media_type}
    with untouched(valkey):
        for path in (MATCHES, f"{seats.path}/seats", f"{seats.path}/moves"):
            answer = client.post(path, data=SIMPLE[media_type], headers=headers)
            assert kind(answer) == (415, "unsupported-media-type")


def test_what_needs_no_body_needs_a_header_that_no_page_sends_unasked(
    client: CheckedClient, seats: Seats, valkey: Server
) -> None:
    """Cookies count for nothing, so a browser brings nobody's rights along."""
    for name, value in (("token", seats.tokens[0]), ("Authorization", f"Bearer {seats.host}")):
        client.set_cookie(name, value)
    with untouched(valkey):
        for path in ("/seats/0/token", "/rematch"):
            answer = client.post(f"{seats.path}{path}", headers={"Origin": f"https://{EVIL}"})
            assert kind(answer) == (401, "unauthorized")
        for path in ("", "/events", "/replay", "?why=true"):
            client.get(f"{seats.path}{path}")
    assert seats.get().get_json()["you"] is None


def test_a_preflight_of_a_page_that_nobody_named_allows_nothing(client: CheckedClient) -> None:
    answer = client.options(
        MATCHES,
        headers={
            "Origin": f"https://{EVIL}",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type",
            "Access-Control-Request-Private-Network": "true",
        },
    )
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


# Answers as scripts or pages


def texts(app: Flask, seats: Seats) -> Iterator[TestResponse]:
    """Everything that can be looked at, as a browser asks for it."""
    client = Client(app)
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.endswith("/events"):
            headers = {"Accept": "text/html,*/*;q=0.1"}
            yield client.get(address(rule, seats), headers=headers, buffered=True)


def test_an_answer_is_no_script_and_no_page_holds_what_somebody_wrote(
    app: Flask, client: CheckedClient
) -> None:
    mark = "<script>alert(1)</script>"
    seats = Seats.create(client, seats=[{"name": mark}, {"name": "<img src=x>"}])
    client.post(MATCHES, json={"seats": [{"name": mark}, OPEN]})
    shown = 0
    for answer in texts(app, seats):
        if answer.mimetype in ("text/html", "image/svg+xml"):
            assert mark.encode() not in answer.data
        elif answer.mimetype.endswith("json"):
            assert answer.data.startswith(b"{")
            shown += mark.encode() in answer.data
    assert shown >= 2  # in the view and in the list


@pytest.mark.parametrize("mark", ["<script>", "<svg onload=x>", "[x](javascript:1)", "\x1b[2J"])
def test_what_is_sent_comes_back_in_problems_alone_and_in_none_of_their_pages(
    client: CheckedClient, seats: Seats, mark: str
) -> None:
    html = {"Accept": "text/html", "X-Request-Id": mark[:1]}
    for answer in (
        client.get(f"{seats.path}?{mark}=1", headers=html),
        client.post(MATCHES, json={mark: mark, "seats": [{mark: 1}, {}]}, headers=html),
        client.get(f"/problems/{mark}", headers=html),
        client.get(f"/{mark}", headers=html),
    ):
        assert answer.status_code in (404, 422)
        assert answer.mimetype == "application/problem+json"
        assert "\x1b" not in answer.text
        assert mark[:1] not in answer.headers["X-Request-Id"]


# Caches


def test_a_shared_cache_keeps_only_what_is_the_same_for_everybody(
    app: Flask, client: CheckedClient, store: RedisStore
) -> None:
    """RFC 9111, 3: whatever may be stored for all is the same with any token, and with any header
    that the answer does not name in Vary."""
    kept = 0
    match = history("even-steven", moves=7)
    seats = Seats(client, "even-steven", store_with_log(store, match))
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()):
            continue
        path = address(rule, seats)
        plain = client.get(path, headers=NAMED, buffered=True)
        control = plain.cache_control
        if control.private or control.no_store:
            assert not control.public
            continue
        assert plain.status_code == 200, path
        kept += 1
        others: list[dict[str, str]] = [seats.auth(0), seats.auth("host"), LIES, {"Host": EVIL}]
        others += [{"Cookie": "a=b"}, {"Accept-Language": "de"}, {"User-Agent": "x"}]
        others += [] if "Accept" in plain.vary else [{"Accept": "text/html"}]
        for headers in others:
            answer = client.get(path, headers={**headers, **NAMED}, buffered=True)
            assert told(answer) == told(plain), (path, headers)
    assert kept >= 10


def told(answer: TestResponse) -> tuple[Any, ...]:
    """All that goes over the wire, but for the moment."""
    return answer.data, [item for item in answer.headers if item[0] != "Date"]


def test_views_differ_by_who_asks_and_say_so(client: CheckedClient, seats: Seats) -> None:
    for path in ("", "?why=true", "/events", "/replay"):
        for who in (None, 0, 1, "host"):
            answer = client.get(f"{seats.path}{path}", headers=seats.auth(who))
            control = answer.cache_control
            assert "Authorization" in answer.vary
            assert control.private or control.no_store


@pytest.mark.parametrize("tag", ["*", '"0-0"', '"0-spectator"', 'W/"0-0"', '"0-0", "0-spectator"'])
def test_a_tag_opens_nothing(
    client: CheckedClient, store: RedisStore, seats: Seats, tag: str
) -> None:
    """What is private is refused before any tag is looked at, and another's tag gets one's own."""
    private = placed(client, store, POSITIONS["even-steven"](), public=False)
    for headers in ({}, {"Authorization": f"Bearer {tokens.new_token()}"}):
        answer = client.get(private.path, headers={**headers, "If-None-Match": tag})
        assert answer.status_code == (401 if headers else 403)
        assert "ETag" not in answer.headers
    if "0-0" in tag and "spectator" not in tag:
        assert seats.get(1, **{"If-None-Match": tag}).get_json()["you"]["seat"] == 1


# Tokens for other things


def test_a_token_is_of_one_match_and_one_seat(
    client: CheckedClient, seats: Seats, valkey: Server
) -> None:
    other = Seats.create(client, "card-keeper", humans=3)
    with untouched(valkey):
        for who in (0, 1, "host"):
            auth = other.auth(who)
            for method, path in (
                ("GET", ""),
                ("GET", "/events"),
                ("GET", "/replay"),
                ("DELETE", ""),
                ("DELETE", "/seats/0"),
                ("POST", "/seats/0/token"),
                ("POST", "/rematch"),
            ):
                answer = client.open(f"{seats.path}{path}", method=method, headers=auth)
                assert kind(answer) == (401, "unauthorized")
            assert kind(
                seats.client.post(f"{seats.path}/moves", json={"action": "draw"}, headers=auth)
            ) == (401, "unauthorized")


def test_nothing_kept_is_a_token_of_anything(client: CheckedClient, valkey: Server) -> None:
    """Whoever reads the store finds no text in it that opens a match: hashes open nothing."""
    seats = Seats.create(client, seats=[{}, OPEN])
    join(seats, **{"Idempotency-Key": "0b0e1c1e-9f6a-4a57-8f3e-0d7b2b8f5f55"})
    stored = b" ".join(part for item in plainly(valkey).items() for part in item)
    found = {match.decode() for match in re.findall(rb"(?=([A-Za-z0-9_-]{43}))", stored)}
    found |= {tokens.as_token(stored[at : at + 32]) for at in range(len(stored) - 32)}
    assert len(found) > 500
    digests = {tokens.digest(text) for text in found}
    assert not [digest for digest in digests if digest in stored]


# Where a request says that it came from


def test_no_header_changes_where_an_answer_leads(client: CheckedClient) -> None:
    lies = {**LIES, "Host": EVIL}
    for path in ("/", "/v1/games", "/v1/games/card-keeper", "/openapi.json", "/docs", "/nothing"):
        answer = client.get(path, headers=lies)
        assert EVIL not in answer.text + str(answer.headers)
    made = client.post(MATCHES, json={"seats": [{}, {}]}, headers=lies)
    assert re.fullmatch(rf"{MATCHES}/[a-z2-7]{{16}}", made.headers["Location"])
    assert EVIL not in made.text


@pytest.mark.parametrize("prefix", ["", f"//{EVIL}", "/v1/games"])
def test_a_request_without_a_path_is_not_sent_elsewhere(app: Flask, prefix: str) -> None:
    environ = {"PATH_INFO": "", "SCRIPT_NAME": prefix, "HTTP_HOST": EVIL}
    answer = Client(app).get("/", environ_overrides=environ)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert "Location" not in answer.headers


@pytest.mark.parametrize(
    "head",
    [
        f"GET http://{EVIL} HTTP/1.1\r\nHost: {EVIL}\r\n",
        f"GET http://{EVIL}?x=1 HTTP/1.1\r\nHost: {EVIL}\r\n",
        f"GET /v1/games HTTP/1.1\r\nHost: {EVIL}\r\nSCRIPT_NAME: /v1/games\r\n",
        f"GET / HTTP/1.1\r\nHost: {EVIL}\r\nSCRIPT_NAME: /\r\nX-Script-Name: //{EVIL}\r\n",
        f"GET /healthz HTTP/1.1\r\nHost: {EVIL}\r\nPATH_INFO: /metrics\r\n",
        f"GET //{EVIL}/%2e%2e HTTP/1.1\r\nHost: {EVIL}\r\n",
        f"GET /%5c{EVIL} HTTP/1.1\r\nHost: {EVIL}\r\n",
        f"OPTIONS * HTTP/1.1\r\nHost: {EVIL}\r\n",
        f"CONNECT {EVIL}:443 HTTP/1.1\r\nHost: {EVIL}\r\n",
    ],
)
def test_no_request_is_redirected_or_led_to_another_path(service: Service, head: str) -> None:
    where = urlsplit(service.url)
    with socket.create_connection((where.hostname, where.port or 80), 10) as connection:
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    status = int(answer.split()[1])
    assert not 300 <= status < 400
    assert EVIL.encode() not in answer
    assert b"Location:" not in answer
    assert b"croupier_request" not in answer


def test_an_open_service_lets_a_page_read_but_lends_it_no_rights(store: RedisStore) -> None:
    """With `*` every page may ask, as a stranger with curl may; no browser adds anybody's token."""
    client = create_app(Config(cors_origins=("*",)), store=store).test_client()
    answer = client.get("/v1/games", headers={"Origin": f"https://{EVIL}"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
