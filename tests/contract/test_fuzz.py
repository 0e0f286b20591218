"""Requests that nobody thought of, made from the contract and aimed at real matches with right,
wrong and no tokens: every answer is as documented, and none is the service's own fault."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.conformance import Contract
from tests.contract.aims import NDJSON, SSE, aims
from tests.contract.conftest import CONTRACT
from tests.contract.live import Live

SCHEMA = schemathesis.openapi.from_path(CONTRACT)
OPERATIONS: dict[str, APIOperation[Any, Any, Any]] = {
    found.ok().definition.raw["operationId"]: found.ok()
    for found in SCHEMA.get_all_operations()
    if isinstance(found, Ok)
}
#: Requests for an operation with parameters or a body, and for one with neither; ten times as many
#: when there is time.
MORE = 10 if os.environ.get("CROUPIER_SOAK") == "1" else 1
MANY, FEW = 150 * MORE, 5 * MORE
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
]
#: Only a failing store or a mistake of the service's own leads there.
NEVER = {408, 429, 500, 503}
#: By the first word of an operation's name: what takes a story to get there, which others tell.
LATER = {"rematch": {403}, "renew": {422}}
#: How often all of it is asked, to meet each answer that is documented.
ROUNDS = 30


def requests_for(operation: APIOperation[Any, Any, Any]) -> st.SearchStrategy[Case]:
    """Requests that follow the contract, and where that can be those that do not."""
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if not operation.body and not operation.query:
        return right
    wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    return st.integers(0, 2).flatmap(lambda n: right if n else wrong)


def how_many(operation: APIOperation[Any, Any, Any]) -> int:
    """How many requests an operation gets."""
    return MANY if operation.path_parameters or operation.body or operation.query else FEW


def check(case: Case, response: Response, contract: Contract) -> None:
    """Raises where an answer is not what the contract says."""
    media_type = response.headers.get("content-type", [""])[0].partition(";")[0]
    if response.status_code == 200 and media_type in (SSE, NDJSON):
        case.validate_response(response, checks=CHECKS)
        check_stream(case, media_type, response.text, contract)
    else:
        case.validate_response(response, checks=[*CHECKS, response_schema_conformance])


def check_stream(case: Case, media_type: str, text: str, contract: Contract) -> None:
    """A stream's schema is that of its whole text: here each event is held against its own."""
    lines = text.splitlines()
    if media_type == SSE:
        lines = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    told = [json.loads(line) for line in lines if line]
    title = "".join(map(str.capitalize, case.operation.path.split("/")[3].split("-")))
    for part in told:
        contract.check_component(f"{title}{'Event' if 'seq' in part else 'View'}", part)


@pytest.mark.parametrize("name", OPERATIONS)
def test_answers_are_as_documented(name: str, live: Live, committed: Contract) -> None:
    operation, targets = OPERATIONS[name], aims(name)
    statuses: Counter[int] = Counter()
    failures: list[Exception] = []

    @settings(
        max_examples=how_many(operation),
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=requests_for(operation))
    def ask(case: Case) -> None:
        aim = next(targets)
        aim.take(case, live)
        response = case.call(base_url=live.url, session=live.session, timeout=30)
        statuses[response.status_code] += 1
        try:
            check(case, response, committed)
        except (FailureGroup, AssertionError) as failure:
            failures.append(failure)
        aim.settle(case, response, live)

    # A request without a body is malformed only as HTTP, which no client can be made to send.
    never = NEVER if operation.body else NEVER | {400}
    documented = {int(status) for status in operation.definition.raw["responses"]}
    sought = documented - never - LATER.get(name.partition("_")[0], set())
    for _ in range(ROUNDS):
        ask()
        if failures:
            raise failures[0]
        if sought <= statuses.keys():
            break
    assert sorted(sought - statuses.keys()) == []


def test_there_are_enough_of_them() -> None:
    assert sum(map(how_many, OPERATIONS.values())) >= 5000
