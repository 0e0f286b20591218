"""gunicorn's worker, taught to refuse in the contract's own form what cannot be read as HTTP (such
a request never reaches the application), and to bound what a connection may cost."""

from __future__ import annotations

import resource
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gunicorn.http.body import LengthReader
from gunicorn.http.errors import InvalidResponseHeader, InvalidResponseHeaderName, ParseException
from gunicorn.util import write_nonblock

from api.connections import Connection
from api.errors import RequestTimeout
from api.stopping import StoppingWorker
from api.wire import MAX_BODY

if TYPE_CHECKING:
    from flask import Response


#: Files that a worker keeps free: some are no connections of clients, and gevent accepts a hundred
#: connections before it turns to any of them.
SPARE_FILES = 200


class Worker(StoppingWorker):
    """The gevent worker, whose own refusals are problems as all others are.

    Where connections become scarce, those that have been without a request for longest make room:
    HTTP lets a server close such a one at any time (RFC 9112, 9.5).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections = 0
        #: Those without a whole request, the ones that have waited longest first.
        self._idle: dict[Connection, None] = {}
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        # Above that, connections make room; so there is always some for whoever comes.
        self._many = min(self.worker_connections * 9 // 10, max(files - SPARE_FILES, 10))

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serves a connection."""
        connection = Connection.of(client)
        self._connections += 1
        self._idle[connection] = None
        longest = next(iter(self._idle))
        if self._connections > self._many and longest is not connection:
            del self._idle[longest]
            longest.give_up()
        try:
            super().handle(listener, connection, addr)
        finally:
            self._connections -= 1
            self._idle.pop(connection, None)

    def handle_request(self, listener_name: Any, req: Any, sock: Connection, addr: Any) -> None:
        """Serves a request. Raises StopIteration where no other can come on its connection."""
        self._idle.pop(sock, None)
        reader = req.body.reader
        too_long = isinstance(reader, LengthReader) and reader.length > MAX_BODY
        if too_long:
            # Nothing of it will be read, so the client is not to send it.
            req._expected_100_continue = False
            req.force_close()
        sock.await_body(req)
        stop = False
        try:
            super().handle_request(listener_name, req, sock, addr)
        except StopIteration:
            stop = True
        if too_long or not _is_read(req.body):
            sock.linger()
            stop = True
        if stop:
            raise StopIteration
        sock.await_request()
        self._idle[sock] = None

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers a request that cannot be read, or that broke the application."""
        # Flask is not to be loaded before the worker is patched, and this module is.
        from api import observing, problems

        request_id = observing.new_request_id()
        address = str(addr[0]) if addr else ""
        if isinstance(exc, RequestTimeout):
            observing.unreadable(request_id, 408, type(exc).__name__, address)
            refusal = problems.too_slow()
        elif isinstance(exc, ParseException) and not isinstance(
            exc, (InvalidResponseHeader, InvalidResponseHeaderName)
        ):
            # Its text quotes what was sent, which may be a token in a line that is no header.
            observing.unreadable(request_id, 400, type(exc).__name__, address)
            refusal = problems.unreadable()
        else:
            observing.failed(request_id, exc)
            refusal = problems.mistake()
        with suppress(OSError):
            write_nonblock(client, _as_http(refusal, request_id))
        client.linger()


def _is_read(body: Any) -> bool:
    """Whether all of a request's body has come, so that the next request can. Reads what is left of
    a body of usual length that nobody wanted."""
    if isinstance(body.reader, LengthReader) and not body.reader.length:
        return not body.failed
    left = MAX_BODY
    try:
        while left >= 0:
            data = body.read(1024)
            if not data:
                return not body.failed
            left -= len(data)
    except (OSError, ParseException, RequestTimeout):
        pass
    return False


def _as_http(response: Response, request_id: str) -> bytes:
    from api import browsers

    response.headers["X-Request-Id"] = request_id
    response.headers["Connection"] = "close"
    headers = browsers.protected(list(response.headers))
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + response.get_data()
