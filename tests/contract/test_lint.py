"""Three checkers find nothing to say about the contract, however strict they are set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.contract.conftest import CONTRACT
from tests.contract.node import HERE, run

REDOCLY = ("redocly", "lint", "--config", HERE / "redocly.yaml")
SPECTRAL = ("spectral", "lint", "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")


def test_the_document_is_openapi(document: dict[str, Any]) -> None:
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


@pytest.mark.parametrize("checker", [REDOCLY, SPECTRAL], ids=lambda checker: checker[0])
class TestOnNode:
    """redocly and spectral."""

    def test_nothing_is_found(self, checker: tuple[str | Path, ...]) -> None:
        run(*checker, CONTRACT.name)

    def test_a_fault_would_be_found(
        self, checker: tuple[str | Path, ...], document: dict[str, Any], tmp_path: Path
    ) -> None:
        (name, path), *_ = document["paths"].items()
        faulty = {**document, "paths": {name: {"get": {**path["get"], "operationId": None}}}}
        place = tmp_path / "openapi.yaml"
        place.write_text(yaml.safe_dump(faulty), "utf-8")
        with pytest.raises(AssertionError, match="operationId"):
            run(*checker, place)


def test_the_lock_file_names_no_host() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    assert len(lock["packages"]) > 100
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
