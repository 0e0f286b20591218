"""Scratch directories: what is cleared away at a start, and what is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from api.scratch import LOCK, Scratch


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
    (path / LOCK).touch()
    (path / "counter_1.db").touch()
    return path


def test_a_directory_is_closed_to_others_and_gone_at_the_end(temporary: Path) -> None:
    scratch = Scratch("own-")
    assert scratch.path.parent == temporary
    assert scratch.path.stat().st_mode & 0o777 == 0o700
    scratch.remove()
    assert not list(temporary.iterdir())


def test_what_is_in_use_or_anothers_stays(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = left(temporary / "own-gone")
    kept = {left(temporary / "else"), left(temporary.parent / "home")}
    # Somebody else's trap: it leads to what is ours.
    link = temporary / "own-link"
    link.symlink_to(temporary.parent / "home")
    in_use = Scratch("own-")
    assert not gone.exists()
    second = Scratch("own-")
    assert in_use.path.exists()
    assert link.is_symlink()
    assert all((path / LOCK).exists() for path in kept)
    foreign = left(temporary / "own-foreign")
    monkeypatch.setattr(os, "getuid", lambda: foreign.stat().st_uid + 1)
    Scratch("own-").remove()
    assert foreign.exists()
    for scratch in (in_use, second):
        scratch.remove()


def test_one_that_is_being_made_stays(temporary: Path) -> None:
    made = temporary / "own-made"
    made.mkdir()
    (made / "unlocked").touch()
    Scratch("own-").remove()
    assert made.exists()
