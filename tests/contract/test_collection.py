"""The Postman collection is made from the contract, has all of it, and runs from top to bottom
against a live service, each request answered as documented."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scripts.collection import COLLECTION, operations, written
from tests.conformance import Contract
from tests.contract.live import Live
from tests.contract.node import run

Item = dict[str, Any]


@pytest.fixture(scope="module")
def collection() -> Item:
    """The committed collection."""
    read: Item = json.loads(COLLECTION.read_text("utf-8"))
    return read


def items(collection: Item) -> Iterator[Item]:
    """All its requests, in order."""
    for folder in collection["item"]:
        yield from folder["item"]


def newman(collection: Path, live: Live, place: Path, *options: str) -> list[Item]:
    """What came of each request of a run. Raises AssertionError when one failed its test."""
    report = place / "report.json"
    run(
        *("newman", "run", collection, "--env-var", f"base_url={live.url}"),
        *("--reporters", "json", "--reporter-json-export", report, *options),
    )
    executions: list[Item] = json.loads(report.read_text("utf-8"))["run"]["executions"]
    return executions


def test_it_is_made_from_the_contract(document: dict[str, Any]) -> None:
    renew = "renew it with: make openapi"
    assert COLLECTION.read_text("utf-8") == written(document), renew


def test_it_has_every_operation_of_the_contract(collection: Item, document: dict[str, Any]) -> None:
    folders = [folder["name"] for folder in collection["item"]]
    assert folders == [tag["name"] for tag in document["tags"]]
    told = [request["request"]["description"] for request in items(collection)]
    for operation in operations(document):
        assert operation.told["description"] in told, operation.told["operationId"]


def test_a_recorded_stream_is_shown_as_it_came(collection: Item) -> None:
    answers = [answer for item in items(collection) for answer in item["response"]]
    streams = {
        answer["header"][0]["value"]: answer["body"]
        for answer in answers
        if answer["_postman_previewlanguage"] == "text"
    }
    assert streams.keys() == {"text/event-stream", "application/x-ndjson"}
    assert streams["text/event-stream"].startswith("retry: 1000\n\nid: ")
    assert streams["application/x-ndjson"].startswith('{"match_id":')


def test_it_keeps_no_token_and_no_address_but_the_usual_one(collection: Item) -> None:
    assert [(v["key"], v["value"]) for v in collection["variable"]] == [
        ("base_url", "http://127.0.0.1:8000")
    ]
    for item in items(collection):
        assert item["request"]["url"]["raw"].startswith("{{base_url}}/")
        for bearer in item["request"]["auth"].get("bearer", []):
            assert bearer["value"].startswith("{{")


def test_it_runs_from_top_to_bottom_and_is_answered_as_documented(
    collection: Item, live: Live, committed: Contract, tmp_path: Path
) -> None:
    asked = newman(COLLECTION, live, tmp_path)
    assert [one["item"]["name"] for one in asked] == [r["name"] for r in items(collection)]
    for one in asked:
        request, response = one["request"], one["response"]
        path = "/" + "/".join(request["url"]["path"])
        headers = {header["key"].lower(): header["value"] for header in response["header"]}
        media_type = urlsplit(headers.get("content-type", "")).path.partition(";")[0]
        body = bytes(response.get("stream", {}).get("data", b""))
        committed.check(request["method"], path, response["code"], media_type, body)
        assert response["code"] < 300
        assert [told.get("error") for told in one["assertions"]] == [None]


def test_another_answer_would_be_noticed(collection: Item, live: Live, tmp_path: Path) -> None:
    faulty = json.loads(json.dumps(collection).replace("have.status(201)", "have.status(200)"))
    (tmp_path / "faulty.json").write_text(json.dumps(faulty), "utf-8")
    with pytest.raises(AssertionError):
        newman(tmp_path / "faulty.json", live, tmp_path, "--folder", "even-steven")
    failures = json.loads((tmp_path / "report.json").read_text("utf-8"))["run"]["failures"]
    assert {failure["source"]["name"] for failure in failures} == {"Create a match", "Join a match"}
