"""gunicorn's worker, taught to refuse in the contract's own form what cannot be read as HTTP: such
a request never reaches the application."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from gunicorn.http.errors import InvalidResponseHeader, InvalidResponseHeaderName, ParseException
from gunicorn.util import write_nonblock

from api.stopping import StoppingWorker

if TYPE_CHECKING:
    from flask import Response


class Worker(StoppingWorker):
    """The gevent worker, whose own refusals are problems as all others are."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers a request that cannot be read, or that broke the application."""
        # Flask is not to be loaded before the worker is patched, and this module is.
        from api import browsers, observing, problems

        request_id = observing.new_request_id()
        if isinstance(exc, ParseException) and not isinstance(
            exc, (InvalidResponseHeader, InvalidResponseHeaderName)
        ):
            # Its text quotes what was sent, which may be a token in a line that is no header.
            address = str(addr[0]) if addr else ""
            observing.unreadable(request_id, type(exc).__name__, address)
            refusal = problems.unreadable()
        else:
            observing.failed(request_id, exc)
            refusal = problems.mistake()
        with contextlib.suppress(OSError):
            write_nonblock(client, _as_http(browsers.protect(refusal), request_id))


def _as_http(response: Response, request_id: str) -> bytes:
    response.headers["X-Request-Id"] = request_id
    response.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + response.get_data()
