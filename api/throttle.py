"""The limits at the door: every request is counted, refused where it is one too many, and answered
with how much is left (RateLimit and RateLimit-Policy, draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, Response, request

from api import tokens
from api.errors import TooManyRequests, Unauthorized
from api.limits import Limits
from api.observing import PROBES
from api.rates import Told

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

log = logging.getLogger("croupier")


#: Under this name a request's environment has what its answer is to tell.
TOLD = "croupier.told"


class Throttle:
    """The limits as views know them; without limits nothing is counted and nobody refused."""

    def __init__(self, limits: Limits | None, *, behind_proxies: bool = False) -> None:
        self._limits = limits
        #: Whether the operator is to be told of a proxy that may have been forgotten.
        self._warns = not behind_proxies

    def install(self, app: Flask) -> None:
        """Counts every request of an application from now on."""
        if self._limits is not None:
            app.before_request(partial(self._count, self._limits))
            app.after_request(_tell)

    def _count(self, limits: Limits) -> None:
        environ = request.environ
        # A preflight is a browser's own, and its page could not read a refusal of it.
        if environ["PATH_INFO"] in PROBES or environ["REQUEST_METHOD"] == "OPTIONS":
            return
        try:
            environ[TOLD] = limits.request(_address(environ), _token(environ))
        except TooManyRequests as refusal:
            environ[TOLD] = refusal.told
            self._warn_of_proxy(environ)
            raise

    def creation(self) -> None:
        """This request makes a match. Raises TooManyRequests."""
        if self._limits is None:
            return
        environ = request.environ
        try:
            told = self._limits.creation(_address(environ))
        except TooManyRequests as refusal:
            environ[TOLD] = environ[TOLD].beside(refusal.told)
            raise
        environ[TOLD] = environ[TOLD].beside(told)

    def stream(self) -> Callable[[], None]:
        """This request is a stream or a long poll, until what is returned is called. Raises
        TooManyRequests."""
        environ = request.environ
        if self._limits is None or environ["REQUEST_METHOD"] == "HEAD":
            return lambda: None
        try:
            return self._limits.stream(_address(environ), _token(environ))
        except TooManyRequests as refusal:
            environ[TOLD] = environ[TOLD].beside(refusal.told)
            raise

    def _warn_of_proxy(self, environ: WSGIEnvironment) -> None:
        if self._warns and "HTTP_X_FORWARDED_FOR" in environ:
            self._warns = False
            log.warning(
                "%s met its limit and sends X-Forwarded-For: if it is your proxy, name it in "
                "CROUPIER_TRUSTED_PROXIES",
                _address(environ),
            )


def _tell(response: Response) -> Response:
    told: Told | None = request.environ.get(TOLD)
    headers = response.headers
    # What a cache may keep for others tells nothing of one caller.
    if told is not None and not headers.get("Cache-Control", "").startswith("public"):
        headers.add("RateLimit-Policy", told.policy)
        headers.add("RateLimit", told.left)
    return response


def _address(environ: WSGIEnvironment) -> str:
    address: str = environ.get("REMOTE_ADDR", "")
    return address


def _token(environ: WSGIEnvironment) -> str | None:
    """The request's token, right or wrong; the view refuses other credentials."""
    try:
        return tokens.from_header(environ.get("HTTP_AUTHORIZATION"))
    except Unauthorized:
        return None
