"""Errors: every refusal has a stable code and a sentence."""

from __future__ import annotations

import pytest

from engine import errors
from engine.errors import EngineError, Invalid, InvalidMove, InvalidSetup


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidMove({"card": ["Unknown."]}), "validation"),
        (InvalidSetup({"seats": ["Too few."]}), "validation"),
        (errors.IllegalMove(reason="No.", rule=None, legal_moves=[]), "illegal-move"),
        (errors.NotYourTurn([1]), "not-your-turn"),
        (errors.MatchWaiting(), "match-waiting"),
        (errors.MatchFinished(), "match-finished"),
        (errors.SeatTaken(2), "seat-taken"),
        (errors.MatchFull(), "match-full"),
        (errors.NobodySits(2), "nobody-sits"),
        (errors.UnknownFormat("Newer."), "unknown-format"),
    ],
)
def test_every_refusal_has_a_code_and_a_sentence(error: EngineError, code: str) -> None:
    assert error.code == code
    assert str(error).endswith(".")


def test_every_error_of_the_engine_is_of_one_family() -> None:
    found = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert all(issubclass(error, EngineError) for error in found)
    assert issubclass(EngineError, ValueError)


def test_every_bad_field_is_in_the_sentence() -> None:
    error = Invalid({"card": ["Unknown.", "Odd."], "slot": ("Needless.",)})
    assert error.errors == {"card": ["Unknown.", "Odd."], "slot": ["Needless."]}
    assert str(error) == "card: Unknown. Odd.; slot: Needless."
