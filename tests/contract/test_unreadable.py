"""What cannot be read as HTTP is refused by the server itself, and with a problem all the same."""

from __future__ import annotations

import http.client
import io
import json
import socket
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.browsers import EVERY
from api.connections import Connection
from api.worker import Worker
from tests.conformance import Contract
from tests.contract.live import Live

HOST = b"Host: localhost\r\n"
UNREADABLE = {
    "no request line": b"hello\r\n\r\n",
    "method": b"G\x00T / HTTP/1.1\r\n" + HOST + b"\r\n",
    "version": b"GET / HTTP/7.5\r\n" + HOST + b"\r\n",
    "long path": b"GET /" + 5000 * b"x" + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "long header": b"GET / HTTP/1.1\r\n" + HOST + b"X-Long: " + 9000 * b"x" + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + HOST + 70 * b"X-Many: x\r\n" + b"\r\n",
    "header name": b"GET / HTTP/1.1\r\n" + HOST + b"A B: x\r\n\r\n",
    "header value": b"GET / HTTP/1.1\r\n" + HOST + b"X-Zero: \x00\r\n\r\n",
    "length": b"POST /v1/games/even-steven/matches HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: many\r\n\r\n",
    "two lengths": b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "coding": b"GET / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: sideways\r\n\r\n",
    "expectation": b"GET / HTTP/1.1\r\n" + HOST + b"Expect: miracles\r\n\r\n",
}


class _Sent:
    """What came back on a socket, for http.client to read."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: object) -> io.BytesIO:
        return io.BytesIO(self._data)


def answer(live: Live, request: bytes) -> http.client.HTTPResponse:
    """The answer to these bytes, once the server has hung up."""
    address = urlsplit(live.url)
    with socket.create_connection((address.hostname, address.port or 80), timeout=30) as connection:
        connection.sendall(request)
        return read(b"".join(iter(lambda: connection.recv(65536), b"")))


def read(received: bytes) -> http.client.HTTPResponse:
    """What came back, as a client reads it."""
    response = http.client.HTTPResponse(_Sent(received))  # type: ignore[arg-type]
    response.begin()
    return response


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_not_http_is_a_malformed_request(
    live: Live, committed: Contract, case: str
) -> None:
    response = answer(live, UNREADABLE[case])
    assert response.status == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Request-Id"]
    assert {name: response.headers[name] for name in EVERY} == EVERY
    assert response.headers["Connection"] == "close"
    committed.check_component("MalformedRequestProblem", json.loads(response.read()))


def test_the_next_request_is_answered(live: Live) -> None:
    answer(live, UNREADABLE["no request line"])
    response = answer(live, b"GET /healthz HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
    assert (response.status, json.loads(response.read())) == (200, {"status": "ok"})


def test_a_request_that_breaks_the_application_is_answered_in_the_same_form(
    committed: Contract, caplog: pytest.LogCaptureFixture
) -> None:
    """Flask answers for what its views raise; this is for what breaks around it."""
    ours, theirs = socket.socketpair()
    theirs.shutdown(socket.SHUT_WR)  # nothing more is sent
    request = SimpleNamespace(path="/readyz", uri="/readyz?token=secret")
    with Connection.of(ours) as connection, theirs:
        worker: Any = SimpleNamespace()
        broken = RuntimeError("insides")
        Worker.handle_error(worker, request, connection, ("127.0.0.1", 1), broken)
        connection.close()
        response = read(b"".join(iter(lambda: theirs.recv(65536), b"")))
    assert response.status == 500
    assert {name: response.headers[name] for name in EVERY} == EVERY
    assert response.headers["Connection"] == "close"
    body = response.read()
    committed.check_component("InternalErrorProblem", json.loads(body))
    assert b"insides" not in body
    (record,) = caplog.records
    assert "secret" not in str(vars(record))
