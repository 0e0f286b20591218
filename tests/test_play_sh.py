"""examples/play.sh against a service started as users start it: whole matches and refusals."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES
from tests.services import ROOT, Service

PLAY = ROOT / "examples" / "play.sh"
#: Seconds. A match takes a few; a machine that is busy with other tests needs more.
PATIENCE = 240


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all that is played here."""
    # With the limits that people have.
    with Service(tmp_path_factory.mktemp("service"), CROUPIER_RATE_LIMIT=None) as service:
        yield service.ready()


def play(*arguments: str, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the script to its end, with the Python that runs the tests, and with the programs that
    are in the folder `first`, if any."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    if first is not None:
        path = f"{first}:{path}"
    return subprocess.run(
        [PLAY, *arguments],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_whole_match_and_tells_every_move_and_the_result(
    service: Service, game: str
) -> None:
    played = play(game, f"{service.url}/")
    assert (played.returncode, played.stderr) == (0, "")
    first, *told, last = played.stdout.splitlines()
    url = first.removeprefix(f"Ada plays {game} against two bots: ")
    assert url.startswith(f"{service.url}/v1/games/{game}/matches/")
    with urllib.request.urlopen(url) as answer:
        view = json.load(answer)
    assert view["status"] == "finished"
    names = [seat["name"] for seat in view["seats"]]
    winners = " and ".join(names[seat] for seat in view["result"]["winners"])
    reason = view["result"]["reason"].replace("_", " ")
    assert last == f"{winners} won after {view['version']} moves: {reason}."
    version_and_name = re.compile(r" *(\d+)  (?:Round \d+: )?(?:Ada|Player [23]) ")
    matched = [version_and_name.match(line) for line in told]
    versions = [int(match[1]) for match in matched if match]
    assert len(versions) == len(told)
    assert versions == sorted(versions)
    # The bots may have moved before Ada first did; from then on every move is told.
    assert set(versions) == set(range(versions[0], view["version"] + 1))


def test_the_token_is_in_no_command_line(service: Service, tmp_path: Path) -> None:
    curl, told = tmp_path / "curl", tmp_path / "told"
    curl.write_text(f'#!/bin/sh\necho "$@" >> "{told}"\nexec "{shutil.which("curl")}" "$@"\n')
    curl.chmod(0o700)
    assert play("even-steven", service.url, first=tmp_path).returncode == 0
    assert "/moves" in told.read_text()
    assert not re.search("Bearer|[A-Za-z0-9_-]{43}", told.read_text())


def test_it_says_when_no_service_is_running() -> None:
    with socket.socket() as taken:  # bound but not listening, so nobody else can answer
        taken.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{taken.getsockname()[1]}"
        played = play("even-steven", nowhere)
    assert (played.returncode, played.stdout) == (1, "")
    assert played.stderr == (
        f"play.sh: no service answers at {nowhere}; start one with 'make run', "
        "or name another BASE_URL\n"
    )


def test_it_says_what_was_refused(service: Service) -> None:
    played = play("chess", service.url)
    assert (played.returncode, played.stdout) == (1, "")
    assert played.stderr.startswith(
        f"play.sh: POST {service.url}/v1/games/chess/matches was refused: "
    )
    assert '"status":404' in played.stderr


@pytest.mark.parametrize("arguments", [(), ("even-steven", "http://localhost:8000", "more")])
def test_it_says_how_it_is_used(arguments: tuple[str, ...]) -> None:
    played = play(*arguments)
    assert (played.returncode, played.stdout) == (2, "")
    usage, games = played.stderr.splitlines()
    assert usage == "usage: examples/play.sh GAME [BASE_URL]"
    assert all(game in games for game in GAMES)
