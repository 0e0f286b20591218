"""The whole service, proven from outside: three clients, each of its own kind, play every game to
its end while workers are killed under their hands, connections break and turns run out.

`CROUPIER_SOAK=1` makes the long form of it: longer matches, again and again.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import GAMES
from engine.replay import Replay
from tests.clients import Client, LineReader, Poller, SseReader, call
from tests.follow import public
from tests.services import Service

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
TIMES = 10 if SOAK else 1
#: Moves after which a match ends.
MOVES = 300 if SOAK else 50
#: Seconds within which all matches must have ended, on however busy a machine.
WITHIN = 900.0 if SOAK else 150.0
WORKERS = 3
#: Moves made at all tables together between two kills: a new worker takes a second to come.
MOVES_FOR_EACH_KILL = 20
#: The least that a table may allow for a turn, and how long somebody lets it run out.
TURN_SECONDS = 5
TOO_LONG = TURN_SECONDS + 0.8
#: Each of the clients joins as it comes; the first one made the table.
KINDS: tuple[type[Client], ...] = (Poller, SseReader, LineReader)


class Table:
    """A match with a client of each kind."""

    def __init__(self, url: str, game: str, rng: Random) -> None:
        self.url, self.game, self.until = url, game, time.monotonic() + WITHIN
        made = self.post(
            f"/v1/games/{game}/matches",
            {
                "seats": [{"name": "Ada"}, {"open": True}, {"open": True}],
                "options": {"turn_limit": MOVES},
                "turn_seconds": TURN_SECONDS,
            },
        )
        self.path = f"/v1/games/{game}/matches/{made['match_id']}"
        tokens = [made["seats"][0]["token"]]
        kinds = list(KINDS)
        rng.shuffle(kinds)
        self.clients = [self.client(kinds[0], tokens[0], 0, rng)]
        for seat, kind in enumerate(kinds[1:], 1):
            joined = self.post(f"{self.path}/seats", {"seat": seat, "name": kind.__name__})
            tokens.append(joined["token"])
            self.clients.append(self.client(kind, joined["token"], seat, rng))
        self.tokens = tokens

    def client(self, kind: type[Client], token: str, seat: int, rng: Random) -> Client:
        """A client that is at work. All but the last let their time run out once."""
        client = kind(
            self.url,
            self.path,
            token,
            seat=seat,
            seed=f"{rng.random()}",
            dawdles={rng.randint(1, 6): TOO_LONG} if seat < 2 else {},
            within=self.until - time.monotonic(),
        )
        client.start()
        return client

    def post(self, path: str, body: Any) -> Any:
        """The answer to a request that makes something, sent until it is answered."""
        key = {"Idempotency-Key": f"{path} {body.get('seat')} {self.until}".replace(" ", "-")}
        answer = call("POST", self.url + path, self.until, body, key)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def get(self, path: str = "", token: str | None = None) -> Any:
        """What is answered to somebody."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = call("GET", self.url + self.path + path, self.until, None, headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def events(self, token: str | None = None) -> list[Any]:
        """All events, from pages."""
        found: list[Any] = []
        while more := self.get(f"/events?limit=1000&after={len(found)}", token)["events"]:
            found += more
        return found


def without_cards(events: list[Any]) -> list[Any]:
    """What must be the same for everybody."""
    return [event | {"cards": None} for event in events]


def all_agree(table: Table) -> None:
    """Every client has the same events, result and table, and every move was made once."""
    for client in table.clients:
        assert client.trouble is None, f"{client.name}: {client.trouble!r}"
    last, shown = table.get(), table.events()
    assert last["status"] == "finished"
    assert [event["seq"] for event in shown] == list(range(1, last["last_seq"] + 1))
    record = table.get("/replay")
    for client, token in zip(table.clients, table.tokens, strict=True):
        assert client.table is not None
        assert client.table.now == public(last)
        assert client.table.now["result"] == last["result"]
        assert client.events == table.events(token)[-len(client.events) :]
        assert without_cards(client.events) == without_cards(shown[-len(client.events) :])
        overdue = sum(e["type"] == "move_overdue" and e["seat"] == client.seat for e in shown)
        made = sum(move["seat"] == client.seat for move in record["moves"])
        assert made == client.moves + overdue, f"{client.name} made a move twice, or never"
    assert len(record["moves"]) == last["version"] - 2  # two have joined
    for _ in Replay(record).steps():
        pass  # raises where the rules say otherwise


@pytest.mark.parametrize("time_", range(TIMES))
def test_three_clients_play_every_game_while_workers_are_killed(tmp_path: Path, time_: int) -> None:
    rng, killed = Random(f"tables that live {time_}"), 0
    with Service(tmp_path, CROUPIER_WORKERS=str(WORKERS)) as service:
        url = service.ready().url
        tables = [Table(url, game, rng) for game in GAMES]
        clients = [client for table in tables for client in table.clients]
        while any(client.is_alive() for client in clients):
            time.sleep(rng.uniform(0, 0.2))
            due = sum(client.moves for client in clients) >= killed * MOVES_FOR_EACH_KILL
            if due and len(workers := sorted(service.workers())) == WORKERS:
                os.kill(rng.choice(workers), signal.SIGKILL)
                killed += 1
        for table in tables:
            all_agree(table)
        shown = [event for table in tables for event in table.events()]
        assert killed >= 3
        assert sum(event["type"] == "move_overdue" for event in shown) >= 3
        assert all(client.reconnects > 1 for client in clients)
        assert all(client.replays == client.moves > 0 for client in clients)
        assert service.valkey()
