"""Clients that are generated from the contract play whole matches of each game, in Python and in
TypeScript, strictly typed and without a cast; and both see the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import GAMES
from tests.contract.conftest import CONTRACT, contract_document
from tests.contract.live import Live
from tests.contract.node import HERE, MODULES, run
from tests.markdown import blocks, page

PLAYERS = HERE / "players"
#: Media types that the generator does not know, and how it is to read them.
PYTHON_CONFIG = {
    "package_name_override": "croupier_client",
    "content_type_overrides": {"application/yaml": "text/plain", "image/svg+xml": "text/plain"},
}
TSCONFIG = {
    "compilerOptions": {
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "noImplicitReturns": True,
        "noFallthroughCasesInSwitch": True,
        "target": "es2022",
        "module": "nodenext",
        "lib": ["es2022", "dom"],
        "types": ["node"],
        "outDir": "out",
    },
    "files": ["play.ts"],
}
#: Ways around the types, which the players do without.
WAYS_AROUND = {
    ".py": r"\bcast\(|\bAny\b|type: ignore|\bgetattr\(",
    ".ts": r"\bas (?!const)\w|\bany\b|@ts-|[\w)\]]!",
}
#: What may be null in a view or an event, in any game; each was seen both null and not.
NULLABLE = {"you", "table", "result", "seed", "deadline", "name", "cards", "committed"}


def test_the_documented_settings_are_those_of_the_tests() -> None:
    (block,) = blocks(page("docs/compatibility.md"), "yaml")
    documented = yaml.safe_load(block.code)["content_type_overrides"]
    assert documented == PYTHON_CONFIG["content_type_overrides"]


@pytest.fixture(scope="module")
def python_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a Python client, and what plays with it."""
    place = tmp_path_factory.mktemp("python")
    for player in PLAYERS.glob("*.py"):
        shutil.copy(player, place)
    (place / "config.json").write_text(json.dumps(PYTHON_CONFIG))
    run(
        *("openapi-python-client", "generate", "--path", CONTRACT, "--meta", "none"),
        *("--config", "config.json", "--output-path", "croupier_client", "--fail-on-warning"),
        cwd=place,
    )
    return place


@pytest.fixture(scope="module")
def typescript_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in TypeScript, compiled."""
    place = tmp_path_factory.mktemp("typescript")
    for player in PLAYERS.glob("*.ts"):
        shutil.copy(player, place)
    (place / "node_modules").symlink_to(MODULES)
    (place / "package.json").write_text('{"type": "module"}')
    (place / "tsconfig.json").write_text(json.dumps(TSCONFIG))
    run("openapi-typescript", CONTRACT, "--output", "api.d.ts", cwd=place)
    run("tsc", "--project", ".", cwd=place)
    return place


@pytest.fixture(scope="module")
def by_python(python_place: Path, live: Live) -> dict[str, Any]:
    """What the Python client saw, by game."""
    seen: dict[str, Any] = json.loads(run("python", "play.py", live.url, cwd=python_place))
    return seen


@pytest.fixture(scope="module")
def by_typescript(typescript_place: Path, live: Live) -> dict[str, Any]:
    """What the TypeScript client saw, by game."""
    seen: dict[str, Any] = json.loads(run("node", "out/play.js", live.url, cwd=typescript_place))
    return seen


def test_the_python_player_is_strictly_typed(python_place: Path) -> None:
    players = sorted(player.name for player in PLAYERS.glob("*.py"))
    run(
        *("mypy", "--strict", "--follow-imports=silent", "--config-file=", *players),
        cwd=python_place,
    )


@pytest.mark.parametrize("player", sorted(PLAYERS.glob("*.[pt][ys]")), ids=lambda path: path.name)
def test_no_player_goes_around_the_types(player: Path) -> None:
    code = re.sub(r"/\*.*?\*/|\"\"\".*?\"\"\"", "", player.read_text("utf-8"), flags=re.DOTALL)
    assert re.findall(WAYS_AROUND[player.suffix], code) == []


@pytest.mark.parametrize("game", GAMES)
class TestMatches:
    """Whole matches."""

    def test_python_makes_every_move(self, game: str, by_python: dict[str, Any]) -> None:
        seen = by_python[game]
        assert seen["moves"].keys() == actions(game)
        assert seen["replayed"] == sum(seen["moves"].values())

    def test_python_sees_every_null_and_what_is_there_else(
        self, game: str, by_python: dict[str, Any]
    ) -> None:
        nulls = by_python[game]["nulls"].keys()
        # Nobody chooses at the same time in Even Steven.
        nullable = NULLABLE - ({"committed"} if game == "even-steven" else set())
        assert {name for name in nullable if not {name, f"{name} null"} <= nulls} == set()

    def test_python_is_refused_by_type(self, game: str, by_python: dict[str, Any]) -> None:
        types = [told.partition(":")[0].rpartition("/")[2] for told in by_python[game]["problems"]]
        assert types == [
            *("not-found", "unauthorized", "forbidden", "illegal-move", "version-mismatch"),
            *("validation", "match-not-finished", "match-full"),
        ]
        assert by_python[game]["listed"] > 0

    def test_typescript_sees_the_same(
        self, game: str, by_python: dict[str, Any], by_typescript: dict[str, Any]
    ) -> None:
        assert by_typescript[game] == by_python[game]


def actions(game: str) -> set[str]:
    """All actions of a game."""
    document = contract_document()
    body = document["paths"][f"/v1/games/{game}/matches/{{match_id}}/moves"]["post"]["requestBody"]
    name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    return set(document["components"]["schemas"][name]["discriminator"]["mapping"])
