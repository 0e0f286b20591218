"""dry_run: a move is judged without being made, and nothing is told that would come of it."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from engine import GAMES, Match
from tests.api.places import OPEN, kind
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.engine.positions import ck, es, st
from tests.seats import Seats
from tests.valkey import Server


def judged(seats: Seats, who: int | str | None, body: Any, **headers: str) -> TestResponse:
    """What is said of a move."""
    return seats.client.post(
        f"{seats.path}/moves?dry_run=true", json=body, headers={**seats.auth(who), **headers}
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_move_would_be_made_and_none_is(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    view = seats.get(0)
    with untouched(valkey):
        for body in view.get_json()["legal_moves"]:
            answer = judged(seats, 0, body)
            assert answer.status_code == 200, body
            assert answer.get_json() == view.get_json() | {"events": []}
            assert answer.headers["ETag"] == view.headers["ETag"]
            assert answer.headers["Cache-Control"] == "private, no-cache"
            assert answer.headers["Vary"] == "Authorization"


@pytest.mark.parametrize("game", GAMES)
def test_what_would_be_refused_is_refused_with_the_same_words(
    client: CheckedClient, store: RedisStore, valkey: Server, game: str
) -> None:
    seats = placed(client, store, POSITIONS[game]())
    legal = seats.view(0)["legal_moves"]
    bodies: list[Any] = [
        *legal[:1],
        {"action": "play", "card": "KS"},
        {"action": "play", "card": "red-9"},
        {"action": "play", "cards": ["KS"]},
        {"action": "pick_up"},
        {"action": "flip", "slot": 0},
        {"action": "decline"},
        {"action": "name_colour", "colour": "red"},
        {"action": "cheat"},
        {},
    ]
    refusals = set()
    with untouched(valkey):
        for who in (0, 1, "host", None):
            for body in bodies:
                if who == 0 and body in legal:
                    continue
                real, judgement = seats.move(who, body), judged(seats, who, body)
                assert real.status_code >= 400, body
                assert (judgement.status_code, judgement.data) == (real.status_code, real.data)
                refusals.add(kind(judgement))
        stale = {"If-Match": '"7-0"'}
        assert kind(judged(seats, 0, legal[0], **stale)) == (412, "version-mismatch")
    assert {status for status, _ in refusals} == {401, 403, 409, 422}


@pytest.mark.parametrize("dry_run", ["false", None])
def test_without_it_the_move_is_made(
    client: CheckedClient, store: RedisStore, dry_run: str | None
) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    query = {} if dry_run is None else {"dry_run": dry_run}
    answer = client.post(
        f"{seats.path}/moves",
        json={"action": "play", "card": "7H"},
        query_string=query,
        headers=seats.auth(0),
    )
    assert answer.get_json()["version"] == 1


@pytest.mark.parametrize(
    "query",
    [
        *("dry_run=", "dry_run=1", "dry_run=True", "dry_run=yes", "dryrun=true", "dry-run=true"),
        *("dry_run=true&dry_run=false", "dry_run=true&dry_run=true", "dry_run[]=true", "why=true"),
    ],
)
def test_a_misspelt_one_makes_no_move(
    client: CheckedClient, store: RedisStore, valkey: Server, query: str
) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    with untouched(valkey):
        answer = client.post(
            f"{seats.path}/moves?{query}",
            json={"action": "play", "card": "7H"},
            headers=seats.auth(0),
        )
    assert kind(answer) == (422, "validation")


def test_before_the_deal_and_after_the_end_it_is_refused_like_the_move(
    client: CheckedClient, store: RedisStore
) -> None:
    waiting = Seats.create(client, seats=[{}, OPEN])
    assert kind(judged(waiting, 0, {"action": "draw"})) == (409, "match-waiting")
    over = placed(client, store, es("0: 4C | . . .; 1: KC; pile 2C; value 2"))
    over.move(0, {"action": "play", "card": "4C"})
    assert kind(judged(over, 1, {"action": "draw"})) == (409, "match-finished")


CHAOS = "discard chaos; colour red; turn 1; 0: red-3 red-4; 1: red-1; 2:"
#: Two positions each that differ in what chance or a hidden card will decide, and a move for it.
ALIKE: list[tuple[Match, Match, dict[str, Any]]] = [
    (
        es("0: 3C; 1: KC QD; deck 8D 9D; pile 6C; value 6", seed="a"),
        es("0: 3C; 1: 4C QS; deck 2D 7D; pile 6C; value 6", seed="b"),
        {"action": "draw"},
    ),
    (
        es("0: | 2D . 9S; 1: KC QD; pile 6C; value 6", seed="a"),
        es("0: | KD . 4S; 1: 3C QS; pile 6C; value 6", seed="b"),
        {"action": "flip", "slot": 0},
    ),
    (
        es("0: 4C; 1: KC QD; pile 7C; steal", seed="a"),
        es("0: 4C; 1: 3C AS; pile 7C; steal", seed="b"),
        {"action": "steal", "target": 1},
    ),
    (
        es("0: 4C; 1: | KC . QD; pile 7C; steal", seed="a"),
        es("0: 4C; 1: | 3C . AS; pile 7C; steal", seed="b"),
        {"action": "steal", "target": 1, "slot": 2},
    ),
    (
        ck("0: capture-2 red-2; 1: red-3; 2: blue-1; discard red-9; draw wild", seed="a"),
        ck("0: capture-2 red-2; 1: shield; 2: blue-2; discard red-9; draw chaos", seed="b"),
        {"action": "play", "card": "capture-2", "targets": [1, 2]},
    ),
    (
        ck("0: draw-3 red-2; 1: red-3 wild; discard red-9; draw wild red-1 red-4", seed="a"),
        ck("0: draw-3 red-2; 1: blue-3 chaos; discard red-9; draw chaos blue-1 blue-4", seed="b"),
        {"action": "play", "card": "draw-3"},
    ),
    (
        ck("0: swap-red-yellow red-2; 1: red-3 wild; discard red-9", seed="a"),
        ck("0: swap-red-yellow red-2; 1: blue-3 chaos; discard red-9", seed="b"),
        {"action": "play", "card": "swap-red-yellow", "targets": [1]},
    ),
    (
        ck(
            f"{CHAOS} blue-2 wild; chaos 0 2=wild",
            seed="a",
        ),
        ck(
            f"{CHAOS} red-7 wild; chaos 0 2=red-7",
            seed="b",
        ),
        {"action": "burn", "card": "red-4"},
    ),
    (
        st("0: | | 3C . 3H; 1: 8C 8D; pile 9S; removed *", seed="a"),
        st("0: | | KC . 10H; 1: 3S 8D; pile 9S; removed *", seed="b"),
        {"action": "flip", "slot": 0},
    ),
    (
        st("0: 3C 4C 5C 6C 8C 9C; 1: 3D 4D 5D 6D 8D 9D; draw 10H; lay 0 1=3D,4D,5D", seed="a"),
        st("0: 3C 4C 5C 6C 8C 9C; 1: KD 4D 5D 6D 8D AD; draw 2H; lay 0 1=4D,KD,AD", seed="b"),
        {"action": "lay", "cards": ["3C", "4C", "5C"]},
    ),
    (
        st("0: 5C 9H; 1: 8C 8D; pile 4S; draw KS", seed="a"),
        st("0: 5C 9H; 1: 3C 8S; pile 4S; draw 10S", seed="b"),
        {"action": "play", "cards": ["5C"]},
    ),
]


def is_judged_alike(
    client: CheckedClient,
    store: RedisStore,
    ways: tuple[Match, Match],
    seat: int,
    body: dict[str, Any],
) -> TestResponse:
    """The one answer to a move that is judged in two matches which its mover cannot tell apart."""
    tokens = ["x" * 43, "y" * 43, "z" * 43][: len(ways[0].seats)]
    answers = []
    for match in ways:
        match_id = "abcdefgh" * 2
        seats = placed(client, store, match, match_id=match_id, host="h" * 43, seats=tokens)
        answer = judged(seats, seat, body)
        hashed = match.view(None)["seed_hash"]
        answers.append((answer.status_code, answer.data.replace(hashed.encode(), b"the hash")))
        headers = [(k, v) for k, v in answer.headers if k != "X-Request-Id"]
        answers[-1] += (headers,)
        store.delete(match_id)
    assert answers[0] == answers[1]
    return answer


@pytest.mark.parametrize(
    ("one", "other", "body"), ALIKE, ids=lambda part: str(part) if isinstance(part, dict) else ""
)
def test_what_chance_or_a_hidden_card_decides_is_not_told(
    client: CheckedClient, store: RedisStore, one: Match, other: Match, body: dict[str, Any]
) -> None:
    answer = is_judged_alike(client, store, (one, other), 0, body)
    assert answer.status_code == 200, answer.text


#: Bodies that are refused in those positions, now or always.
WRONG: list[dict[str, Any]] = [
    *({"action": "flip", "slot": slot} for slot in (1, 3)),
    *({"action": "steal", "target": target} for target in (0, 1)),
    *({"action": "steal", "target": 1, "slot": slot} for slot in (0, 1)),
    *({"action": "play", "card": card} for card in ("8D", "2D", "red-3", "capture-2")),
    {"action": "play", "card": "capture-2", "targets": [1, 0]},
    {"action": "burn", "card": "red-8"},
    *({"action": action, "cards": ["3D", "3H", "3S"]} for action in ("lay", "play")),
    *({"action": "play", "cards": [card]} for card in ("8C", "3C", "9H", "KS")),
    *({"action": action} for action in ("draw", "pick_up", "decline")),
]


@pytest.mark.parametrize(
    ("one", "other", "body"), ALIKE, ids=lambda part: str(part) if isinstance(part, dict) else ""
)
def test_a_refusal_tells_as_little(
    client: CheckedClient, store: RedisStore, one: Match, other: Match, body: dict[str, Any]
) -> None:
    legal = [one.game.body(move) for move in one.legal_moves(0)]
    refused = [body for body in WRONG if body not in legal]
    for wrong in refused:
        answer = is_judged_alike(client, store, (one, other), 0, wrong)
        assert answer.status_code in (409, 422), wrong
