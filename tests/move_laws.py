"""The laws of moves: what is listed is accepted, and nothing else but its equals is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from engine import (
    EngineError,
    IllegalMove,
    InvalidMove,
    Match,
    MatchFinished,
    Move,
    NotYourTurn,
)
from tests.known.base import Body, Known
from tests.laws import assert_json_safe, copied, listed, wire

WHY_NOT_KEYS = frozenset({"card", "rule", "reason"})
RULING = re.compile(r"[A-Z]{2}-[1-9][0-9]*")


def refusal(match: Match, seat: int, body: Body) -> tuple[Any, ...] | None:
    """All that a refused caller can learn, or None when the move is made."""
    error = _error(match, seat, body)
    return error and (type(error), error.code, str(error), wire(vars(error)))


def _error(match: Match, seat: int, body: Move | Body) -> EngineError | None:
    try:
        match.play(seat, body)
    except EngineError as error:
        return error
    return None


def listing_is_sound(known: Known, match: Match) -> None:
    """Listed moves stand in the fixed order, each once, and are complete bodies that read back."""
    for seat in match.to_act:
        view = match.view(seat)
        bodies = view["legal_moves"]
        order = [known.order(body) for body in bodies]
        assert all(a < b for a, b in pairwise(order)), bodies
        assert bodies == listed(match, seat)
        assert_json_safe(bodies)
        for move, body in zip(match.legal_moves(seat), bodies, strict=True):
            assert match.read(body) == move
            assert match.game.body(match.read(body)) == body
            assert known.canonical(body, view, seat) == body, "a look-alike is listed"


def listed_moves_are_accepted(known: Known, match: Match) -> None:
    """Every listed move is made, as a move and as a body, with the same result."""
    for seat in match.to_act:
        for move in match.legal_moves(seat):
            by_move, by_body = copied(known, match), copied(known, match)
            for twin, form in ((by_move, move), (by_body, match.game.body(move))):
                assert _error(twin, seat, form) is None, f"{move} is listed but refused"
            assert by_move.to_bytes() == by_body.to_bytes()
            assert by_move.version == match.version + 1


def listing_is_complete(
    known: Known, match: Match, moves: Callable[[int], Iterable[tuple[Body, Move]]]
) -> None:
    """Of the given moves of a seat to act the check lets those pass that a listed one stands for,
    and no others."""
    for seat in match.to_act:
        bodies, view = listed(match, seat), match.view(seat)
        for body, move in moves(seat):
            passes = match.game.refusal(match.state, seat, move) is None
            stands = known.canonical(body, view, seat) in bodies
            assert passes == stands, f"{body} passes: {passes}, but is listed: {stands}"


def others_are_refused(
    known: Known, match: Match, bodies: Callable[[int], Iterable[Body]]
) -> Counter[str]:
    """Of the given bodies of each seat, and of seats that are none, exactly those are made that a
    listed move stands for; the rest is refused with a reason, and changes nothing. Tells how many
    ended in which way."""
    before, steps, tally = match.to_bytes(), len(match.log), Counter[str]()
    for seat in range(-1, len(match.seats) + 1):
        acts = seat in match.to_act
        moves = listed(match, seat) if acts else []
        view = match.view(seat) if acts else {}
        for body in bodies(seat):
            try:
                match.read(body)
            except InvalidMove:
                expected: type[EngineError] = InvalidMove
            else:
                if acts and known.canonical(body, view, seat) in moves:
                    assert refusal(copied(known, match), seat, body) is None, body
                    tally["accepted"] += 1
                    continue
                expected = IllegalMove if acts else NotYourTurn
                if match.outcome is not None:
                    expected = MatchFinished
            _is_refused(match, seat, body, expected, moves)
            tally[expected.code] += 1
    assert match.to_bytes() == before, "a refused move has changed the match"
    assert len(match.log) == steps, "a refused move is in the log"
    return tally


def _is_refused(
    match: Match,
    seat: int,
    body: Body,
    expected: type[EngineError],
    moves: Sequence[Body],
) -> None:
    error = _error(match, seat, body)
    assert error is not None, f"{body} of seat {seat} is made, but no listed move stands for it"
    assert type(error) is expected, f"{body}: {error!r}"
    if isinstance(error, InvalidMove):
        assert error.errors
    elif isinstance(error, IllegalMove):
        assert error.reason
        assert error.rule is None or RULING.fullmatch(error.rule)
        assert error.legal_moves == moves
    elif isinstance(error, NotYourTurn):
        assert error.to_act == match.to_act


def reasons_are_given(known: Known, match: Match) -> None:
    """A seat to act is told why for exactly those cards in hand of which no listed move plays one
    that looks alike."""
    for seat in range(len(match.seats)):
        told = match.why_not(seat)
        assert_json_safe(told)
        moves = [move for move in listed(match, seat) if move["action"] != "burn"]
        cards = [card for move in moves for card in move.get("cards", [move.get("card")]) if card]
        played = {known.look(card) for card in cards}
        hand = match.view(seat)["you"]["hand"] if seat in match.to_act else []
        left = [card for card in dict.fromkeys(hand) if known.look(card) not in played]
        assert [reason["card"] for reason in told] == left
        for reason in told:
            assert reason.keys() == WHY_NOT_KEYS
            assert reason["reason"]
            assert reason["rule"] is None or RULING.fullmatch(reason["rule"])
