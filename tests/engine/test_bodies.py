"""Bodies that are wrong whatever the state of the match: refused as invalid, every field named."""

from __future__ import annotations

import pytest

from engine import IllegalMove, InvalidMove
from tests.engine.positions import ck, es, st
from tests.engine.steps import refused


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"action"}),
        ({"action": None}, {"action"}),
        ({"action": "burn", "card": "2C"}, {"action"}),
        ({"action": ["play"], "card": "2C"}, {"action"}),
        ({"action": "play"}, {"card"}),
        ({"action": "play", "card": "1C"}, {"card"}),
        ({"action": "play", "card": "red-1"}, {"card"}),
        ({"action": "play", "card": ["2C"]}, {"card"}),
        ({"action": "play", "card": None}, {"card"}),
        ({"action": "play", "card": 3}, {"card"}),
        ({"action": "play", "card": "2C", "slot": 0}, {"slot"}),
        ({"action": "draw", "card": "2C"}, {"card"}),
        ({"action": "pick_up", "slot": 0, "target": 1}, {"slot", "target"}),
        ({"action": "flip"}, {"slot"}),
        ({"action": "flip", "slot": -1}, {"slot"}),
        ({"action": "flip", "slot": "0"}, {"slot"}),
        ({"action": "flip", "slot": 1.0}, {"slot"}),
        ({"action": "flip", "slot": True}, {"slot"}),
        ({"action": "flip", "slot": [0, 1]}, {"slot"}),
        ({"action": "steal"}, {"target"}),
        ({"action": "steal", "target": 2}, {"target"}),
        ({"action": "steal", "target": -1, "slot": "0", "card": "2C"}, {"target", "slot", "card"}),
        ({"action": "steal", "target": 1, "slot": None}, {"slot"}),
        ({"action": "decline", "target": 1}, {"target"}),
    ],
)
def test_even_steven(body: dict[str, object], fields: set[str]) -> None:
    assert set(refused(es("0: 2C; 1: 2D"), body, InvalidMove).errors) == fields


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"action": "draw"}, {"action"}),
        ({"action": {}}, {"action"}),
        ({"action": "play"}, {"card"}),
        ({"action": "play", "card": "2C"}, {"card"}),
        ({"action": "play", "card": "RED-1"}, {"card"}),
        ({"action": "play", "card": "wild"}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": "RED"}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": "red "}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": ""}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": None}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": 1}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": ["red"]}, {"colour"}),
        ({"action": "play", "card": "wild", "colour": "red", "targets": [1]}, {"targets"}),
        ({"action": "play", "card": "red-1", "colour": "red"}, {"colour"}),
        ({"action": "play", "card": "capture-2", "targets": [1, 1], "colour": "red"}, {"colour"}),
        ({"action": "play", "card": "red-1", "targets": [1]}, {"targets"}),
        ({"action": "play", "card": "red-1", "targets": []}, {"targets"}),
        ({"action": "play", "card": "shield", "targets": [1]}, {"targets"}),
        ({"action": "play", "card": "chaos", "targets": [1]}, {"targets"}),
        ({"action": "play", "card": "red-capture-1"}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": [1, 1]}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": 1}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": [True]}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": ["1"]}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": [2]}, {"targets"}),
        ({"action": "play", "card": "red-capture-1", "targets": [-1]}, {"targets"}),
        ({"action": "play", "card": "capture-2", "targets": [1]}, {"targets"}),
        ({"action": "play", "card": "capture-2", "targets": [1, 1, 1]}, {"targets"}),
        ({"action": "play", "card": "swap-red-yellow"}, {"targets"}),
        ({"action": "play", "card": "wild", "target": 1, "slot": 0}, {"target", "slot"}),
        ({"action": "burn"}, {"card"}),
        ({"action": "burn", "card": "wild", "colour": "red"}, {"colour"}),
        ({"action": "name_colour"}, {"colour"}),
        ({"action": "name_colour", "colour": "grey"}, {"colour"}),
        ({"action": "name_colour", "colour": "red", "card": "wild"}, {"card"}),
    ],
)
def test_card_keeper(body: dict[str, object], fields: set[str]) -> None:
    match = ck("0: wild red-1 red-capture-1 capture-2; 1: blue-1 blue-2; discard red-9")
    assert set(refused(match, body, InvalidMove).errors) == fields


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"action": "draw"}, {"action"}),
        ({"action": 1}, {"action"}),
        ({"action": "play"}, {"cards"}),
        ({"action": "play", "card": "3C"}, {"card", "cards"}),
        ({"action": "play", "cards": []}, {"cards"}),
        ({"action": "play", "cards": "3C"}, {"cards"}),
        ({"action": "play", "cards": None}, {"cards"}),
        ({"action": "play", "cards": {"3C": 1}}, {"cards"}),
        ({"action": "play", "cards": ["3C", "red-1"]}, {"cards"}),
        ({"action": "play", "cards": [3]}, {"cards"}),
        ({"action": "play", "cards": [["3C"]]}, {"cards"}),
        ({"action": "play", "cards": ["3C", "4C"]}, {"cards"}),  # of one rank
        ({"action": "play", "cards": ["3C", "3C"]}, {"cards"}),  # one deck holds it once
        ({"action": "play", "cards": ["3C"] * 53}, {"cards"}),
        ({"action": "lay", "cards": ["3C", "4C"]}, {"cards"}),
        ({"action": "lay", "cards": ["3C", "4C", "5C", "6C"]}, {"cards"}),
        ({"action": "lay", "cards": ["3C", "4C", "4C"]}, {"cards"}),
        ({"action": "lay", "cards": ["3C", "4C", "5C"], "slot": 0}, {"slot"}),
        ({"action": "pick_up", "cards": ["3C"]}, {"cards"}),
        ({"action": "flip"}, {"slot"}),
        ({"action": "flip", "slot": [0, 1]}, {"slot"}),
        ({"action": "flip", "slot": False}, {"slot"}),
        ({"action": "flip", "slot": -1}, {"slot"}),
    ],
)
def test_seven_twos_tens(body: dict[str, object], fields: set[str]) -> None:
    match = st("0: 3C 4C 5C; 1: 3D; pile 8D")
    assert set(refused(match, body, InvalidMove).errors) == fields


@pytest.mark.parametrize(("decks", "by"), [(1, InvalidMove), (2, IllegalMove)])
def test_a_card_is_named_no_more_often_than_the_decks_hold_it(
    decks: int, by: type[InvalidMove | IllegalMove]
) -> None:
    refused(st("0: 3C 4C; 1: 3D", decks=decks), {"action": "play", "cards": ["3C", "3C"]}, by)
