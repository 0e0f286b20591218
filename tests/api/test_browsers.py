"""What browsers are told of every answer: what a page may do with it, and which pages may ask."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import Client, TestResponse

from api import create_app
from api.browsers import EVERY, WINDOW
from api.config import Config
from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.streams import NDJSON, SSE

PAGE = "https://play.example"
CLOSED = {"base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'"}
#: By kind of answer: what it may load beside nothing.
PICTURE = {"sandbox": ""}
READING = {"img-src": "'self'", "style-src": "'self'"}
TRYING = {
    "connect-src": "'self'",
    "img-src": "'self' data:",
    "script-src": "'self'",
    "style-src": "'self'",
}


def policy(answer: TestResponse) -> dict[str, str]:
    """The content security policy, by directive."""
    parts = (part.strip().partition(" ") for part in one(answer, "Content-Security-Policy"))
    found = {name: value for name, _, value in parts}
    assert found.pop("default-src") == "'none'"
    assert CLOSED.items() <= found.items()
    return {name: value for name, value in found.items() if name not in CLOSED}


def one(answer: TestResponse, name: str) -> list[str]:
    """The parts of a header that is there once."""
    (value,) = answer.headers.getlist(name)
    return value.split(";")


def is_protected(answer: TestResponse) -> None:
    """An answer says all that it should, once, and lets a browser do what its kind needs."""
    kind = "" if answer.request.method == "OPTIONS" else answer.mimetype
    picture = kind == "image/svg+xml" and not answer.request.path.startswith("/static/")
    for name, value in EVERY.items():
        if name not in ("Content-Security-Policy", "Cross-Origin-Resource-Policy"):
            assert one(answer, name) == [value]
    assert one(answer, "Cross-Origin-Resource-Policy") == [
        "cross-origin" if picture else "same-origin"
    ]
    if kind == "text/html":
        wanted = TRYING if answer.request.path == "/docs" else READING
        for name, value in WINDOW.items():
            assert one(answer, name) == [value]
    else:
        wanted = PICTURE if picture else {}
    assert policy(answer) == wanted


# Every route and every kind of answer


def address(rule: Rule, seats: Seats) -> str:
    """An address of the rule of which all parts exist."""
    parts: dict[str, Any] = {"match_id": seats.match_id, "seat": 0, "slug": "validation"}
    parts |= {"deck": "standard", "code": "4C"}
    parts["name"] = "swagger-ui.css" if rule.endpoint == "assets.swagger_file" else "page.css"
    built = rule.build({name: parts[name] for name in rule.arguments}, append_unknown=False)
    assert built is not None
    return built[1]


def test_every_route_protects_its_answers_with_and_without_a_token(
    app: Flask, client: CheckedClient, store: RedisStore
) -> None:
    seen = set()
    for headers in ({"Accept": "text/html"}, {"Authorization": "Bearer nonsense"}, None):
        for rule in app.url_map.iter_rules():
            seats = placed(client, store, POSITIONS["even-steven"]())
            path = address(rule, seats)
            for method in [*sorted(rule.methods or ()), "PUT"]:
                who = seats.auth("host") if headers is None else headers
                answer = client.open(path, method=method, headers=who, json={}, buffered=True)
                is_protected(answer)
                seen.add(answer.status_code)
    assert seen >= {200, 204, 401, 404, 405, 409, 422}


def test_every_kind_of_answer_is_protected(client: CheckedClient, store: RedisStore) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    json = {**seats.auth(0), "Content-Type": "application/json"}
    moves, etag = f"{seats.path}/moves", '"0-0"'
    answers = [
        client.post("/v1/games/even-steven/matches", json={"seats": [{}, {}]}),
        client.get(seats.path, headers={**seats.auth(0), "If-None-Match": etag}),
        client.get("/docs", headers={"If-None-Match": client.get("/docs").headers["ETag"]}),
        client.post(moves, data=b"{", headers=json),
        client.delete(seats.path, headers=seats.auth(0)),
        client.post(moves, json={"action": "draw"}, headers={**json, "If-Match": '"7-0"'}),
        client.post(moves, data=b" " * 20_000, headers=json),
        client.post(moves, data=b"x", headers={**json, "Content-Type": "text/plain"}),
        client.get("/static/page.css", headers={"Range": "bytes=999999-"}, buffered=True),
    ]
    assert [a.status_code for a in answers] == [201, 304, 304, 400, 403, 412, 413, 415, 400]
    # A browser takes what it keeps from an answer without a body too.
    assert policy(answers.pop(2)) == TRYING
    for answer in answers:
        is_protected(answer)


def test_faults_and_an_absent_store_are_protected(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(RedisStore, "ping", lambda _: 1 / 0)
        broken = client.get("/readyz")
    nowhere = RedisStore("redis://localhost:1", ttl_seconds=1)
    away = create_app(Config(rate_limit=None), store=nowhere).test_client().get("/readyz")
    assert (broken.status_code, away.status_code) == (500, 503)
    for answer in (broken, away):
        is_protected(answer)


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_is_protected(app: Flask, client: CheckedClient, accept: str) -> None:
    seats = Seats.create(client, "even-steven")
    headers = {**seats.auth(0), "Accept": accept}
    answer = Client(app).get(f"{seats.path}/events", headers=headers, buffered=False)
    assert answer.mimetype == accept
    is_protected(answer)
    answer.close()


# Pages


class Inline(HTMLParser):
    """What a page has in itself that a strict policy refuses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(tag)
        self.found += [name for name in names if name.startswith("on") or name == "style"]


def test_pages_have_nothing_inline(client: CheckedClient) -> None:
    assert Inline("<p style='x' onclick='y'><script>1</script><style></style>").found
    by_wish = (
        client.get(path, headers={"Accept": "text/html"}) for path in ("/", "/problems/validation")
    )
    for page in (client.get("/docs"), *by_wish):
        assert page.mimetype == "text/html"
        assert Inline(page.text).found == []


def test_no_other_page_comes_with_swagger_ui(client: CheckedClient) -> None:
    """It brings pages of its own, with scripts that read the address."""
    for name in ("oauth2-redirect.html", "oauth2-redirect.js", "index.html", "LICENSE"):
        assert client.get(f"/static/swagger-ui/{name}").status_code == 404


def test_a_picture_does_nothing_but_show(client: CheckedClient) -> None:
    card = client.get("/v1/games/card-keeper").get_json()["cards"][0]["image"]
    text = client.get(card).text
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=|href|<foreignObject|@import", text)


# Pages of other origins


@pytest.mark.parametrize("origins", [(PAGE,), (PAGE, "https://other.example")])
def test_no_cache_gives_a_page_what_was_answered_to_another(
    store: RedisStore, origins: tuple[str, ...]
) -> None:
    client = create_app(Config(cors_origins=origins), store=store).test_client()
    for path in ("/v1/games", "/cards/standard/4C.svg", "/problems/validation", "/nothing"):
        for origin in (PAGE, "https://evil.example", "null", None):
            answer = client.get(path, headers={} if origin is None else {"Origin": origin})
            assert "Origin" in answer.vary
            allowed = answer.headers.get("Access-Control-Allow-Origin")
            assert allowed == PAGE if origin == PAGE else allowed in (None, *origins)
            assert allowed != "https://evil.example"


def test_where_all_pages_are_let_in_the_answer_is_the_same_for_all(store: RedisStore) -> None:
    client = create_app(Config(cors_origins=("*",)), store=store).test_client()
    for origin in (None, PAGE, "https://evil.example"):
        answer = client.get("/v1/games", headers={} if origin is None else {"Origin": origin})
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Origin" not in answer.vary
        assert "Access-Control-Allow-Credentials" not in answer.headers
