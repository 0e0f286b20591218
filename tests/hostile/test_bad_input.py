"""Thousands of requests that nobody should send, at a real service with matches in play: each is
answered or refused in time and in the contract's form, tells nothing that is another's, and the
service plays on afterwards. `make soak` sends a hundred thousand."""

from __future__ import annotations

import itertools
import json
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.problems import PROBLEMS
from tests.contract.live import STATES, Live, Match
from tests.hostile.shapes import Shape, Shapes
from tests.hostile.wire import Answer, Wire
from tests.hostile.words import GAMES
from tests.services import Service, memory

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
REQUESTS = 100_000 if SOAK else 2_000
#: Clients at the same time, each with its own chance.
CLIENTS = 4
WORKERS = 2
#: A seed that no answer may tell while its match is played.
SECRET = "a-seed-that-nobody-may-see"
#: What only the inside of the service knows, whatever the case of its letters.
INSIDE = re.compile(
    rb'traceback|file "|\.py\b|valkey\.sock|unix://|redis://|redis\.exceptions|croupier:\{|<html|<!doctype',
    re.IGNORECASE,
)
#: Requests after which matches that were used up are replaced.
RENEWED_AFTER = 1000
#: Requests after which a worker has loaded whatever it needs, and bytes by which it may grow then.
WARM, GROWTH = REQUESTS // 5, 24 * 1024 * 1024


class Watched:
    """Matches that no request aims at by a token of theirs, so that none may change them."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.matches = [self._made(game) for game in GAMES]
        self.tokens = {
            token for match in self.matches for token in (match.host, *match.seats.values())
        }
        self.before = [self._views(match) for match in self.matches]

    def are_as_before(self) -> None:
        assert [self._views(match) for match in self.matches] == self.before

    def play_to_the_end(self) -> None:
        for match in self.matches:
            self.live.play_on(match)
            assert self._views(match)[0]["status"] == "finished"

    def _made(self, game: str) -> Match:
        limit = {"turn_limit": 50}
        request = {"seats": [{"name": "Ada"}, {"name": "Ben"}], "seed": SECRET, "options": limit}
        made = self.live.create(game, request)
        self.live.move_once(made)
        return made

    def _views(self, match: Match) -> list[dict[str, object]]:
        return [self.live.view(match, token) for token in (None, *match.seats.values())]


def check(shape: Shape, answer: Answer, secrets: set[bytes]) -> None:
    """Raises AssertionError where an answer is not one that such a request may get."""
    assert answer.status < 500, answer
    assert answer.headers["X-Request-Id"], answer
    if answer.status >= 400:
        assert answer.media_type == "application/problem+json", answer
        assert answer.headers["Cache-Control"] == "no-store"
        assert not INSIDE.search(answer.raw.replace(shape.data, b"")), answer.raw
        if answer.body:
            problem = json.loads(answer.body)
            assert PROBLEMS[problem["type"].removeprefix("/problems/")].status == answer.status
    for secret in secrets:
        assert secret not in answer.raw or secret in shape.data, answer.raw


class Client(threading.Thread):
    """Sends its share, and notes what went wrong first."""

    def __init__(self, number: int, live: Live, secrets: set[bytes], share: int) -> None:
        super().__init__(name=f"client {number}")
        self.shapes = Shapes(f"hostile {number}", live)
        self.live = live
        self.url = live.url
        self.secrets = secrets
        self.share = share
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.slowest = (0.0, b"")
        self.trouble: BaseException | None = None
        self.sent = 0

    def run(self) -> None:
        wire = Wire(self.url)
        try:
            for number in range(self.share):
                self.sent = number + 1
                shape = self.shapes.next()
                begun = time.monotonic()
                try:
                    self._send(wire, shape)
                except AssertionError as error:
                    raise AssertionError(f"{self.name}, number {number}: {shape}") from error
                self.slowest = max(self.slowest, (time.monotonic() - begun, shape.data[:300]))
                if wire.closed or shape.last:
                    wire.close()
                    wire = Wire(self.url)
        except BaseException as error:
            self.trouble = error
        finally:
            wire.close()

    def _send(self, wire: Wire, shape: Shape) -> None:
        wire.send(shape.data, end=shape.last)
        secrets = self.secrets | self.live.tokens()
        answers = 0
        method = shape.method
        while answers < shape.answers + 1:
            answer = wire.answer(method)
            if answer is None:
                break
            if answer.status == 100:
                continue
            check(shape, answer, secrets)
            self.statuses[shape.kind, answer.status] += 1
            answers += 1
            streams = not answer.body and answer.media_type in (
                "text/event-stream",
                "application/x-ndjson",
            )
            if not shape.last or streams or answer.headers.get("Connection") == "close":
                break
        assert answers <= shape.answers, "more answers than requests"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(tmp_path, CROUPIER_WORKERS=str(WORKERS)) as service:
        yield service.ready()


def test_nothing_breaks_hangs_or_leaks_and_the_service_plays_on(service: Service) -> None:
    watched = Watched(Live(service.url))
    workers = service.workers()
    secrets = {token.encode() for token in watched.tokens} | {SECRET.encode()}
    live = Live(service.url)
    for game, state in itertools.product(GAMES, STATES):
        live.match(game, state)
    clients = [Client(n, live, secrets, REQUESTS // CLIENTS) for n in range(CLIENTS)]
    for client in clients:
        client.start()
    sizes: dict[int, int] = {}
    renewed = 0
    while any(client.is_alive() for client in clients):
        time.sleep(0.1)
        sent = sum(client.sent for client in clients)
        if sent > WARM and not sizes:
            sizes = {pid: memory(pid) for pid in workers}
        if sent > renewed + RENEWED_AFTER:
            renewed = sent
            live.renew()
    for client in clients:
        client.join()
        if client.trouble is not None:
            raise client.trouble
    assert service.workers() == workers, "a worker has died"
    for pid in workers:
        assert memory(pid) - sizes[pid] < GROWTH
    for sign in ("Traceback", "Error handling", "unexpected error"):
        assert sign not in service.output, service.output[-3000:]
    watched.are_as_before()
    watched.play_to_the_end()
    statuses = sum((client.statuses for client in clients), Counter())
    met = {status for _, status in statuses}
    assert met >= {200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 422}, statuses
