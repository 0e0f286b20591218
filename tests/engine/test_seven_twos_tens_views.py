"""Seven, Twos & Tens: what each seat and a spectator see, in views and events."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Match
from tests.engine.positions import ST, st
from tests.engine.steps import cards_told, codes_in, do, facts, legal, table, told

POSITION = (
    "0: 9C 3C | KD 4D | 5D . 6D; 1: JC | | . . 8D; 2: 4H | 9H; pile 8H 2S 7S; removed 3S 4S 5S"
    "; round 3; scores 2 0 4 / 0 3 1"
)
FACES = {"KD", "4D", "9H", "8H", "2S", "7S"}


def test_the_tables_public_facts() -> None:
    assert table(st(POSITION, rounds=3)) == {
        "phase": "play",
        "round": 3,
        "draw_count": 52 - 16,
        "pile": ["8H", "2S", "7S"],
        "value": "2",
        "removed_count": 3,
        "scores": [[2, 0, 4], [0, 3, 1]],
    }


def test_the_seats_public_facts() -> None:
    view = st(POSITION, rounds=3).view(None)
    public: list[dict[str, Any]] = [
        {"hand_count": 2, "face_up": ["4D", "KD"], "face_down": [0, 2], "points": 2},
        {"hand_count": 1, "face_up": [], "face_down": [2], "points": 3},
        {"hand_count": 1, "face_up": ["9H"], "face_down": [], "points": 5},
    ]
    for number, expected in enumerate(public):
        assert view["seats"][number] == expected | {
            "seat": number,
            "name": f"Player {number + 1}",
            "kind": "human",
        }


@pytest.mark.parametrize(
    ("viewer", "own"), [(0, {"9C", "3C"}), (1, {"JC"}), (2, {"4H"}), (None, set())]
)
def test_a_view_names_what_lies_face_up_and_ones_own_hand_alone(
    viewer: int | None, own: set[str]
) -> None:
    assert codes_in(st(POSITION), viewer) == FACES | own


def test_legal_moves_stand_by_rank_then_number_then_pick_up() -> None:
    match = st("0: 10C 9C 9D 3C 2D 2C AH; 1: 3D; pile 8D", pick_up_freely=True)
    assert legal(match) == [
        "play 2C",
        "play 2C 2D",
        "play 9C",
        "play 9C 9D",
        "play 10C",
        "play AH",
        "pick_up",
    ]
    assert match.view(0)["legal_moves"][1] == {"action": "play", "cards": ["2C", "2D"]}
    assert match.view(1)["legal_moves"] == []


def test_once_finished_every_card_of_the_seats_is_shown() -> None:
    match = st("0: 9C; 1: KC 3D | 4D | . 5D 6H; pile 8D")
    do(match, "play 9C")
    view = match.view(None)
    shown = [(s["hand"], s["face_up"], s["face_down_cards"]) for s in view["seats"]]
    assert shown == [
        ([], [], [None, None, None]),
        (["3D", "KC"], ["4D"], [None, "5D", "6H"]),
    ]
    assert (view["to_act"], match.view(1)["legal_moves"]) == ([], [])
    assert (view["table"]["pile"], view["table"]["value"]) == (["8D", "9C"], "9")


def test_a_hand_dealt_is_seen_by_its_owner_alone() -> None:
    match = Match.new(ST, seats=["Ada", "Ben", "Cem"], seed="demo")
    for viewer in (0, 1, 2, None):
        dealt = told(match, viewer, "cards_dealt")
        own = [event["seat"] for event in dealt if event["cards"] is not None]
        assert [(event["count"], event["face_down"]) for event in dealt] == [(6, 3)] * 3
        assert own == ([] if viewer is None else [viewer])
    assert facts(match, None, "round_started") == {"seat": 0, "round": 1, "draw_count": 25}
    assert codes_in(match, None) == set()


@pytest.mark.parametrize(
    ("position", "line", "expected"),
    [
        ("0: 9D 9C 3C; 1: 3D", "play 9D 9C", (["9C", "9D"], "hand", None, "9")),
        ("0: | KC 3C; 1: 3D; removed *", "play KC", (["KC"], "face_up", None, "K")),
        ("0: | | 3H KC 4H; 1: 3D; removed *", "flip 1", (["KC"], "face_down", 1, "K")),
        ("0: 7C 3C; 1: 3D", "play 7C", (["7C"], "hand", None, None)),
    ],
)
def test_cards_played_are_seen_by_all(
    position: str, line: str, expected: tuple[list[str], str, int | None, str | None]
) -> None:
    match = st(position)
    do(match, line)
    cards, zone, slot, value = expected
    for viewer in (0, 1, None):
        assert facts(match, viewer, "cards_played") == {
            "seat": 0,
            "cards": cards,
            "count": len(cards),
            "zone": zone,
            "slot": slot,
            "value": value,
        }


def test_cards_drawn_are_seen_by_their_owner_alone() -> None:
    match = st("0: 9C 3C 4C; 1: 3D; draw KC *")
    do(match, "play 9C")
    assert cards_told(match, "cards_drawn") == [["KC"], None, None]


def test_cards_picked_up_are_seen_by_all() -> None:
    match = st("0: 3C; 1: 3D; pile KC JD")
    do(match, "pick_up")
    assert cards_told(match, "pile_picked_up") == [["JD", "KC"]] * 3


def test_a_pile_removed_is_told() -> None:
    match = st("0: 10C 3C; 1: 3D; pile KC JD")
    do(match, "play 10C")
    assert facts(match, None, "pile_removed") == {"seat": 0, "count": 3}


def test_the_end_is_told_with_result_and_seed() -> None:
    match = st("0: 9C; 1: 3D", seed="a known seed")
    do(match, "play 9C")
    finished = facts(match, None, "match_finished")
    assert finished == {"result": match.view(None)["result"], "seed": "a known seed"}
