"""The contract: how schemas, refusals and recorded answers become the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

import flask_smorest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import Schema, fields

from api.problems import MEDIA_TYPE, PROBLEMS, Problem
from api.schemas.fields import Anything, Const, Union, Word
from api.version import VERSION
from engine import Game

TITLE = "Croupier"
DESCRIPTION = """\
Croupier deals, referees and remembers three card games. Create a match, send the tokens to your
players, and post one of the listed `legal_moves` when a seat is to act.

Every error is a problem (RFC 9457, `application/problem+json`) whose `type` never changes. Every
answer carries `X-Request-Id`: yours, when you send 1 to 64 of `A-Za-z0-9._-`.
"""
#: Answers recorded from the service by `make examples`, by game id ("shared" for the rest).
EXAMPLES = Path(__file__).with_name("examples.json")

MATCH_ID_PARAMETER = {
    "in": "path",
    "name": "match_id",
    "required": True,
    "description": "The match, as its creation answered.",
    "schema": {"type": "string", "pattern": "^[a-z2-7]{16}$"},
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The ETag of an answer that you have; 304 when it is still the current one.",
    "schema": {"type": "string"},
}
LAST_EVENT_ID = {
    "in": "header",
    "name": "Last-Event-ID",
    "required": False,
    "description": "For an event stream, the number of the last event that you have.",
    "schema": {"type": "string"},
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "The ETag of a view: the move is made only if the match is still at that one.",
    "schema": {"type": "string"},
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "1 to 128 visible ASCII characters, best a new UUID for each request. The same "
    "key with the same body gets the first answer again, and nothing is done twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]*$"},
}
SEAT_PARAMETER = {
    "in": "path",
    "name": "seat",
    "required": True,
    "description": "The seat's number, from 0.",
    "schema": {"type": "integer", "minimum": 0},
}
REPLAYED = {
    "Idempotent-Replayed": {
        "description": "`true` when this is the first answer to the same key, given again.",
        "schema": {"type": "string"},
    }
}
ETAG = {
    "ETag": {
        "description": 'The version and whose view it is, such as `"12-0"`.',
        "schema": {"type": "string"},
    }
}
LOCATION = {"Location": {"description": "The path of the new match.", "schema": {"type": "string"}}}
#: Whose token an operation takes.
NO_TOKEN: list[dict[str, list[str]]] = []
TOKEN_OR_NONE: list[dict[str, list[str]]] = [{}, {"token": []}]
TOKEN: list[dict[str, list[str]]] = [{"token": []}]


class Converter(OpenAPIConverter):
    """apispec's converter, taught our own fields and unions."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance: Schema = schema() if isinstance(schema, type) else schema
        if isinstance(instance, Union):
            refs = {
                tag: self.resolve_nested_schema(v)  # type: ignore[no-untyped-call]
                for tag, v in instance.variants.items()
            }
            return {
                "description": type(instance).__doc__,
                "oneOf": list(refs.values()),
                "discriminator": {
                    "propertyName": instance.tag,
                    "mapping": {tag: ref["$ref"] for tag, ref in refs.items()},
                },
            }
        document: dict[str, Any] = super().schema2jsonschema(instance)  # type: ignore[no-untyped-call]
        if doc := type(instance).__doc__:
            document["description"] = " ".join(doc.split())
        return document

    def field2property(self, field: fields.Field[Any]) -> dict[str, Any]:
        if isinstance(field, Anything):
            return field.json_schema
        if isinstance(field, Const):
            kind = "boolean" if isinstance(field.constant, bool) else "string"
            return {"type": kind, "const": field.constant, **field.metadata}
        if isinstance(field, Word) and field.component:
            words = field.validators[0].choices  # type: ignore[attr-defined]
            if field.component not in self.spec.components.schemas:
                self.spec.components.schema(
                    field.component, {"type": "string", "enum": list(words)}
                )
            ref = {"$ref": f"#/components/schemas/{field.component}"}
            found = {"anyOf": [ref, {"type": "null"}]} if field.allow_none else ref
            return {**found, **field.metadata}
        document: dict[str, Any] = super().field2property(field)
        # apispec leaves null out of an enum that allows it.
        if field.allow_none and "enum" in document and None not in document["enum"]:
            document["enum"] = [*document["enum"], None]
        return document


class Plugin(MarshmallowPlugin):
    """The marshmallow plugin with that converter."""

    Converter = Converter


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
                "license": {"name": "MIT", "identifier": "MIT"},
            },
            "servers": [{"url": "/", "description": "The service that serves this document."}],
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
    for problem in PROBLEMS.values():
        api.spec.components.schema(_schema_name(problem), _schema(problem))
    return api


def document(api: Api) -> dict[str, Any]:
    """The whole contract."""
    spec: APISpec = api.spec
    made: dict[str, Any] = spec.to_dict()
    return made


def problems(*slugs: str) -> Callable[[Any], Any]:
    """Documents the refusals of an operation, by their slugs."""

    def decorate(view: Any) -> Any:
        by_status: dict[int, list[Problem]] = {}
        for slug in slugs:
            by_status.setdefault(PROBLEMS[slug].status, []).append(PROBLEMS[slug])
        for status, kinds in by_status.items():
            answer = {
                "schema": _one_of(kinds),
                "content_type": MEDIA_TYPE,
                "description": " or ".join(kind.title.lower() for kind in kinds).capitalize() + ".",
            }
            _documented(view, "response", "responses").setdefault(status, []).append(answer)
        return view

    return decorate


def takes(*parameters: dict[str, Any]) -> Callable[[Any], Any]:
    """Documents headers that an operation heeds, beside the parameters that schemas describe."""

    def decorate(view: Any) -> Any:
        described = _documented(view, "arguments").setdefault("parameters", [])
        described.extend(deepcopy(parameters))
        return view

    return decorate


def conditional(view: Any) -> Any:
    """Documents that an operation's answers carry an ETag, by which they need not be sent again."""
    unchanged = {
        "content_type": None,
        "description": "Nothing has changed since the ETag you sent.",
    }
    _documented(view, "response", "responses").setdefault(304, []).append(unchanged)
    return takes(IF_NONE_MATCH)(view)


def _documented(view: Any, *path: str) -> dict[Any, Any]:
    """A part of what flask-smorest keeps of a view for the document. Its own decorators would wrap
    the view once for each answer, and every request would pay for that."""
    view._apidoc = deepcopy(getattr(view, "_apidoc", {}))
    part: dict[Any, Any] = view._apidoc
    for name in path:
        part = part.setdefault(name, {})
    return part


def example(game: Game[Any] | None, name: str) -> dict[str, Any] | None:
    """A recorded body or answer for an operation; None where none is recorded yet."""
    recorded = _recorded().get(game.id if game else "shared", {})
    if name not in recorded:
        return None
    return {"recorded": {"summary": "Recorded from the service", "value": recorded[name]}}


def _recorded() -> dict[str, Any]:
    if not EXAMPLES.exists():  # while they are being recorded for the first time
        return {}
    recorded: dict[str, Any] = json.loads(EXAMPLES.read_text("utf-8"))
    return recorded


def _schema_name(problem: Problem) -> str:
    return "".join(part.capitalize() for part in problem.slug.split("-")) + "Problem"


def _one_of(kinds: Iterable[Problem]) -> dict[str, Any]:
    refs = {kind.type: f"#/components/schemas/{_schema_name(kind)}" for kind in kinds}
    if len(refs) == 1:
        return {"$ref": next(iter(refs.values()))}
    return {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "type", "mapping": refs},
    }


def _schema(problem: Problem) -> dict[str, Any]:
    members = {
        "type": {"type": "string", "const": problem.type},
        "title": {"type": "string", "const": problem.title},
        "status": {"type": "integer", "const": problem.status},
        "detail": {"type": "string", "description": "One sentence saying what to do."},
        **problem.members,
    }
    return {
        "type": "object",
        "description": problem.page,
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
