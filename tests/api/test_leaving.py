"""Leaving: an open seat before the deal, a bot after it, and a token that is dead (case 47)."""

from __future__ import annotations

import pytest

from api.store.redis import RedisStore
from engine import GAMES, Match
from tests.api.places import OPEN, is_dead, joined, kind, leave
from tests.api.tables import placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats
from tests.valkey import Server

every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def seats(client: CheckedClient) -> Seats:
    """A match that waits for seats 1 and 3."""
    return Seats.create(client, seats=[{"name": "Ada"}, OPEN, {"bot": "random"}, OPEN])


def test_case_47_a_seat_left_before_the_deal_is_open_again_and_its_token_dead(
    seats: Seats,
) -> None:
    first = joined(seats, {"name": "Ben"})["token"]
    assert leave(seats, 1).status_code == 204
    view = seats.view()
    assert view["seats"][1] == {"seat": 1, "name": None, "kind": "open"}
    assert (view["status"], view["version"], view["last_seq"]) == ("waiting", 2, 3)
    is_dead(seats, first, 1)
    second = joined(seats, {"name": "Eve"})
    assert (second["seat"], second["name"]) == (1, "Eve")
    assert second["token"] != first
    is_dead(seats, first, 1)


@every_game
def test_a_seat_left_after_the_deal_is_played_on_by_a_bot(client: CheckedClient, game: str) -> None:
    seats = Seats.create(client, game, humans=3, seed="leave")
    before = seats.view()
    left = before["to_act"][0]
    answer = leave(seats, left)
    assert (answer.status_code, answer.data) == (204, b"")
    after = seats.view()
    assert after["seats"][left]["kind"] == "bot"
    assert after["seats"][left]["name"] == before["seats"][left]["name"]
    assert left not in after["to_act"]
    assert after["version"] >= before["version"] + 2  # the leave, and the bot's moves
    path = f"{seats.path}/events?after={before['last_seq']}"
    first, *more = seats.client.get(path).get_json()["events"]
    assert (first["type"], first["seat"], first["kind"]) == ("seat_left", left, "bot")
    assert first["version"] == before["version"] + 1 < more[0]["version"]
    is_dead(seats, seats.tokens[left], left)


CHAOS = "0: red-1 red-2; 1: red-3 red-4; 2: blue-1 blue-2; discard chaos; colour red; chaos"
LAY = "0: 3C 4C 5C 6C 8C 9C; 1: 3D 4D 5D 6D 8D 9D; turn 1; lay"


@pytest.mark.parametrize(
    ("match", "leaver"),
    [(ck(f"{CHAOS} 1 2"), 2), (ck(f"{CHAOS} 1=red-3 2"), 2), (st(f"{LAY} 0 1=3D,4D,5D"), 0)],
    ids=["others owe too", "the last one", "a lay"],
)
def test_whoever_leaves_while_owing_a_choice_has_it_made(
    client: CheckedClient, store: RedisStore, match: Match, leaver: int
) -> None:
    seats = placed(client, store, match)
    assert leave(seats, leaver).status_code == 204
    view = seats.view()
    assert view["version"] == 2  # the leave and the choice
    assert view["to_act"] == [1]


def test_a_choice_that_stands_stays_when_its_owner_leaves(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, ck(f"{CHAOS} 1=red-3 2"))
    assert leave(seats, 1).status_code == 204
    assert seats.view()["to_act"] == [2]
    assert seats.move(2, {"action": "burn", "card": "blue-1"}).status_code == 200
    seen = seats.client.get(f"{seats.path}/events", headers=seats.auth(2)).get_json()["events"]
    assert [e["seat"] for e in seen if e["type"] == "card_burned"][:2] == [1, 2]


def test_when_the_last_human_leaves_the_bots_play_to_the_end(client: CheckedClient) -> None:
    seats = Seats.create(client, options={"turn_limit": 50})
    assert leave(seats, 0).status_code == 204
    assert leave(seats, 1).status_code == 204
    view = seats.view()
    assert (view["status"], [s["kind"] for s in view["seats"]]) == ("finished", ["bot", "bot"])


def test_the_host_leaves_for_an_absent_player(seats: Seats) -> None:
    token = joined(seats)["token"]
    assert leave(seats, 1, "host").status_code == 204
    is_dead(seats, token, 1)
    assert seats.view()["seats"][1]["kind"] == "open"


def test_who_may_not_leave_a_seat_changes_nothing(seats: Seats, valkey: Server) -> None:
    joined(seats)
    delete, path = seats.client.delete, f"{seats.path}/seats"
    with untouched(valkey):
        assert kind(delete(f"{path}/1")) == (401, "unauthorized")
        assert kind(leave(seats, 1, 0)) == (403, "forbidden")
        assert kind(leave(seats, 0, 1)) == (403, "forbidden")
        for seat in (2, 3):  # a bot's, and an open one
            assert kind(leave(seats, seat, "host")) == (404, "not-found")
            assert kind(leave(seats, seat, 0)) == (403, "forbidden")
        for seat in ("4", "63", "99999999999999999999", "-1", "01x", "x", "1.0", ""):
            answer = delete(f"{path}/{seat}", headers=seats.auth("host"))
            assert answer.status_code in (404, 405), seat
        assert kind(leave(seats, 4, 0)) == (404, "not-found")


def test_nobody_leaves_a_finished_match_or_twice(client: CheckedClient, valkey: Server) -> None:
    seats = Seats.create(client, humans=3, options={"turn_limit": 50})
    assert leave(seats, 2).status_code == 204
    assert kind(leave(seats, 2)) == (401, "unauthorized")
    assert kind(leave(seats, 2, "host")) == (404, "not-found")
    seats.play_on()
    with untouched(valkey):
        for who in (0, "host"):
            assert kind(leave(seats, 0, who)) == (409, "match-finished")


def test_case_28_an_effect_in_force_outlives_somebody_leaving(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, es("0: 4C 7H; 1: KC QD 3C; 2: 5D 8C; turn 2; pile 6C; value 6"))
    seats.move(2, {"action": "play", "card": "5D"})
    assert leave(seats, 1).status_code == 204
    assert seats.view()["table"]["value"] == 7
