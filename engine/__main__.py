"""Checks and shows replays: `python -m engine verify replay.json`, `python -m engine show …`."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.match import Match
from engine.records import Step
from engine.replay import BadReplay, Replay
from engine.story import tell

#: Classes of the characters that turn the direction of the text after them.
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit status: 0 when the replay is confirmed, else 1."""
    options = _parser().parse_args(arguments)
    try:
        record = json.loads(options.replay.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        print(f"{options.replay}: cannot be read: {error}", file=sys.stderr)
        return 1
    try:
        replay = Replay(record)
        if options.command == "verify":
            _verify(replay)
        elif options.seat is None or options.seat < len(replay.match.seats):
            _show(replay, options.seat)
        else:
            print(f"{options.replay}: there is no seat {options.seat}", file=sys.stderr)
            return 1
    except BadReplay as error:
        print(f"{options.replay}: NOT CONFIRMED: {_harmless(str(error))}", file=sys.stderr)
        return 1
    return 0


def _verify(replay: Replay) -> None:
    moves = sum(1 for step in replay.steps() if step.move is not None)
    match = replay.match
    scripted = "" if match.deal is None else ", from a scripted deal"
    print(f"confirmed: {match.game.title}, {len(match.seats)} seats, {moves} moves{scripted}")
    _print_result(match)


def _show(replay: Replay, seat: int | None) -> None:
    match = replay.match
    names = [place.name for place in match.seats]
    for step in replay.steps():
        for event in _events(match, step, seat):
            sentence = tell(event, names)
            if sentence is not None:
                print(f"{step.version:>5}  {_harmless(sentence)}")
    _print_result(match)


def _events(match: Match, step: Step, seat: int | None) -> Iterator[dict[str, Any]]:
    """What a seat saw, or (None) what anybody saw of each event."""
    seen = {viewer: match.show(step, viewer) for viewer in (None, *range(len(match.seats)))}
    for index, event in enumerate(step.events):
        viewer = seat if seat is not None else event.seen_by[0] if event.seen_by else None
        yield seen[viewer][index]


def _print_result(match: Match) -> None:
    outcome = match.outcome
    assert outcome is not None  # nosec B101 # for the type checker
    names = [seat.name or f"Seat {number}" for number, seat in enumerate(match.seats)]
    for place, seats in enumerate(outcome.ranking, 1):
        print(f"  {place}. {_harmless(', '.join(names[seat] for seat in seats))}")
    print(f"  ({outcome.reason})")


def _harmless(text: str) -> str:
    """A text out of a record, whoever wrote that, with nothing in it that a terminal obeys."""
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(character) in _TURNING
        else character
        for character in text
    )


def _seat(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a seat's number from 0, or all")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="Replays of matches.")
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="play a replay again and check it")
    show = commands.add_parser("show", help="tell a match in sentences")
    show.add_argument("--seat", type=_seat, default=None, help="as this seat saw it, or all")
    for command in (verify, show):
        command.add_argument("replay", type=Path, help="a file with the answer of GET …/replay")
    return parser


if __name__ == "__main__":
    # A reader that has had enough, such as `head`, ends the command like any other.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
