"""What bandit is told to pass over, and why: each place names the check and gives its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.services import ROOT

#: What `make test` has bandit read.
READ = ("api", "engine", "app.py", "gunicorn.conf.py")
REASONED = re.compile(r"# nosec B\d{3}(, B\d{3})* # \S.*\S$")


def unreasoned(text: str) -> list[str]:
    """Lines that silence bandit without saying of which check and why."""
    return [line for line in text.splitlines() if "nosec" in line and not REASONED.search(line)]


def test_whatever_is_passed_over_has_its_reason() -> None:
    paths = [path for name in READ for path in [ROOT / name, *(ROOT / name).rglob("*.py")]]
    files = [path for path in paths if path.is_file()]
    found = {str(path): unreasoned(path.read_text("utf-8")) for path in files}
    assert len(found) > 50
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_nothing_is_passed_over_altogether() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"bandit --quiet --recursive {' '.join(READ)}\n" in makefile
    assert "bandit" not in (ROOT / "pyproject.toml").read_text("utf-8")
    assert not [path for path in (".bandit", "bandit.yaml") if Path(ROOT, path).exists()]


@pytest.mark.parametrize(
    "line", ["x = 1  # nosec", "x  # nosec B101", "x  # nosec # why", "#nosec"]
)
def test_a_silence_without_a_reason_is_seen(line: str) -> None:
    assert unreasoned(line) == [line]
    assert unreasoned("x  # nosec B101, B102 # a reason") == []
