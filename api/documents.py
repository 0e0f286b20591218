"""The contract: how schemas, refusals and recorded answers become the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import flask_smorest
from flask import Flask
from marshmallow import Schema, fields

from api.converter import Plugin
from api.parameters import IF_NONE_MATCH, OF_REFUSALS
from api.problems import MEDIA_TYPE, PROBLEMS, Problem
from api.schemas import GameSchemas
from api.schemas.common import Members, variant
from api.schemas.fields import Anything, Const
from api.version import VERSION
from engine import Game

TITLE = "Croupier"
DESCRIPTION = """\
Croupier deals, referees and remembers three card games. Create a match, send the tokens to your
players, and post one of the listed `legal_moves` when a seat is to act.

Every error is a problem (RFC 9457, `application/problem+json`) whose `type` never changes. Every
answer carries `X-Request-Id`: yours, when you send 1 to 64 of `A-Za-z0-9._-`.

Each address and each token may ask for so much in a minute, and have so many streams open. The
headers `RateLimit-Policy` and `RateLimit` tell what is left; a `429` tells in `Retry-After` when to
ask again.

Answers may get further members within v1: ignore those that you do not know.
"""
#: Answers recorded by `python -m scripts.examples`, by game id ("shared" for the rest).
EXAMPLES = Path(__file__).with_name("examples.json")
#: What any operation may answer, by no fault or by one that comes before it is known.
ALWAYS = ("malformed-request", "request-timeout", "too-many-requests", "internal-error")
#: In this order the document tells what it holds, and an operation what it is.
_PARTS = ("openapi", "info", "servers", "security", "tags", "paths", "components")
_PARTS_OF_OPERATION = (
    "operationId",
    "summary",
    "description",
    "tags",
    "security",
    "parameters",
    "requestBody",
    "responses",
)
_PLACES = ("path", "query", "header")


class Api(flask_smorest.Api):
    """flask-smorest's Api without its own errors, pages and document routes."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """All error answers come from `problems.py`."""

    def _register_responses(self) -> None:
        """An operation documents its own refusals; see `problems` below."""

    def _register_pagination_header(self) -> None:
        """No answer carries one."""


def make_api(app: Flask) -> Api:
    """Attaches an Api with an empty document to the app."""
    app.config["OPENAPI_URL_PREFIX"] = None
    api = Api(
        app,
        spec_kwargs={
            "title": TITLE,
            "version": VERSION,
            "openapi_version": "3.1.0",
            "marshmallow_plugin": Plugin(),
            "info": {
                "description": DESCRIPTION,
                "contact": {"name": "The maintainers of Croupier"},
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/", "description": "The service that serves this document."}],
            # Needed only where an operation says so.
            "security": [],
        },
    )
    api.spec.components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A seat's or the host's token, from creating or joining a match.",
        },
    )
    return api


def document(api: Api) -> dict[str, Any]:
    """The whole contract, its parts in the order in which one reads them."""
    made: dict[str, Any] = api.spec.to_dict()
    for item in made["paths"].values():
        for method, operation in item.items():
            if method != "parameters":
                item[method] = _in_order(operation)
    return {part: made[part] for part in _PARTS}


def _in_order(operation: Mapping[str, Any]) -> dict[str, Any]:
    ordered = {part: operation[part] for part in _PARTS_OF_OPERATION if part in operation}
    if parameters := ordered.pop("parameters", []):
        ordered["parameters"] = sorted(parameters, key=lambda p: _PLACES.index(p["in"]))
    ordered["responses"] = dict(sorted(ordered.pop("responses").items()))
    return ordered


def problems(
    *slugs: str, of: GameSchemas | None = None, counted: bool = True
) -> Callable[[Any], Any]:
    """Documents the refusals of an operation, by their slugs, beside those that any may get. `of`
    is the game whose moves a refusal lists; what is not `counted` may be asked without limit."""

    def decorate(view: Any) -> Any:
        by_status: dict[int, dict[str, type[Schema]]] = {}
        for slug in dict.fromkeys((*ALWAYS, *slugs)):
            if slug == "too-many-requests" and not counted:
                continue
            own = _illegal_move(of) if of and slug == "illegal-move" else PROBLEM_SCHEMAS[slug]
            by_status.setdefault(PROBLEMS[slug].status, {})[slug] = own
        for status, schemas in by_status.items():
            titles = (PROBLEMS[slug].title.lower() for slug in schemas)
            answer = {
                "schema": _one_of(schemas),
                "content_type": MEDIA_TYPE,
                "description": " or ".join(titles).capitalize() + ".",
            }
            if status in OF_REFUSALS:
                answer["headers"] = deepcopy(OF_REFUSALS[status])
            _answers(view, status).append(answer)
        return view

    return decorate


def takes(*parameters: dict[str, Any]) -> Callable[[Any], Any]:
    """Documents headers that an operation heeds, beside the parameters that schemas describe."""

    def decorate(view: Any) -> Any:
        described = _documented(view, "arguments").setdefault("parameters", [])
        described.extend(deepcopy(parameters))
        return view

    return decorate


def leads_to(status: int, links: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Documents what can be asked next with what the answer of that status holds."""

    def decorate(view: Any) -> Any:
        _answers(view, status).append({"content_type": None, "links": dict(links)})
        return view

    return decorate


def conditional(view: Any) -> Any:
    """Documents that an operation's answers carry an ETag, by which they need not be sent again."""
    unchanged = {
        "content_type": None,
        "description": "Nothing has changed since the ETag you sent.",
    }
    _answers(view, 304).append(unchanged)
    return takes(IF_NONE_MATCH)(view)


def _answers(view: Any, status: int) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = _documented(view, "response", "responses").setdefault(
        status, []
    )
    return answers


def _documented(view: Any, *path: str) -> dict[Any, Any]:
    """A part of what flask-smorest keeps of a view for the document. Its own decorators would wrap
    the view once for each answer, and every request would pay for that."""
    view._apidoc = deepcopy(getattr(view, "_apidoc", {}))
    part: dict[Any, Any] = view._apidoc
    for name in path:
        part = part.setdefault(name, {})
    return part


def example(game: Game[Any] | None, name: str, **others: str) -> dict[str, Any] | None:
    """A recorded body or answer for an operation; None where none is recorded yet. Further ones are
    named in `others`, each with a sentence on it."""
    recorded = _recorded().get(game.id if game else "shared", {})
    if name not in recorded:
        return None
    summaries = {name: "Recorded from the service", **others}
    return {
        "recorded" if key == name else key: {"summary": summary, "value": recorded[key]}
        for key, summary in summaries.items()
        if key in recorded
    }


def _recorded() -> dict[str, Any]:
    if not EXAMPLES.exists():  # while they are being recorded for the first time
        return {}
    recorded: dict[str, Any] = json.loads(EXAMPLES.read_text("utf-8"))
    return recorded


def _one_of(schemas: Mapping[str, type[Schema]]) -> Any:
    """The schema of a problem, or of several that the member `type` tells apart."""
    first, *others = schemas.values()
    if not others:
        return first
    mapping = {
        PROBLEMS[slug].type: f"#/components/schemas/{schema.__name__}"
        for slug, schema in schemas.items()
    }
    return {
        "oneOf": [first, *others],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _problem_schema(problem: Problem, prefix: str = "", **own: fields.Field[Any]) -> type[Schema]:
    members: Members = {
        "type": Const(problem.type, required=True),
        "title": Const(problem.title, required=True),
        "status": Const(problem.status, required=True),
        "detail": fields.String(
            required=True, metadata={"description": "One sentence saying what to do."}
        ),
        **{name: Anything(kind, required=True) for name, kind in problem.members.items()},
        **own,
    }
    name = "".join(part.capitalize() for part in problem.slug.split("-"))
    return variant(f"{prefix}{name}Problem", problem.page, members)


def _illegal_move(game: GameSchemas) -> type[Schema]:
    described = {"description": PROBLEMS["illegal-move"].members["legal_moves"]["description"]}
    legal = fields.List(fields.Nested(game.move), required=True, metadata=described)
    return _problem_schema(PROBLEMS["illegal-move"], game.title, legal_moves=legal)


#: The schema of each problem, by slug.
PROBLEM_SCHEMAS = {slug: _problem_schema(problem) for slug, problem in PROBLEMS.items()}
