"""Even Steven: what each seat and a spectator see, in views and events."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Match
from tests.engine.positions import ES, es
from tests.engine.steps import cards_told, codes_in, do, facts, result, seat, table, told

POSITION = "0: 4C 7H | 2D . 9S; 1: KC | . . 5D; 2: 3C; deck JS; pile 6C 5S 3H; value 7; round 2"


def test_the_tables_public_facts() -> None:
    assert table(es(POSITION)) == {
        "phase": "play",
        "round": 2,
        "deck_count": 42,
        "pile": ["6C", "5S", "3H"],
        "value": 7,
    }


def test_the_seats_public_facts() -> None:
    view = es(POSITION).view(None)
    public = [
        {"hand_count": 2, "face_down": [0, 2]},
        {"hand_count": 1, "face_down": [2]},
        {"hand_count": 1, "face_down": []},
    ]
    for number, expected in enumerate(public):
        assert view["seats"][number] == expected | {
            "seat": number,
            "name": f"Player {number + 1}",
            "kind": "human",
        }


@pytest.mark.parametrize(
    ("viewer", "own"), [(0, {"4C", "7H"}), (1, {"KC"}), (2, {"3C"}), (None, set())]
)
def test_a_view_names_the_pile_and_ones_own_hand_alone(viewer: int | None, own: set[str]) -> None:
    assert codes_in(es(POSITION), viewer) == own | {"6C", "5S", "3H"}


def test_only_the_seat_to_act_is_told_legal_moves() -> None:
    match = es(POSITION)
    assert match.view(0)["legal_moves"] == [{"action": "play", "card": "7H"}, {"action": "draw"}]
    assert [match.view(viewer)["legal_moves"] for viewer in (1, 2, None)] == [[], [], []]


def test_you_hold_your_hand_in_sorting_order_and_commit_to_nothing() -> None:
    match = es("0: KC 2D 2C; 1: 3S")
    assert match.view(0)["you"] == {"seat": 0, "hand": ["2C", "2D", "KC"], "committed": None}
    assert match.view(None)["you"] is None


def test_once_finished_every_card_of_the_seats_is_shown() -> None:
    match = es("0: 2C; 1: KC 3D | . 4D 6H; 2: | 8C . 2H; moves 3")
    do(match, "play 2C")
    view = match.view(None)
    shown = [(s["hand"], s["face_down_cards"]) for s in view["seats"]]
    assert shown == [
        ([], [None, None, None]),
        (["3D", "KC"], [None, "4D", "6H"]),
        ([], ["8C", None, "2H"]),
    ]
    assert result(match) == ([0], [[0], [2], [1]], "no_cards")
    assert (view["to_act"], match.view(1)["legal_moves"]) == ([], [])
    assert view["table"]["pile"] == ["2C"]


def test_without_face_down_cards_none_are_shown_at_the_end() -> None:
    match = es("0: 2C; 1: 3D", hand_size=4, face_down=0)
    do(match, "play 2C")
    assert seat(match, 1)["face_down_cards"] == []


def test_a_hand_dealt_is_seen_by_its_owner_alone() -> None:
    match = Match.new(ES, seats=["Ada", "Ben", "Cem"], seed="demo")
    for viewer in (0, 1, 2, None):
        dealt = told(match, viewer, "cards_dealt")
        assert [event["seat"] for event in dealt] == [0, 1, 2]
        assert [event["count"] for event in dealt] == [7, 7, 7]
        assert [event["face_down"] for event in dealt] == [3, 3, 3]
        own = [event["seat"] for event in dealt if event["cards"] is not None]
        assert own == ([] if viewer is None else [viewer])
        if viewer is not None:
            assert dealt[viewer]["cards"] == match.view(viewer)["you"]["hand"]
    assert facts(match, None, "round_started") == {
        "seat": match.to_act[0],
        "round": 1,
        "deck_count": 22,
    }


@pytest.mark.parametrize(
    ("position", "line", "expected"),
    [
        (
            "0: 8C 3S; 1: 2D; pile 6C; value 6",
            "play 8C",
            {"cards": ["8C"], "zone": "hand", "slot": None, "fits": True, "value": 8},
        ),
        (
            "0: 3C; 1: 2D; deck 4D; pile 6C; value 6",
            "draw",
            {"cards": ["4D"], "zone": "deck", "slot": None, "fits": False, "value": 6},
        ),
        (
            "0: | . 5D 2H; 1: 2D",
            "flip 1",
            {"cards": ["5D"], "zone": "face_down", "slot": 1, "fits": True, "value": None},
        ),
    ],
)
def test_a_card_played_drawn_or_flipped_is_seen_by_all(
    position: str, line: str, expected: dict[str, Any]
) -> None:
    match = es(position)
    do(match, line)
    for viewer in (0, 1, None):
        assert facts(match, viewer, "card_played") == expected | {"seat": 0, "count": 1}


def test_cards_picked_up_are_seen_by_all_but_views_show_numbers() -> None:
    match = es("0: 3C; 1: 2D; deck 4D; pile 6S 6C; value 6; round 7")
    do(match, "draw")
    assert cards_told(match, "pile_picked_up") == [["4D", "6C", "6S"]] * 3
    assert set(seat(match, 0)) == {"seat", "name", "kind", "hand_count", "face_down"}
    assert (seat(match, 0)["hand_count"], table(match)["pile"]) == (4, [])


def test_where_a_burned_pile_lies_is_not_shown() -> None:
    match = es("0: AC 3S; 1: 2D; pile 6C; value 6; round 7")
    do(match, "play AC")
    assert facts(match, 1, "pile_burned") == {"seat": 0, "count": 2}
    assert codes_in(match, 1) == {"2D"}


def test_es_6_a_card_stolen_from_a_hand_is_seen_by_thief_and_target() -> None:
    match = es("0: 3S; 1: 2D; 2: 8H; turn 1; pile 7C; steal")
    do(match, "steal 2")
    assert cards_told(match, "card_stolen") == [None, ["8H"], ["8H"], None]
    hidden = {"seat": 1, "cards": None, "count": 1, "target": 2, "slot": None}
    assert facts(match, 0, "card_stolen") == facts(match, None, "card_stolen") == hidden


def test_es_6_a_card_stolen_from_a_slot_is_seen_by_the_thief_alone() -> None:
    match = es("0: 3S; 1: 2D; 2: | 4H 8H; turn 1; pile 7C; steal")
    do(match, "steal 2 1")
    assert cards_told(match, "card_stolen") == [None, ["8H"], None, None]
    assert facts(match, 2, "card_stolen")["slot"] == 1


def test_a_move_is_told_in_the_order_in_which_it_happens() -> None:
    match = es("0: AC 3S; 1: 2D; pile 6C; value 6")
    do(match, "play AC")
    types = [event["type"] for event in told(match, None)]
    assert types == ["card_played", "pile_burned", "cards_drawn", "round_started", "turn"]
    assert told(match, None, "turn")[0]["to_act"] == match.to_act


def test_a_declined_steal_is_told() -> None:
    match = es("0: 3S; 1: 2D; pile 7C; steal")
    do(match, "decline")
    assert [event["type"] for event in told(match, 1)] == ["steal_declined", "turn"]
