"""The text form of positions and moves that the other tests speak in."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine import GAMES, Game, Match
from engine.cards import NO_CARD
from tests.engine.positions import CK, ck, dealt, es, st
from tests.engine.steps import body, hand, legal, line, seat, table


def test_every_card_is_somewhere_and_the_rest_lies_under_the_draw_pile() -> None:
    match = es("0: 4C 7H | 2D . 9S; 1: KC; deck 5C AS; pile 8C; value 8; round 3; turn 1")
    state = match.state
    places = [state.deck, state.pile, *state.hands, *state.face_down]
    held = Counter(card for place in places for card in place if card != NO_CARD)
    assert held == Counter(match.game.deck)
    top = [match.game.codes[card] for card in reversed(state.deck)][:4]
    assert top == ["5C", "AS", "2C", "3C"]
    assert (match.to_act, table(match)["round"], table(match)["value"]) == ([1], 3, 8)


def test_the_rest_goes_where_the_star_is() -> None:
    match = ck("0: red-1; 1: blue-1 *; discard red-9; draw wild")
    assert (table(match)["draw_count"], seat(match, 1)["hand_count"]) == (1, 108 - 3)
    match = st("0: 3C; 1: 4C; pile 5C * 6C; draw 7C", decks=2)
    assert (table(match)["draw_count"], len(table(match)["pile"])) == (1, 104 - 3)
    assert [table(match)["pile"][place] for place in (0, -1)] == ["5C", "6C"]


def test_choices_that_others_may_not_see_yet() -> None:
    match = ck("0: red-1; 1: red-2; 2: red-3; discard chaos; colour red; chaos 1 2=red-3")
    assert match.to_act == [1]
    assert match.view(2)["you"]["committed"] == {"action": "burn", "card": "red-3"}
    match = st("0: 3C 4C 5C 6C; 1: 3D 4D 5D 6D; lay 0 1=5D,4D,3D")
    assert match.to_act == [0]
    assert match.view(1)["you"]["committed"]["cards"] == ["3D", "4D", "5D"]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("0: 4C; 1: 4C", "x not in list"),  # one deck holds it once
        ("0: 4C; 1: 5C; heap 6C", "heap"),
        ("0: 4C; 1: red-1", "tuple.index"),
        ("0: 4C; 2: 5C", "seats|players"),
    ],
)
def test_a_text_that_does_not_read_is_refused(text: str, about: str) -> None:
    with pytest.raises(ValueError, match=about):
        es(text)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_line_stands_for_a_body_and_back(game: Game[Any]) -> None:
    match = Match.new(game, seats=["Ada", "Ben", "Cem"], seed="demo")
    for number in range(40):
        actor = match.to_act[0]
        bodies = match.view(actor)["legal_moves"]
        assert [body(match, text) for text in legal(match)] == bodies
        assert [line(each) for each in bodies] == legal(match)
        match.play(actor, bodies[number % len(bodies)])


def test_a_deal_from_a_stacked_deck() -> None:
    top = " ".join(["wild"] * 4 + ["chaos"] * 2)
    match = dealt(CK, 2, top)
    assert hand(match, 0).split()[-3:] == ["wild", "wild", "chaos"]
    assert hand(match, 1).split()[-3:] == ["wild", "wild", "chaos"]
