"""Moves over HTTP: what is accepted, what is answered, and in which order refusals are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from engine import Match
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats
from tests.valkey import Server

PLAY = {"action": "play", "card": "4C"}
#: Names a seat that smaller tables do not have.
FAR = {"action": "steal", "target": 7}
#: More positions whose listed moves are of the kinds that POSITIONS has not.
MORE = [
    es("0: 3H; 1: KC; pile 8C; value 8"),
    es("0: 3H; 1: KC; pile 8C *; value 8"),
    es("0: | 2D . 9S; 1: KC; pile 8C; value 8"),
    es("0: 4C; 1: KC | . . 5D; 2: | 2D . 9S; pile 7C; steal"),
    ck("0: red-1 red-2; 1: red-3; discard wild; colour none"),
    ck("0: swap-red-yellow red-capture-1 shield draw-3 red-2; 1: red-3; 2: blue-1; discard red-9"),
    ck("0: red-1; 1: red-3 red-3 blue-1; 2: blue-2; discard chaos; colour red; chaos 1 2"),
    st("0: 3C 4C 5C 6C 8C 9C; 1: 3D 4D 5D 6D 8D 9D; lay 0 1"),
    st("0: 3C; 1: 8C 8D; pile 4S 9S", pick_up_freely=True),
    st("0: | 4C 4D 9H | 3C 3D 3H; 1: 8C; pile 2S; removed *"),
    st("0: | | 3C . 3H; 1: 8C 8D; pile 9S; removed *"),
]
POSITIONS_AND_MORE = [*(make() for make in POSITIONS.values()), *MORE]


def problem(answer: TestResponse) -> tuple[int, str]:
    """The status and the last part of the type of a refusal."""
    return answer.status_code, answer.get_json()["type"].rpartition("/")[2]


# What is listed


@pytest.mark.parametrize("match", POSITIONS_AND_MORE, ids=lambda match: match.game.id)
def test_every_listed_move_is_accepted_and_answered_with_the_view(
    client: CheckedClient, store: RedisStore, match: Match
) -> None:
    mover = match.to_act[-1]
    legal = placed(client, store, match).view(mover)["legal_moves"]
    assert legal
    for body in legal:
        seats = placed(client, store, match)
        answer = seats.move(mover, body)
        assert answer.status_code == 200, answer.text
        moved = answer.get_json()
        events = moved.pop("events")
        assert moved == seats.view(mover)
        assert answer.headers["ETag"] == seats.get(mover).headers["ETag"]
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert moved["version"] == match.version + 1
        assert {event["version"] for event in events} == {moved["version"]}
        numbers = [event["seq"] for event in events]
        assert numbers == list(range(match.seq + 1, match.seq + 1 + len(events)))
        assert events[-1]["type"] in ("turn", "match_finished")


def test_bots_play_on_within_the_same_request(client: CheckedClient) -> None:
    bots = [{"bot": "random"}] * 2
    seats = Seats.create(client, "card-keeper", seats=[{}, *bots], seed="demo")
    before = seats.view(0)
    moved = seats.move(0, before["legal_moves"][-1]).get_json()
    versions = [event["version"] for event in moved["events"]]
    assert versions == sorted(versions)
    assert set(versions) == set(range(before["version"] + 1, moved["version"] + 1))
    assert moved["version"] >= before["version"] + 2
    assert moved["to_act"] == [0]


@pytest.mark.parametrize(
    ("match", "body"),
    [
        (st("0: 5C 5D 9H; 1: 8C; pile 4S"), {"action": "play", "cards": ["5D", "5C"]}),
        (st("0: 5C 5D 9H; 1: 8C; pile 4S"), {"action": "play", "cards": ["5D"]}),
        (
            st("0: 3C 3D 5C 6C 8C 9C; 1: 3S 4D 5D 6D 8D 9D; lay 0 1"),
            {"action": "lay", "cards": ["9C", "3D", "5C"]},
        ),
        (
            ck("0: capture-2 red-2; 1: red-3; 2: blue-1; discard red-9"),
            {"action": "play", "card": "capture-2", "targets": [2, 1]},
        ),
    ],
    ids=["order", "suit", "lay", "pair"],
)
def test_a_move_equal_to_a_listed_one_is_accepted(
    client: CheckedClient, store: RedisStore, match: Match, body: dict[str, Any]
) -> None:
    seats = placed(client, store, match)
    assert body not in seats.view(0)["legal_moves"]
    assert seats.move(0, body).status_code == 200


# What is refused, and in which order


#: A request, and the status and type of its refusal.
Refused = tuple[Callable[[], TestResponse], int, str]


def worse_and_worse(client: CheckedClient, store: RedisStore) -> Iterator[Refused]:
    """Moves with ever fewer things wrong, each with the refusal that comes first."""
    waiting = Seats.create(client, seats=[{}, {"open": True}])
    waiting_ck = Seats.create(client, "card-keeper", seats=[{}, {"open": True}])
    ended = placed(client, store, es("0: 4C | . . .; 1: KC; pile 2C; value 2"))
    assert ended.move(0, PLAY).get_json()["status"] == "finished"
    seats = placed(client, store, POSITIONS["even-steven"](), public=False)
    nowhere = "/v1/games/even-steven/matches/aaaaaaaaaaaaaaaa/moves"
    own, host = seats.auth(0), seats.auth("host")
    malformed, unknown = {"Authorization": "Bearer x"}, {"Authorization": "Bearer " + "x" * 43}
    text, json = {"Content-Type": "text/plain"}, {"Content-Type": "application/json"}
    long, broken, wrong = b" " * 20_000, b"{", b'{"action": "cheat"}'
    play, here = b'{"action": "play", "card": "4C"}', seats.path + "/moves"
    steps: list[tuple[str, bytes, dict[str, str], int, str]] = [
        (nowhere, long, text | malformed, 415, "unsupported-media-type"),
        (nowhere, long, json | malformed, 413, "too-large"),
        (nowhere, broken, json | malformed, 400, "malformed-request"),
        (nowhere, wrong, json | malformed, 422, "validation"),
        (nowhere, play, json | malformed, 401, "unauthorized"),
        (nowhere, play, json | unknown, 404, "not-found"),
        (here, play, json | unknown, 401, "unauthorized"),
        (here, play, json, 401, "unauthorized"),
        (here, play, json | host, 403, "forbidden"),
        (
            here,
            b'{"action": "steal", "target": 7}',
            json | seats.auth(1),
            422,
            "validation",
        ),
        (here, play, json | seats.auth(1), 409, "not-your-turn"),
        (here, play, json | own, 409, "illegal-move"),
    ]
    for path, body, headers, status, kind in steps:
        yield lambda p=path, b=body, h=headers: client.post(p, data=b, headers=h), status, kind
    for match, kind in ((waiting, "match-waiting"), (ended, "match-finished")):
        yield lambda m=match: m.move(0, FAR), 422, "validation"
        yield lambda m=match: m.move(0, PLAY), 409, kind
    colourless = {"action": "play", "card": "wild"}
    yield lambda: waiting_ck.move(0, colourless), 422, "validation"


def test_refusals_come_in_a_fixed_order_and_change_nothing(
    client: CheckedClient, store: RedisStore, valkey: Server
) -> None:
    for number, (request, status, kind) in enumerate(worse_and_worse(client, store)):
        with untouched(valkey):
            assert problem(request()) == (status, kind), f"step {number}"


def test_not_your_turn_says_whose_it_is(client: CheckedClient, store: RedisStore) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    answer = seats.move(2, {"action": "draw"})
    assert problem(answer) == (409, "not-your-turn")
    assert answer.get_json()["to_act"] == [0]
    laying = placed(client, store, MORE[6])
    answer = laying.move(0, {"action": "burn", "card": "red-1"})
    assert answer.get_json()["to_act"] == [1, 2]


def test_an_illegal_move_is_told_the_rule_and_every_legal_one(
    client: CheckedClient, store: RedisStore
) -> None:
    seats = placed(client, store, es("0: 4C 7H; 1: KC; pile 6C; value 6"))
    answer = seats.move(0, PLAY)
    assert problem(answer) == (409, "illegal-move")
    told = answer.get_json()
    assert told["legal_moves"] == seats.view(0)["legal_moves"] != []
    assert told["reason"].endswith((".", ")"))
    drawing = placed(client, store, es("0: 8C; 1: KC; pile 6C; value 6")).move(
        0, {"action": "draw"}
    )
    assert "(ES-4)" in drawing.get_json()["reason"]


@pytest.mark.parametrize("card", ["4C", "KC", "9S", "AH", "8D"])
def test_case_32_a_card_not_held_is_the_same_error_wherever_it_lies(
    client: CheckedClient, store: RedisStore, card: str
) -> None:
    """In another's hand, face down, in the deck or under it: no difference can be told."""
    match = es("0: 6C 7H; 1: KC | . 9S .; 2: AH; deck 8D; pile 2C; value 2")
    seats = placed(client, store, match)
    answer = seats.move(0, {"action": "play", "card": card})
    expected = seats.move(0, {"action": "play", "card": "10D"})
    assert answer.data == expected.data
    assert problem(answer) == (409, "illegal-move")


#: By game, what no state of the match would allow: a body, and the member that is named.
NEVER: list[tuple[str, dict[str, Any], str]] = [
    ("even-steven", {"action": "steal", "target": 3}, "target"),
    ("even-steven", {"action": "steal", "target": 1, "slot": 3}, "slot"),
    ("even-steven", {"action": "flip", "slot": 3}, "slot"),
    ("even-steven", {"action": "play", "card": "red-1"}, "card"),
    ("card-keeper", {"action": "play", "card": "wild"}, "colour"),
    ("card-keeper", {"action": "play", "card": "red-1", "colour": "red"}, "colour"),
    ("card-keeper", {"action": "play", "card": "red-1", "targets": [1]}, "targets"),
    ("card-keeper", {"action": "play", "card": "red-capture-1"}, "targets"),
    ("card-keeper", {"action": "play", "card": "red-capture-1", "targets": [1, 1]}, "targets"),
    ("card-keeper", {"action": "play", "card": "capture-2", "targets": [1]}, "targets"),
    ("card-keeper", {"action": "play", "card": "swap-red-yellow", "targets": [1, 2]}, "targets"),
    ("card-keeper", {"action": "play", "card": "swap-red-yellow", "targets": [3]}, "targets"),
    ("card-keeper", {"action": "burn", "card": "4C"}, "card"),
    ("seven-twos-tens", {"action": "lay", "cards": ["3C", "4C"]}, "cards"),
    ("seven-twos-tens", {"action": "lay", "cards": ["3C", "4C", "5C", "6C"]}, "cards"),
    ("seven-twos-tens", {"action": "play", "cards": []}, "cards"),
    ("seven-twos-tens", {"action": "play", "cards": ["5C", "9H"]}, "cards"),
    ("seven-twos-tens", {"action": "play", "cards": ["5C"] * 17}, "cards"),
    ("seven-twos-tens", {"action": "flip", "slot": 3}, "slot"),
]


@pytest.mark.parametrize(("game", "body", "member"), NEVER)
def test_what_no_state_would_allow_is_invalid_and_named(
    client: CheckedClient,
    store: RedisStore,
    valkey: Server,
    game: str,
    body: dict[str, Any],
    member: str,
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    with untouched(valkey):
        for seat in (0, 1):
            answer = seats.move(seat, body)
            assert problem(answer) == (422, "validation")
            assert {name.partition(".")[0] for name in answer.get_json()["errors"]} == {member}


# What it costs


@pytest.mark.parametrize("game", POSITIONS)
def test_a_move_takes_two_round_trips_and_a_view_one(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    body = seats.view(0)["legal_moves"][0]
    with valkey.client() as plain, plain.monitor() as monitor:
        commands = monitor.listen()
        seats.view(0)
        seats.get(None)
        seats.move(0, body)
        store.ping()
        seen = []
        for command in commands:
            if command["client_type"] == "lua":
                continue
            seen.append(command["command"].split()[0].upper())
            if seen[-1] == "PING":
                break
    assert seen == ["HMGET", "HMGET", "HMGET", "EVALSHA", "PING"]
