"""One client's connection: it has a time for each part of a request, and hands the processor on.

A client that dawdles, sends without end, or does not take what it is sent costs a connection, and
nobody else any time.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from enum import Enum, auto
from typing import Any, Self

import gevent
from gevent.socket import socket as gevent_socket
from gunicorn.http.errors import LimitRequestHeaders

from api.errors import RequestTimeout

#: Seconds within which a request's head is to arrive, from its first byte on, and then its body.
HEAD = 10.0
BODY = 10.0
#: Seconds within which a client is to take a part of an answer.
STUCK = 30.0
#: Bytes of a head, give or take what the network brings at a time.
LONGEST_HEAD = 32 * 1024
#: Seconds and bytes for which a client that was refused in the middle may go on sending: hung up on
#: at once, it would lose the answer.
LINGER, LINGER_BYTES = 2.0, 1024 * 1024
#: Seconds after which a client that sends without pause lets others have a turn.
TURN = 0.01


class Part(Enum):
    """What a connection waits for."""

    REQUEST = auto()
    HEAD = auto()
    BODY = auto()


class Connection(gevent_socket):
    """A socket whose `recv` allows each part of a request its time and no more."""

    __slots__ = ("_given_up", "_had_turn", "_head_bytes", "_part", "_request", "_until")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._had_turn = self._until = time.monotonic()
        self._given_up = False
        self.await_request()

    @classmethod
    def of(cls, client: Any) -> Self:
        """Takes a socket over; the other object is of no use any more."""
        family, kind, proto = client.family, client.type, client.proto
        connection = cls(family, kind, proto, fileno=client.detach())
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Nobody else notices a reader of a stream who has vanished from the network.
            milliseconds = round(1000 * STUCK)
            with suppress(OSError):  # where it is no TCP
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
        return connection

    def await_request(self) -> None:
        """Whatever was asked is answered: the next request may come."""
        self._let_others()
        self._part = Part.REQUEST
        self._request: Any = None

    def await_body(self, request: Any) -> None:
        """A head is read: its body may come, and the client is to take the answer."""
        self._until = time.monotonic() + BODY
        self._part = Part.BODY
        self._request = request
        self.settimeout(STUCK)

    def recv(self, size: int, flags: int = 0) -> bytes:
        """The next bytes; none where the client has hung up, or was given up.

        Raises RequestTimeout where a head or a body has taken too long, LimitRequestHeaders where a
        head is too long.
        """
        before = self._let_others()
        if self._part is Part.REQUEST:  # the worker looks after the time
            self.settimeout(None)
        else:
            self.settimeout(max(0.001, self._until - before))
        try:
            data: bytes = super().recv(size, flags)
        except TimeoutError:
            raise self._too_slow() from None
        except OSError:
            if self._given_up:
                return b""
            raise
        finally:
            self.settimeout(STUCK)
        now = time.monotonic()
        if now - before > TURN / 10:  # it has waited, and others had their turn
            self._had_turn = now
        if self._part is Part.REQUEST:
            self._part, self._until, self._head_bytes = Part.HEAD, now + HEAD, 0
        elif now > self._until:
            raise self._too_slow()
        if self._part is Part.HEAD:
            self._head_bytes += len(data)
            if self._head_bytes > LONGEST_HEAD + size:
                raise LimitRequestHeaders("head of more than 32 KiB")
        return data

    def give_up(self) -> None:
        """Lets another greenlet that waits for a request here find that none will come."""
        self._given_up = True
        with suppress(OSError):
            self.shutdown(socket.SHUT_RD)

    def linger(self) -> None:
        """Says that nothing more is read, and reads a little more of what is being sent, so that
        the client sees the answer."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_WR)
            until, left = time.monotonic() + LINGER, LINGER_BYTES
            while left > 0 and (seconds := until - time.monotonic()) > 0:
                self.settimeout(seconds)
                data = super().recv(65536)
                if not data:
                    return
                left -= len(data)

    def _too_slow(self) -> RequestTimeout:
        if self._request is not None:
            self._request.force_close()
        return RequestTimeout()

    def _let_others(self) -> float:
        """Hands the processor on where this connection has had it for long, and returns the time:
        a client that sends without pause would never wait."""
        now = time.monotonic()
        if now - self._had_turn > TURN:
            gevent.sleep(0)
            now = self._had_turn = time.monotonic()
        return now
