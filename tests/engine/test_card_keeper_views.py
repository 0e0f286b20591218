"""Card Keeper: what each seat and a spectator see, in views and events."""

from __future__ import annotations

import pytest

from engine import Match
from tests.engine.positions import CK, ck
from tests.engine.steps import codes_in, do, facts, seat, table, told

FOUR = "blue-1 blue-2 blue-3 blue-4"
POSITION = (
    f"0: red-1 wild | shield; 1: {FOUR}; 2: ; 3: green-7; out 2"
    "; discard yellow-3 yellow-4 yellow-5; burned red-6 red-7; direction right"
)


def test_the_tables_public_facts() -> None:
    assert table(ck(POSITION)) == {
        "phase": "play",
        "draw_count": 108 - 13,
        "discard_top": "yellow-5",
        "discard_count": 3,
        "burn_count": 2,
        "colour": "yellow",
        "direction": "right",
    }


def test_the_seats_public_facts() -> None:
    view = ck(POSITION).view(None)
    public = [
        {"hand_count": 2, "shields": 1, "out": False},
        {"hand_count": 4, "shields": 0, "out": False},
        {"hand_count": 0, "shields": 0, "out": True},
        {"hand_count": 1, "shields": 0, "out": False},
    ]
    for number, expected in enumerate(public):
        assert view["seats"][number] == expected | {
            "seat": number,
            "name": f"Player {number + 1}",
            "kind": "human",
        }


@pytest.mark.parametrize(
    ("viewer", "own"),
    [(0, {"red-1", "wild"}), (1, set(FOUR.split())), (2, set()), (3, {"green-7"}), (None, set())],
)
def test_a_view_names_the_top_card_and_ones_own_hand_alone(
    viewer: int | None, own: set[str]
) -> None:
    assert codes_in(ck(POSITION), viewer) == own | {"yellow-5"}


@pytest.mark.parametrize(("phase", "colour"), [("name_colour", "none"), ("play", "red")])
def test_the_phase_before_and_after_a_first_wild_is_named(phase: str, colour: str) -> None:
    facts_ = table(ck(f"0: red-1 red-2; 1: {FOUR}; discard wild; colour {colour}"))
    assert (facts_["phase"], facts_["colour"]) == (phase, None if colour == "none" else colour)


def test_once_finished_all_hands_are_shown() -> None:
    match = ck(f"0: red-1; 1: {FOUR}; discard red-9")
    do(match, "burn red-1")
    view = match.view(None)
    assert [shown["hand"] for shown in view["seats"]] == [[], FOUR.split()]
    assert set(view["seats"][0]) == {
        "seat", "name", "kind", "hand_count", "shields", "out", "hand",
    }  # fmt: skip
    assert (view["to_act"], match.view(1)["legal_moves"]) == ([], [])
    assert view["you"] is None
    assert match.view(1)["you"] == {"seat": 1, "hand": FOUR.split(), "committed": None}


def test_a_hand_dealt_is_seen_by_its_owner_alone_and_the_first_card_by_all() -> None:
    match = Match.new(CK, seats=["Ada", "Ben", "Cem"], seed="demo")
    for viewer in (0, 1, 2, None):
        dealt = told(match, viewer, "cards_dealt")
        own = [event["seat"] for event in dealt if event["cards"] is not None]
        assert [event["count"] for event in dealt] == [10, 10, 10]
        assert own == ([] if viewer is None else [viewer])
        first = facts(match, viewer, "first_card_turned")
        assert first == {
            "cards": [table(match)["discard_top"]],
            "count": 1,
            "draw_count": 77,
            "colour": table(match)["colour"],
            "direction": table(match)["direction"],
        }


def test_a_card_played_is_seen_by_all_with_what_it_changes() -> None:
    match = ck(f"0: wild red-1; 1: {FOUR}; discard red-9")
    do(match, "play wild blue")
    for viewer in (0, 1, None):
        assert facts(match, viewer, "card_played") == {
            "seat": 0,
            "cards": ["wild"],
            "count": 1,
            "targets": [],
            "colour": "blue",
            "direction": "left",
        }


def test_a_burned_card_is_seen_by_the_one_who_burned_it_alone() -> None:
    match = ck(f"0: wild red-1; 1: {FOUR}; discard red-9")
    do(match, "burn wild")
    shown = [facts(match, viewer, "card_burned") for viewer in (0, 1, None)]
    assert shown == [{"seat": 0, "cards": cards, "count": 1} for cards in (["wild"], None, None)]
    assert "wild" not in codes_in(match, 1) | codes_in(match, None)


def test_who_is_out_and_who_owes_a_choice_are_told() -> None:
    match = ck(f"0: chaos; 1: red-2; 2: {FOUR}; discard red-9")
    do(match, "play chaos")
    assert facts(match, None, "turn") == {"to_act": [1, 2]}
    do(match, "1: burn red-2", "2: burn blue-1")
    assert [e["seat"] for e in told(match, None, "knocked_out")] == [0, 1]
    assert facts(match, None, "match_finished")["result"]["winners"] == [2]


def test_events_of_a_named_colour_and_a_swap() -> None:
    match = ck(f"0: {FOUR}; 1: red-1 red-2; discard wild; colour none")
    do(match, "name_colour yellow")
    assert facts(match, None, "colour_named") == {"seat": 0, "colour": "yellow"}
    match = ck(f"0: swap-red-yellow red-1; 1: {FOUR}; discard red-9")
    do(match, "play swap-red-yellow 1")
    assert facts(match, None, "hands_swapped") == {"seat": 0, "target": 1}
    assert facts(match, None, "card_played")["targets"] == [1]


def test_shields_used_and_lost_are_told() -> None:
    match = ck(f"0: red-capture-1 | shield; 1: {FOUR} | shield; 2: red-1; discard red-9")
    do(match, "play red-capture-1 1")
    assert facts(match, None, "shield_used") == {"seat": 1, "burned": False}
    assert facts(match, None, "knocked_out") == {"seat": 0, "shields": 1}
    assert seat(match, 1)["shields"] == 0
