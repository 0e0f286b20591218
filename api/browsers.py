"""What browsers are told: what a page may do with an answer, and which pages may ask for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from flask import Flask, Response
from flask_cors import CORS

#: The headers of an answer as they go out, by name and value.
Headers: TypeAlias = list[tuple[str, str]]

#: A page of ours may send nothing anywhere and stand in no other page.
_CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

#: What every answer says, unless it says something else itself. Whatever a browser makes of an
#: answer, it loads nothing, runs nothing, guesses no other type, and shows itself in no page of
#: another origin, nor gives it to one. HSTS is for whoever speaks TLS, which is the proxy.
EVERY: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": f"default-src 'none'; {_CLOSED}",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
#: What concerns pages alone, which follow links, ask for devices and have windows.
WINDOW: Mapping[str, str] = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
    "Referrer-Policy": "no-referrer",
}
#: A page to read: its own style and pictures, no script.
PAGE: Mapping[str, str] = {
    "Content-Security-Policy": f"default-src 'none'; img-src 'self'; style-src 'self'; {_CLOSED}",
    **WINDOW,
}
#: The page to read the contract and try it: scripts of our own besides, which ask this service.
#: Swagger UI carries its small pictures as `data:`.
DOCS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; img-src 'self' data:; "
    f"script-src 'self'; style-src 'self'; {_CLOSED}",
    **WINDOW,
}
#: A picture: for pages of every origin, as an image.
PICTURE: Mapping[str, str] = {
    "Content-Security-Policy": f"default-src 'none'; sandbox; {_CLOSED}",
    "Cross-Origin-Resource-Policy": "cross-origin",
}

#: What web pages of the allowed origins may send and read beyond what browsers always let them.
#: Tokens travel in a header that pages set themselves: the browser's own credentials are not taken.
CORS_TERMS: Mapping[str, Any] = {
    "allow_headers": [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "Last-Event-ID",
        "X-Request-Id",
    ],
    "expose_headers": [
        "ETag",
        "Idempotent-Replayed",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "X-Request-Id",
    ],
    "methods": ["GET", "POST", "DELETE"],
    "max_age": 3600,
    "send_wildcard": True,
}


def protected(headers: Headers) -> Headers:
    """An answer's headers, with what every answer says and this one does not say itself."""
    said = {name for name, _ in headers}
    if said.isdisjoint(EVERY):
        return [*headers, *EVERY.items()]
    return [*headers, *(item for item in EVERY.items() if item[0] not in said)]


def install(app: Flask, origins: Collection[str]) -> None:
    """Protects every answer, and lets pages of these origins ask; `*` stands for all."""
    inner = app.wsgi_app

    # Around Flask, as its own way to add a header takes as long as all of this.
    def protecting(environ: Any, start_response: Any) -> Any:
        def start(status: str, headers: Headers, *raised: Any) -> Any:
            return start_response(status, protected(headers), *raised)

        return inner(environ, start)

    app.wsgi_app = protecting  # type: ignore[method-assign]
    if not origins:
        return
    CORS(app, origins=list(origins), **CORS_TERMS)
    if "*" not in origins:
        app.after_request(_depends_on_origin)


def _depends_on_origin(response: Response) -> Response:
    # Also where the answer allows nothing: a cache must not give it to a page that is allowed.
    response.vary.add("Origin")
    return response
