"""Replays: a record that was tampered with is refused in one clear line, whatever was changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import GAMES, Match, Seat
from engine.__main__ import main
from engine.replay import BadReplay, Replay

Record = dict[str, Any]
every_game = pytest.mark.parametrize("game", GAMES)


def played(game: str, seed: str = "replay", players: int = 3) -> Record:
    """The record of a random match, as the contract has it."""
    rng = Random(f"{game} {seed}")
    seats = [Seat(name=f"P{n}", client_seed="mine" if n == 1 else None) for n in range(players)]
    match = Match.new(GAMES[game], seats=seats, seed=seed, options={"turn_limit": 80})
    while match.to_act:
        seat = rng.choice(match.to_act)
        match.play(seat, rng.choice(match.legal_moves(seat)))
    view = match.view(None)
    return {
        "match_id": "abcdefghijklmnop",
        **{name: view[name] for name in ("game", "options", "seed_hash", "seed", "host_seeded")},
        "rules_version": match.game.rules_version,
        "seats": [{"seat": n, "name": f"P{n}", "kind": "human"} for n in range(players)],
        "client_seeds": [None, "mine", *[None] * (players - 2)],
        "created_at": "2026-01-01T00:00:00.000Z",
        "moves": [
            {
                "version": step.version,
                "at": "2026-01-01T00:00:00.000Z",
                "seat": step.seat,
                "move": step.move,
            }
            for step in match.log[1:]
        ],
        "result": view["result"],
    }


RECORDS = {game: played(game) for game in GAMES}


def verified(record: Any, place: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    text = record if isinstance(record, str) else json.dumps(record)
    (place / "replay.json").write_text(text, "utf-8")
    status = main(["verify", str(place / "replay.json")])
    return status, *capsys.readouterr()


# A true record


@every_game
def test_a_true_record_is_confirmed(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = RECORDS[game]
    status, output, errors = verified(record, tmp_path, capsys)
    assert (status, errors) == (0, "")
    first, *places, reason = output.splitlines()
    assert first == f"confirmed: {GAMES[game].title}, 3 seats, {len(record['moves'])} moves"
    expected = [", ".join(f"P{seat}" for seat in group) for group in record["result"]["ranking"]]
    assert places == [f"  {number}. {names}" for number, names in enumerate(expected, 1)]
    assert reason == f"  ({record['result']['reason']})"


@every_game
def test_joins_and_leaves_between_the_moves_take_versions_and_are_no_moves(game: str) -> None:
    record, shift, rng = deepcopy(RECORDS[game]), 0, Random(game)
    for move in record["moves"]:
        shift += rng.choice((0, 0, 0, 1, 2))
        move["version"] += shift
    versions = [step.version for step in Replay(record).steps()]
    assert versions == [0, *(move["version"] for move in record["moves"])]


def test_what_is_no_part_of_deal_and_moves_is_not_confirmed_and_may_be_left_out() -> None:
    """Nobody can tell from a record alone who sat there, when, or who named the seed."""
    record = deepcopy(RECORDS["even-steven"])
    for name in ("match_id", "created_at", "host_seeded"):
        del record[name]
    for move in record["moves"]:
        del move["at"]
    record["seats"] = [{"name": None}, {"name": "Somebody else"}, {"name": "P2", "kind": "bot"}]
    assert len(list(Replay(record).steps())) == 1 + len(record["moves"])


# A record that was tampered with


def sealed(record: Record, seed: str) -> Record:
    """Another seed with its right hash."""
    return record | {"seed": seed, "seed_hash": hashlib.sha256(seed.encode()).hexdigest()}


def with_moves(record: Record, moves: list[Any]) -> Record:
    """Other moves, numbered as they must be."""
    numbered = [move | {"version": number} for number, move in enumerate(moves, 1)]
    return record | {"moves": numbered}


def tampered(record: Record) -> Iterator[tuple[str, Any, str]]:
    """Records that are not true, each with a word of what is said of it."""
    moves, result, seats = record["moves"], record["result"], record["seats"]
    first, last = moves[0], moves[-1]
    yield "another seed", record | {"seed": "other"}, "seed_hash"
    yield "another promise", record | {"seed_hash": "0" * 64}, "seed_hash"
    yield "another seed with its promise", sealed(record, "other"), "Move"
    yield "an empty seed", sealed(record, ""), "Seeds"
    yield "a seed that hides two", sealed(record, "replay\x001\x00mine"), "Seeds"
    for name, texts in (
        ("no text", [None, None, None]),
        ("another text", [None, "yours", None]),
        ("a text of another seat", ["mine", None, None]),
        ("one more text", [None, "mine", "too"]),
    ):
        yield name, record | {"client_seeds": texts}, "Move"
    yield (
        "a text that hides two",
        record | {"client_seeds": ["a\x001\x00mine", None, None]},
        "Seeds",
    )
    yield "too few texts", record | {"client_seeds": [None, "mine"]}, "for each seat"
    yield "a game that there is not", record | {"game": "poker"}, "poker"
    yield "other rules", record | {"rules_version": 2}, "version 2"
    yield "no seat", record | {"seats": [], "client_seeds": []}, "seats"
    yield "an unknown option", record | {"options": {"cheat": True}}, "options.cheat"
    yield "an option out of range", record | {"options": {"turn_limit": 7}}, "options.turn_limit"
    yield "the first move gone", with_moves(record, moves[1:]), "Move"
    yield "the last move gone", with_moves(record, moves[:-1]), "not over"
    yield "no moves", record | {"moves": []}, "not over"
    yield "a move after the end", with_moves(record, [*moves, last]), f"Move {len(moves) + 1}"
    yield "a move by nobody", with_moves(record, [first | {"seat": -1}, *moves[1:]]), "Move 1"
    yield "a move by a stranger", with_moves(record, [first | {"seat": 9}, *moves[1:]]), "Move 1"
    nonsense = first | {"move": {"action": "cheat"}}
    yield "a move that does not read", with_moves(record, [nonsense, *moves[1:]]), "Move 1"
    yield "versions that stand still", record | {"moves": [first, first, *moves[1:]]}, "Move 2"
    yield "versions that go back", record | {"moves": [last, *moves[1:]]}, "Move"
    winner = result["winners"][0]
    other = {"winners": [(winner + 1) % 3]}
    yield "another winner", record | {"result": result | other}, "another result"
    yield (
        "another ranking",
        record | {"result": result | {"ranking": [[0, 1, 2]]}},
        "another result",
    )
    yield "another reason", record | {"result": result | {"reason": "luck"}}, "another result"
    yield "no result", record | {"result": {}}, "another result"
    needed = ("game", "rules_version", "options", "seats", "seed", "seed_hash", "client_seeds")
    for name in (*needed, "moves", "result"):
        yield f"no {name}", {n: v for n, v in record.items() if n != name}, name
        yield f"{name} null", record | {name: None}, name
        yield f"{name} of another type", record | {name: 1.5}, name
    yield (
        "a name that moves the cursor",
        record | {"seats": [seats[0] | {"name": "\x1b[2J"}] * 3},
        "names",
    )
    for what in ([], None, 7, "replay", [record]):
        yield f"no object but {str(what)[:9]}", what, "no replay"


TAMPERED = [(game, *change) for game, record in RECORDS.items() for change in tampered(record)]


@pytest.mark.parametrize(
    ("record", "word"),
    [(record, word) for _, _, record, word in TAMPERED],
    ids=[f"{game}: {name}" for game, name, _, _ in TAMPERED],
)
def test_a_record_that_was_changed_is_refused_in_one_line(
    record: Any, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output, errors = verified(json.dumps(record), tmp_path, capsys)
    assert (status, output) == (1, "")
    (line,) = errors.splitlines()
    assert line.startswith(f"{tmp_path / 'replay.json'}: NOT CONFIRMED: ")
    assert word in line
    assert line.isprintable()


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, '{"seed": }', "\ufeff{}", "<html>"], ids=lambda text: text[:9]
)
def test_a_file_that_is_no_json_cannot_be_read(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output, errors = verified(text, tmp_path, capsys)
    assert (status, output) == (1, "")
    assert "cannot be read" in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("what", ["missing", "folder", "latin-1"])
def test_a_file_that_is_no_text_cannot_be_read(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin-1").write_bytes(b'{"seed": "\xe9"}')
    assert main(["verify", str(tmp_path / what)]) == 1
    assert "cannot be read" in capsys.readouterr().err


@every_game
def test_a_move_that_was_changed_is_refused_or_has_changed_what_was_seen(game: str) -> None:
    """A record holds together or it does not. Where another legal move would have led to the same
    result, only those who were there can tell, by the events that they saw."""
    record, rng, refused = RECORDS[game], Random(f"changes to {game}"), 0
    true = events(record)
    for _ in range(60):
        changed = deepcopy(record)
        move = rng.choice(changed["moves"])
        before = deepcopy(move)
        rng.choice(CHANGES)(move, rng, GAMES[game].codes)
        if move == before:
            continue
        try:
            seen = events(changed)
        except BadReplay:
            refused += 1
        else:
            assert seen != true, f"{before} as {move}"
    assert refused > 20


def events(record: Record) -> list[Any]:
    """All that everybody saw of a record's match."""
    replay = Replay(record)
    viewers = (None, *range(len(record["seats"])))
    return [replay.match.show(step, viewer) for step in replay.steps() for viewer in viewers]


def _seat(move: Record, rng: Random, codes: tuple[str, ...]) -> None:
    move["seat"] = rng.randrange(3)


def _card(move: Record, rng: Random, codes: tuple[str, ...]) -> None:
    body = move["move"]
    if "card" in body:
        body["card"] = rng.choice(codes)
    elif "cards" in body:
        body["cards"][rng.randrange(len(body["cards"]))] = rng.choice(codes)


def _action(move: Record, rng: Random, codes: tuple[str, ...]) -> None:
    move["move"]["action"] = rng.choice(("play", "draw", "burn", "lay", "flip", "steal", "pick_up"))


def _target(move: Record, rng: Random, codes: tuple[str, ...]) -> None:
    body = move["move"]
    if "targets" in body:
        body["targets"][0] = rng.randrange(3)
    elif "target" in body:
        body["target"] = rng.randrange(3)


CHANGES: list[Callable[[Record, Random, tuple[str, ...]], None]] = [_seat, _card, _action, _target]


def test_nothing_in_a_record_moves_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever checks a record has it from somebody else."""
    record = deepcopy(RECORDS["even-steven"])
    record["seats"][0]["name"] = "A\u202eda\u2028\u2066 ♠ Zoë"
    (tmp_path / "named.json").write_text(json.dumps(record), "utf-8")
    assert main(["show", str(tmp_path / "named.json")]) == 0
    record["moves"][0]["move"]["\x1b]0;mine\x07\x9b2J"] = 1
    (tmp_path / "bad.json").write_text(json.dumps(record), "utf-8")
    assert main(["verify", str(tmp_path / "bad.json")]) == 1
    printed = capsys.readouterr()
    assert "A\\u202eda\\u2028\\u2066 ♠ Zoë" in printed.out
    assert "\\x1b]0;mine\\x07\\x9b2J" in printed.err
    shown = set(printed.out + printed.err) - {"\n"}
    assert all(c.isprintable() for c in shown)
