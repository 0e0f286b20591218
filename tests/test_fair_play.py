"""docs/fair-play.md holds: its recipe and its program give what the service deals, and its commands
run on what the service answers. (What is asked there with curl is run with the other pages.)"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.chance import chance_seed
from tests.api.places import OPEN, join, leave
from tests.conformance import CheckedClient
from tests.markdown import Block, blocks, page
from tests.seats import Seats

PAGE = page("docs/fair-play.md")
TEXTS = ("salt of Ada", "Zoë ♠")


def one(language: str, word: str) -> Block:
    """The page's only block in that language with this word."""
    (block,) = (block for block in blocks(PAGE, language) if word in block.code)
    return block


def ran(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_shell_mixes_the_texts_as_the_service_does() -> None:
    block = one("sh", "printf 'demo")
    sha256 = "shasum -a 256" if shutil.which("shasum") else "sha256sum"
    assert ran("sh", "-euc", block.code.replace("shasum -a 256", sha256)) == block.output
    assert block.output == chance_seed("demo", TEXTS).decode() + "\n"


def test_the_program_stands_alone_and_deals_what_the_service_deals(client: CheckedClient) -> None:
    program = one("python", "client_seeds")
    assert ran(sys.executable, "-I", "-c", program.code) == program.output
    seats = Seats.create(client, seats=[{"client_seed": TEXTS[0]}, OPEN], seed="demo")
    seats.tokens[1] = join(seats, {"client_seed": TEXTS[1]}).get_json()["token"]
    hands = (" ".join(seats.view(seat)["you"]["hand"]) for seat in (0, 1))
    assert program.output == "".join(f"seat {seat}: {hand}\n" for seat, hand in enumerate(hands))


def test_the_commands_read_what_the_service_answers(
    client: CheckedClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = Seats.create(client, options={"turn_limit": 50})
    for seat in (0, 1):
        leave(seats, seat)
    replay = tmp_path / "replay.json"
    replay.write_bytes(client.get(f"{seats.path}/replay").data)
    lines = one("sh", "-m engine verify").code.splitlines()
    assert len(lines) == 3
    for line in lines:
        arguments = re.fullmatch(r"\.venv/bin/python -m engine (.+)", line)
        assert arguments, line
        assert (
            main([word.replace("replay.json", str(replay)) for word in arguments[1].split()]) == 0
        )
        assert capsys.readouterr().out
