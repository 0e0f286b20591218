"""Markdown pages as tests read them: blocks of code, the output shown below each, and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine import Game, Option
from tests.services import ROOT

_BLOCK = re.compile(
    r"^```(?P<language>\w+)\n(?P<code>.*?)^```\n"
    r"(?:\n```(?P<kind>text|json)\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of code. `output` is the `text` or `json` block right below it, None without one;
    `kind` says which."""

    language: str
    code: str
    kind: str | None
    output: str | None


def page(name: str) -> str:
    """A page's text, by its path from the project's root."""
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[Block]:
    """The page's blocks of code in that language, in order."""
    found = [Block(**match.groupdict()) for match in _BLOCK.finditer(text)]
    return [block for block in found if block.language == language]


def table(text: str, *head: str) -> list[list[str]]:
    """The rows of the one table that has these first column heads, each cell as it is written."""
    tables = []
    for is_table, lines in groupby(text.splitlines(), lambda line: line.startswith("|")):
        rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if is_table]
        if rows and rows[0][: len(head)] == list(head):
            tables.append(rows[2:])
    assert len(tables) == 1, f"{len(tables)} tables begin with {head}"
    return tables[0]


def option_cells(game: Game[Any], option: Option) -> list[str]:
    """How tables write an option: its name, the values it takes, and its default."""
    if option.choices is None:
        values = f"{option.minimum} to {option.maximum}"
    else:
        values = " or ".join(map(_word, option.choices))
    return [f"`{option.name}`", values, _default(game, option)]


def _default(game: Game[Any], option: Option) -> str:
    if option.default is not None:
        return _word(option.default)
    by_players = {
        players: game.default_options(players)[option.name]
        for players in range(game.min_players, game.max_players + 1)
    }
    runs = []
    for value, group in groupby(by_players, by_players.__getitem__):
        first, *_, last = group
        runs.append(f"{_word(value)} for {first} to {last}")
    return ", ".join([f"{runs[0]} players", *runs[1:]])


def _word(value: int | str | bool) -> str:
    if isinstance(value, bool):
        return f"`{value}`".lower()
    return f"`{value}`" if isinstance(value, str) else str(value)
