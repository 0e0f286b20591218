"""examples/play.py and the files of requests, against a service started as users start it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from api.problems import PROBLEMS
from engine import GAMES
from tests.http_files import Sender, read
from tests.services import ROOT, Service

FILES = sorted((ROOT / "examples").glob("*.http"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all examples."""
    # With the limits that people have.
    with Service(tmp_path_factory.mktemp("service"), CROUPIER_RATE_LIMIT=None) as service:
        yield service.ready()


def play(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs play.py to its end."""
    command = [sys.executable, ROOT / "examples" / "play.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.parametrize("game", GAMES)
def test_play_py_plays_a_whole_match(service: Service, game: str) -> None:
    played = play(game, service.url)
    assert (played.returncode, played.stderr) == (0, "")
    first, *told, last = played.stdout.splitlines()
    view = requests.get(first.removeprefix("Ada plays at "), timeout=30).json()
    assert view["status"] == "finished"
    winners = " and ".join(view["seats"][seat]["name"] for seat in view["result"]["winners"])
    assert last == f"{winners} won after {view['version']} moves: {view['result']['reason']}."
    assert len(told) >= view["version"] / 2
    assert all(re.match(r" *\d+  (Ada|Player [23]): [a-z_]+ ", line) for line in told)


def test_play_py_says_what_was_refused(service: Service) -> None:
    played = play("chess", service.url)
    assert (played.returncode, played.stdout) == (1, "")
    assert played.stderr.startswith("POST /v1/games/chess/matches was refused: ")
    assert play().stderr == "usage: python examples/play.py GAME [URL]\n"


def test_there_is_a_file_of_requests_for_each_game() -> None:
    assert {path.stem for path in FILES} == set(GAMES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_requests_work_from_top_to_bottom(service: Service, path: Path) -> None:
    variables, written = read(path)
    assert variables["url"] == "http://127.0.0.1:8000"
    sender = Sender(variables={**variables, "url": service.url})
    refused = set()
    for request in written:
        answer = sender.send(request)
        expected = request.status
        if expected is None:
            assert answer.ok, f"{request.title}: {answer.text}"
        else:
            assert answer.status_code == expected, f"{request.title}: {answer.text}"
        if expected is not None and expected >= 400:
            refused.add(answer.json()["type"].rpartition("/")[2])
    assert refused <= set(PROBLEMS)
    assert refused
    names = {request.name for request in written} - {None}
    used = set(re.findall(r"\{\{(\w+)\.response", path.read_text("utf-8")))
    assert used == names
