"""The recorded playthroughs are played again, and all that anybody is shown is the same text."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from engine import GAMES
from tests import playthroughs

FILES = sorted(playthroughs.FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8")
    played = playthroughs.write(*playthroughs.read(recorded))
    if played != recorded:
        lines = recorded.splitlines(), played.splitlines()
        diff = unified_diff(*lines, "recorded", "played", lineterm="", n=1)
        pytest.fail("\n".join(islice((line[:300] for line in diff), 40)))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_playthroughs_of_several_set_ups(name: str) -> None:
    set_ups = [
        playthroughs.read(path.read_text(encoding="utf-8"))[0]
        for path in FILES
        if path.stem.split("_")[0] == name
    ]
    assert {set_up["game"] for set_up in set_ups} == {name}
    assert len({len(set_up["seats"]) for set_up in set_ups}) > 1
    assert len({str(set_up["options"]) for set_up in set_ups}) > 1


def test_playthroughs_stay_small_enough_to_read_as_a_diff() -> None:
    assert sum(path.stat().st_size for path in FILES) < 2_000_000
