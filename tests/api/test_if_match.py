"""If-Match: a move is made on the version that its sender has seen, or not at all (RFC 9110,
13.1.1)."""

from __future__ import annotations

import pytest

from api.store.redis import RedisStore
from tests.api.places import OPEN, joined, kind, leave, renew
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import es
from tests.seats import Seats
from tests.valkey import Server

PLAY = {"action": "play", "card": "7H"}


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven at version 12, in which seat 0 may play 7H."""
    match = POSITIONS["even-steven"]()
    match.version = 12
    return placed(client, store, match)


@pytest.mark.parametrize(
    "condition",
    [
        *('"12-0"', '"12-1"', '"12-spectator"', '"12"', "*", '"3-0", "12-0"', '"x", "12-0" ,""'),
        *('  "12-0"  ', "12-0", '"12-something"'),
    ],
)
def test_a_condition_that_names_the_present_version_holds(seats: Seats, condition: str) -> None:
    """Whose view the tag was of makes no difference: only the version counts."""
    assert seats.move(0, PLAY, **{"If-Match": condition}).status_code == 200


@pytest.mark.parametrize(
    "condition",
    [
        *(
            '"11-0"',
            '"13-0"',
            '"120-0"',
            '"1-0"',
            '"2-0"',
            '"012-0"',
            '"-12-0"',
            '"+12-0"',
            '"12 "',
        ),
        *('W/"12-0"', '"12.0"', '"12x-0"', '""', "", " ", '"', '"*"', "\xff", '"١٢-0"', '"0xc-0"'),
        *('"11-0", "13-0"', f'"{"9" * 400}-0"', '"12_0"', '"1e1-0"', '"null"', '"12\x00-0"'),
    ],
)
def test_a_condition_that_does_not_makes_no_move_and_tells_the_version(
    seats: Seats, valkey: Server, condition: str
) -> None:
    with untouched(valkey):
        answer = seats.move(0, PLAY, **{"If-Match": condition})
    assert kind(answer) == (412, "version-mismatch")
    assert answer.get_json()["version"] == 12


def test_case_30_a_stale_view_makes_no_second_move_a_lap_later(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, es("0: 7H 9H 9D; 1: 9C 9S 3C; deck 5C 5D; pile 6C; value 6"))
    seen = {"If-Match": seats.get(0).headers["ETag"]}
    body = {"action": "play", "card": "9H"}
    assert seats.move(0, body, **seen).status_code == 200
    seats.move(1, {"action": "play", "card": "9C"})
    assert seats.view()["to_act"] == [0]
    for stale in (body, {"action": "play", "card": "9D"}):
        assert kind(seats.move(0, stale, **seen)) == (412, "version-mismatch")


def test_it_is_judged_after_the_token_and_before_the_turn_and_the_rules(
    seats: Seats, valkey: Server
) -> None:
    stale, fresh = {"If-Match": '"11-0"'}, {"If-Match": '"12-0"'}
    wrong, cheat = {"action": "decline"}, {"action": "cheat"}
    with untouched(valkey):
        assert kind(seats.move(0, cheat, **stale)) == (422, "validation")
        assert kind(seats.move(None, PLAY, **stale)) == (401, "unauthorized")
        assert kind(seats.move("host", PLAY, **stale)) == (403, "forbidden")
        for seat, body in ((1, PLAY), (0, wrong)):
            assert kind(seats.move(seat, body, **stale)) == (412, "version-mismatch")
        assert kind(seats.move(1, PLAY, **fresh)) == (409, "not-your-turn")
        assert kind(seats.move(0, wrong, **fresh)) == (409, "illegal-move")


def test_the_answer_to_a_move_is_the_condition_of_the_next(seats: Seats) -> None:
    moved = seats.move(0, PLAY, **{"If-Match": "*"})
    again = seats.move(0, {"action": "decline"}, **{"If-Match": moved.headers["ETag"]})
    assert again.status_code == 200


def test_joins_and_leaves_make_another_version_and_new_tokens_do_not(
    client: CheckedClient,
) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, {}], seed="demo")
    waiting = seats.get(0).headers["ETag"]
    joined(seats)
    mover = seats.view()["to_act"][0]
    body = seats.view(mover)["legal_moves"][0]
    assert kind(seats.move(mover, body, **{"If-Match": waiting})) == (412, "version-mismatch")
    dealt = seats.get(mover).headers["ETag"]
    other = (mover + 1) % 3
    assert renew(seats, other, other).status_code == 200
    judged = seats.client.post(
        f"{seats.path}/moves?dry_run=true",
        json=body,
        headers={**seats.auth(mover), "If-Match": dealt},
    )
    assert judged.status_code == 200
    assert leave(seats, (mover + 2) % 3).status_code == 204
    assert kind(seats.move(mover, body, **{"If-Match": dealt})) == (412, "version-mismatch")
