"""A client that sends whatever bytes it is given, and reads what comes back for what it is."""

from __future__ import annotations

import http.client
import io
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

PATIENCE = 30.0
"""Seconds within which a request is answered or its connection closed, on a machine that is busy
with other tests. Nothing that is sent here waits for anything."""
STREAMS = ("text/event-stream", "application/x-ndjson")


@dataclass
class Answer:
    """One answer: its status, headers and body; `raw` is all of its bytes."""

    status: int
    headers: Any
    body: bytes
    raw: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """Without parameters; empty where there is none."""
        return str(self.headers.get("Content-Type", "")).partition(";")[0]


class _Tape(io.RawIOBase):
    """What a socket brings, which is kept as well."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.kept = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.connection.recv(len(buffer))
        self.kept += data
        buffer[: len(data)] = data
        return len(data)


class _Source:
    """What http.client reads an answer from. It closes that when it has enough; we do not."""

    def __init__(self, reader: io.BufferedReader) -> None:
        self._reader = reader

    def makefile(self, *_: object) -> Self:
        return self

    def close(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


class Wire:
    """One connection to a service."""

    def __init__(self, url: str) -> None:
        where = urlsplit(url)
        self.socket = socket.create_connection((where.hostname, where.port or 80), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._tape = _Tape(self.socket)
        self._reader = io.BufferedReader(self._tape)
        #: Whether the service has hung up.
        self.closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up at once, without leaving the port in use for a minute."""
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data: bytes, *, end: bool = False) -> None:
        """Sends bytes, and with `end` says that no more will come. A service that has hung up is
        found out when reading."""
        with suppress(ConnectionError):
            self.socket.sendall(data)
            if end:
                self.socket.shutdown(socket.SHUT_WR)

    def answer(self, method: str = "GET", within: float = PATIENCE) -> Answer | None:
        """The next answer, of a stream only its head; None where the service has hung up.

        Raises AssertionError where nothing comes in time, or half an answer.
        """
        self.socket.settimeout(within)
        self._tape.kept = b""
        try:
            if not self._reader.peek(1):
                self.closed = True
                return None
            response = http.client.HTTPResponse(_Source(self._reader), method=method)  # type: ignore[arg-type]
            response.begin()
            stream = str(response.headers.get("Content-Type", "")).startswith(STREAMS)
            body = b"" if stream and response.status == 200 else response.read()
        except ConnectionError:
            self.closed = True
            return None
        except TimeoutError:
            raise AssertionError(f"nothing within {within:g} s: {self._tape.kept!r}") from None
        except http.client.HTTPException as error:
            raise AssertionError(f"no answer: {error!r} {self._tape.kept!r}") from None
        return Answer(response.status, response.headers, body, self._tape.kept)

    def all_answers(self, within: float = PATIENCE) -> list[Answer]:
        """Every answer until the service hangs up."""
        found, until = [], time.monotonic() + within
        while (answer := self.answer(within=max(0.1, until - time.monotonic()))) is not None:
            found.append(answer)
        return found


def request(
    method: str, path: str, body: bytes = b"", *, headers: dict[str, str] | None = None
) -> bytes:
    """A request as it should be."""
    lines = [f"{method} {path} HTTP/1.1", "Host: croupier"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body
