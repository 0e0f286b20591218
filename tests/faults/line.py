"""One client's line to the service: a kept connection, and requests that are sent until they are
answered for good."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any
from urllib.parse import urlsplit

from tests.faults.history import Attempt, Request

#: Seconds to wait for an answer.
TIMEOUT = 10.0
#: Seconds before a request is sent again.
PAUSE = 0.05
#: What a connection may die of.
CUT_OFF = (OSError, http.client.HTTPException)


class GaveUp(Exception):
    """A request was not answered for good within the patience."""


def connect(url: str, timeout: float = TIMEOUT) -> http.client.HTTPConnection:
    """A connection to the service at a URL, opened when it is needed."""
    where = urlsplit(url)
    assert where.hostname is not None
    return http.client.HTTPConnection(where.hostname, where.port, timeout=timeout)


class Line:
    """Sends requests over one connection, kept as browsers keep it; a new one goes to any of the
    URLs. Of all sendings the share `rudeness` is cut off by the client itself, in the middle of the
    body or before the answer."""

    def __init__(self, urls: Sequence[str], rng: Random, *, rudeness: float = 0.0) -> None:
        self._urls = urls
        self._rng = rng
        self._rudeness = rudeness
        self._connection: http.client.HTTPConnection | None = None
        self._url = ""

    def close(self) -> None:
        """Hangs up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def ask(
        self,
        request: Request,
        method: str,
        path: str,
        *,
        token: str | None,
        patience: float,
        given_up: Callable[[], bool] = lambda: False,
    ) -> Attempt:
        """Sends a request until it is answered for good, and notes every attempt in it.

        Raises GaveUp, as when `given_up` says so.
        """
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if request.key is not None:
            headers["Idempotency-Key"] = request.key
        if request.if_match is not None:
            headers["If-Match"] = f'"{request.if_match}-{request.who}"'
        until = time.monotonic() + patience
        while True:
            attempt = self.send(method, path, request.body, headers)
            request.attempts.append(attempt)
            if attempt.for_good:
                return attempt
            if time.monotonic() > until or given_up():
                raise GaveUp(f"{method} {path} is not answered: {attempt}")
            time.sleep(PAUSE)

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Attempt:
        """Sends a request once."""
        if self._connection is None:
            self._url = self._rng.choice(self._urls)
            self._connection = connect(self._url)
        data = None if body is None else json.dumps(body).encode()
        headers = dict(headers or {})
        if data is not None:
            headers["Content-Type"] = "application/json"
        cut = self._rng.random() < self._rudeness
        began = time.monotonic()
        try:
            if cut:
                self._cut_off(method, path, data, headers)
                return self._nothing(began, "cut off by the client", cut=True)
            self._connection.request(method, path, data, headers)
            response = self._connection.getresponse()
            answer = response.read()
        except CUT_OFF as error:
            return self._nothing(began, repr(error))
        if response.will_close:
            self.close()
        return Attempt(
            began,
            time.monotonic(),
            response.status,
            answer,
            replayed=response.headers.get("Idempotent-Replayed") == "true",
            url=self._url,
        )

    def _nothing(self, began: float, trouble: str, *, cut: bool = False) -> Attempt:
        self.close()
        return Attempt(began, time.monotonic(), None, trouble=trouble, url=self._url, cut=cut)

    def _cut_off(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> None:
        """Sends the request, or half of it, and goes away without waiting: politely or not."""
        assert self._connection is not None
        data = data or b""
        if self._rng.random() < 0.5:
            headers["Content-Length"] = str(len(data))
            data = data[: len(data) // 2]
        self._connection.request(method, path, data, headers)
        time.sleep(self._rng.choice((0, 0, 0.002, 0.02)))
        if self._rng.random() < 0.5:
            # With this the connection is reset, as when a phone loses its network.
            linger = struct.pack("ii", 1, 0)
            self._connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
