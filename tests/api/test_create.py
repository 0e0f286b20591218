"""Creating matches: seats, names, seeds, options, and what the answer shows once."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest

from api.service import BOT_MOVES
from engine import GAMES
from tests.api.conftest import TTL_SECONDS
from tests.api.tables import kept, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

#: Right in two of the games, once there is a match to make it in.
FLIP = {"action": "flip", "slot": 0}
#: Options that are each in range, but not together or not at this table: players, options, errors.
NOT_TOGETHER = [
    ("even-steven", 5, {"hand_size": 7}, {"options.hand_size"}),
    ("even-steven", 8, {"face_down": 2}, {"options.face_down"}),
    ("seven-twos-tens", 6, {"decks": 1}, {"options.decks"}),
]


def refused(client: CheckedClient, game: str, request: Any) -> dict[str, list[str]]:
    """The errors of a request that is refused as invalid."""
    answer = client.post(f"/v1/games/{game}/matches", json=request)
    assert answer.status_code == 422, answer.text
    problem = answer.get_json()
    assert problem["type"] == "/problems/validation"
    errors: dict[str, list[str]] = problem["errors"]
    return errors


@pytest.mark.parametrize("game", GAMES)
def test_the_answer_shows_tokens_once_and_the_spectators_view(
    client: CheckedClient, game: str
) -> None:
    answer = client.post(
        f"/v1/games/{game}/matches", json={"seats": [{"name": "Ada"}, {"bot": "random"}, {}]}
    )
    made = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{game}/matches/{made['match_id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert re.fullmatch("[a-z2-7]{16}", made["match_id"])
    assert [(s["seat"], s["name"]) for s in made["seats"]] == [(0, "Ada"), (2, "Player 3")]
    secrets = [made["host_token"], *(s["token"] for s in made["seats"])]
    assert len(set(secrets)) == 3
    assert all(re.fullmatch("[A-Za-z0-9_-]{43}", secret) for secret in secrets)
    assert made["view"] == client.get(answer.headers["Location"]).get_json()
    assert made["view"]["you"] is None
    assert made["view"]["legal_moves"] == []


def test_only_seats_are_required(client: CheckedClient) -> None:
    assert set(refused(client, "even-steven", {})) == {"seats"}
    view = Seats.create(client, seats=[{}, {}]).view()
    assert [seat["name"] for seat in view["seats"]] == ["Player 1", "Player 2"]
    assert [seat["kind"] for seat in view["seats"]] == ["human", "human"]
    assert (view["status"], view["version"], view["host_seeded"]) == ("playing", 0, False)
    assert view["created_at"] == view["updated_at"]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_with_an_open_seat_waits(client: CheckedClient, game: str) -> None:
    seats = Seats.create(client, game, seats=[{"name": "Ada"}, {"open": True}, {"bot": "random"}])
    assert set(seats.tokens) == {0}
    view = seats.view(0)
    assert (view["status"], view["table"], view["to_act"]) == ("waiting", None, [])
    assert (view["you"]["seat"], view["you"]["hand"]) == (0, [])
    assert view["seats"] == [
        {"seat": 0, "name": "Ada", "kind": "human"},
        {"seat": 1, "name": None, "kind": "open"},
        {"seat": 2, "name": "Player 3", "kind": "bot"},
    ]
    assert view["options"] == Seats.create(client, game, 3).view()["options"]
    refusal = seats.move(0, {"action": "burn", "card": "wild"} if game == "card-keeper" else FLIP)
    assert (refusal.status_code, refusal.get_json()["type"]) == (409, "/problems/match-waiting")


@pytest.mark.parametrize("game", GAMES)
def test_too_few_and_too_many_seats_are_refused(client: CheckedClient, game: str) -> None:
    low, high = GAMES[game].min_players, GAMES[game].max_players
    for number in (0, low - 1, high + 1, 400):
        errors = refused(client, game, {"seats": [{}] * number})
        assert errors == {"seats": [f"{GAMES[game].title} is for {low} to {high} players."]}
    for number in (low, high):
        assert len(Seats.create(client, game, number).tokens) == number


@pytest.mark.parametrize("game", GAMES)
def test_every_option_takes_what_the_catalogue_allows_and_nothing_else(
    client: CheckedClient, game: str
) -> None:
    for option in client.get(f"/v1/games/{game}").get_json()["options"]:
        name, choices = option["name"], option["choices"]
        allowed = choices or [option["minimum"], option["maximum"]]
        wrong: list[Any] = [None, [], {}, [allowed[0]], 1.5, "", "x", -1, 10**6]
        if choices is None:
            wrong += [option["minimum"] - 1, option["maximum"] + 1, str(allowed[0]), True]
            wrong += [float(allowed[0])]
        elif option["type"] == "string":
            wrong += [allowed[0].upper(), allowed[0] + " ", True, 1]
        else:
            wrong += [str(allowed[0]), 0, 1, float(allowed[0])]
        for value in allowed:
            seats = Seats.create(client, game, 2, options={name: value})
            assert seats.view()["options"][name] == value
        for value in wrong:
            errors = refused(client, game, {"seats": [{}, {}], "options": {name: value}})
            assert set(errors) == {f"options.{name}"}, (name, value)


@pytest.mark.parametrize(("game", "players", "options", "bad"), NOT_TOGETHER)
def test_options_that_do_not_go_together_are_refused(
    client: CheckedClient, game: str, players: int, options: dict[str, Any], bad: set[str]
) -> None:
    assert set(refused(client, game, {"seats": [{}] * players, "options": options})) == bad


def test_every_bad_member_is_named_at_once(client: CheckedClient) -> None:
    request = {
        "seats": [{"name": ""}, {"bot": "deep-blue"}, {"open": False}, {"seat": 3}, 5]
        + [{"name": "Ada", "open": True}] * 4,
        "options": {"turn_limit": 49, "round_starter": "me", "jokers": 2},
        "seed": "",
        "public": 1,
        "status": "finished",
    }
    assert set(refused(client, "even-steven", request)) == {
        *("seats", "seats.0.name", "seats.1.bot", "seats.2.open", "seats.3.seat", "seats.4"),
        *("seats.5", "seats.6", "seats.7", "seats.8"),
        *("options.turn_limit", "options.round_starter", "options.jokers"),
        *("seed", "public", "status"),
    }


def test_a_seed_makes_the_same_match_again_and_stays_secret(client: CheckedClient) -> None:
    first, second, other = (
        Seats.create(client, seed=seed, humans=3) for seed in ("demo", "demo", "demo ")
    )
    hands = [[seats.view(n)["you"]["hand"] for n in range(3)] for seats in (first, second, other)]
    assert hands[0] == hands[1] != hands[2]
    for seats, seed in ((first, "demo"), (other, "demo ")):
        view = seats.view(0)
        assert view["seed_hash"] == hashlib.sha256(seed.encode()).hexdigest()
        assert (view["host_seeded"], view["seed"]) == (True, None)
        assert "demo" not in seats.get(0).text
    finished = first.play_on()
    assert finished["seed"] == "demo"


@pytest.mark.parametrize("seed", ["x", " ", "  two  ", "ü" * 128, "🂡" * 128, "\u200b", '"\\/'])
def test_a_seed_is_1_to_128_code_points_as_they_are(client: CheckedClient, seed: str) -> None:
    view = Seats.create(client, seed=seed).view()
    assert view["seed_hash"] == hashlib.sha256(seed.encode()).hexdigest()


def test_without_a_seed_no_two_deals_are_alike(client: CheckedClient) -> None:
    views = [Seats.create(client, humans=2).view(0) for _ in range(20)]
    assert len({view["seed_hash"] for view in views}) == 20
    assert len({str(view["you"]["hand"]) for view in views}) == 20
    assert len({view["match_id"] for view in views}) == 20


@pytest.mark.parametrize("game", GAMES)
def test_bots_before_the_first_human_have_played_when_the_answer_comes(
    client: CheckedClient, game: str
) -> None:
    request = {"seats": [{"bot": "random"}] * 2 + [{}]}
    views = [Seats.create(client, game, **request, seed=seed).view(2) for seed in "abcdef"]
    assert all(view["to_act"] == [2] and view["legal_moves"] for view in views)
    assert any(view["version"] > 0 for view in views)


@pytest.mark.parametrize("game", GAMES)
def test_bots_alone_play_to_the_end(client: CheckedClient, game: str) -> None:
    seats = Seats.create(client, game, seats=[{"bot": "random"}] * 3)
    assert seats.tokens == {}
    assert seats.view()["status"] == "finished"


def test_a_private_match_is_seen_by_those_with_a_token_of_it(client: CheckedClient) -> None:
    seats = Seats.create(client, public=False)
    refusal = seats.get(None)
    assert (refusal.status_code, refusal.get_json()["type"]) == (403, "/problems/forbidden")
    assert seats.get("host").status_code == seats.get(1).status_code == 200
    assert Seats.create(client, public=True).get(None).status_code == 200


def test_anybody_may_create_whatever_credentials_come_along(client: CheckedClient) -> None:
    for header in ("Bearer x", "Basic eDp5", ""):
        answer = client.post(
            "/v1/games/even-steven/matches",
            json={"seats": [{}, {}]},
            headers={"Authorization": header},
        )
        assert answer.status_code == 201


def test_all_that_is_kept_of_a_match_expires_together(
    client: CheckedClient, valkey: Server
) -> None:
    match_id = Seats.create(client).match_id.encode()
    first, second = [expiry for key, (_, expiry) in kept(valkey).items() if match_id in key]
    assert first == second
    with valkey.client() as plain:
        left = first - int(plain.time()[0]) * 1000
    assert (TTL_SECONDS - 60) * 1000 < left <= (TTL_SECONDS + 1) * 1000


def test_a_refused_creation_keeps_nothing(client: CheckedClient, valkey: Server) -> None:
    with untouched(valkey):
        refused(client, "even-steven", {"seats": [{}]})
        refused(client, "card-keeper", {"seats": [{}, {}], "options": {"turn_limit": 0}})
    assert kept(valkey) == {}


def test_bots_play_on_a_stretch_at_a_time(client: CheckedClient) -> None:
    """A table of bots alone may take many thousands of moves; no request makes them all."""
    seats = [{"bot": "random"}] * 4
    options = {"rounds": 20, "decks": 4, "turn_limit": 10_000}
    made = Seats.create(client, "seven-twos-tens", seats=seats, options=options, seed="long")
    versions = [made.view()["version"] for _ in range(3)]
    assert versions == [2 * BOT_MOVES, 3 * BOT_MOVES, 4 * BOT_MOVES]
