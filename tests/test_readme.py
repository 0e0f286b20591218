"""The README holds: its code runs as it is pasted, and its tables say what the code says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.config import Config
from engine import GAMES
from tests.markdown import blocks, option_cells, page, table
from tests.services import ROOT, Service

README = page("README.md")
ADDRESS = "http://localhost:8000"


def documents(text: str) -> Iterator[dict[str, Any]]:
    """The JSON documents that follow one another in a text."""
    while text := text.lstrip():
        document, end = json.JSONDecoder().raw_decode(text)
        yield document
        text = text[end:]


def pasted(code: str, folder: Path) -> list[dict[str, Any]]:
    """What a block of curl prints when it is pasted beside a running service."""
    with Service(folder, CROUPIER_RATE_LIMIT=None) as service:
        shell = subprocess.run(
            ["bash", "-euo", "pipefail"],
            input=code.replace(ADDRESS, service.ready().url),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (shell.returncode, shell.stderr) == (0, "")
    return list(documents(shell.stdout))


def test_the_first_match_can_be_pasted_and_its_view_is_the_one_shown(tmp_path: Path) -> None:
    first, _ = (block.code for block in blocks(README, "sh") if "curl" in block.code)
    assert len(re.findall(r"\bcurl ", first)) == 3
    view, moved = pasted(first, tmp_path)
    (shown,) = (json.loads(block.code) for block in blocks(README, "json"))
    assert {name: view[name] for name in shown} == shown
    played = next(event for event in moved["events"] if event["type"] == "card_played")
    assert (played["seat"], played["cards"]) == (0, ["2C"])


def test_a_table_for_several_people_can_be_pasted_too(tmp_path: Path) -> None:
    _, several = (block.code for block in blocks(README, "sh") if "curl" in block.code)
    joined, page = pasted(several, tmp_path)
    assert (joined["seat"], joined["name"], joined["view"]["status"]) == (1, "Ben", "playing")
    assert page["events"][0]["type"] == "seat_joined"


def test_the_engine_in_ten_lines_prints_what_is_shown() -> None:
    (block,) = blocks(README, "python")
    assert len(block.code.splitlines()) == 10
    python = subprocess.run(
        [sys.executable, "-c", block.code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (python.stdout, python.stderr) == (block.output, "")


def test_the_games_are_those_of_the_registry() -> None:
    assert table(README, "Game", "Id") == [
        [
            f"[{game.title}](docs/games/{game.id}.md)",
            f"`{game.id}`",
            f"{game.min_players} to {game.max_players}",
            game.goal,
        ]
        for game in GAMES.values()
    ]


def test_the_options_are_those_of_the_registry() -> None:
    assert table(README, "Game", "Option") == [
        [game.title, *option_cells(game, option), option.meaning, option.ruling or ""]
        for game in GAMES.values()
        for option in game.options
    ]


def test_the_settings_are_those_of_the_configuration() -> None:
    source = (ROOT / "api" / "config.py").read_text("utf-8")
    written = re.findall(r'^    (\w+): .*\n    """([A-Z_]+): (.+)"""$', source, re.MULTILINE)
    assert {field for field, _, _ in written} == set(Config.__dataclass_fields__)
    special = {
        "workers": "one for each core, two at least",
        "redis_url": "not set",
        "allow_scripted_deals": "`0`",
        "redis_cluster": "`0`",
        "cors_origins": "none",
        "trusted_proxies": "none",
        "metrics_dir": "not set",
        "log_format": "not set",
    }
    assert table(README, "Variable") == [
        [
            f"`{variable}`",
            special.get(field) or f"`{getattr(Config(), field)}`",
            meaning[0].upper() + meaning[1:],
        ]
        for field, variable, meaning in written
    ]
