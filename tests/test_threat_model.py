"""The threat model names tests, and every one of them is there."""

from __future__ import annotations

import re

from tests.markdown import page
from tests.services import ROOT

NAMED = re.compile(r"`(test_\w+)`")


def test_every_test_that_the_threat_model_names_is_there() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)\(", sources, re.MULTILINE))
    named = set(NAMED.findall(page("docs/threat-model.md")))
    assert len(named) > 50
    assert named - there == set()


def test_every_claim_in_a_table_of_attacks_has_its_test() -> None:
    rows = re.findall(
        r"^\| tries to \| .*\| shown by \|\n\| .*\n((?:\| .*\n)+)",
        page("docs/threat-model.md"),
        re.MULTILINE,
    )
    claims = "".join(rows).splitlines()
    assert len(claims) > 25
    assert not [claim for claim in claims if not NAMED.search(claim.rpartition("| ")[2])]
