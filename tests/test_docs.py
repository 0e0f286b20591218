"""The pages under docs/ hold: each game's page says what engine and contract say, the recipe of
chance.md runs, and no link or command leads nowhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

from api.schemas import PARTS
from engine import GAMES, Game, settle_options
from tests.markdown import blocks, option_cells, page, table
from tests.services import ROOT

PAGES = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "bench/*.md")
    for path in ROOT.glob(pattern)
)
CODE = re.compile(r"`([^`]+)`")
RULING = re.compile(r"\b(?:ES|CK|ST)-[1-9][0-9]*\b")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def rules(game: Game[Any]) -> str:
    """A game's page."""
    return page(f"docs/games/{game.id}.md")


def members(cell: str) -> set[str]:
    """The words that a cell writes as code."""
    return set(CODE.findall(cell))


# The games' pages


@every_game
def test_a_page_begins_with_title_and_players(game: Game[Any]) -> None:
    assert rules(game).startswith(f"# {game.title}\n")
    assert f"\n{game.min_players} to {game.max_players} players" in rules(game)


@every_game
def test_a_page_has_the_options_of_the_registry(game: Game[Any]) -> None:
    rows = [row[:4] for row in table(rules(game), "Option")]
    assert rows == [[*option_cells(game, o), o.ruling or ""] for o in game.options]


@every_game
def test_a_page_has_every_move_and_each_can_be_read(game: Game[Any]) -> None:
    players = game.max_players
    options = settle_options(game, {}, players=players)
    bodies = [json.loads(row[0].strip("`")) for row in table(rules(game), "Body")]
    for body in bodies:
        assert game.body(game.read(body, players=players, options=options)) == body
    assert {body["action"] for body in bodies} == PARTS[game.id].moves.keys()


@every_game
def test_a_page_has_every_member_of_a_view(game: Game[Any]) -> None:
    parts = PARTS[game.id]
    rows = [(row[0].strip("`"), members(row[1])) for row in table(rules(game), "In a view")]
    found = {place: set[str]().union(*(m for p, m in rows if p == place)) for place, _ in rows}
    assert found.pop("you", set()) <= {"committed"}
    assert found == {
        "a seat": set(parts.seat_facts),
        "a seat, at the end": {"hand", *parts.revealed},
        "table": set(parts.table._declared_fields),
    }


@every_game
def test_a_page_has_every_event_with_its_members(game: Game[Any]) -> None:
    rows = {row[0].strip("`"): members(row[1]) for row in table(rules(game), "Type")}
    events = PARTS[game.id].events
    assert rows == {kind: set(event._declared_fields) - {"seat"} for kind, event in events.items()}


@every_game
def test_a_page_has_every_reason_for_the_end(game: Game[Any]) -> None:
    (line,) = (part for part in rules(game).split("\n\n") if part.startswith("`reason` in"))
    assert members(line) - {"reason"} == set(PARTS[game.id].reasons)


@every_game
def test_a_page_tells_every_ruling_in_its_place_and_in_the_table(game: Game[Any]) -> None:
    text, listed = rules(game).split("\n## Rulings\n")
    ids = [row[0] for row in table(listed, "Ruling")]
    initials = ids[0].partition("-")[0]
    assert ids == [f"{initials}-{number}" for number in range(1, len(ids) + 1)]
    assert all(all(row) for row in table(listed, "Ruling"))
    source = ROOT / "engine" / "games" / f"{game.id.replace('-', '_')}.py"
    assert set(RULING.findall(source.read_text("utf-8"))) == set(ids)
    assert set(RULING.findall(text)) == set(ids)


# Chance


def test_the_commands_and_the_program_on_chance_print_what_is_shown() -> None:
    sha256 = "shasum -a 256" if shutil.which("shasum") else "sha256sum"
    runs = [
        (["sh", "-euc", block.code.replace("shasum -a 256", sha256)], block.output)
        for block in blocks(page("docs/chance.md"), "sh")
    ]
    (program,) = blocks(page("docs/chance.md"), "python")
    runs.append(([sys.executable, "-I", "-c", program.code], program.output))
    for command, output in runs:
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ran.stdout, ran.stderr) == (output, "")


def test_the_vectors_on_chance_are_those_that_the_engine_is_tested_with() -> None:
    vectors = json.loads((ROOT / "tests" / "data" / "chance-vectors.json").read_text("utf-8"))
    rows = [row[1:] for row in table(page("docs/chance.md"), "", "`demo`", "`Zoë ♠`")]
    columns = [[cell.split() for cell in column] for column in zip(*rows, strict=True)]
    assert columns == [
        [
            [str(item) for item in value] if isinstance(value, list) else [value]
            for value in vectors[seed].values()
        ]
        for seed in ("demo", "Zoë ♠")
    ]


# All pages


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file(name: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page(name)):
        assert (ROOT / name).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("name", PAGES)
def test_every_make_target_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", page("Makefile"), re.MULTILINE))
    named = re.findall(r"(?:^|`)make (?:-C croupier )?([a-z]+)", page(name), re.MULTILINE)
    assert set(named) <= targets
