"""The committed contract breaks no client of the last release's, and the check that says so would
find what does.

`released.yaml` is the contract of the last release. A release renews it as its last step:
`cp openapi.yaml tests/contract/released.yaml`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import yaml

from tests.contract.compatibility import breaking
from tests.contract.conftest import LOADER, contract_document
from tests.contract.node import HERE

RELEASED = HERE / "released.yaml"
Change = Callable[[Any], object]

SMALL: dict[str, Any] = {
    "security": [],
    "paths": {
        "/things/{id}": {
            "parameters": [
                {"in": "path", "name": "id", "required": True, "schema": {"type": "integer"}}
            ],
            "post": {
                "operationId": "change_thing",
                "tags": ["things"],
                "security": [{}, {"token": []}],
                "parameters": [
                    {"in": "query", "name": "why", "schema": {"type": "integer", "maximum": 9}}
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Move"}}
                    },
                },
                "responses": {
                    "200": {
                        "headers": {"ETag": {"schema": {"type": "string"}}},
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}},
                            "text/plain": {"schema": {"type": "string"}},
                        },
                    },
                    "204": {},
                    "404": {},
                    "503": {
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Away"}}
                        },
                    },
                },
            },
        }
    },
    "components": {
        "schemas": {
            "Move": {
                "oneOf": [
                    {"$ref": "#/components/schemas/Play"},
                    {"$ref": "#/components/schemas/Pass"},
                ],
                "discriminator": {
                    "propertyName": "action",
                    "mapping": {
                        "play": "#/components/schemas/Play",
                        "pass": "#/components/schemas/Pass",
                    },
                },
            },
            "Play": {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "const": "play"},
                    "card": {"type": "string", "enum": ["a", "b"]},
                    "note": {"type": ["string", "null"], "minLength": 1, "pattern": "x"},
                },
                "required": ["action"],
                "additionalProperties": False,
            },
            "Pass": {
                "type": "object",
                "properties": {"action": {"type": "string", "const": "pass"}},
                "required": ["action"],
                "additionalProperties": False,
            },
            "Thing": {
                "type": "object",
                "properties": {
                    "state": {"type": "string", "enum": ["on", "off"]},
                    "size": {"type": "integer", "maximum": 5},
                    "made": {"type": "string", "format": "date-time"},
                    "last": {"anyOf": [{"$ref": "#/components/schemas/Event"}, {"type": "null"}]},
                    "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
                    "moves": {"type": "array", "items": {"$ref": "#/components/schemas/Pass"}},
                },
                "required": ["state", "size"],
                "additionalProperties": False,
            },
            "Event": {
                "oneOf": [{"$ref": "#/components/schemas/Played"}],
                "discriminator": {
                    "propertyName": "type",
                    "mapping": {"played": "#/components/schemas/Played"},
                },
            },
            "Played": {
                "type": "object",
                "properties": {"type": {"type": "string", "const": "played"}},
                "required": ["type"],
                "additionalProperties": False,
            },
            "Away": {
                "type": "object",
                "properties": {"type": {"type": "string", "const": "away"}},
                "required": ["type"],
                "additionalProperties": False,
            },
        }
    },
}  # fmt: skip


def post(document: Any) -> Any:
    """The one operation."""
    return document["paths"]["/things/{id}"]["post"]


def members(document: Any, name: str) -> Any:
    """The members of an object's schema."""
    return document["components"]["schemas"][name]["properties"]


def refuse_with(document: Any, *names: str) -> None:
    """Lets the one refusal with a body be one of several."""
    places = {name.lower(): f"#/components/schemas/{name}" for name in names}
    for name in names:
        document["components"]["schemas"][name] = {
            "type": "object",
            "properties": {"type": {"type": "string", "const": name.lower()}},
            "required": ["type"],
            "additionalProperties": False,
        }
    post(document)["responses"]["503"]["content"]["application/json"]["schema"] = {
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "type", "mapping": places},
    }


def put(place: Any, name: Any, value: Any) -> None:
    """Sets a member or an item."""
    place[name] = value


BREAKING: dict[str, Change] = {
    "a refusal's only kind is gone": lambda d: refuse_with(d, "Full", "Late"),
    "a path is gone": lambda d: d["paths"].clear(),
    "an operation is gone": lambda d: d["paths"]["/things/{id}"].pop("post"),
    "an operation has another name": lambda d: put(post(d), "operationId", "alter_thing"),
    "an operation stands elsewhere": lambda d: put(post(d), "tags", ["other"]),
    "a token is needed": lambda d: post(d)["security"].pop(0),
    "a parameter is gone": lambda d: post(d)["parameters"].clear(),
    "a parameter is required": lambda d: put(post(d)["parameters"][0], "required", True),
    "a new parameter is required": lambda d: post(d)["parameters"].append(
        {"in": "header", "name": "X", "required": True, "schema": {"type": "string"}}
    ),
    "a parameter takes less": lambda d: put(post(d)["parameters"][0]["schema"], "maximum", 8),
    "a parameter has another type": lambda d: put(
        post(d)["parameters"][0], "schema", {"type": "string"}
    ),
    "a body is gone": lambda d: post(d).pop("requestBody"),
    "a kind of body is gone": lambda d: d["components"]["schemas"]["Move"]["oneOf"].pop(),
    "a member of a request is gone": lambda d: members(d, "Play").pop("note"),
    "a member of a request is required": lambda d: d["components"]["schemas"]["Play"][
        "required"
    ].append("card"),
    "a new member of a request is required": lambda d: (
        put(members(d, "Pass"), "why", {"type": "string"}),
        d["components"]["schemas"]["Pass"]["required"].append("why"),
    ),
    "a request takes fewer words": lambda d: members(d, "Play")["card"]["enum"].pop(),
    "a request takes few words": lambda d: put(members(d, "Play")["note"], "enum", ["x"]),
    "a request takes no null": lambda d: put(members(d, "Play")["note"], "type", "string"),
    "a request takes longer texts only": lambda d: put(members(d, "Play")["note"], "minLength", 2),
    "a request takes shorter texts only": lambda d: put(members(d, "Play")["note"], "maxLength", 9),
    "a request takes other texts": lambda d: put(members(d, "Play")["note"], "pattern", "y"),
    "a word is another": lambda d: put(members(d, "Play")["action"], "const", "lay"),
    "an answer is gone": lambda d: post(d)["responses"].pop("204"),
    "an answer is new": lambda d: put(post(d)["responses"], "202", {}),
    "an answer's form is gone": lambda d: post(d)["responses"]["200"]["content"].pop("text/plain"),
    "an answer's header is gone": lambda d: post(d)["responses"]["200"]["headers"].clear(),
    "a member of an answer is gone": lambda d: members(d, "Thing").pop("counts"),
    "a member of an answer may be left out": lambda d: d["components"]["schemas"]["Thing"][
        "required"
    ].remove("size"),
    "a member of an answer may be null": lambda d: put(
        members(d, "Thing")["size"], "type", ["integer", "null"]
    ),
    "a member of an answer has another type": lambda d: put(
        members(d, "Thing")["size"], "type", "number"
    ),
    "an answer has another word": lambda d: members(d, "Thing")["state"]["enum"].append("broken"),
    "an answer has a word less": lambda d: members(d, "Thing")["state"]["enum"].pop(),
    "an answer has any word": lambda d: members(d, "Thing")["state"].pop("enum"),
    "an answer has another format": lambda d: members(d, "Thing")["made"].pop("format"),
    "a value within a mapping has another type": lambda d: put(
        members(d, "Thing")["counts"], "additionalProperties", {"type": "string"}
    ),
    "an item has another type": lambda d: put(
        members(d, "Thing")["moves"], "items", {"type": "string"}
    ),
    "an event type is gone": lambda d: (
        put(members(d, "Played")["type"], "const", "laid"),
        put(
            d["components"]["schemas"]["Event"]["discriminator"],
            "mapping",
            {"laid": "#/components/schemas/Played"},
        ),
    ),
    "a schema has another name": lambda d: d["components"]["schemas"].update(
        Played2=d["components"]["schemas"].pop("Played"),
        Event=json.loads(
            json.dumps(d["components"]["schemas"]["Event"]).replace("Played", "Played2")
        ),
    ),
}
COMPATIBLE: dict[str, Change] = {
    "nothing": lambda d: None,
    "a new path": lambda d: put(d["paths"], "/more", {"get": {"responses": {}}}),
    "a new optional parameter": lambda d: post(d)["parameters"].append(
        {"in": "query", "name": "how", "schema": {"type": "string"}}
    ),
    "a parameter takes more": lambda d: put(post(d)["parameters"][0]["schema"], "maximum", 10),
    "a token is needed no more": lambda d: put(post(d), "security", []),
    "a new optional member of a request": lambda d: put(
        members(d, "Pass"), "why", {"type": "string"}
    ),
    "a member of a request may be left out": lambda d: d["components"]["schemas"]["Play"].pop(
        "required"
    ),
    "a request takes more words": lambda d: members(d, "Play")["card"]["enum"].append("c"),
    "a request takes any word": lambda d: members(d, "Play")["card"].pop("enum"),
    "a request takes shorter texts": lambda d: put(members(d, "Play")["note"], "minLength", 0),
    "a request takes any text": lambda d: members(d, "Play")["note"].pop("pattern"),
    "a new member of an answer": lambda d: put(members(d, "Thing"), "name", {"type": "string"}),
    "a member of an answer is always there": lambda d: d["components"]["schemas"]["Thing"][
        "required"
    ].append("made"),
    "a member of an answer is never null": lambda d: put(
        members(d, "Thing"), "last", {"$ref": "#/components/schemas/Event"}
    ),
    "a number of an answer may be larger": lambda d: put(members(d, "Thing")["size"], "maximum", 6),
    "a new event type": lambda d: (
        put(d["components"]["schemas"], "Laid", deepcopy(d["components"]["schemas"]["Played"])),
        d["components"]["schemas"]["Event"]["oneOf"].append({"$ref": "#/components/schemas/Laid"}),
        put(
            d["components"]["schemas"]["Event"]["discriminator"]["mapping"],
            "laid",
            "#/components/schemas/Laid",
        ),
    ),
    "a new kind of a refusal that had one": lambda d: refuse_with(d, "Away", "Full"),
    "a new refusal": lambda d: put(post(d)["responses"], "409", {}),
    "a refusal less": lambda d: post(d)["responses"].pop("404"),
    "other words about it": lambda d: put(post(d), "description", "Changes a thing."),
}  # fmt: skip


def changed(change: Change) -> list[str]:
    """What the check says of a change to the small contract."""
    newer = deepcopy(SMALL)
    change(newer)
    return breaking(SMALL, newer)


@pytest.mark.parametrize("name", BREAKING)
def test_what_would_break_clients_is_found(name: str) -> None:
    assert changed(BREAKING[name]) != []


@pytest.mark.parametrize("name", COMPATIBLE)
def test_what_breaks_none_is_let_through(name: str) -> None:
    assert changed(COMPATIBLE[name]) == []


def test_what_the_check_does_not_know_it_does_not_let_through() -> None:
    with pytest.raises(NotImplementedError, match="multipleOf"):
        changed(lambda d: put(members(d, "Thing")["size"], "multipleOf", 2))


def test_the_contract_breaks_no_client_of_the_last_release() -> None:
    released = yaml.load(RELEASED.read_text("utf-8"), Loader=LOADER)
    assert len(released["paths"]) > 30
    assert breaking(released, contract_document()) == [], (
        "see docs/compatibility.md for what may change, and how the rest is announced"
    )


@pytest.mark.parametrize(
    "path", ["/v1/games/even-steven/matches", "/v1/games/card-keeper/matches/{match_id}"]
)
def test_a_break_of_the_contract_itself_would_be_found(path: str) -> None:
    older = deepcopy(contract_document())
    older["paths"][path]["get"]["responses"]["200"]["headers"] = {"X-Lost": {}}
    assert breaking(older, contract_document()) == [
        f"GET {path}: answer 200: header X-Lost is gone"
    ]
