"""The law of the hidden card, for time: of two matches that differ only in what a viewer may not
know, the viewer's requests cost the same work, instruction by instruction, and read as many bytes.

Instructions are counted because times are not the same twice: what a stopwatch could tell one day
on some machine, a count tells on every run. `bench/timing.py` holds the stopwatch.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from api import create_app, tokens
from api.config import Config
from api.store.redis import RedisStore
from engine import Match, Viewer
from engine.games.even_steven import EvenSteven, State
from engine.knowledge import bit_of, unpacked
from engine.records import pack, unpack
from tests.api.tables import CREATED_AT
from tests.api.test_hidden_streams import indistinguishable_moves
from tests.engine.positions import es
from tests.hidden_card import varied
from tests.histories import history, store_with_log
from tests.known import KNOWN
from tests.known.base import Body
from tests.laws import listed
from tests.seats import Seats
from tests.valkey import Server
from tests.work import instructions
from tests.wrong_moves import some_bodies

Request = Callable[[Seats], TestResponse]
NAMED = {"X-Request-Id": "the-same"}
#: After so many moves, a match is looked at.
MOMENTS = range(1, 110, 4) if os.environ.get("CROUPIER_SOAK") == "1" else (0, 12, 33, 60)
WRONG = 3


@pytest.fixture(scope="module")
def still(valkey_session: Server) -> Flask:
    """The service, for which time stands still."""
    store = RedisStore(valkey_session.url, ttl_seconds=3600)
    return create_app(Config(rate_limit=None), store=store, clock=lambda: CREATED_AT)


def pair(game: str, moment: int, viewer: Viewer) -> tuple[Match, Match, list[Body]]:
    """Two matches that the viewer cannot tell apart, and moves that keep it so."""
    rng = Random(f"{game} {moment} {viewer}")
    match = history(game, moves=moment, seed=f"hidden {moment}")
    match.log.clear()
    other = varied(KNOWN[game], match, [viewer], rng, new_seed=False)
    saved = unpack(other.to_bytes())
    saved.words = unpack(match.to_bytes()).words  # as many were drawn in both
    other = Match.from_bytes(pack(saved))
    moves = []
    if viewer is not None:
        moves = indistinguishable_moves(KNOWN[game], match, other, viewer, viewer, rng)[:1]
    return match, other, moves


def requests(match: Match, viewer: Viewer, moves: list[Body], rng: Random) -> list[Request]:
    """Looks, refusals and trials, and in the end a move, in the viewer's name."""

    def get(path: str) -> Request:
        return lambda seats: seats.client.get(
            f"{seats.path}{path}", headers={**seats.auth(viewer), **NAMED}
        )

    asked = [get(path) for path in ("", "?why=true", "/events?after=0", "/replay")]
    asked += [
        lambda seats, query=query: seats.client.get(f"/v1/games/{seats.game}/matches{query}")
        for query in ("", "?status=playing&limit=1")
    ]
    asked.append(lambda seats: seats.client.post(f"{seats.path}/seats", json={}, headers=NAMED))
    asked.append(lambda seats: seats.client.delete(seats.path, headers=seats.auth(viewer)))
    if viewer is None:
        body = listed(match, match.to_act[0])[0] if match.to_act else {}
        asked += [
            lambda seats, path=path: seats.client.post(f"{seats.path}/{path}", json=body)
            for path in ("moves", "moves?dry_run=true", "rematch", "seats/0/token")
        ]
        return asked
    tried = listed(match, viewer)[-2:] + rng.sample(list(some_bodies(match, viewer, rng)), WRONG)
    asked += [
        lambda seats, body=body: seats.client.post(
            f"{seats.path}/moves?dry_run=true", json=body, headers=seats.auth(viewer)
        )
        for body in tried
    ]
    asked += [lambda seats, body=body: seats.move(viewer, body, **NAMED) for body in moves]
    asked.append(get(f"/events?after={match.seq}"))
    return asked


def costs(app: Flask, server: Server, match: Match, asked: list[Request], names: Any) -> list[Any]:
    """What each request costs, and what it is answered."""
    with server.client() as plain:
        plain.flushall()
    store = app.extensions["croupier-hub"].service.store
    seats = Seats(Client(app), match.game.id, store_with_log(store, match, **names))
    store.enlist(f"{match.game.id}:playing", seats.match_id, CREATED_AT)
    found = []
    for request in asked:
        work, answer = instructions(partial(request, seats))
        headers = [item for item in answer.headers if item[0] != "X-Request-Id"]
        found.append((work, answer.status_code, headers, answer.data))
    loaded = store.load(seats.match_id)
    assert loaded is not None
    return [*found, len(loaded.state)]


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
@pytest.mark.parametrize("game", KNOWN)
def test_a_viewers_requests_cost_the_same_whatever_is_hidden(
    still: Flask, valkey_session: Server, game: str, viewer: Viewer
) -> None:
    statuses = set()
    for moment in MOMENTS:
        match, other, moves = pair(game, moment, viewer)
        asked = requests(match, viewer, moves, Random(moment))
        held = [tokens.new_token() for _ in match.seats]
        names = {"match_id": tokens.new_match_id(), "host": tokens.new_token(), "seats": held}
        # The first time things are looked up that are then remembered.
        costs(still, valkey_session, match, asked, names)
        one, two = (costs(still, valkey_session, m, asked, names) for m in (match, other))
        for number, (a, b) in enumerate(zip(one, two, strict=True)):
            assert a == b, f"request {number} after {moment} moves tells {viewer} more"
        assert any(answer[3].startswith(b'{"matches":[{') for answer in one[:-1])
        statuses |= {answer[1] for answer in one[:-1]}
        assert all(answer[0].total() > 500 for answer in one[:-1])
    assert statuses >= {200, 401 if viewer is None else 403, 409}


def test_es_9_the_search_for_who_starts_takes_as_long_for_any_cards() -> None:
    own = "0: AC 2C 2D 2H 2S 4C 4D 4H"  # as many left as the others have
    hands = ("3C 3D 3H 3S 5C 5D 5H", "6C 6D 6H 6S 8C 8D 8H", "3C 6C 3D 8D 7H QH KS")
    tables = [
        es(f"{own}; 1: {hand}; 2: 9C 9D 9H 9S JC JD JH; pile 10C; value 10")
        for hand in (*hands, *hands)
    ]
    work = [
        instructions(partial(table.play, 0, {"action": "play", "card": "AC"}))[0]
        for table in tables
    ][len(hands) :]  # once warm
    assert work[0] == work[1] == work[2]


@pytest.mark.parametrize("game", KNOWN)
def test_what_others_know_of_hands_costs_next_to_nothing(game: str) -> None:
    """The one exception, and how large it is: a view looks through the cards that anybody saw go
    somewhere, to find those that its viewer saw. How many there are is nearly public, since all
    see that a card is shown to somebody."""
    compared = 0
    for moment in MOMENTS:
        match = history(game, moves=moment, seed=f"hidden {moment}")
        saved = unpack(match.to_bytes())
        spectators = bit_of(None, len(match.seats))
        known = unpacked(saved.known)
        for hand in known:
            for card, levels in list(hand.items()):
                hand[card] = [who for who in levels if who & spectators]
        saved.known = [*known]
        other = Match.from_bytes(pack(saved))
        secrets = sum(
            len(levels) - len(fewer[card])
            for hand, fewer in zip(match.known, other.known, strict=True)
            for card, levels in hand.items()
        )
        assert match.view(None) == other.view(None)
        one, two = (instructions(partial(m.view, None))[0] for m in (match, other))
        told = one - two
        assert {name for _, name, _ in told} <= {"<listcomp>", "known_to"}
        assert told.total() <= 10 * secrets
        compared += secrets
    assert compared or game == "seven-twos-tens"  # where all that is seen is seen by all


def test_a_count_tells_what_looks_at_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would see it: facts that take longer the more high cards a hand has."""
    facts = EvenSteven.seat_facts

    def slow_facts(self: EvenSteven, state: State, seat: int) -> dict[str, Any]:
        high = [card for card in state.hands[seat] if card > 25]
        return {**facts(self, state, seat), **dict.fromkeys(map(str, high[:0]))}

    low, high = (es(f"0: AC AD; 1: {hand}; pile 6C") for hand in ("3C 3D 3H", "QC QD QH"))
    assert low.view(None) == high.view(None)
    monkeypatch.setattr("tests.work.OURS", ("/",))
    monkeypatch.setattr(EvenSteven, "seat_facts", slow_facts)
    tables = (low, high, low, low, high)  # warm from the third on
    work = [instructions(partial(table.view, None))[0] for table in tables]
    assert work[2] == work[3] != work[4]
