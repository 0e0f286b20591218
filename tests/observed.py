"""A run of a whole service of two workers, with notes of all that it was asked, which is what its
metrics and its log should tell."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from prometheus_client.parser import text_string_to_metric_families

from engine import GAMES
from tests.conformance import Contract
from tests.rush import Answer, Remote
from tests.seats import Seats
from tests.services import GUNICORN, Service, eventually
from tests.streams import NDJSON, SSE, watching

WATCHERS = 6
#: Seconds after which each worker has told the others what it counted.
SHARED = 1.5
MOVES = 5

#: A sample's name and its labels.
Series = tuple[str, frozenset[tuple[str, str]]]


def samples(text: str) -> dict[Series, float]:
    """Every sample of an exposition, by name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def sample(text: str, name: str, **labels: str) -> float:
    """One sample of an exposition; 0 where there is none."""
    return samples(text).get((name, frozenset(labels.items())), 0.0)


@dataclass
class Run:
    """What was asked of a service, and what it told of it at the end."""

    #: Requests by method, route and status.
    asked: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    #: Moves by game and by who made them.
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    #: Requests that changed a match, which are as many commits.
    commits: int = 0
    #: What no log may hold.
    secrets: set[str] = field(default_factory=set)
    match_ids: set[str] = field(default_factory=set)
    #: Streams that a killed worker could not tell of any more.
    cut_off: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    #: The exposition while somebody watches; when a worker was killed, and how many then still
    #: watched; and at the end, from each worker at least once.
    scrape_with_watchers: str = ""
    scrape_after_a_death: str = ""
    watchers_left: int = 0
    scrapes: list[str] = field(default_factory=list)
    log: str = ""

    @property
    def scrape(self) -> str:
        """The exposition."""
        return self.scrapes[-1]

    def lines(self, message: str | None = None) -> list[dict[str, Any]]:
        """The log's lines, those with that message."""
        found = [json.loads(line) for line in self.log.splitlines()]
        return [line for line in found if message in (None, line["message"])]


class Noted(Remote):
    """A client that notes what it asks. Each request takes a connection of its own, so that both
    workers have some."""

    def __init__(self, url: str, contract: Contract, run: Run) -> None:
        super().__init__(url, contract)
        self._run = run

    def _send(self, method: str, path: str, request: dict[str, Any]) -> Answer:
        answer = super()._send(method, path, request)
        self._run.asked[method, route(path), answer.status_code] += 1
        return answer


def route(path: str) -> str:
    """The route of a path."""
    path = re.sub(r"/matches/[a-z2-7]{16}", "/matches/<match_id>", path.partition("?")[0])
    return re.sub(r"/seats/[0-9]+", "/seats/<int:seat>", path)


def observe(place: Path, contract: Contract) -> Run:
    """Plays on a service, with all that may happen, and lets it tell of it."""
    run = Run()
    settings = {"CROUPIER_WORKERS": "2", "CROUPIER_LOG_FORMAT": "json"}
    # Of little patience, so that hung-up streams are soon noticed.
    hasty = (*GUNICORN, "tests.hasty:app")
    with Service(place, command=hasty, **settings) as service, ExitStack() as watchers:
        service.ready()
        client = Noted(service.url, contract, run)
        tables = [_play(client, game, run) for game in GAMES]
        _ask_wrongly(service, client, tables[0], run)
        streams = [
            watchers.enter_context(
                watching(service.url, tables[n % 3], None, (SSE, NDJSON)[n % 2], "?after=0")
            )
            for n in range(WATCHERS)
        ]
        for number, stream in enumerate(streams):
            stream.until_seq(1)
            run.asked["GET", route(f"{tables[number % 3].path}/events"), 200] += 1
        run.scrape_with_watchers = _scrape(service)
        run.secrets |= {token for t in tables for token in (t.host, *t.tokens.values())}
        run.match_ids |= {table.match_id for table in tables}
        _kill_a_worker(service)
        run.watchers_left = sum(not stream.ended for stream in streams)
        for number, stream in enumerate(streams):
            if stream.ended:
                run.cut_off["GET", route(f"{tables[number % 3].path}/events"), 200] += 1
        run.scrape_after_a_death = _scrape(service)
        watchers.close()
        for table in tables:
            human = run.moves[table.game, "human"]
            # Every version is a move, but for the one that the join brought.
            run.moves[table.game, "bot"] = table.view()["version"] - 1 - human
        eventually(lambda: sample(_scrape(service), "croupier_watchers") == 0)
        run.scrapes = [_scrape(service), *(_at_once(service) for _ in range(11))]
        run.log = service.output
    return run


def _play(client: Noted, game: str, run: Run) -> Seats:
    """A match of two people and a bot, one of whom joins later, some moves long."""
    secrets = {"seed": f"seed of {game}", "client_seed": f"part in {game}"}
    keys = [f"key-{game}-{number}" for number in range(3)]
    run.secrets |= {*secrets.values(), *keys}
    answer = client.post(
        f"/v1/games/{game}/matches",
        json={
            "seats": [{"name": "Ada"}, {"open": True}, {"bot": "random"}],
            "seed": secrets["seed"],
            "turn_seconds": 3600,
        },
        headers={"Idempotency-Key": keys[0]},
    )
    assert answer.status_code == 201, answer.text
    seats = Seats(client, game, answer.get_json())  # type: ignore[arg-type]
    joined = client.post(
        f"{seats.path}/seats",
        json={"name": "Ben", "client_seed": secrets["client_seed"]},
        headers={"Idempotency-Key": keys[1]},
    )
    assert joined.status_code == 201, joined.text
    seats.tokens[1] = joined.get_json()["token"]
    run.commits += 2
    for number in range(MOVES):
        _move(seats, run, key=f"{keys[2]}-{number}")
    return seats


def _move(seats: Seats, run: Run, *, key: str) -> None:
    """A move of whoever is to act, sent twice, and the bot's that follow."""
    seat = seats.view()["to_act"][0]
    body = seats.view(seat)["legal_moves"][0]
    run.secrets.add(key)
    first = seats.move(seat, body, **{"Idempotency-Key": key})
    again = seats.move(seat, body, **{"Idempotency-Key": key})
    assert (first.status_code, again.data) == (200, first.data)
    run.commits += 1
    run.moves[seats.game, "human"] += 1


def _ask_wrongly(service: Service, client: Noted, seats: Seats, run: Run) -> None:
    """What is refused, some of it with secrets in the wrong places."""
    token = seats.tokens[0]
    idle = next(seat for seat in seats.tokens if seat not in seats.view()["to_act"])
    assert seats.move(idle, {"action": "draw"}).status_code == 409
    assert seats.move(0, {"action": token}).status_code == 422
    wrong = {"Authorization": f"Basic {token}", "X-Request-Id": "chosen-by-the-client"}
    assert client.get(seats.path, headers=wrong).status_code == 401
    assert requests.get(f"{service.url}/{token}?token={token}", timeout=10).status_code == 404
    assert requests.put(f"{service.url}/v1/games", timeout=10).status_code == 405
    nobody = f"/v1/games/{seats.game}/matches/{token}"
    assert requests.get(f"{service.url}{nobody}", timeout=10).status_code == 404
    run.asked["GET", "none", 404] += 1
    run.asked["other", "none", 405] += 1
    run.asked["GET", f"/v1/games/{seats.game}/matches/<match_id>", 404] += 1
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname or "", address.port or 0), 10) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nAuthorization Bearer {token}\r\n\r\n".encode())
        assert b" 400 " in connection.recv(4096)
    run.asked["other", "none", 400] += 1
    assert requests.get(f"{service.url}/readyz", timeout=10).status_code == 200


def _scrape(service: Service) -> str:
    time.sleep(SHARED)
    return _at_once(service)


def _at_once(service: Service) -> str:
    return requests.get(f"{service.url}/metrics", timeout=10).text


def _kill_a_worker(service: Service) -> None:
    workers = service.workers()
    os.kill(min(workers), signal.SIGKILL)
    eventually(lambda: len(service.workers() - workers) == 1 and service.answers())
    eventually(lambda: sample(_scrape(service), "croupier_worker_starts_total") == 3)
