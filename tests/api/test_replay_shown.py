"""`python -m engine verify` and `show` on what the service answers: whole lives are confirmed, and
told to a seat as it saw them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import GAMES
from engine.__main__ import main
from engine.story import SENTENCES, tell
from tests.api.clocks import Clock
from tests.api.lives import events, lived
from tests.seats import Seats
from tests.services import ROOT

every_game = pytest.mark.parametrize("game", GAMES)
#: What is told in the service alone: a record has moves, and not who came and went.
NOT_IN_A_RECORD = ("seat_joined", "seat_left", "move_overdue", "match_created")


def saved(seats: Seats, place: Path) -> str:
    """The replay in a file, as `curl -o` would leave it."""
    path = place / "replay.json"
    path.write_bytes(seats.client.get(f"{seats.path}/replay").data)
    return str(path)


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_every_life_is_confirmed(
    quick: FlaskClient,
    clock: Clock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
    seed: int,
) -> None:
    seats = lived(quick, clock, game, f"verify {seed}")
    happened = {event["type"] for event in events(seats, None)}
    assert {"seat_joined", "seat_left", "move_overdue"} <= happened
    assert main(["verify", saved(seats, tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(f"confirmed: {GAMES[game].title}, ")


@every_game
def test_a_seat_is_shown_what_it_saw_and_no_more(
    quick: FlaskClient,
    clock: Clock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
) -> None:
    """Line by line what the seat's own events say, under the versions that they had."""
    seats = lived(quick, clock, game, "show")
    names = [place["name"] for place in seats.view()["seats"]]
    path = saved(seats, tmp_path)
    for seat, token in seats.tokens.items():
        assert token
        seen = [e for e in events(seats, seat) if e["type"] not in NOT_IN_A_RECORD]
        deal = min(event["version"] for event in seen)
        expected = [
            f"{event['version'] if event['version'] > deal else 0:>5}  {sentence}"
            for event in seen
            if (sentence := tell(event, names)) is not None
        ]
        assert main(["show", "--seat", str(seat), path]) == 0
        made, *lines = capsys.readouterr().out.splitlines()
        assert made == "    0  The table is made."
        assert lines[: len(expected)] == expected
        assert lines[len(expected)].startswith("  1. ")
        for event in seen:
            if event.get("cards", ()) is None:
                hidden = str(tell(event, names))
                assert not [code for code in GAMES[game].codes if f" {code}" in hidden]


@every_game
@pytest.mark.parametrize("arguments", [[], ["--seat", "all"]], ids=["", "all"])
def test_without_a_seat_all_is_shown(
    quick: FlaskClient,
    clock: Clock,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    game: str,
    arguments: list[str],
) -> None:
    seats = lived(quick, clock, game, "all")
    path = saved(seats, tmp_path)
    names = [place["name"] for place in seats.view()["seats"]]
    assert main(["show", *arguments, path]) == 0
    lines = capsys.readouterr().out.splitlines()
    for seat in seats.tokens:
        for event in events(seats, seat):
            if event.get("cards"):
                assert any(line.endswith(f"  {tell(event, names)}") for line in lines), event


def test_what_is_asked_wrongly_is_said(
    quick: FlaskClient, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(lived(quick, clock, "even-steven", "wrong"), tmp_path)
    assert main(["show", "--seat", "9", path]) == 1
    assert capsys.readouterr().err == f"{path}: there is no seat 9\n"
    for seat in ("-1", "x", "1.0", ""):
        with pytest.raises(SystemExit) as ended:
            main(["show", f"--seat={seat}", path])
        assert ended.value.code == 2
        assert "a seat's number from 0, or all" in capsys.readouterr().err


def test_the_command_stands_alone_and_ends_with_its_reader(
    quick: FlaskClient, clock: Clock, tmp_path: Path
) -> None:
    path = saved(lived(quick, clock, "card-keeper", "command"), tmp_path)
    verify, show = (
        f"{sys.executable} -m engine {command} {path}" for command in ("verify", "show")
    )
    ran = subprocess.run(
        ["sh", "-c", f"{verify} && {show} | head -1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("confirmed: Card Keeper, ")
    assert ran.stdout.endswith("    0  The table is made.\n")
    assert ran.stderr == ""


# Sentences


@every_game
def test_every_kind_of_event_has_its_sentence(quick: FlaskClient, game: str) -> None:
    contract: dict[str, Any] = quick.get("/openapi.json").get_json()
    title = GAMES[game].title.replace(",", "").replace(" & ", " ").replace(" ", "")
    tags = contract["components"]["schemas"]
    (name,) = [n for n in tags if n.lower() == f"{title.lower()}event"]
    kinds = set(tags[name]["discriminator"]["mapping"])
    assert kinds - {"turn"} <= SENTENCES.keys()


def test_a_kind_that_has_none_is_told_by_its_facts() -> None:
    event = {
        "seq": 1,
        "version": 2,
        "type": "sang",
        "seat": 0,
        "cards": None,
        "count": 2,
        "song": "la",
    }
    assert tell(event, ["Ada"]) == "sang: {'seat': 0, 'cards': None, 'count': 2, 'song': 'la'}"
