"""What Croupier is built on has licences that it may be built on, and the page of them is up to
date."""

from __future__ import annotations

import pytest

from scripts import licences
from tests.services import ROOT

Groups = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def groups() -> Groups:
    """All packages of the lock files, with their licences."""
    assert (ROOT / ".venv-docs").is_dir(), "the documentation's packages are missing: make docs"
    return licences.groups()


def test_every_licence_is_allowed_where_it_is_used(groups: Groups) -> None:
    assert licences.refused(groups) == {}
    assert licences.EXCEPTIONS.keys() <= {name for names in groups.values() for name in names}


def test_the_page_of_licences_is_made_from_the_lock_files(groups: Groups) -> None:
    renew = "renew it with: python -m scripts.licences"
    assert (ROOT / licences.PAGE).read_text("utf-8") == licences.made(groups), renew


@pytest.mark.parametrize(
    ("group", "licence", "allowed"),
    [
        ("To run", "MIT OR Apache-2.0", True),
        ("To run", "BSD-3-Clause OR GPL-2.0", True),
        ("To trace", "MPL-2.0", False),
        ("To run", "MPL-2.0", False),
        ("To test and maintain", "MPL-2.0", True),
        ("To test and maintain", "GPL-3.0-only", False),
        ("To run", "MIT AND AGPL-3.0-only", False),
        ("To run", "", False),
        ("To run", "Proprietary", False),
    ],
)
def test_a_licence_of_another_kind_is_refused(group: str, licence: str, allowed: bool) -> None:
    found = licences.refused({group: {"thing": licence}})
    assert found == ({} if allowed else {"thing": licence})
