"""Why a card cannot be played: asked for with a view, and told by a refusal, in the same words."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from api.store.redis import RedisStore
from engine import GAMES, Match
from tests.api.places import OPEN
from tests.api.tables import placed
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats


def asked(seats: Seats, who: int | str | None) -> dict[str, Any]:
    """The view of somebody who asks why."""
    answer = seats.client.get(f"{seats.path}?why=true", headers=seats.auth(who))
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.get_json()
    return view


#: A match of each game, and what seat 0 is told of its cards.
TOLD: list[tuple[Match, list[tuple[str, str | None, str]]]] = [
    (
        es("0: 3C 4C 6C 8C; 1: 2D; pile 6D; value 6"),
        [("4C", None, "An even card must reach the pile's value, 6.")],
    ),
    (
        es("0: 8C; 1: 2D; pile 7D; steal"),
        [("8C", "ES-6", "After a 7 you steal a card or decline.")],
    ),
    (
        ck("0: red-1 blue-1 blue-9 swap-blue-green; 1: red-2 red-3; discard red-9"),
        [
            ("blue-1", None, "A coloured card must be red, or match the top card's value."),
            ("swap-blue-green", "CK-4", "A Swap is played on one of its two colours only."),
        ],
    ),
    (
        ck("0: red-1; 1: red-2 red-3; discard wild; colour none"),
        [("red-1", None, "The colour of the first Wild is named before the first turn.")],
    ),
    (
        st("0: 3C 7C 9C; 1: 2D; pile 8D"),
        [("3C", None, "A card must be equal to or higher than the pile's value, 8.")],
    ),
]


@pytest.mark.parametrize(
    ("match", "told"), TOLD, ids=lambda part: "" if isinstance(part, list) else part.game.id
)
def test_each_card_that_cannot_be_played_has_its_rule_and_a_sentence(
    client: CheckedClient, store: RedisStore, match: Match, told: list[Any]
) -> None:
    seats = placed(client, store, match)
    view = asked(seats, 0)
    reasons = view.pop("why_not")
    assert [(r["card"], r["rule"], r["reason"]) for r in reasons] == told
    assert view == seats.view(0)


@pytest.mark.parametrize("match", [TOLD[0][0], TOLD[2][0], TOLD[4][0]], ids=GAMES)
def test_it_is_told_to_the_seat_that_asks_and_to_nobody_else(
    client: CheckedClient, store: RedisStore, match: Match
) -> None:
    seats = placed(client, store, match)
    assert asked(seats, 0)["why_not"] != []
    assert asked(seats, 1)["why_not"] == []  # not to act: nothing can be played, nothing is told
    for who in ("host", None):
        assert asked(seats, who) == seats.view(who)
    for who in (0, 1):
        assert "why_not" not in seats.view(who)
        plain = seats.client.get(f"{seats.path}?why=false", headers=seats.auth(who))
        assert plain.get_json() == seats.view(who)


def test_before_the_deal_and_after_the_end_there_is_nothing_to_tell(
    client: CheckedClient, store: RedisStore
) -> None:
    assert asked(Seats.create(client, seats=[{}, OPEN]), 0)["why_not"] == []
    over = placed(client, store, es("0: 4C | . . .; 1: KC; pile 2C; value 2"))
    over.move(0, {"action": "play", "card": "4C"})
    assert asked(over, 1)["why_not"] == []


def test_a_view_with_reasons_is_not_sent_again_either(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, TOLD[2][0])
    first = client.get(f"{seats.path}?why=true", headers=seats.auth(0))
    headers = {**seats.auth(0), "If-None-Match": first.headers["ETag"]}
    assert client.get(f"{seats.path}?why=true", headers=headers).status_code == 304


def alike(game: str, card: str) -> str:
    """What a card stands for in the listed moves: its rank where suits do not matter."""
    return card[:-1] if game == "seven-twos-tens" else card


def tries(game: str, card: str, target: int) -> list[dict[str, Any]]:
    """Bodies of which at least one plays the card, as far as its own members go."""
    if game == "seven-twos-tens":
        return [{"action": "play", "cards": [card]}]
    body = {"action": "play", "card": card}
    return [body, body | {"targets": [target]}, body | {"targets": [target] * 2}]


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_says_the_same_and_names_the_rule(
    client: CheckedClient, store: RedisStore, game: str
) -> None:
    """Over a random match: each card that is named cannot be played for that reason, and each
    other card of the hand is in some legal move."""
    rng, compared = Random(f"why not {game}"), 0
    seats = Seats.create(client, game, humans=3, seed="why not")
    for _ in range(25):
        seat = seats.view()["to_act"][0]
        mine = asked(seats, seat)
        named = {reason["card"]: reason for reason in mine["why_not"]}
        plays = [move for move in mine["legal_moves"] if move["action"] in ("play", "lay")]
        played = {alike(game, c) for move in plays for c in move.get("cards", [move.get("card")])}
        hand = set(mine["you"]["hand"])
        assert {card for card in hand if alike(game, card) not in played} == set(named)
        for card, told in named.items():
            words = told["reason"] + (f" ({told['rule']})" if told["rule"] else "")
            for body in tries(game, card, (seat + 1) % 3):
                answer = seats.move(seat, body)
                if answer.status_code == 409:
                    problem = answer.get_json()
                    assert (problem["reason"], problem["rule"]) == (words, told["rule"])
                    compared += 1
        seats.move(seat, rng.choice(mine["legal_moves"]))
    assert compared > 5
