"""The law of the hidden card for whoever watches over HTTP: of two matches that differ only in what
a watcher may not know, pages, long polls and streams are the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from api import create_app, tokens
from api.config import Config
from api.hub import Hub
from api.store.redis import RedisStore
from engine import Match, Viewer
from tests.api.tables import CREATED_AT
from tests.hidden_card import varied
from tests.histories import history, store_with_log
from tests.known import KNOWN
from tests.known.base import Body, Known
from tests.laws import copied, listed, wire
from tests.seats import Seats
from tests.services import eventually
from tests.streams import NDJSON, SSE, watching
from tests.valkey import Server

#: An answer's id is its own unless the request brings one.
NAMED = {"X-Request-Id": "the-same"}
#: From the deal, through the first choices, to the end of a match.
MOMENTS = (0, 1, 2, 3, 8, 15, 25, 40)
#: Moves made while one watches, at most.
MOVES = 3


@pytest.fixture(scope="module")
def stopped() -> list[bool]:
    """Whether the worker is to stop."""
    return [False]


@pytest.fixture(scope="module")
def still_app(valkey_session: Server, stopped: list[bool]) -> Iterator[Flask]:
    """The service, for which time stands still."""
    store = RedisStore(valkey_session.url, ttl_seconds=3600)
    app = create_app(Config(rate_limit=None), store=store, clock=lambda: CREATED_AT)
    hub: Hub = app.extensions["croupier-hub"]
    hub.stopping = lambda: stopped[0]
    yield app
    store.close()


def indistinguishable_moves(
    known: Known, one: Match, other: Match, viewer: Viewer, seat: int, rng: Random
) -> list[Body]:
    """Some moves of a seat that tell the viewer the same in both matches, unless a card that is
    shown openly by the rules tells them apart."""
    one, other, made = copied(known, one), copied(known, other), list[Body]()
    while len(made) < MOVES and seat in one.to_act:
        bodies = [body for body in listed(one, seat) if body in listed(other, seat)]
        if not bodies:
            break
        body = rng.choice(bodies)
        before = copied(known, one).state
        steps = one.play(seat, body), other.play(seat, body)
        if "finished" in (one.status, other.status):
            break
        shown = one.show(steps[0], viewer), other.show(steps[1], viewer)
        told = [known.told_by_rule(before, match.state) for match in (one, other)]
        cards = [[event.get("cards") for event in events] for events in shown]
        if told[0] != told[1] or cards[0] != cards[1]:
            break
        made.append(body)
    return made


class Watched:
    """All that one who watches gets while moves are made in a match."""

    def __init__(self, app: Flask, server: Server, stopped: list[bool], seats: int) -> None:
        self.app, self.server, self.stopped = app, server, stopped
        self.match_id, self.host = tokens.new_match_id(), tokens.new_token()
        self.tokens = [tokens.new_token() for _ in range(seats)]

    def get(self, match: Match, viewer: Viewer, seat: int, moves: list[Body]) -> list[Any]:
        """Pages, a long poll, and both kinds of stream, from the first of the moves to the last."""
        hub: Hub = self.app.extensions["croupier-hub"]
        self.stopped[0] = False
        with self.server.client() as plain:
            plain.flushall()
        made = store_with_log(
            hub.service.store,
            match,
            match_id=self.match_id,
            host=self.host,
            seats=self.tokens,
        )
        client = Client(self.app)
        seats = Seats(client, match.game.id, made)
        asked = {**seats.auth(viewer), **NAMED}
        path, got = f"{seats.path}/events", list[Any]()
        with ExitStack() as stack, ThreadPoolExecutor(1) as pool:
            streams = [
                stack.enter_context(watching(self.app, seats, viewer, accept, query, **NAMED))
                for accept, query in ((SSE, ""), (NDJSON, ""), (NDJSON, f"?after={match.seq}"))
            ]
            poll = pool.submit(client.get, f"{path}?after={match.seq}&wait=30", headers=asked)
            eventually(lambda: hub.watchers() == 4, within=10)
            for body in moves:
                last = seats.move(seat, body).get_json()["last_seq"]
                for stream in streams:
                    stream.until_seq(last)
            answers = [
                poll.result(10),
                client.get(f"{path}?after={match.seq}", headers=asked),
                client.get(f"{path}?after={match.seq + 1}&limit=2", headers=asked),
                client.head(path, headers=asked),
            ]
            got += [(answer.status_code, [*answer.headers], answer.data) for answer in answers]
            self.stopped[0] = True
            for stream in streams:
                stream.until_end(10)
                got.append((stream.status, [*stream.headers], stream.got.raw))
        return got


@pytest.mark.parametrize("game", KNOWN)
def test_case_38_a_watcher_gets_the_same_bytes_whatever_is_hidden(
    still_app: Flask,
    valkey_session: Server,
    stopped: list[bool],
    game: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("api.hub.TICK", 0.02)  # so soon are streams ended
    known, rng, compared, differing = KNOWN[game], Random(game), 0, 0
    for moment in MOMENTS:
        match = history(game, moves=moment, seed=f"hidden {moment}")
        match.log.clear()
        if match.outcome is not None:
            continue
        for viewer in (None, 0, 1, 2):
            seat = rng.choice(match.to_act)
            fixed = rng.choice((0, 0.5, 0.9))
            other = varied(known, match, [viewer, seat], rng, fixed=fixed, new_seed=False)
            moves = indistinguishable_moves(known, match, other, viewer, seat, rng)
            if not moves:
                continue
            watched = Watched(still_app, valkey_session, stopped, len(match.seats))
            one = watched.get(match, viewer, seat, moves)
            two = watched.get(other, viewer, seat, moves)
            for number, (a, b) in enumerate(zip(one, two, strict=True)):
                assert a == b, f"answer {number} tells {viewer} more"
            compared += 1
            differing += wire(match.view(2)) != wire(other.view(2)) or viewer == 2
    assert compared >= 12
    assert differing >= compared // 2
