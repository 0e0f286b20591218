"""A service for all tests of the contract, started in processes of its own as a user starts it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance import Contract
from tests.contract.live import Live
from tests.services import ROOT, Service

CONTRACT = ROOT / "openapi.yaml"
#: libyaml's where it is there, which takes a tenth of the time.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def contract_document() -> dict[str, Any]:
    """The committed contract."""
    read: dict[str, Any] = yaml.load(CONTRACT.read_text("utf-8"), Loader=LOADER)
    return read


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    """The committed contract."""
    return contract_document()


@pytest.fixture(scope="session")
def committed() -> Contract:
    """The committed contract with its validators."""
    return Contract(contract_document())


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Matches in play on a running service."""
    place: Path = tmp_path_factory.mktemp("service")
    with Service(place, CROUPIER_WORKERS="2") as service:
        yield Live(service.ready().url)
