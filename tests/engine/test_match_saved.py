"""Match: going on from saved bytes, and bytes that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import GAMES, Game, Match, Seat, UnknownFormat
from engine.records import pack, raw, unpack
from tests.engine.positions import CK, es, st
from tests.engine.steps import do, play_on

#: Matches as they were saved by earlier releases, by what they are; bytes in hex.
FORMAT_1: dict[str, str] = json.loads(
    (Path(__file__).parent.parent / "data" / "saved-format-1.json").read_text(encoding="utf-8")
)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@every_game
@pytest.mark.parametrize("moves", [0, 1, 30])
def test_a_match_goes_on_alike_from_its_bytes(game: Game[Any], moves: int) -> None:
    match = Match.new(game, seats=["Ada", "Ben", "Cem"], seed="demo")
    play_on(match, moves)
    loaded = Match.from_bytes(match.to_bytes())
    assert (loaded.to_bytes(), loaded.log) == (match.to_bytes(), [])
    for viewer in (0, 1, 2, None):
        assert loaded.view(viewer) == match.view(viewer)
    play_on(loaded, 10)
    play_on(match, 10)
    assert loaded.log == match.log[-10:]
    assert loaded.to_bytes() == match.to_bytes()


@every_game
def test_a_waiting_match_is_saved_too(game: Game[Any]) -> None:
    seats = ["Ada", Seat(kind="open"), Seat(name="Cem", client_seed="mine")]
    waiting = Match.new(game, seats=seats, seed="demo", host_seeded=True)
    loaded = Match.from_bytes(waiting.to_bytes())
    assert (loaded.view(0), loaded.seats) == (waiting.view(0), waiting.seats)
    loaded.join(seat=None, name="Ben")
    waiting.join(seat=None, name="Ben")
    assert loaded.to_bytes() == waiting.to_bytes()


def test_a_finished_match_is_saved_too() -> None:
    match = es("0: 2C; 1: 4D | 6D . 8D")
    do(match, "play 2C")
    loaded = Match.from_bytes(match.to_bytes())
    assert (loaded.view(1), loaded.outcome) == (match.view(1), match.outcome)


@pytest.mark.parametrize("name", FORMAT_1)
def test_matches_saved_by_earlier_releases_go_on(name: str) -> None:
    data = bytes.fromhex(FORMAT_1[name])
    match = Match.from_bytes(data)
    assert data[0] == 1
    again = Match.from_bytes(match.to_bytes())
    for viewer in (*range(len(match.seats)), None):
        assert again.view(viewer) == match.view(viewer)
    game, status, *version = name.split(", ")
    assert (match.game.id, match.status) == (game, status)
    assert version in ([], [f"version {match.version}"])
    assert match.view(0)["seats"][0]["name"] == "Ada"
    if status == "playing":
        play_on(match, 10)


def test_rounds_as_the_first_format_kept_them_are_read() -> None:
    match = st("0: 5C 9C; 1: 4D; scores 3 0 / 0 7", rounds=9)
    saved = unpack(match.to_bytes())
    state = msgspec.msgpack.decode(saved.state)
    assert state.count([3, 0, 0, 7]) == 1
    state[state.index([3, 0, 0, 7])] = [[3, 0], [0, 7]]
    saved.state = raw(state)
    saved.known = [{}, {}]
    earlier = Match.from_bytes(b"\x01" + pack(saved)[1:])
    assert earlier.view(None) == match.view(None)
    assert earlier.view(None)["table"]["scores"] == [[3, 0], [0, 7]]


@pytest.mark.parametrize("head", [b"\x00", b"\x03", b"\xff"])
def test_bytes_of_an_unknown_format_are_refused(head: bytes) -> None:
    data = es("0: 2C 3C; 1: 4D").to_bytes()
    assert data[:1] == b"\x02"
    with pytest.raises(UnknownFormat):
        Match.from_bytes(head + data[1:])


def test_no_bytes_are_refused() -> None:
    with pytest.raises(UnknownFormat):
        Match.from_bytes(b"")


def test_bytes_of_an_unknown_game_are_refused() -> None:
    data = es("0: 2C 3C; 1: 4D").to_bytes()
    with pytest.raises(UnknownFormat, match="even-steven"):
        Match.from_bytes(data, {CK.id: CK})
