"""Views over HTTP: whose they are, what caches may do with them, and what the end shows."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from engine import GAMES
from tests.api.tables import POSITIONS, placed
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats

VIEWERS = (0, 1, "host", None)
#: The members of a view that are the same for all who look.
SHARED = (
    *("match_id", "game", "version", "status", "options", "seats", "to_act", "table", "result"),
    *("seed_hash", "seed", "host_seeded", "scripted", "created_at", "updated_at", "deadline"),
)


@pytest.fixture(params=GAMES)
def seats(request: pytest.FixtureRequest, client: CheckedClient, store: RedisStore) -> Seats:
    """A match of each game in which seat 0 is to act."""
    return placed(client, store, POSITIONS[request.param]())


def conditional(seats: Seats, who: int | str | None, etag: str) -> TestResponse:
    """The view, unless it is the one that has this ETag."""
    return seats.get(who, **{"If-None-Match": etag})


@pytest.mark.parametrize("who", VIEWERS)
def test_a_view_names_its_version_and_its_owner(seats: Seats, who: int | str | None) -> None:
    answer = seats.get(who)
    owner = who if isinstance(who, int) else "spectator"
    assert answer.headers["ETag"] == f'"{answer.get_json()["version"]}-{owner}"'
    assert answer.headers["Vary"] == "Authorization"
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("who", VIEWERS)
def test_a_view_that_has_not_changed_is_not_sent_again(seats: Seats, who: int | str | None) -> None:
    etag = seats.get(who).headers["ETag"]
    for condition in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = conditional(seats, who, condition)
        assert (again.status_code, again.data) == (304, b""), condition
        assert again.headers["ETag"] == etag
        assert again.headers["Vary"] == "Authorization"
        assert again.headers["Cache-Control"] == "private, no-cache"
    for condition in ('"other"', "", '"', "\xff"):
        assert conditional(seats, who, condition).status_code == 200, condition


def test_every_move_makes_everybodys_view_anew(seats: Seats) -> None:
    before = {who: seats.get(who) for who in VIEWERS}
    seats.move(0, before[0].get_json()["legal_moves"][0])
    for who, old in before.items():
        new = conditional(seats, who, old.headers["ETag"])
        assert new.status_code == 200
        assert new.get_json()["version"] == old.get_json()["version"] + 1
        assert new.get_json()["updated_at"] > old.get_json()["updated_at"]
        assert new.get_json()["created_at"] == old.get_json()["created_at"]


def test_case_40_one_seats_etag_is_of_no_use_to_another(seats: Seats) -> None:
    etags = {who: seats.get(who).headers["ETag"] for who in VIEWERS}
    for who in VIEWERS:
        for owner, etag in etags.items():
            same = owner == who or {owner, who} == {"host", None}
            assert conditional(seats, who, etag).status_code == (304 if same else 200)


def test_case_40_a_wrong_token_learns_nothing_from_a_right_etag(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, POSITIONS["card-keeper"](), public=False)
    for etag in (seats.get(0).headers["ETag"], "*"):
        wrong = client.get(
            seats.path, headers={"Authorization": f"Bearer {'x' * 43}", "If-None-Match": etag}
        )
        assert wrong.status_code == 401
        assert conditional(seats, None, etag).status_code == 403
        missing = client.get(seats.path[:-1] + "a", headers={"If-None-Match": etag})
        assert missing.status_code == 404
        for answer in (wrong, missing):
            assert "ETag" not in answer.headers
            assert answer.headers["Vary"] == "Authorization"


def test_the_host_sees_what_a_spectator_sees(seats: Seats) -> None:
    host, spectator = seats.get("host"), seats.get(None)
    assert host.data == spectator.data
    assert host.headers["ETag"] == spectator.headers["ETag"]
    view = spectator.get_json()
    assert (view["you"], view["legal_moves"]) == (None, [])


def test_each_seat_sees_its_own_hand_alone(seats: Seats) -> None:
    views = {who: seats.view(who) for who in (0, 1, None)}
    assert views[0]["legal_moves"]
    assert views[1]["legal_moves"] == []
    assert all("hand" not in seat for view in views.values() for seat in view["seats"])
    for who in (0, 1):
        assert views[who]["you"]["seat"] == who
        assert len(views[who]["you"]["hand"]) == views[None]["seats"][who]["hand_count"] > 0
        assert [views[who][name] for name in SHARED] == [views[None][name] for name in SHARED]


def test_head_tells_the_same_without_the_body(seats: Seats) -> None:
    view = seats.get(0)
    head = seats.client.head(seats.path, headers=seats.auth(0))
    assert (head.status_code, head.data) == (200, b"")
    for name in ("ETag", "Content-Length", "Content-Type", "Vary", "Cache-Control"):
        assert head.headers[name] == view.headers[name]


#: By game: a match that one move ends, a capture where there is one, with seat 0 the winner.
LAST_MOVES = {
    "even-steven": lambda: es("0: 4C | . . .; 1: KC QD | 2D . 9S; pile 2C; value 2"),
    "card-keeper": lambda: ck("0: red-capture-1 red-2 red-3; 1: blue-1; discard red-9; burned *"),
    "seven-twos-tens": lambda: st("0: 5C; 1: 8C 8D | 9C | 3C . 3H; pile 4S; removed *"),
}


def finished(client: CheckedClient, store: RedisStore, game: str) -> Seats:
    """A match of the game that its last move has just ended."""
    seats = placed(client, store, LAST_MOVES[game]())
    taking = [body for body in seats.view(0)["legal_moves"] if "targets" in body]
    answer = seats.move(0, (taking or seats.view(0)["legal_moves"])[0])
    assert answer.get_json()["status"] == "finished", answer.text
    return seats


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_match_shows_hands_seed_and_result(
    client: CheckedClient, store: RedisStore, game: str
) -> None:
    seats = finished(client, store, game)
    view = seats.view()
    assert view["seed"] == "position"
    assert view["result"]["winners"] == view["result"]["ranking"][0] == [0]
    assert view["result"]["reason"] in ("no_cards", "last_holding_cards")
    assert (view["to_act"], view["legal_moves"]) == ([], [])
    for seat in view["seats"]:
        assert len(seat["hand"]) == seat["hand_count"]
    if game != "card-keeper":
        for seat in view["seats"]:
            shown = [slot for slot, card in enumerate(seat["face_down_cards"]) if card]
            assert shown == seat["face_down"]
    for who in (0, 1):
        own = seats.view(who)
        assert own["you"]["committed"] is None
        assert own["you"]["hand"] == own["seats"][who]["hand"]
        assert (own["to_act"], own["legal_moves"]) == ([], [])


@pytest.mark.parametrize("game", GAMES)
def test_case_33_a_finished_match_takes_no_move_and_stays_readable(
    client: CheckedClient, store: RedisStore, game: str
) -> None:
    seats = finished(client, store, game)
    before = [seats.get(who).data for who in VIEWERS]
    for seat in (0, 1):
        body = (
            {"action": "burn", "card": "wild"} if game == "card-keeper" else {"action": "pick_up"}
        )
        refusal = seats.move(seat, body)
        assert (refusal.status_code, refusal.get_json()["type"]) == (
            409,
            "/problems/match-finished",
        )
    assert [seats.get(who).data for who in VIEWERS] == before


def test_a_choice_that_others_may_not_see_is_told_to_its_owner_alone(
    client: CheckedClient, store: RedisStore
) -> None:
    match = st("0: 3C 4C 5C 6C 8C 9C | | JC JD JH; 1: 3D 4D 5D 6D 8D 9D; lay 0=3C,4C,5C 1")
    laid = placed(client, store, match)
    chosen = {"action": "lay", "cards": ["3C", "4C", "5C"]}
    chaos = ck("0: red-1 red-2; 1: red-3 red-4; 2: blue-1 blue-2; discard chaos; chaos 1=red-3 2")
    burned = placed(client, store, chaos)
    for seats, owner, body in ((laid, 0, chosen), (burned, 1, {"action": "burn", "card": "red-3"})):
        assert seats.view(owner)["you"]["committed"] == body
        assert seats.view(owner)["legal_moves"] == []
        assert owner not in seats.view(owner)["to_act"]
        others = [seats.get(who) for who in seats.tokens if who != owner]
        for view in (*others, seats.get(None), seats.get("host")):
            assert '"committed":{' not in view.text
