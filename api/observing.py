"""How a request is observed: its id, its line in the log, its metrics and its span."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from flask import Flask, Request, Response, g

from api import logs, metrics, notes, tokens, tracing, web

#: The methods that metrics tell apart: anybody may make up others, and each label is kept for as
#: long as the service runs.
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
#: What machines ask every few seconds: no traces, and lines at the level `debug` while all is well.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
#: The route of what leads nowhere. A path as it was sent may hold anything, so it is never told.
NO_ROUTE = "none"

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Observed:
    """One request, from its arrival until the last of its answer is sent."""

    def __init__(self, req: Request, request_id: str, games: Collection[str]) -> None:
        self._began = time.perf_counter()
        self.request_id = request_id
        self._status = 0
        self._notes = notes.begin()
        self._method = req.method if req.method in METHODS else "other"
        self._route = req.url_rule.rule if req.url_rule else NO_ROUTE
        self._headers = req.headers
        facts = self._notes.facts
        facts["request_id"] = request_id
        facts["method"] = self._method
        facts["route"] = self._route
        blueprint = req.blueprint  # werkzeug works it out anew each time
        if blueprint is not None and blueprint in games:
            facts["game"] = blueprint
        match_id = (req.view_args or {}).get("match_id", "")
        if tokens.is_match_id(match_id):
            facts["match_id"] = match_id
        named = f"{self._method} {self._route}"
        self._span = tracing.begin(None if self._route in PROBES else named, req.headers)

    def answered(self, response: Response) -> None:
        """Measures the time until here, where the answer begins, and tells of the request: of a
        stream when it has ended."""
        seconds = time.perf_counter() - self._began
        self._status = self._notes.facts["status"] = response.status_code
        metrics.requests(self._method, self._route, self._status).observe(seconds)
        self._span.leave()
        if response.is_streamed and not response.direct_passthrough:
            response.response = self._followed(response.response)
            response.call_on_close(self._tell)
        else:
            self._tell()

    def _followed(self, chunks: Iterable[Any]) -> Iterator[Any]:
        try:
            yield from chunks
        except Exception as error:
            self._notes.error = error
            raise

    def _tell(self) -> None:
        found = self._notes
        facts = found.facts
        facts["seconds"] = round(time.perf_counter() - self._began, 6)
        if (trace_id := self._span.trace_id) is not None:
            facts["trace_id"] = trace_id
        self._span.end(facts)
        level = self._level()
        if not logs.log.isEnabledFor(level):
            return
        if found.error is not None:
            sent = (self._headers.get("Authorization"), self._headers.get("Idempotency-Key"))
            words = [word for text in sent if text for word in text.split()]
            facts["trace"] = logs.traced(found.error, [*words, *found.secrets])
        found.error = None  # it would hold on to all that the request had, while its client idles
        logs.tell(level, "request", facts)

    def _level(self) -> int:
        if self._notes.error is not None or self._status == 500:
            return logging.ERROR
        if self._status > 500 and self._notes.facts.get("problem") != "leaving":
            return logging.WARNING
        return logging.DEBUG if self._route in PROBES else logging.INFO


def install(app: Flask, games: Collection[str]) -> None:
    """Observes every request of the app, which deals these games, and gives every answer the
    request's id."""

    @app.before_request
    def begin() -> None:
        req = web.this_request()
        given = web.header("X-Request-Id") or ""
        request_id = given if _REQUEST_ID.fullmatch(given) else new_request_id()
        g.observed = Observed(req, request_id, games)

    @app.after_request
    def answered(response: Response) -> Response:
        observed: Observed = g.observed
        response.headers.add("X-Request-Id", observed.request_id)
        observed.answered(response)
        return response


def new_request_id() -> str:
    """An id for a request that came without one: 64 random bits, as hexadecimal digits."""
    return secrets.token_hex(8)


def unreadable(request_id: str, status: int, reason: str, address: str) -> None:
    """Tells of what could not be read as HTTP. `reason` names the fault, and holds nothing of what
    was sent: that may be a token."""
    _beside_the_app(request_id, status, logging.INFO, reason=reason, address=address)


def failed(request_id: str, error: BaseException) -> None:
    """Tells of a request that broke outside of the app."""
    _beside_the_app(request_id, 500, logging.ERROR, trace=logs.traced(error))


def _beside_the_app(request_id: str, status: int, level: int, **more: str) -> None:
    metrics.requests("other", NO_ROUTE, status).observe(0)
    facts = {"request_id": request_id, "method": "other", "route": NO_ROUTE, "status": status}
    logs.tell(level, "request", {**facts, **more})
