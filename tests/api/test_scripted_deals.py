"""Scripted deals over HTTP: refused unless the operator allows them, marked everywhere, dealt as
they are set, and told in the replay."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from engine import GAMES
from engine.__main__ import main
from tests.api.places import OPEN, joined, kind, leave, rematch
from tests.api.tables import untouched
from tests.api.test_create import refused
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def allowing(shared_store: RedisStore) -> Flask:
    """A service whose operator allows them."""
    return create_app(Config(allow_scripted_deals=True, rate_limit=None), store=shared_store)


@pytest.fixture
def app(valkey: Server, allowing: Flask) -> Flask:
    """That service, over the emptied server."""
    return allowing


def deck(client: CheckedClient, game: str, decks: int = 1) -> list[str]:
    """All cards of a match in some order, from the catalogue."""
    cards = client.get(f"/v1/games/{game}").get_json()["cards"]
    codes = [card["code"] for card in cards for _ in range(card["count"])] * decks
    Random(game).shuffle(codes)
    return codes


def in_order(client: CheckedClient, game: str, codes: list[str]) -> list[str]:
    """Codes in sorting order: the catalogue's for Card Keeper, by rank and suit for the others."""
    if game == "card-keeper":
        listed = [card["code"] for card in client.get(f"/v1/games/{game}").get_json()["cards"]]
        return sorted(codes, key=listed.index)
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    return sorted(codes, key=lambda code: (ranks.index(code[:-1]), code[-1]))


@every_game
@pytest.mark.parametrize("waits", [False, True])
def test_the_hands_are_the_wanted_ones(client: CheckedClient, game: str, waits: bool) -> None:
    order = deck(client, game)
    places = [{"name": "Ada"}, {"name": "Ben"}, OPEN if waits else {"name": "Cem"}]
    seats = Seats.create(client, game, seats=places, deal=order)
    assert seats.view()["scripted"] is True
    if waits:
        assert seats.view()["status"] == "waiting"
        joined(seats)
    face_down, open_cards = {"even-steven": (3, 7), "card-keeper": (0, 10)}.get(game, (3, 6))
    for seat in range(3):
        first = 3 * face_down + seat
        wanted = order[first : 3 * (face_down + open_cards) : 3]
        assert seats.view(seat)["you"]["hand"] == in_order(client, game, wanted)


@every_game
def test_everybody_is_told_that_it_is_scripted_and_nobody_the_deal(
    client: CheckedClient, game: str
) -> None:
    order = deck(client, game)
    seats = Seats.create(client, game, deal=order, seed="demo")
    for who in (None, 0, 1, "host"):
        view = seats.view(who)
        assert (view["scripted"], view["host_seeded"]) == (True, True)
        assert view["seed_hash"] == hashlib.sha256(b"demo").hexdigest()
        assert "deal" not in view
    without = Seats.create(client, game)
    assert without.view()["scripted"] is False
    assert Seats.create(client, game, deal=order).view()["host_seeded"] is False


@every_game
def test_its_replay_has_the_deal_and_is_confirmed(
    client: CheckedClient, tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    order = deck(client, game)
    seats = Seats.create(client, game, deal=order, options={"turn_limit": 50})
    assert kind(client.get(f"{seats.path}/replay")) == (409, "match-not-finished")
    seats.play_on()
    answer = client.get(f"{seats.path}/replay")
    assert answer.get_json()["deal"] == order
    place = tmp_path / "replay.json"
    place.write_bytes(answer.data)
    assert main(["verify", str(place)]) == 0
    assert ", from a scripted deal\n" in capsys.readouterr().out
    shuffled = Seats.create(client, game, options={"turn_limit": 50})
    shuffled.play_on()
    assert client.get(f"{shuffled.path}/replay").get_json()["deal"] is None


def test_a_rematch_is_shuffled(client: CheckedClient) -> None:
    seats = Seats.create(client, deal=deck(client, "even-steven"), options={"turn_limit": 50})
    hands = [seats.view(seat)["you"]["hand"] for seat in (0, 1)]
    seats.play_on()
    again = [rematch(seats, seat).get_json()["view"] for seat in (0, 1)]
    assert [view["scripted"] for view in again] == [False, False]
    assert [view["you"]["hand"] for view in again] != hands
    assert seats.view()["scripted"] is True


@every_game
def test_wrong_decks_are_refused_with_what_is_wrong(
    client: CheckedClient, valkey: Server, game: str
) -> None:
    whole = deck(client, game)
    foreign = "2C" if game == "card-keeper" else "red-1"
    with untouched(valkey):
        for order, words in (
            (whole[1:], [f"Missing: {whole[0]}."]),
            ([*whole, whole[0]], [f"Named too often: {whole[0]}."]),
            ([whole[1], *whole[1:]], [f"Named too often: {whole[1]}.", f"Missing: {whole[0]}."]),
        ):
            request = {"seats": [{}, {}], "deal": order}
            assert refused(client, game, request) == {"deal": words}
        for wrong in (foreign, whole[1].lower() + " ", 7, None, ["2C"]):
            request = {"seats": [{}, {}], "deal": [wrong, *whole[1:]]}
            assert list(refused(client, game, request)) == ["deal.0"]
        for wrong in ("2C", {}, None, 5):
            assert list(refused(client, game, {"seats": [{}, {}], "deal": wrong})) == ["deal"]


def test_all_decks_of_the_match_are_asked_for(client: CheckedClient) -> None:
    game = "seven-twos-tens"
    five = [{}] * 5
    assert Seats.create(client, game, seats=five, deal=deck(client, game, 2)).view()["scripted"]
    assert list(refused(client, game, {"seats": five, "deal": deck(client, game)})) == ["deal"]
    request = {"seats": [{}, {}], "options": {"decks": 3}, "deal": deck(client, game, 3)}
    assert client.post(f"/v1/games/{game}/matches", json=request).status_code == 201


def test_what_else_is_wrong_is_told_with_it(client: CheckedClient) -> None:
    request = {"seats": [{}], "deal": ["2C", "xx"], "options": {"hand_size": 5}}
    assert set(refused(client, "even-steven", request)) == {"seats", "deal.1", "options.hand_size"}
    request = {"seats": [{}, {}], "deal": ["2C"], "public": 1}
    assert set(refused(client, "even-steven", request)) == {"deal", "public"}


def test_the_same_key_with_another_deal_is_refused(client: CheckedClient) -> None:
    order = deck(client, "even-steven")
    headers = {"Idempotency-Key": "a-key-of-more-than-16"}
    path, seats = "/v1/games/even-steven/matches", [{}, {}]
    first, again = (
        client.post(path, json={"seats": seats, "deal": order}, headers=headers) for _ in range(2)
    )
    assert (again.get_json(), again.status_code) == (first.get_json(), 201)
    other = client.post(path, json={"seats": seats, "deal": order[::-1]}, headers=headers)
    assert kind(other) == (422, "validation")


@every_game
def test_it_is_refused_where_the_operator_has_not_allowed_it(
    shared_app: Flask, client: CheckedClient, valkey: Server, game: str
) -> None:
    order = deck(client, game)
    client.application = shared_app
    assert Config().allow_scripted_deals is False
    with untouched(valkey):
        for deal in (order, order[1:], []):
            errors = refused(client, game, {"seats": [{}, {}], "deal": deal})
            (sentence,) = errors["deal"]
            assert "CROUPIER_ALLOW_SCRIPTED_DEALS=1" in sentence
        errors = refused(client, game, {"seats": [{}], "deal": ["xx"], "jokers": 1})
        assert set(errors) == {"seats", "deal", "deal.0", "jokers"}


def test_a_match_from_a_scripted_deal_lives_on_where_they_are_not_allowed(
    shared_app: Flask, client: CheckedClient, valkey: Server
) -> None:
    """It is the match that is marked, whatever the service that goes on with it."""
    order = deck(client, "even-steven")
    seats = Seats.create(client, seats=[{}, OPEN], deal=order, options={"turn_limit": 50})
    client.application = shared_app
    joined(seats)
    wanted = in_order(client, "even-steven", order[6:20:2])
    assert seats.view(0)["you"]["hand"] == wanted
    for seat in (0, 1):
        leave(seats, seat)
    assert client.get(f"{seats.path}/replay").get_json()["deal"] == order


def test_bots_play_on_from_it(client: CheckedClient) -> None:
    for game in GAMES:
        request: dict[str, Any] = {"deal": deck(client, game), "options": {"turn_limit": 50}}
        seats = Seats.create(client, game, seats=[{"bot": "random"}, {"bot": "greedy"}], **request)
        view = seats.view()
        assert (view["status"], view["scripted"]) == ("finished", True)
