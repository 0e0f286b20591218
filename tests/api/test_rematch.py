"""The rematch: one new match for all who sat at the old one, and to each their place in it."""

from __future__ import annotations

from typing import Any

import pytest

from api.store.base import Commit, CommitResult
from api.store.redis import RedisStore
from engine import GAMES
from tests.api.places import OPEN, is_dead, joined, kind, leave, rematch, renew
from tests.api.tables import plainly, untouched
from tests.api.test_views import finished
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

EVERYBODY = (0, 1, "host")


@pytest.fixture(params=GAMES)
def old(request: pytest.FixtureRequest, client: CheckedClient, store: RedisStore) -> Seats:
    """A finished match of each game, of two seats."""
    return finished(client, store, request.param)


def place(old: Seats, who: int | str) -> dict[str, Any]:
    """Somebody's place in the rematch."""
    answer = rematch(old, who)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


def at_new_table(old: Seats, *whos: int | str) -> Seats:
    """The rematch, with the tokens of those who have come for them."""
    places = {who: place(old, who) for who in whos}
    some = next(iter(places.values()))
    tickets = [told for who, told in places.items() if who != "host"]
    host = places["host"]["token"] if "host" in places else ""
    return Seats(
        old.client,
        old.game,
        {"match_id": some["match_id"], "host_token": host, "seats": tickets},
    )


def test_all_meet_in_one_match_and_each_has_their_place(old: Seats) -> None:
    answers = {who: rematch(old, who) for who in EVERYBODY}
    told = {who: answer.get_json() for who, answer in answers.items()}
    ids = {place["match_id"] for place in told.values()}
    assert len(ids) == 1
    assert ids != {old.match_id}
    assert [told[who]["seat"] for who in EVERYBODY] == [0, 1, None]
    assert len({place["token"] for place in told.values()}) == 3
    new = at_new_table(old, *EVERYBODY)
    for who, answer in answers.items():
        assert answer.headers["Location"] == new.path
        assert answer.headers["Cache-Control"] == "no-store"
        assert told[who]["view"] == new.view(who)
        assert (new.view(who)["you"] or {}).get("seat") == told[who]["seat"]
    assert new.play_on(5)["version"] == 5
    assert new.client.delete(new.path, headers=new.auth("host")).status_code == 204


def test_who_asks_again_is_given_the_same_token_and_the_view_as_it_is(
    old: Seats, valkey: Server
) -> None:
    first = {who: place(old, who) for who in EVERYBODY}
    new = at_new_table(old, *EVERYBODY)
    mover = new.view()["to_act"][0]
    new.move(mover, new.view(mover)["legal_moves"][0])
    with untouched(valkey):
        for who in EVERYBODY:
            again = place(old, who)
            assert again["token"] == first[who]["token"]
            assert again["view"] == new.view(who)
            assert again["view"]["version"] == 1


def test_it_is_the_same_game_on_the_same_terms_with_a_new_deal(client: CheckedClient) -> None:
    seats = [{"name": "Ada", "client_seed": "mine"}, OPEN, {"bot": "random"}]
    terms = {"turn_seconds": 600, "on_timeout": "leave"}
    options = {"rounds": 2, "turn_limit": 50, "face_up": "best"}
    old = Seats.create(
        client, "seven-twos-tens", seats=seats, options=options, seed="demo", **terms
    )
    joined(old, {"name": "Ben", "client_seed": "yours"})
    ended = old.play_on()
    new = at_new_table(old, 0, 1)
    view = new.view()
    assert (view["status"], view["options"]) == ("playing", ended["options"])
    for member in ("seat", "name", "kind"):
        assert [s[member] for s in view["seats"]] == [s[member] for s in ended["seats"]]
    assert view["seed_hash"] != ended["seed_hash"]
    assert view["host_seeded"] is False
    assert view["deadline"] is not None
    (summary,) = client.get("/v1/games/seven-twos-tens/matches?status=playing").get_json()[
        "matches"
    ]
    assert (summary["match_id"], summary["turn_seconds"]) == (new.match_id, 600)
    leave(new, 0)
    leave(new, 1)
    replay = client.get(f"{new.path}/replay").get_json()
    assert replay["client_seeds"] == [None, None, None]


def test_a_private_match_has_a_private_rematch(client: CheckedClient, store: RedisStore) -> None:
    old = Seats.create(client, options={"turn_limit": 50}, public=False, seed="private")
    while old.view("host")["status"] == "playing":
        seat = old.view("host")["to_act"][0]
        old.move(seat, old.view(seat)["legal_moves"][0])
    new = at_new_table(old, 0, "host")
    assert kind(new.get()) == (403, "forbidden")
    assert client.get("/v1/games/even-steven/matches").get_json()["matches"] == []


@pytest.mark.parametrize("seats", [[{}, {}], [{}, OPEN]], ids=["playing", "waiting"])
def test_there_is_none_before_the_end(
    client: CheckedClient, valkey: Server, seats: list[dict[str, Any]]
) -> None:
    running = Seats.create(client, seats=seats)
    with untouched(valkey):
        for who in (0, "host"):
            assert kind(rematch(running, who)) == (409, "match-not-finished")


def test_it_is_for_those_who_hold_a_token_of_the_old_match(old: Seats, valkey: Server) -> None:
    nowhere = old.path.replace(old.match_id, "a" * 16)
    with untouched(valkey):
        assert kind(rematch(old, None)) == (401, "unauthorized")
        for token in ("x" * 43, old.match_id):
            headers = {"Authorization": f"Bearer {token}"}
            answer = old.client.post(f"{old.path}/rematch", headers=headers)
            assert kind(answer) == (401, "unauthorized")
        answer = old.client.post(f"{nowhere}/rematch", headers=old.auth(0))
        assert kind(answer) == (404, "not-found")


def test_a_token_opens_one_match_and_not_the_other(old: Seats) -> None:
    new = at_new_table(old, *EVERYBODY)
    for seat in (0, 1):
        is_dead(new, old.tokens[seat], seat)
        is_dead(old, new.tokens[seat], seat)
    is_dead(new, old.host, 0)
    is_dead(old, new.host, 0)


def test_the_seat_of_one_who_left_is_a_bots_in_the_rematch(client: CheckedClient) -> None:
    old = Seats.create(client, humans=3, options={"turn_limit": 50})
    leave(old, 2)
    old.play_on()
    new = at_new_table(old, 0, 1)
    assert [seat["kind"] for seat in new.view()["seats"]] == ["human", "human", "bot"]
    assert new.view()["seats"][2]["name"] == "P2"
    assert kind(rematch(old, 2)) == (401, "unauthorized")


def test_a_place_that_was_left_or_given_a_new_token_is_not_fetched_any_more(old: Seats) -> None:
    new = at_new_table(old, 0, "host")
    leave(new, 1, "host")  # for one who does not come
    assert kind(rematch(old, 1)) == (403, "forbidden")
    new.tokens[0] = renew(new, 0, 0).get_json()["token"]
    assert kind(rematch(old, 0)) == (403, "forbidden")
    assert new.view(0)["you"]["seat"] == 0


def test_the_host_can_give_out_a_place_before_its_player_has_come(old: Seats) -> None:
    new = at_new_table(old, "host")
    new.tokens[1] = renew(new, 1, "host").get_json()["token"]
    assert kind(rematch(old, 1)) == (403, "forbidden")
    assert new.view(1)["you"]["seat"] == 1


def test_a_token_renewed_after_the_old_match_comes_for_the_place_too(old: Seats) -> None:
    assert place(old, 1)["seat"] == 1
    lost = old.tokens[0]
    old.tokens[0] = renew(old, 0, "host").get_json()["token"]
    new = at_new_table(old, 0)
    assert new.view(0)["you"]["seat"] == 0
    headers = {"Authorization": f"Bearer {lost}"}
    answer = old.client.post(f"{old.path}/rematch", headers=headers)
    assert kind(answer) == (401, "unauthorized")


def test_a_rematch_has_a_rematch_of_its_own(client: CheckedClient, store: RedisStore) -> None:
    old = finished(client, store, "even-steven")
    new = at_new_table(old, 0, 1)
    assert kind(rematch(new, 0)) == (409, "match-not-finished")
    new.play_on()
    newest = at_new_table(new, 0, 1)
    assert len({old.match_id, new.match_id, newest.match_id}) == 3
    assert place(old, 0)["match_id"] == new.match_id


def test_claims_that_the_network_delivers_twice_count_once(
    old: Seats, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = store.commit

    def twice(commit: Commit) -> CommitResult:
        once(commit)
        return once(commit)

    monkeypatch.setattr(store, "commit", twice)
    first = [place(old, who)["token"] for who in EVERYBODY]
    monkeypatch.undo()
    assert [place(old, who)["token"] for who in EVERYBODY] == first


def test_no_token_of_either_match_is_kept(old: Seats, valkey: Server) -> None:
    new = at_new_table(old, *EVERYBODY)
    stored = b"".join(key + value for key, value in plainly(valkey).items())
    for seats in (old, new):
        for secret in (seats.host, *seats.tokens.values()):
            assert secret.encode() not in stored


def test_the_rematch_of_a_rematch_is_one_too(client: CheckedClient) -> None:
    """Whoever comes for the first rematch late does not make a second one of the next."""
    old = Seats.create(client, "even-steven", humans=2)
    old.play_on()
    tickets = [place(old, who) for who in (0, 1)]
    answer = {"match_id": tickets[0]["match_id"], "host_token": "", "seats": tickets}
    second = Seats(client, "even-steven", answer)
    second.play_on()
    third = place(second, 0)["match_id"]
    place(old, "host")
    assert place(second, 1)["match_id"] == third
