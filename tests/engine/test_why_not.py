"""Why a card cannot be played now: one reason for each card of the hand that has no legal play."""

from __future__ import annotations

import pytest

from engine import Match, Seat
from tests.engine.positions import ES, ck, es, st
from tests.engine.steps import do


def rules(match: Match, seat: int) -> dict[str, str | None]:
    """By card: the ruling that forbids it."""
    return {found["card"]: found["rule"] for found in match.why_not(seat)}


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (es("0: 3C 4C 6C 8C; 1: 2D; pile 6D; value 6"), {"4C": None}),
        (es("0: 3C 8C; 1: 2D; pile 6D; value 6; steal"), {"3C": "ES-6", "8C": "ES-6"}),
        (st("0: 3C 3D 7C 9C; 1: 2D; pile 8D"), {"3C": None, "3D": None}),
        (st("0: 3C 4C 5C 6C 8C 9C; 1: 3D 4D 5D 6D 8D 9D; lay 0 1"), {}),
        (
            ck("0: red-1 blue-1 blue-9 wild swap-blue-green; 1: red-2 red-3; discard red-9"),
            {"blue-1": None, "swap-blue-green": "CK-4"},
        ),
        (
            ck("0: red-1 red-2; 1: red-4 wild; 2: red-5; discard chaos; colour red; chaos 1 2"),
            {},
        ),
    ],
)
def test_each_card_without_a_legal_play_has_its_reason(
    match: Match, expected: dict[str, str | None]
) -> None:
    assert rules(match, 0) == expected
    assert all(found["reason"].endswith(".") for found in match.why_not(0))


def test_a_card_that_may_only_be_burned_is_told_too() -> None:
    match = ck("0: red-1 red-2; 1: red-4 wild; 2: red-5; discard chaos; colour red; chaos 1 2")
    assert set(rules(match, 1)) == {"red-4", "wild"}
    match = ck("0: red-1 wild; 1: red-2 red-3; discard wild; colour none")
    assert set(rules(match, 0)) == {"red-1", "wild"}


def test_look_alikes_are_told_once() -> None:
    match = ck("0: blue-1 blue-1 red-1; 1: red-2 red-3; discard red-9")
    assert [found["card"] for found in match.why_not(0)] == ["blue-1"]


def test_there_is_nothing_to_tell_to_a_seat_that_is_not_to_act() -> None:
    match = es("0: 2C; 1: 2D; pile 6D; value 6")
    assert match.why_not(1) == []
    match = es("0: 2C; 1: 2D")
    do(match, "play 2C")
    assert match.why_not(1) == []
    assert Match.new(ES, seats=["Ada", Seat(kind="open")], seed="demo").why_not(0) == []


def test_a_card_that_may_be_laid_like_its_equals_is_not_told() -> None:
    """Of four equal ranks the listed lays name three; the fourth may be laid as well."""
    match = st("0: 8C 8D 8H 8S QC KH; 1: 3D 4D 5D 6D 9C 9D; lay 0 1")
    assert match.why_not(0) == []
