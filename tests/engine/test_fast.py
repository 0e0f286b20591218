"""The compiled engine plays, tells and saves exactly as the one in Python does, and is used only
while it is made of the present sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import fast

TOLD = Path(__file__).parent / "told.py"
#: Otherwise the C is left as it is: it says the same, and is compiled in a third of the time.
OPTIMISED = fast.FULLY if os.environ.get("CROUPIER_SOAK") == "1" else 0
#: Where everything is tested, a missing compiler is a fault.
LACKING = None if os.environ.get("CI") == "true" else fast.lacking()


def told_by(engine: Path) -> dict[str, Any]:
    """What the engine in a folder tells, and the file that its match is in."""
    done = subprocess.run(
        [sys.executable, "-W", "error", TOLD],
        env={"PYTHONPATH": str(engine), "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=True,
        text=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.skipif(LACKING is not None, reason=f"nothing to compile with: {LACKING}")
def test_the_compiled_engine_tells_and_saves_the_same(tmp_path: Path) -> None:
    fast.build(tmp_path, optimised=OPTIMISED)
    ours, compiled = told_by(fast.ROOT), told_by(tmp_path)
    assert ours["file"].endswith(".py")
    assert not compiled["file"].endswith(".py")
    assert len(ours["told"]) > 1000
    for line, other in zip(ours["told"], compiled["told"], strict=True):
        assert line == other


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with an engine of its own, and a folder that says it was compiled from it."""
    engine, folder = tmp_path / "engine", tmp_path / "build" / "fast"
    engine.mkdir()
    folder.mkdir(parents=True)
    (engine / "match.py").write_text("# 1")
    script = tmp_path / "fast.py"
    script.write_text("")
    monkeypatch.setattr(fast, "ROOT", tmp_path)
    monkeypatch.setattr(fast, "FAST", folder)
    monkeypatch.setattr(fast, "__file__", str(script))
    fast.made_of(folder).write_text(fast.sources())
    return tmp_path


@pytest.mark.usefixtures("made")
def test_a_compiled_engine_of_the_present_sources_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fast", "--found"])
    fast.main()
    said = capsys.readouterr()
    assert said.out == "build/fast\n"
    assert "compiled" in said.err


@pytest.mark.parametrize("changed", ["engine/match.py", "engine/new.py", "fast.py"])
def test_one_of_other_sources_is_left_alone_and_told_of(
    made: Path, changed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (made / changed).write_text("# 2")
    monkeypatch.setattr(sys, "argv", ["fast", "--found"])
    fast.main()
    said = capsys.readouterr()
    assert said.out == ""
    assert "make fast" in said.err


@pytest.mark.usefixtures("made")
def test_one_that_was_broken_off_is_left_alone() -> None:
    fast.made_of(fast.FAST).unlink()
    assert fast.found() is None


def test_without_a_compiler_it_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    monkeypatch.setattr(sys, "argv", ["fast"])
    with pytest.raises(SystemExit, match=r"no C compiler \(no-such-compiler\)(.|\n)*in Python"):
        fast.main()
