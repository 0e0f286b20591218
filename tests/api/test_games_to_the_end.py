"""Whole matches over HTTP, from the deal to the result, by nothing but what the views list."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.conformance import CheckedClient
from tests.seats import Seats

BOT = {"bot": "random"}
#: One whose matches are short.
SEED = "d"
#: By game: requests for matches that show its options and its numbers of players.
MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("even-steven", {"seats": [{}] * 2}),
    ("even-steven", {"seats": [{}] * 4, "options": {"round_starter": "next_player"}}),
    ("even-steven", {"seats": [{}, BOT] * 4}),
    ("even-steven", {"seats": [{}] * 3, "options": {"hand_size": 4, "face_down": 0}}),
    ("even-steven", {"seats": [{}] * 2, "options": {"turn_limit": 50}, "public": False}),
    ("card-keeper", {"seats": [{}] * 2}),
    ("card-keeper", {"seats": [{}, BOT] * 3, "options": {"used_shields": "burn_pile"}}),
    ("card-keeper", {"seats": [{}, BOT, BOT], "options": {"first_wild": "random"}}),
    ("card-keeper", {"seats": [{}] * 4, "options": {"turn_limit": 50}}),
    ("seven-twos-tens", {"seats": [{}] * 2, "options": {"turn_limit": 60}}),
    ("seven-twos-tens", {"seats": [{}, BOT, {}], "options": {"face_up": "best"}}),
    ("seven-twos-tens", {"seats": [{}, BOT] * 6}),
    (
        "seven-twos-tens",
        {
            "seats": [{}] * 3,
            "options": {"rounds": 3, "four_of_a_kind": "one_play", "turn_limit": 50},
        },
    ),
    (
        "seven-twos-tens",
        {"seats": [{}] * 3, "options": {"pick_up_freely": True, "turn_limit": 60}},
    ),
]


@pytest.mark.parametrize(("game", "asked"), MATCHES, ids=lambda part: str(part)[:60])
def test_a_match_is_played_to_its_end(
    client: CheckedClient, game: str, asked: dict[str, Any]
) -> None:
    seats = Seats.create(client, game, **asked, seed=SEED)
    rng, seen = Random(game), 0
    public = "host" if asked.get("public") is False else None
    view = first = seats.view(public)
    while view["status"] == "playing":
        seat = rng.choice(view["to_act"])
        legal = seats.view(seat)["legal_moves"]
        answer = seats.move(seat, rng.choice(legal))
        assert answer.status_code == 200, answer.text
        moved = answer.get_json()
        numbers = [event["seq"] for event in moved["events"]]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert numbers[0] > seen
        seen = numbers[-1]
        assert moved["version"] > view["version"]
        assert moved["updated_at"] >= view["updated_at"]
        view = moved
    last = moved["events"][-1]
    assert last["type"] == "match_finished"
    assert (last["result"], last["seed"]) == (view["result"], SEED)
    for who in (public, "host", *seats.tokens):
        finished = seats.view(who)
        assert finished["result"] == view["result"]
        assert finished["seed"] == SEED
        assert finished["seed_hash"] == first["seed_hash"]
        assert (finished["to_act"], finished["legal_moves"]) == ([], [])
        assert [s["name"] for s in finished["seats"]] == [s["name"] for s in first["seats"]]
        assert all(len(seat["hand"]) == seat["hand_count"] for seat in finished["seats"])
    placed = [seat for group in view["result"]["ranking"] for seat in group]
    assert sorted(placed) == list(range(len(view["seats"])))
    assert view["result"]["winners"] == view["result"]["ranking"][0]
    assert view["options"] == first["options"]


@pytest.mark.parametrize("game", ["even-steven", "card-keeper", "seven-twos-tens"])
def test_the_same_seed_and_moves_lead_to_the_same(client: CheckedClient, game: str) -> None:
    first, second = (Seats.create(client, game, 3, seed="twice") for _ in "ab")
    moved = [seats.play_on(30) for seats in (first, second)]
    for answer in moved:
        del answer["match_id"], answer["created_at"], answer["updated_at"]
    assert moved[0] == moved[1]
