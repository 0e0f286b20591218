"""Streams of a match's events, read as they come: from an application in this process, or over
HTTP."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.test import Client

from tests.seats import Seats

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
PATIENCE = 20.0
"""Seconds to wait for what takes a moment, as the machine may be busy."""

Json = dict[str, Any]


@dataclass
class Received:
    """What has come on a stream so far. Raises AssertionError for what is not well-formed."""

    media_type: str
    raw: bytes = b""
    #: Events as they were sent, and read.
    sent: list[bytes] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    #: Views, comments and blank lines, and what else is no event, in order.
    others: list[bytes] = field(default_factory=list)
    _rest: bytes = b""

    @property
    def last_seq(self) -> int:
        """The number of the last event, 0 before the first one."""
        return int(self.events[-1]["seq"]) if self.events else 0

    def feed(self, chunk: bytes) -> None:
        """Takes in some more bytes. They may end anywhere."""
        self.raw += chunk
        end = b"\n\n" if self.media_type == SSE else b"\n"
        *whole, self._rest = (self._rest + chunk).split(end)
        for part in whole:
            data = _frame(part) if self.media_type == SSE else _line(part)
            if data is None:
                self.others.append(part)
            else:
                self.sent.append(data)
                self.events.append(json.loads(data))

    def assert_whole(self) -> None:
        """Nothing was cut off in the middle."""
        assert self._rest == b""


def _frame(frame: bytes) -> bytes | None:
    """The event's JSON; None for a comment or a `retry` field."""
    if frame.startswith((b": ", b"retry: ")):
        assert b"\n" not in frame
        return None
    number, kind, data = frame.split(b"\n")
    event = json.loads(data.removeprefix(b"data: "))
    assert number == b"id: %d" % event["seq"]
    assert kind == b"event: " + event["type"].encode()
    assert data.startswith(b"data: ")
    return data.removeprefix(b"data: ")


def _line(line: bytes) -> bytes | None:
    """The event's JSON; None for a view or a blank line."""
    return line if line and "seq" in json.loads(line) else None


class Opened(Protocol):
    """A stream's answer, before its body."""

    status: int
    headers: Any

    def chunks(self) -> Iterator[bytes]: ...

    def hang_up(self) -> None:
        """Lets a reader who waits in `chunks` come to an end, in a moment."""

    def close(self) -> None: ...


class InProcess:
    """A stream of an application in this process."""

    def __init__(self, app: Flask, path: str, headers: dict[str, str]) -> None:
        here = {"REMOTE_ADDR": "127.0.0.1"}
        self._response = Client(app).get(
            path, headers=headers, buffered=False, environ_overrides=here
        )
        self.status, self.headers = self._response.status_code, self._response.headers

    def chunks(self) -> Iterator[bytes]:
        return iter(self._response.iter_encoded())

    def hang_up(self) -> None:
        """The next sign of life comes soon enough."""

    def close(self) -> None:
        self._response.close()


class OverHttp:
    """A stream of a service in another process."""

    def __init__(self, url: str, path: str, headers: dict[str, str]) -> None:
        where = urlsplit(url)
        assert where.hostname is not None
        self._connection = http.client.HTTPConnection(where.hostname, where.port, timeout=PATIENCE)
        self._connection.request("GET", path, headers=headers)
        # It outlives the response's own reference to it, which goes with the last chunk.
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        self.status, self.headers = self._response.status, self._response.headers

    def chunks(self) -> Iterator[bytes]:
        while chunk := self._response.read1(65536):
            yield chunk

    def hang_up(self) -> None:
        with suppress(OSError):  # where the other side was first
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()


class Stream:
    """A stream that is being read. `trouble` is what broke it off, None while and when all is well.

    It is opened and read by the same thread, since an application in this process keeps what
    belongs to a request with the thread.
    """

    status: int
    headers: Any
    got: Received

    def __init__(self, opening: Callable[[], Opened]) -> None:
        self.trouble: Exception | None = None
        self._opening = opening
        self._opened: Opened | None = None
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        with self._changed:
            while self._opened is None:
                assert not self.ended, repr(self.trouble)
                self._changed.wait(0.05)

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return not self._thread.is_alive()

    def until(self, what: Callable[[Received], Any], within: float = PATIENCE) -> Received:
        """All that was received, as soon as that is what is waited for."""
        deadline = time.monotonic() + within
        with self._changed:
            while not what(self.got):
                left = deadline - time.monotonic()
                assert left > 0, f"not within {within:g} s: {self.got.raw[-500:]!r}"
                assert not self.ended, f"ended before: {self.got.raw[-500:]!r} {self.trouble!r}"
                self._changed.wait(min(left, 0.1))
        return self.got

    def until_seq(self, seq: int, within: float = PATIENCE) -> list[Json]:
        """The events up to this number."""
        return self.until(lambda got: got.last_seq >= seq, within).events

    def until_end(self, within: float = PATIENCE) -> list[Json]:
        """All events, once the stream has ended by itself and in good order."""
        self._thread.join(within)
        assert self.ended, f"not ended within {within:g} s: {self.got.raw[-500:]!r}"
        assert self.trouble is None, repr(self.trouble)
        self.got.assert_whole()
        return self.got.events

    def close(self) -> None:
        """Goes away in the middle, as a client does."""
        self._closing = True
        assert self._opened is not None
        self._opened.hang_up()
        self._thread.join(PATIENCE)
        assert self.ended, "a reader is left behind"

    def _read(self) -> None:
        try:
            opened = self._opening()
            self.status, self.headers = opened.status, opened.headers
            self.got = Received(opened.headers.get("Content-Type", "").partition(";")[0])
            with self._changed:
                self._opened = opened
                self._changed.notify_all()
            with closing(opened):
                self._take(opened)
        except Exception as error:
            self.trouble = error

    def _take(self, opened: Opened) -> None:
        for chunk in opened.chunks():
            with self._changed:
                self.got.feed(chunk)
                self._changed.notify_all()
            if self._closing:
                return


def headers_of(seats: Seats, who: int | str | None, accept: str, **more: str) -> dict[str, str]:
    """The headers with which somebody asks for a stream."""
    return {**seats.auth(who), "Accept": accept, **more}


@contextmanager
def watching(
    place: Flask | str,
    seats: Seats,
    who: int | str | None = None,
    accept: str = SSE,
    query: str = "",
    **headers: str,
) -> Iterator[Stream]:
    """A stream for a seat, the host or nobody, from an application in this process or from the
    service at a URL."""
    path, asked = f"{seats.path}/events{query}", headers_of(seats, who, accept, **headers)

    def opened() -> Opened:
        kind = OverHttp if isinstance(place, str) else InProcess
        return kind(place, path, asked)

    stream = Stream(opened)
    try:
        yield stream
    finally:
        stream.close()
