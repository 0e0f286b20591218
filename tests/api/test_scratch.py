"""Scratch directories: what is cleared away at a start, and what is not."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from api.scratch import Scratch


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory for temporary files."""
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    return place


def left(path: Path) -> Path:
    """A directory of a service that was killed."""
    path.mkdir()
    (path / "counter_1.db").touch()
    return path


def test_a_directory_is_closed_to_others_and_gone_at_the_end(temporary: Path) -> None:
    scratch = Scratch("own-")
    assert scratch.path.parent == temporary
    assert scratch.path.stat().st_mode & 0o777 == 0o700
    (scratch.path / "counter_1.db").touch()
    scratch.remove()
    assert not list(temporary.iterdir())


def test_what_is_in_use_or_anothers_stays(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = left(temporary / "own-gone")
    kept = [left(temporary / "else"), left(temporary.parent / "home")]
    # Somebody else's trap: it leads to what is ours.
    link = temporary / "own-link"
    link.symlink_to(temporary.parent / "home")
    (temporary / "own-file").touch()
    in_use = Scratch("own-")
    assert not gone.exists()
    second = Scratch("own-")
    assert in_use.path.exists()
    foreign = left(temporary / "own-foreign")
    monkeypatch.setattr(os, "getuid", lambda: foreign.stat().st_uid + 1)
    Scratch("own-").remove()
    for path in (foreign, *kept):
        assert (path / "counter_1.db").exists()
    for scratch in (in_use, second):
        scratch.remove()
    assert {path.name for path in temporary.iterdir()} == {
        *("else", "own-link", "own-file", "own-foreign")
    }


@pytest.mark.parametrize("moment", ["before it is opened", "before it is locked"])
def test_one_that_is_cleared_away_as_it_is_made_is_made_again(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    module, name = (os, "open") if moment == "before it is opened" else (fcntl, "flock")
    act = getattr(module, name)

    def too_late(*arguments: Any) -> Any:
        monkeypatch.setattr(module, name, act)
        (made,) = temporary.iterdir()
        shutil.rmtree(made)
        return act(*arguments)

    monkeypatch.setattr(module, name, too_late)
    scratch = Scratch("own-")
    assert list(temporary.iterdir()) == [scratch.path]
    scratch.remove()
