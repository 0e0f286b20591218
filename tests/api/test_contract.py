"""The committed contract: made from the code, closed and complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.problems import PROBLEMS
from api.schemas import PARTS
from api.store.redis import RedisStore
from engine import GAMES, Match
from scripts import contract as contract_script
from tests.api.test_moves import POSITIONS_AND_MORE
from tests.conformance import CheckedClient, Contract, Validators

#: The only answer whose members nobody can list: the contract itself.
OPEN_OBJECTS = {"/paths//openapi.json/get/responses/200/content/application/json/schema"}
METHODS = {"get", "post", "put", "patch", "delete"}
TITLES = {
    "even-steven": "EvenSteven",
    "card-keeper": "CardKeeper",
    "seven-twos-tens": "SevenTwosTens",
}


def nodes(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every object in the document with its path, those within recorded examples left out."""
    if isinstance(node, dict):
        yield path, node
        for key, value in node.items():
            if key not in ("examples", "example", "default", "const", "enum"):
                yield from nodes(value, f"{path}/{key}")
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from nodes(value, f"{path}/{index}")


def operations(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every method, path and operation."""
    for path, item in contract.document["paths"].items():
        for method in METHODS & set(item):
            yield method, path, item[method]


def test_the_committed_contract_is_the_codes() -> None:
    assert contract_script.CONTRACT.read_text("utf-8") == contract_script.made(), (
        "renew it with: make openapi"
    )


# The document as a whole


def test_the_document_is_openapi(contract: Contract) -> None:
    assert contract.document["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(contract.document).iter_errors()) == []


def test_every_operation_has_a_name_of_its_own(contract: Contract) -> None:
    names = [operation["operationId"] for _, _, operation in operations(contract)]
    assert len(names) == len(set(names))
    assert all(re.fullmatch("[a-z][a-z0-9_]*", name) for name in names), names
    for method, path, operation in operations(contract):
        assert operation["summary"], (method, path)
        assert operation["tags"], (method, path)


def test_every_game_has_paths_of_its_own(contract: Contract) -> None:
    paths = contract.document["paths"]
    for game in GAMES:
        home = f"/v1/games/{game}"
        assert {home, f"{home}/matches", f"{home}/matches/{{match_id}}"} <= set(paths)
        text = json.dumps([item for path, item in paths.items() if path.startswith(f"{home}/")])
        own = set(re.findall(r"#/components/schemas/(\w+)", text))
        others = [title for other, title in TITLES.items() if other != game]
        assert not [name for name in own if name.startswith(tuple(others))]
    assert not [path for path in paths if "{game}" in path]


def test_every_schema_of_an_object_is_closed(contract: Contract) -> None:
    for path, node in nodes(contract.document):
        if node.get("type") == "object" and path not in OPEN_OBJECTS:
            extra = node.get("additionalProperties", True)
            mapping = "properties" not in node and isinstance(extra, dict) and extra
            assert extra is False or mapping, f"{path} takes any member"
        if "properties" in node and path.startswith("/components/schemas"):
            assert set(node.get("required", ())) <= set(node["properties"]), path


def test_no_reference_dangles_and_no_schema_is_left_over(contract: Contract) -> None:
    found: set[str] = set()
    for path, node in nodes(contract.document):
        reference = node.get("$ref")
        if reference is None:
            continue
        found.add(reference)
        target: Any = contract.document
        for part in reference.removeprefix("#/").split("/"):
            assert part in target, f"{path} leads nowhere: {reference}"
            target = target[part]
    for name in contract.document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in found, name


@pytest.mark.parametrize("game", GAMES)
def test_every_event_says_when_it_comes_and_what_its_members_mean(
    contract: Contract, game: str
) -> None:
    schemas = contract.document["components"]["schemas"]
    words = schemas[f"{TITLES[game]}Event"]["discriminator"]["mapping"]
    assert len(words) == len(PARTS[game].events) + 6
    told = set()
    for reference in words.values():
        event = schemas[reference.rpartition("/")[2]]
        told.add(event["description"])
        for name, member in event["properties"].items():
            if name not in ("type", "result"):  # what they are is said where they are defined
                assert member["description"].endswith((".", "?")), (reference, name)
    assert len(told) == len(words)
    assert all(sentence.endswith(".") for sentence in told)


def test_every_member_says_what_it_is(contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]

    def said(member: dict[str, Any]) -> bool:
        """Whether it is told here, or where what it is made of is defined."""
        if "description" in member or "const" in member:
            return True
        parts = [*member.get("anyOf", ()), *([member["items"]] if "items" in member else ())]
        if "$ref" in member:
            return "description" in schemas[member["$ref"].rpartition("/")[2]]
        return bool(parts) and said(parts[0])

    silent = {
        f"{name}.{member}"
        for name, schema in schemas.items()
        for member, described in schema.get("properties", {}).items()
        if not said(described)
    }
    assert silent == set()


def test_unions_are_told_apart_by_a_word_in_each_variant(contract: Contract) -> None:
    unions = 0
    schemas = contract.document["components"]["schemas"]
    for path, node in nodes(contract.document):
        if "oneOf" not in node:
            continue
        unions += 1
        tag, mapping = node["discriminator"]["propertyName"], node["discriminator"]["mapping"]
        assert sorted(ref["$ref"] for ref in node["oneOf"]) == sorted(mapping.values()), path
        for word, reference in mapping.items():
            variant = schemas[reference.rpartition("/")[2]]
            assert variant["properties"][tag]["const"] == word
            assert tag in variant["required"]
    assert unions >= 6


def test_every_refusal_is_a_problem_with_a_page(contract: Contract) -> None:
    for method, path, operation in operations(contract):
        for status, response in operation["responses"].items():
            if not status.startswith(("4", "5")):
                continue
            (schema,) = [c["schema"] for c in response["content"].values()]
            assert set(response["content"]) == {"application/problem+json"}, (method, path)
            mapping = schema.get("discriminator", {}).get("mapping", {"": schema.get("$ref")})
            for reference in mapping.values():
                name = reference.rpartition("/")[2]
                members = contract.document["components"]["schemas"][name]["properties"]
                assert str(members["status"]["const"]) == status
                assert members["type"]["const"].rpartition("/")[2] in PROBLEMS


def test_who_needs_a_token_is_said(contract: Contract) -> None:
    assert contract.document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for method, path, operation in operations(contract):
        security = operation.get("security", [])
        assert ({"token": []} in security) == ("401" in operation["responses"]), (method, path)
        if method == "delete" or path.endswith("/moves"):
            assert security == [{"token": []}], path
        elif path.endswith("{match_id}"):
            assert security == [{}, {"token": []}], path


# Requests


@pytest.mark.parametrize("match", POSITIONS_AND_MORE, ids=lambda match: match.game.id)
def test_every_listed_move_is_a_body_of_exactly_one_action(
    contract: Contract, validator: Validators, match: Match
) -> None:
    path = f"/paths/~1v1~1games~1{match.game.id}~1matches~1%7Bmatch_id%7D~1moves/post"
    whole = validator(f"{path}/requestBody/content/application~1json/schema")
    union = contract.document["components"]["schemas"][f"{TITLES[match.game.id]}Move"]
    variants = {
        word: validator(reference.removeprefix("#"))
        for word, reference in union["discriminator"]["mapping"].items()
    }
    for seat in match.to_act:
        for body in match.view(seat)["legal_moves"]:
            assert whole.is_valid(body)
            fitting = [word for word, schema in variants.items() if schema.is_valid(body)]
            assert fitting == [body["action"]]


@pytest.mark.parametrize("game", GAMES)
def test_the_actions_of_a_game_have_nothing_in_common(contract: Contract, game: str) -> None:
    schemas = contract.document["components"]["schemas"]
    union = schemas[f"{TITLES[game]}Move"]
    variants = [schemas[ref["$ref"].rpartition("/")[2]] for ref in union["oneOf"]]
    assert len(variants) == len(GAMES[game].moves)
    for one, other in combinations(variants, 2):
        words = [variant["properties"]["action"]["const"] for variant in (one, other)]
        assert words[0] != words[1]


@pytest.mark.parametrize("game", GAMES)
def test_what_the_contract_takes_the_service_takes(
    client: CheckedClient, store: RedisStore, validator: Validators, game: str
) -> None:
    """And the other way round, for every option at the ends of its range."""
    schema = validator(f"/components/schemas/{TITLES[game]}Create")
    for option in client.get(f"/v1/games/{game}").get_json()["options"]:
        low, high = option["minimum"], option["maximum"]
        values = option["choices"] or [low, high, low - 1, high + 1]
        for value in [*values, None, "x", 10**6, True]:
            request = {"seats": [{}, {}], "options": {option["name"]: value}}
            answer = client.post(f"/v1/games/{game}/matches", json=request)
            assert (answer.status_code == 201) == schema.is_valid(request), (option["name"], value)
