"""Problem details (RFC 9457): the table from exception to status, type and title. Every error
answer of the service is made here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

import engine
from api import errors, notes, wire
from api.rates import Rates
from api.store.base import StoreUnavailable

MEDIA_TYPE = "application/problem+json"
#: Seconds after which it is worth asking again when the store was away.
RETRY_AFTER = 2


@dataclass(frozen=True)
class Problem:
    """One error type: its status and title never change, its page explains it."""

    slug: str
    status: int
    title: str
    page: str
    #: JSON schemas of the members besides type, title, status and detail.
    members: Mapping[str, Any] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """The URL path that names the type and answers with its page."""
        return f"/problems/{self.slug}"


_SEATS = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0},
    "description": "The seats that owe a decision now.",
}
_BODIES = {
    "type": "array",
    "items": {"type": "object"},
    "description": "Every move that would be accepted, each as a body to send.",
}
_MESSAGES = {
    "type": "object",
    "additionalProperties": {"type": "array", "items": {"type": "string"}},
    "description": "What is wrong with each.",
}

PROBLEMS = {
    problem.slug: problem
    for problem in (
        Problem(
            "malformed-request",
            400,
            "Malformed request",
            "The request is not HTTP that can be read, its head is too long, or its body is not "
            "one JSON object in UTF-8 that every reader would read alike: it does not parse, names "
            "a member twice, holds NaN or an endless number, or nests too deep. `detail` says at "
            "which line and column the body stops being JSON.",
        ),
        Problem(
            "unauthorized",
            401,
            "No valid token",
            "The request needs a token of this match and came without one, or with one that is not "
            "of this match. Send it as `Authorization: Bearer <token>`.",
        ),
        Problem(
            "forbidden",
            403,
            "Not with this token",
            "The token is right but not for this: a seat's token does not delete a match, the "
            "host's does not move, and a match that is not public is seen only with a token of it.",
        ),
        Problem(
            "not-found",
            404,
            "Not found",
            "There is nothing at this path: the game, match or seat does not exist, the match "
            "belongs to another game, or it has expired.",
        ),
        Problem(
            "method-not-allowed",
            405,
            "Method not allowed",
            "The path exists but not for this method; the `Allow` header lists those it takes.",
        ),
        Problem(
            "request-timeout",
            408,
            "Request timeout",
            "The request's head or its body took too long to arrive. Send all of it without a "
            "pause: a head has 10 seconds from its first byte on, and a body as many after it.",
        ),
        Problem(
            "not-your-turn",
            409,
            "Not your turn",
            "The seat owes no decision now. `to_act` lists the seats that do.",
            {"to_act": _SEATS},
        ),
        Problem(
            "illegal-move",
            409,
            "Illegal move",
            "The move reads well but is against the rules now. `reason` names the rule, and "
            "`legal_moves` lists every move that would be accepted instead.",
            {
                "reason": {"type": "string", "description": "The rule that forbids it."},
                "rule": {"type": ["string", "null"], "description": "The ruling's number."},
                "legal_moves": _BODIES,
            },
        ),
        Problem(
            "match-waiting",
            409,
            "Match not dealt yet",
            "The match is dealt when its last open seat is taken; nobody can move before.",
        ),
        Problem(
            "match-finished",
            409,
            "Match finished",
            "The match is over. Its last view stays readable until it expires.",
        ),
        Problem(
            "match-not-finished",
            409,
            "Match not finished",
            "This is told, or possible, only once the match is over.",
        ),
        Problem(
            "seat-taken",
            409,
            "Seat taken",
            "Somebody holds the seat that you asked for; ask for another, or for any.",
        ),
        Problem(
            "match-full",
            409,
            "Match full",
            "No seat of the match is open any more.",
        ),
        Problem(
            "version-mismatch",
            412,
            "Version mismatch",
            "The match has moved on from the version that `If-Match` names. `version` is the "
            "present one: look at it, and decide again.",
            {
                "version": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "The version that the match is at.",
                }
            },
        ),
        Problem(
            "too-large",
            413,
            "Body too large",
            f"A body is {wire.MAX_BODY} bytes at most.",
        ),
        Problem(
            "unsupported-media-type",
            415,
            "Unsupported media type",
            "Bodies are sent with `Content-Type: application/json`.",
        ),
        Problem(
            "validation",
            422,
            "Invalid request",
            "The body reads, but some of its members are missing, unknown or out of range. "
            "`errors` maps each bad member to what is wrong with it, all of them at once; members "
            "within members are written with dots, as in `seats.0.name`.",
            {"errors": _MESSAGES},
        ),
        Problem(
            "too-many-requests",
            429,
            "Too many requests",
            "You have asked for more than one address or one token may: `limit` names what, as do "
            "the headers `RateLimit-Policy` and `RateLimit`. Send the request again after "
            "`Retry-After` seconds.",
            {"limit": {"type": "string", "description": f"One of {', '.join(Rates.names())}."}},
        ),
        Problem(
            "internal-error",
            500,
            "Internal error",
            "The service made a mistake. Quote the `X-Request-Id` of the answer when reporting it.",
        ),
        Problem(
            "store-unavailable",
            503,
            "Store unavailable",
            "The store cannot be reached, refuses to write or is slow to confirm, the match was "
            "contended for too long, or a newer version that is being rolled out has saved it. "
            "Nothing was done, or the same `Idempotency-Key` tells: send the same request again "
            "after `Retry-After` seconds.",
        ),
        Problem(
            "leaving",
            503,
            "About to stop",
            "Only `/readyz` says so: the service was told to stop, and still serves for a while. "
            "Whoever spreads requests over several instances should send it no more.",
        ),
    )
}

_BY_STATUS = {
    400: "malformed-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
}
_DETAILS = {
    404: "Check the path; GET /v1/games lists the games and where their matches are.",
    413: f"Send a body of at most {wire.MAX_BODY} bytes.",
}

Members = dict[str, Any]


def _illegal(error: engine.IllegalMove) -> Members:
    return {
        "reason": f"{error.reason} ({error.rule})" if error.rule else error.reason,
        "rule": error.rule,
        "legal_moves": error.legal_moves,
    }


#: Exception → slug and members. The first class that fits counts.
_TABLE: tuple[tuple[type[Exception], str, Callable[[Any], Members]], ...] = (
    (engine.Invalid, "validation", lambda e: {"errors": e.errors}),
    (engine.IllegalMove, "illegal-move", _illegal),
    (engine.NotYourTurn, "not-your-turn", lambda e: {"to_act": e.to_act}),
    (engine.MatchWaiting, "match-waiting", lambda e: {}),
    (engine.MatchFinished, "match-finished", lambda e: {}),
    (engine.SeatTaken, "seat-taken", lambda e: {}),
    (engine.MatchFull, "match-full", lambda e: {}),
    (errors.MatchNotFinished, "match-not-finished", lambda e: {}),
    (errors.VersionMismatch, "version-mismatch", lambda e: {"version": e.version}),
    (errors.NotFound, "not-found", lambda e: {}),
    (errors.Unauthorized, "unauthorized", lambda e: {}),
    (errors.Forbidden, "forbidden", lambda e: {}),
    (errors.MalformedRequest, "malformed-request", lambda e: {}),
    (errors.UnsupportedMediaType, "unsupported-media-type", lambda e: {}),
    (errors.RequestTimeout, "request-timeout", lambda e: {}),
    (errors.TooManyRequests, "too-many-requests", lambda e: {"limit": e.limit}),
    (errors.TooContended, "store-unavailable", lambda e: {}),
    (errors.SavedByNewer, "store-unavailable", lambda e: {}),
    (errors.Leaving, "leaving", lambda e: {}),
    (StoreUnavailable, "store-unavailable", lambda e: {}),
)
_SENTENCES: Mapping[type[Exception], str] = {
    engine.Invalid: "Correct the members that `errors` names.",
    engine.IllegalMove: "Choose one of the moves in `legal_moves`.",
    engine.NotYourTurn: "Wait until `to_act` lists your seat.",
    engine.MatchWaiting: "Wait until the last open seat is taken.",
    engine.SeatTaken: "Ask for another seat, or leave out `seat` to get any open one.",
    engine.MatchFull: "Look for a match that is still waiting.",
    engine.MatchFinished: "Read the result in the match's view.",
    StoreUnavailable: "Send the same request again after the seconds that Retry-After tells; the "
    "same Idempotency-Key tells whether it was done.",
}


def register(app: Flask) -> None:
    """Makes the app answer every error, a routing error included, with a problem."""

    @app.errorhandler(Exception)
    def on_error(error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return _from_http(error)
        for kind, slug, members in _TABLE:
            if isinstance(error, kind):
                if slug == "store-unavailable":
                    notes.note("reason", str(error))
                detail = _SENTENCES.get(kind, str(error))
                return answer(slug, detail, members(error), _headers(slug, error))
        notes.broke(error)
        return mistake()


def unreadable() -> Response:
    """The answer to what cannot be read as HTTP, or has too long a head: no route has seen it."""
    return answer("malformed-request", "Send a request that is HTTP, with a head of usual length.")


def too_slow() -> Response:
    """The answer to a head that does not arrive in time: no route has seen it."""
    return answer("request-timeout", str(errors.RequestTimeout()))


def mistake() -> Response:
    """The answer where the service itself is at fault."""
    return answer("internal-error", "Report this with the answer's X-Request-Id.")


def answer(
    slug: str,
    detail: str,
    members: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An error answer. It depends on who asks and on the moment, so no cache may keep it."""
    problem = PROBLEMS[slug]
    notes.note("problem", slug)
    body = {
        "type": problem.type,
        "title": problem.title,
        "status": problem.status,
        "detail": detail,
        **(members or {}),
    }
    response = Response(wire.encode(body), problem.status, mimetype=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Authorization"
    response.headers.update(headers or {})
    return response


def _headers(slug: str, error: Exception) -> dict[str, str]:
    if isinstance(error, errors.TooManyRequests):
        return {"Retry-After": str(error.retry_after)}
    if slug == "unauthorized":
        return {"WWW-Authenticate": "Bearer"}
    if slug in ("store-unavailable", "leaving"):
        return {"Retry-After": str(RETRY_AFTER)}
    return {}


def _from_http(error: HTTPException) -> Response:
    code = error.code or 500
    slug = _BY_STATUS.get(code, "internal-error" if code >= 500 else "malformed-request")
    detail = _DETAILS.get(code, "Send a request as the contract has it.")
    if code == 404 and request.path.endswith("/"):
        detail = f"No path ends in a slash: leave it out. {detail}"
    headers = {}
    if allowed := getattr(error, "valid_methods", None):
        headers["Allow"] = ", ".join(sorted(allowed))
        detail = f"Use one of the methods that this path takes: {headers['Allow']}."
    return answer(slug, detail, {}, headers)
