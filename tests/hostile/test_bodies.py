"""How a body comes, in every way that HTTP has and some that it has not: it is read whole or
refused, and what follows it on the connection is the next request."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from api.wire import MAX_BODY
from tests.hostile.wire import Wire, request
from tests.services import Service

CREATE = "/v1/games/even-steven/matches"
BODY = b'{"seats": [{"name": "Ada"}, {"name": "Ben"}]}'
HEALTH = request("GET", "/healthz")
CHUNKED = "Transfer-Encoding: chunked"
#: What ends a connection, where the status says nothing more.
HUNG_UP = None


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("bodies")) as service:
        yield service.ready()


def announced(body: bytes, *headers: str, length: object = None, kind: str = "POST") -> bytes:
    """A request with a body whose length it tells, rightly unless another one is given."""
    length = len(body) if length is None else length
    return _head(*headers, f"Content-Length: {length}", kind=kind) + body


def chunked(body: bytes, *headers: str, size: int = 7, end: bytes = b"0\r\n\r\n") -> bytes:
    """A request with a body in chunks of a size."""
    parts = (body[at : at + size] for at in range(0, len(body), size))
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    return _head(CHUNKED, *headers) + chunks + end


def padded(size: int) -> bytes:
    return BODY.ljust(size)


def _head(*headers: str, kind: str = "POST") -> bytes:
    first = f"{kind} {CREATE} HTTP/1.1"
    lines = (first, "Host: croupier", "Content-Type: application/json", *headers, "", "")
    return "\r\n".join(lines).encode()


def asked(service: Service, data: bytes) -> list[int | None]:
    """The statuses of the answers to these bytes and to a request behind them; None where the
    service hung up instead."""
    with Wire(service.url) as wire:
        wire.send(data + HEALTH)
        statuses: list[int | None] = []
        for _ in range(data.count(b" HTTP/1.1\r\n") + 1):
            answer = wire.answer()
            statuses.append(None if answer is None else answer.status)
            if answer is None:
                break
        return statuses


@pytest.mark.parametrize(
    ("data", "statuses"),
    [
        (announced(BODY), [201, 200]),
        (announced(padded(MAX_BODY)), [201, 200]),
        (announced(padded(MAX_BODY + 1)), [413, HUNG_UP]),
        (announced(padded(MAX_BODY + 1), "Expect: 100-continue"), [413, HUNG_UP]),
        (announced(b""), [400, 200]),
        (announced(BODY) * 3, [201, 201, 201, 200]),
        (announced(b'{"x": 1}') * 2, [422, 422, 200]),
        (announced(padded(MAX_BODY), "Content-Encoding: gzip") * 2, [415, 415, 200]),
        (announced(BODY, kind="GET"), [200, 200]),
        (announced(BODY, kind="PUT"), [405, 200]),
        (chunked(BODY), [201, 200]),
        (chunked(BODY, end=b"0\r\nX-Trailer: x\r\n\r\n"), [201, 200]),
        (chunked(BODY, end=b"0\r\nContent-Length: 3\r\n\r\n"), [400, HUNG_UP]),
        (chunked(BODY, end=b"x\r\n"), [400, HUNG_UP]),
        (chunked(padded(MAX_BODY), size=999), [201, 200]),
        (chunked(padded(MAX_BODY + 1), size=999), [413, 200]),
        (chunked(padded(3 * MAX_BODY), size=999), [413, HUNG_UP]),
        (chunked(BODY, f"Content-Length: {len(BODY)}"), [400, HUNG_UP]),
        (announced(BODY, f"Content-Length: {len(BODY)}"), [400, HUNG_UP]),
        (announced(BODY, "Content-Length: 3"), [400, HUNG_UP]),
        (announced(BODY, length=f"{len(BODY)}, {len(BODY)}"), [400, HUNG_UP]),
        (announced(BODY, length=-1), [400, HUNG_UP]),
        (announced(BODY, length=f"+{len(BODY)}"), [400, HUNG_UP]),
        (announced(BODY, length=10**20), [413, HUNG_UP]),
    ],
)
def test_what_follows_a_body_is_the_next_request(
    service: Service, data: bytes, statuses: list[int | None]
) -> None:
    assert asked(service, data) == statuses


def test_a_body_may_come_byte_by_byte(service: Service) -> None:
    with Wire(service.url) as wire:
        for byte in announced(BODY) + HEALTH:
            wire.send(bytes([byte]))
        assert [wire.answer().status for _ in range(2)] == [201, 200]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "data", [announced(BODY, length=len(BODY) + 1), chunked(BODY, end=b""), chunked(BODY, end=b"0")]
)
def test_a_body_that_ends_early_is_told_to_be_the_trouble(service: Service, data: bytes) -> None:
    with Wire(service.url) as wire:
        wire.send(data, end=True)
        answer = wire.answer()
        assert answer is not None
        told = json.loads(answer.body)
        assert wire.answer() is None
    assert (answer.status, told["detail"]) == (400, "Send the body as its headers announce it.")
