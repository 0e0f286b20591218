"""HTTP as such: paths, methods, request ids, faults of our own, and bytes on the wire (case 55)."""

from __future__ import annotations

import logging
import re
import socket
from urllib.parse import urlsplit

import pytest
import requests

from api import tokens
from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import Service
from tests.valkey import Server

MATCHES = "/v1/games/even-steven/matches"
#: Every path that is there, with a match's id to be filled in, and its methods.
METHODS = {
    "/": {"GET"},
    "/healthz": {"GET"},
    "/readyz": {"GET"},
    "/docs": {"GET"},
    "/openapi.json": {"GET"},
    "/openapi.yaml": {"GET"},
    "/problems/validation": {"GET"},
    "/static/page.css": {"GET"},
    "/v1/games": {"GET"},
    "/v1/games/even-steven": {"GET"},
    f"{MATCHES}/{{}}/moves": {"POST"},
}
ALL_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO"}


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H."""
    return placed(client, store, POSITIONS["even-steven"]())


# Paths


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/nothing",
            "/v1",
            "/v1/",
            "/v1/games/",
            "/v1//games",
            "//v1/games",
            "/V1/games",
            "/v2/games",
        ),
        *("/healthz/", "/docs/", "/openapi.yml", "/index.html", "/favicon.ico", "/.env", "/%00"),
        *(f"{MATCHES}/", f"{MATCHES}/{{}}/", f"{MATCHES}//{{}}", f"{MATCHES}/{{}}/moves/"),
        *(f"{MATCHES}/{{}}/move", f"{MATCHES}/{{}}/moves/1", "/v1/games/even-steven/match/{}"),
        *("/v1/games/../../healthz", "/v1/games/%2e%2e/healthz", "/" + "x" * 3000, "/é"),
    ],
)
def test_what_is_not_there_is_a_404_problem(client: CheckedClient, seats: Seats, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = client.open(path.format(seats.match_id), method=method, json={})
        assert answer.status_code == 404, (method, path)
        assert answer.get_json()["type"] == "/problems/not-found"
        assert "Location" not in answer.headers


@pytest.mark.parametrize("game", POSITIONS)
def test_the_match_of_another_game_is_not_found(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    with untouched(valkey):
        for other in set(POSITIONS) - {game}:
            path = f"/v1/games/{other}/matches/{seats.match_id}"
            missing = f"/v1/games/{other}/matches/aaaaaaaaaaaaaaaa"
            answers = [
                (client.get(p, headers=seats.auth(0)), client.delete(p, headers=seats.auth("host")))
                for p in (path, missing)
            ]
            assert {a.status_code for pair in answers for a in pair} == {404}
            assert [a.data for a in answers[0]] == [a.data for a in answers[1]]


@pytest.mark.parametrize(
    "match_id",
    [
        *(
            "a",
            "aaaaaaaaaaaaaaa",
            "aaaaaaaaaaaaaaaaa",
            "aaaaaaaaaaaaaaa1",
            "AAAAAAAAAAAAAAAA",
            "0",
            "-1",
        ),
        *(
            "{}",
            "}",
            "*",
            "aaaaaaaaaaaaaaa*",
            "%00",
            "%ff",
            "%0a",
            "é",
            "🂡",
            "x" * 3000,
            "null",
            "_",
        ),
        *("aaaaaaaaaaaaaaaa%0a", "%20aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa%00", "croupier:x:match"),
    ],
)
def test_case_55_a_malformed_match_id_is_not_found(
    client: CheckedClient, seats: Seats, valkey: Server, match_id: str
) -> None:
    path, auth = f"{MATCHES}/{match_id}", seats.auth(0)
    with untouched(valkey):
        for answer in (
            client.get(path, headers=auth),
            client.delete(path, headers=auth),
            client.post(f"{path}/moves", json={"action": "draw"}, headers=auth),
        ):
            assert answer.status_code == 404
            assert answer.get_json()["type"] == "/problems/not-found"


def test_a_query_that_nobody_knows_is_refused_by_name(client: CheckedClient, seats: Seats) -> None:
    for query, names in (("seat=1&x=%00", {"seat", "x"}), ("=1", {""})):
        answer = client.get(f"{seats.path}?{query}")
        assert answer.status_code == 422
        assert set(answer.get_json()["errors"]) == names


# Methods


@pytest.mark.parametrize("path", METHODS)
def test_case_55_other_methods_are_refused_with_those_allowed(
    client: CheckedClient, seats: Seats, path: str
) -> None:
    allowed = METHODS[path] | {"OPTIONS"} | ({"HEAD"} if "GET" in METHODS[path] else set())
    for method in sorted(ALL_METHODS - METHODS[path]):
        answer = client.open(path.format(seats.match_id), method=method, data=b"{")
        assert answer.status_code == 405, (method, path)
        assert answer.get_json()["type"] == "/problems/method-not-allowed"
        assert set(answer.headers["Allow"].split(", ")) == allowed


def test_the_methods_of_a_match_and_of_the_matches(client: CheckedClient, seats: Seats) -> None:
    for path, some in ((MATCHES, {"POST"}), (seats.path, {"GET", "DELETE"})):
        for method in ("PUT", "PATCH"):
            answer = client.open(path, method=method, json={})
            assert answer.status_code == 405
            assert some < set(answer.headers["Allow"].split(", "))


@pytest.mark.parametrize("path", [*METHODS, MATCHES, f"{MATCHES}/{{}}"])
def test_options_tells_the_methods(client: CheckedClient, seats: Seats, path: str) -> None:
    answer = client.options(path.format(seats.match_id))
    assert (answer.status_code, answer.data) == (200, b"")
    assert set(answer.headers["Allow"].split(", ")) >= METHODS.get(path, set()) | {"OPTIONS"}


@pytest.mark.parametrize("path", [path for path, methods in METHODS.items() if "GET" in methods])
def test_head_is_get_without_the_body(client: CheckedClient, path: str) -> None:
    got, head = client.get(path, buffered=True), client.head(path, buffered=True)
    assert (head.status_code, head.data) == (200, b"")
    ignored = ("X-Request-Id", "Date")
    assert [h for h in head.headers if h[0] not in ignored] == [
        h for h in got.headers if h[0] not in ignored
    ]


def test_a_head_that_fails_has_no_body_either(client: CheckedClient) -> None:
    for path in ("/nothing", f"{MATCHES}/aaaaaaaaaaaaaaaa"):
        answer = client.head(path)
        assert (answer.status_code, answer.data) == (404, b"")


# Request ids


@pytest.mark.parametrize("given", ["a", "x" * 64, "A.b_c-9", "0", "..", "-"])
def test_the_callers_request_id_comes_back(client: CheckedClient, given: str) -> None:
    for path in ("/healthz", "/nothing", f"{MATCHES}/aaaaaaaaaaaaaaaa"):
        assert client.get(path, headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


@pytest.mark.parametrize(
    "given", [None, "", " ", "x" * 65, "a b", "a,b", "é", "a\x00", "<b>", "a;b", "a/b", '"a"', "٣"]
)
def test_any_other_gets_a_new_one(client: CheckedClient, given: str | None) -> None:
    headers = {} if given is None else {"X-Request-Id": given}
    made = [client.get("/nothing", headers=headers).headers["X-Request-Id"] for _ in range(2)]
    assert made[0] != made[1]
    assert given not in made
    assert all(re.fullmatch("[A-Za-z0-9._-]{1,64}", name) for name in made)


# Faults of our own


def test_case_55_a_fault_of_ours_is_told_without_its_insides(
    client: CheckedClient,
    seats: Seats,
    shared_store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret insides of redis://user:password@10.0.0.1")

    monkeypatch.setattr(shared_store, "load", broken)
    with caplog.at_level(logging.ERROR):
        answer = client.get(seats.path, headers={"X-Request-Id": "find-me"})
    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
    assert answer.get_json()["type"] == "/problems/internal-error"
    assert answer.headers["X-Request-Id"] == "find-me"
    told = answer.text + str(answer.headers)
    assert not re.search(r"Traceback|RuntimeError|secret|redis|\.py", told)
    (line,) = (record.__dict__["facts"] for record in caplog.records)
    assert line["request_id"] == "find-me"
    assert line["trace"].endswith("RuntimeError: secret insides of redis://user:***@10.0.0.1\n")
    monkeypatch.undo()
    assert client.get(seats.path).status_code == 200


# On the wire


def spoken(service: Service, request: bytes) -> bytes:
    """What the service answers to bytes, until it closes the connection."""
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


HEAD = b"POST " + MATCHES.encode() + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODY = b'{"seats":[{},{}]}'


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY + b"\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n" + BODY + b"\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n11\r\n" + BODY + b"0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n11\r\n" + BODY + b"\r\n",
        HEAD + b"Content-Length: 18\r\n\r\n" + BODY,
        HEAD + b"Content-Length: 17\r\n\r\n",
        HEAD + b"\r\n",
    ],
    ids=["size", "negative", "no-end", "cut-chunks", "cut", "none", "no-length"],
)
def test_a_body_that_does_not_arrive_whole_is_malformed(
    service: Service, valkey: Server, sent: bytes
) -> None:
    with untouched(valkey):
        answer = spoken(service, sent)
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert b"X-Request-Id: " in answer
    assert b'"/problems/malformed-request"' in answer
    assert requests.get(service.url + "/readyz", timeout=5).status_code == 200


def test_what_cannot_be_read_is_not_quoted_in_the_log(service: Service) -> None:
    """A token may be in a line that is no header, or in an address."""
    token = tokens.new_token().encode()
    for head in (
        b"GET /healthz HTTP/1.1\r\nAuthorization Bearer %b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n%b: x\r\n y\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nExpect: %b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nTransfer-Encoding: %b\r\n\r\n",
        b"GET /healthz?token=%b HTTP/9.9\r\n\r\n",
        b"GET /healthz?token=%b and more\r\n\r\n",
        b"%b\r\n\r\n",
    ):
        assert spoken(service, head % token).startswith(b"HTTP/1.1 400 "), head
    assert token.decode() not in service.output


def test_a_host_that_makes_no_sense_changes_nothing(service: Service, valkey: Server) -> None:
    for host in (b"][", b"evil.example", b"a@b", b"", b"\xff", b"x:99999999", b"x/y?z#"):
        length = b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(BODY)
        answer = spoken(service, HEAD.replace(b"Host: x", b"Host: " + host) + length + BODY)
        assert answer.startswith(b"HTTP/1.1 201 "), answer
        assert re.search(rb"\r\nLocation: /v1/games/even-steven/matches/[a-z2-7]{16}\r\n", answer)
