"""A body that is one action of a game is no other action of it, by the contract's own schemas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.conformance import ROOT, Contract
from tests.contract.conftest import contract_document

SCHEMAS: dict[str, Any] = contract_document()["components"]["schemas"]
UNIONS = {name: schema for name, schema in SCHEMAS.items() if name.endswith("Move")}
ACTIONS = [
    (union, reference.rpartition("/")[2])
    for union, schema in UNIONS.items()
    for reference in schema.get("discriminator", {}).get("mapping", {}).values()
]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema, as far as those of moves go. Raises KeyError beyond."""
    if "$ref" in schema:
        return values(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "integer":
        return st.integers(schema["minimum"], schema["maximum"])
    if schema["type"] == "array":
        items = values(schema["items"])
        return st.lists(items, min_size=schema["minItems"], max_size=schema["maxItems"])
    assert schema["type"] == "object", schema
    required = set(schema["required"])
    members = {name: values(member) for name, member in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: member for name, member in members.items() if name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )


def fitting(contract: Contract, union: str, body: dict[str, Any]) -> list[str]:
    """The actions of a game that a body is true to."""
    names = [name for of, name in ACTIONS if of == union]
    return [
        name
        for name in names
        if Draft202012Validator(
            {"$ref": f"{ROOT}#/components/schemas/{name}"}, registry=contract.registry
        ).is_valid(body)
    ]


@pytest.mark.parametrize(("union", "name"), ACTIONS)
def test_a_body_of_one_action_is_a_body_of_no_other(
    committed: Contract, union: str, name: str
) -> None:
    @given(values(SCHEMAS[name]))
    def holds(body: dict[str, Any]) -> None:
        assert fitting(committed, union, body) == [name]
        committed.check_component(union, body)

    holds()


@pytest.mark.parametrize(("union", "name"), ACTIONS)
def test_nor_with_the_word_of_another(committed: Contract, union: str, name: str) -> None:
    """Under another's word a body is that other action at most."""
    words = {reference.rpartition("/")[2]: word for word, reference in mapping(union).items()}

    @given(values(SCHEMAS[name]), st.sampled_from(sorted(words)))
    def holds(body: dict[str, Any], other: str) -> None:
        assert set(fitting(committed, union, {**body, "action": words[other]})) <= {other}

    holds()


def mapping(union: str) -> dict[str, str]:
    """By action: the reference to its schema."""
    found: dict[str, str] = UNIONS[union]["discriminator"]["mapping"]
    return found


def test_every_game_has_its_actions_here() -> None:
    games = {path.split("/")[3] for path in contract_document()["paths"] if "/moves" in path}
    assert len({union for union, _ in ACTIONS}) == len(games) >= 3
