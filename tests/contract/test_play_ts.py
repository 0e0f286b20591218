"""examples/play.ts, compiled and run by the command that its page shows: strictly typed, it plays a
whole match of each game."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from engine import GAMES
from tests.contract.conftest import CONTRACT
from tests.contract.live import Live
from tests.contract.node import HERE, MODULES, run
from tests.contract.test_clients import WAYS_AROUND
from tests.markdown import blocks, page
from tests.services import ROOT

EXAMPLES = ROOT / "examples"
OWN = ("play.ts", "package.json", "tsconfig.json")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of a checkout that it needs, with its packages as if they were installed."""
    place = tmp_path_factory.mktemp("checkout")
    (place / "examples").mkdir()
    for name in OWN:
        shutil.copy(EXAMPLES / name, place / "examples")
    shutil.copy(CONTRACT, place)
    (place / "examples" / "node_modules").symlink_to(MODULES)
    return place


def commands() -> list[list[str]]:
    """The commands on the page, as words."""
    (block,) = (b for b in blocks(page("docs/examples.md"), "sh") if "npm " in b.code)
    return [line.split() for line in block.code.splitlines()]


@pytest.fixture(scope="module")
def shown(checkout: Path, live: Live) -> tuple[str, str]:
    """The game that the page plays, and what its command prints; which has compiled the client."""
    _, command = commands()
    return command[-1], run(*command, live.url, cwd=checkout)


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_whole_match(
    checkout: Path, shown: tuple[str, str], live: Live, game: str
) -> None:
    compiled = ("node", "out/play.js", game, live.url)
    printed = shown[1] if game == shown[0] else run(*compiled, cwd=checkout / "examples")
    first, *told, last = printed[printed.index("Ada plays at ") :].splitlines()
    view = live.session.get(first.removeprefix("Ada plays at "), timeout=30).json()
    assert (view["game"], view["status"]) == (game, "finished")
    winners = " and ".join(view["seats"][seat]["name"] for seat in view["result"]["winners"])
    assert last == f"{winners} won after {view['version']} moves: {view['result']['reason']}."
    assert len(told) >= view["version"] / 2
    assert all(re.match(r" *\d+  (Ada|Player [23]): [a-z_]+ ", line) for line in told)


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "say which game: even-steven, card-keeper, seven-twos-tens"),
        (("chess",), "say which game"),
        (("card-keeper", "http://127.0.0.1:9"), "no service answers at http://127.0.0.1:9"),
    ],
)
def test_it_says_what_is_wrong(checkout: Path, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        run("node", "out/play.js", *arguments, cwd=checkout / "examples")


def test_it_is_strict_and_goes_around_no_type() -> None:
    options = json.loads((EXAMPLES / "tsconfig.json").read_text("utf-8"))["compilerOptions"]
    assert options["strict"] is options["noUncheckedIndexedAccess"] is True
    code = re.sub(r"/\*.*?\*/|//.*", "", (EXAMPLES / "play.ts").read_text("utf-8"))
    assert re.findall(WAYS_AROUND[".ts"], code) == []


def test_what_is_installed_for_it_is_what_it_is_tested_with() -> None:
    """The first command installs from the lock file, which names these versions and no host."""
    assert commands()[0] == ["npm", "ci", "--prefix", "examples"]
    own = json.loads((EXAMPLES / "package.json").read_text("utf-8"))
    tested = json.loads((HERE / "package.json").read_text("utf-8"))["devDependencies"]
    named = own["dependencies"] | own["devDependencies"]
    assert named.items() <= tested.items()
    lock = json.loads((EXAMPLES / "package-lock.json").read_text("utf-8"))["packages"]
    assert lock[""]["dependencies"] | lock[""]["devDependencies"] == named
    for name, version in named.items():
        assert lock[f"node_modules/{name}"]["version"] == version
    assert not [name for name, package in lock.items() if "resolved" in package]
