"""gunicorn's worker, taught to refuse in the contract's own form what cannot be read as HTTP: such
a request never reaches the application."""

from __future__ import annotations

import contextlib
import secrets
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
        from api import browsers, problems

        if isinstance(exc, ParseException) and not isinstance(
            exc, (InvalidResponseHeader, InvalidResponseHeaderName)
        ):
            # Its text quotes what was sent, which may be a token in a line that is no header.
            self.log.warning(
                "Cannot read a request from %s: %s", addr and addr[0], type(exc).__name__
            )
            refusal = problems.unreadable()
        else:
            # Without the query, in which a client may have put what belongs into a header.
            self.log.exception("Error handling request %s", getattr(req, "path", ""))
            refusal = problems.mistake()
        with contextlib.suppress(OSError):
            write_nonblock(client, _as_http(browsers.protect(refusal)))


def _as_http(response: Response) -> bytes:
    response.headers["X-Request-Id"] = secrets.token_hex(8)
    response.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + response.get_data()
