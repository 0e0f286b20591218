"""What all blueprints share: strict request bodies, JSON answers, conditional requests, headers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any, NoReturn

import flask_smorest
from flask import Flask, Request, Response, g, request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from api import tokens, wire
from api.errors import MalformedRequest, UnsupportedMediaType
from engine import Invalid

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class StrictParser(FlaskParser):
    """Reads bodies by `wire.read_object` and raises the engine's Invalid for what a schema
    refuses, so that one table makes all error answers."""

    def load_json(self, req: Request, schema: Schema) -> dict[str, Any]:
        if req.mimetype != "application/json":
            raise UnsupportedMediaType
        if req.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise MalformedRequest("Send the body as UTF-8.")
        return wire.read_object(req.get_data())

    def handle_error(self, error: ValidationError, *args: Any, **kwargs: Any) -> NoReturn:
        # webargs puts the messages under the place they came from.
        (messages,) = error.messages_dict.values()
        raise Invalid(flat(messages)) from error


class Blueprint(flask_smorest.Blueprint):
    """flask-smorest's blueprint with the strict parser."""

    ARGUMENTS_PARSER = StrictParser()


def flat(messages: Any, path: str = "") -> dict[str, list[str]]:
    """Nested validation messages by dotted path; what concerns an object stands under its own."""
    if isinstance(messages, Mapping):
        found: dict[str, list[str]] = {}
        for name, inner in messages.items():
            here = path if name == "_schema" else f"{path}.{name}" if path else str(name)
            for key, texts in flat(inner, here).items():
                found.setdefault(key, []).extend(texts)
        return found
    return {path or "body": [str(text) for text in messages]}


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer. `body` is encoded once, by msgspec; bytes are JSON already."""
    data = body if isinstance(body, bytes) else wire.encode(body)
    response = Response(data, status, mimetype="application/json")
    if headers:
        response.headers.update(headers)
    return response


def token() -> str | None:
    """The bearer token of the request, or None. Raises Unauthorized for any other credentials."""
    return tokens.from_header(request.headers.get("Authorization"))


def etag_of_view(version: int, seat: int | None) -> str:
    """The entity tag of a view: the version, and whose view it is."""
    return f"{version}-{'spectator' if seat is None else seat}"


def view_headers(etag: str) -> dict[str, str]:
    """A view is its asker's alone, and is asked for again each time."""
    return {
        "ETag": f'"{etag}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
    }


def not_modified(etag: str) -> bool:
    """Whether `If-None-Match` names the entity tag (RFC 9110, 13.1.2: by weak comparison)."""
    return request.if_none_match.contains_weak(etag)


def public_answer(body: Any, media_type: str = "application/json") -> Response:
    """An answer that is the same for everybody and changes only with a new release."""
    data = body if isinstance(body, bytes) else wire.encode(body)
    response = Response(data, mimetype=media_type)
    response.headers["Cache-Control"] = "public, max-age=300"
    response.add_etag()
    response.make_conditional(request)
    return response


def install(app: Flask) -> None:
    """Gives every answer its request id and the headers that keep browsers from guessing."""

    @app.before_request
    def name_request() -> None:
        given = request.headers.get("X-Request-Id", "")
        g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)

    @app.after_request
    def label_answer(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
