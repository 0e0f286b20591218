"""What all blueprints share: strict request bodies, JSON answers, conditional requests, headers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeAlias

import flask_smorest
from flask import Flask, Request, Response, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import generate_etag

from api import tokens, wire
from api.errors import MalformedRequest, RequestTimeout, UnsupportedMediaType
from api.retries import Reply
from engine import Invalid

#: Characters from which on an Idempotency-Key is taken to be one that nobody else thinks of.
STRONG_KEY = 16

#: What no cache may keep.
NO_STORE = {"Cache-Control": "no-store"}

#: What answers a request.
View: TypeAlias = Callable[..., Response]

#: Where the server puts the headers that are asked for (PEP 3333).
_ENVIRON = {"Content-Type": "CONTENT_TYPE"} | {
    name: f"HTTP_{name.upper().replace('-', '_')}"
    for name in (
        "Authorization",
        "Content-Encoding",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "X-Request-Id",
    )
}
_VERSION = re.compile(r"(0|[1-9][0-9]{0,14})(?=-|$)")


def this_request() -> Request:
    """The request itself: what stands for it in flask looks it up anew for each attribute."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]
    return found


def header(name: str) -> str | None:
    """A header of the request, or None. werkzeug raises and catches errors where there is none,
    which is what most requests come to that are asked for several."""
    found: str | None = this_request().environ.get(_ENVIRON[name])
    return found


class Blueprint(flask_smorest.Blueprint):
    """flask-smorest's blueprint, of whose decorators nothing is left at a request but the reading
    of what it sent. Their own wrappers, one in another, cost more than a game's move: the reading
    is strict here, and every view answers with a Response, so that there is nothing to dump.
    """

    def arguments(
        self, schema: Schema, *, location: str = "json", **documented: Any
    ) -> Callable[[View], View]:
        """Documents what an operation takes, and hands it to its view behind what it has already:
        a body, read by `wire.read_object`, or query parameters.

        The view raises engine.Invalid for what the schema refuses, so that one table makes all
        error answers; and MalformedRequest, UnsupportedMediaType.
        """
        document = super().arguments(schema, location=location, **documented)
        read = _query_reader(schema) if location == "query" else _body_reader(schema)

        def decorate(view: View) -> View:
            @wraps(view)
            def reading(*args: Any, **kwargs: Any) -> Response:
                return view(*args, read(), **kwargs)

            reading._apidoc = document(view)._apidoc  # type: ignore[attr-defined]
            return reading

        return decorate

    def response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Documents an operation's usual answer."""
        return _documenting(super().response(*args, **kwargs))

    def alt_response(self, *args: Any, **kwargs: Any) -> Callable[[View], View]:
        """Documents another answer of an operation."""
        return _documenting(super().alt_response(*args, **kwargs))

    @staticmethod
    def doc(**documented: Any) -> Callable[[View], View]:
        """Documents anything else of an operation."""
        return _documenting(flask_smorest.Blueprint.doc(**documented))


def _documenting(document: Callable[[View], Any]) -> Callable[[View], View]:
    """Takes from a decorator what it documents, and leaves its wrapper."""

    def decorate(view: View) -> View:
        view._apidoc = document(view)._apidoc  # type: ignore[attr-defined]
        return view

    return decorate


def _body_reader(schema: Schema) -> Callable[[], dict[str, Any]]:
    """Reads the request's body as the schema says."""

    def read() -> dict[str, Any]:
        req = this_request()
        encoding = header("Content-Encoding")
        if encoding is not None and encoding.lower() != "identity":
            raise UnsupportedMediaType
        if header("Content-Type") != "application/json":  # as nearly everybody writes it
            _require_json(req)
        return _loaded(schema, wire.read_object(_body(req)))

    return read


def _require_json(req: Request) -> None:
    if req.mimetype != "application/json":
        raise UnsupportedMediaType
    if req.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise MalformedRequest("Send the body as UTF-8.")


def _query_reader(schema: Schema) -> Callable[[], dict[str, Any]]:
    """Reads the request's query parameters as the schema says. A misspelt one is refused too:
    `dryrun=true` must not make the move. So is one that is given twice: readers differ on which of
    them counts, as with the members of an object."""
    unasked = _loaded(schema, {})

    def read() -> dict[str, Any]:
        req = this_request()
        if not req.query_string:
            return dict(unasked)
        repeated = [name for name, values in req.args.lists() if len(values) > 1]
        if repeated:
            raise Invalid({name: ["Must be given once."] for name in repeated})
        return _loaded(schema, req.args.to_dict())

    return read


def _loaded(schema: Schema, data: Mapping[str, Any]) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(data)
    except ValidationError as error:
        raise Invalid(flat(error.messages)) from error
    return loaded


def _body(req: Request) -> bytes:
    """The whole body. Raises MalformedRequest where it does not arrive as announced, and
    RequestTimeout where it does not arrive in time."""
    announced = req.content_length
    if announced is not None and announced > wire.MAX_BODY:
        raise RequestEntityTooLarge
    try:
        # Where the end is announced there is no need of werkzeug's stream, which watches for it.
        source = req.environ["wsgi.input"]
        body = req.get_data() if announced is None else source.read(announced)
    except (RequestEntityTooLarge, RequestTimeout):
        raise
    except Exception:  # what a server raises for broken or missing chunks is its own
        raise MalformedRequest("Send the body as its headers announce it.") from None
    # One that does not announce its length is read up to Flask's limit, which is a byte more.
    if len(body) > wire.MAX_BODY:
        raise RequestEntityTooLarge
    if announced not in (None, len(body)):
        raise MalformedRequest("Send the body as its headers announce it.")
    return body


def flat(messages: Any, path: str | None = None) -> dict[str, list[str]]:
    """Nested validation messages by dotted path; what concerns an object stands under its own."""
    if isinstance(messages, Mapping):
        found: dict[str, list[str]] = {}
        for name, inner in messages.items():
            # An unknown member's name may be anything, half of a surrogate pair included.
            word = str(name).encode("utf-8", "backslashreplace").decode()
            here = path if name == "_schema" else word if path is None else f"{path}.{word}"
            for key, texts in flat(inner, here).items():
                found.setdefault(key, []).extend(texts)
        return found
    return {"body" if path is None else path: [str(text) for text in messages]}


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer. `body` is encoded once, by msgspec; bytes are JSON already."""
    data = body if isinstance(body, bytes) else wire.encode(body)
    # As one of the headers: set afterwards, it would be looked for among them.
    return Response(data, status, {"Content-Type": "application/json", **(headers or {})})


def token() -> str | None:
    """The bearer token of the request, or None. Raises Unauthorized for any other credentials."""
    return tokens.from_header(header("Authorization"))


def idempotency_key() -> str | None:
    """The request's `Idempotency-Key`, as it came."""
    return header("Idempotency-Key")


def caller() -> str:
    """What tells apart callers without a token who thought of the same key. A key long enough to
    be random needs nothing, and holds when a phone changes its network."""
    if len(idempotency_key() or "") >= STRONG_KEY:
        return ""
    return f"{request.remote_addr} {request.user_agent.string}"


def versions_matched() -> frozenset[int] | None:
    """The versions that `If-Match` allows: None when any will do (RFC 9110, 13.1.1).

    Tags that are no view's, weak ones among them, match no version.
    """
    if header("If-Match") is None or (tags := request.if_match).star_tag:
        return None
    versions = (_VERSION.match(tag or "") for tag in tags.as_set())  # "" is read as None
    return frozenset(int(version[0]) for version in versions if version)


def replayed(reply: Reply) -> dict[str, str]:
    """The header that tells a retried request's first answer."""
    return {"Idempotent-Replayed": "true"} if reply.replayed else {}


def view_headers(etag: str) -> dict[str, str]:
    """A view is its asker's alone, and is asked for again each time."""
    return {
        "ETag": f'"{etag}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
    }


def not_modified(etag: str) -> bool:
    """Whether `If-None-Match` names the entity tag (RFC 9110, 13.1.2: by weak comparison)."""
    # Most requests are without it, and werkzeug parses what is not there as well.
    return header("If-None-Match") is not None and request.if_none_match.contains_weak(etag)


def public_answer(body: Any, media_type: str = "application/json") -> Response:
    """An answer that is the same for everybody and changes only with a new release."""
    data = body if isinstance(body, bytes) else wire.encode(body)
    etag = generate_etag(data)
    headers = {"ETag": f'"{etag}"', "Cache-Control": "public, max-age=300"}
    if not_modified(etag):
        return Response(status=304, headers=headers)
    return Response(data, headers=headers, mimetype=media_type)


def install(app: Flask) -> None:
    """Gives an answer without content no type, and a request without a path the first one."""
    inner = app.wsgi_app

    def with_path(environ: dict[str, Any], start_response: Any) -> Any:
        # An absolute address may end with its host (RFC 9110, 4.2.3). Left to itself, werkzeug
        # would redirect for good, in HTML, to whatever host the request names.
        environ["PATH_INFO"] = environ.get("PATH_INFO") or "/"
        return inner(environ, start_response)

    app.wsgi_app = with_path  # type: ignore[method-assign]

    @app.after_request
    def label_answer(response: Response) -> Response:
        if response.status_code in (204, 304):
            response.headers.remove("Content-Type")  # there is no content for it to tell of
        return response
