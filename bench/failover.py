"""How long there is no service when a primary dies, and what it costs to let replicas confirm.

    .venv/bin/python -m bench.failover

Real servers, Sentinels and workers, over the loopback. A primary is killed while somebody plays;
printed is how long no move was acknowledged, from the last one before to the first one after.
"""

from __future__ import annotations

import http.client
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from redis.crc import key_slot

from api.store import keys
from tests.many_valkeys import Node, Shards, Watched
from tests.services import Service, eventually

#: Seconds after which a silent server counts as dead, each with so many kills.
DOWN_AFTER = (1.0, 5.0)
KILLS = 3
#: Seconds of play before a kill, and after the service is back.
PLAY = 1.0
#: Moves that are timed with each number of confirmations, in turns.
TIMED, TURNS = 100, 10
MATCH = {"seats": [{"name": "Ada"}, {"bot": "random"}], "options": {"rounds": 20}}
PATH = "/v1/games/seven-twos-tens/matches"


class Player:
    """Somebody who plays against a bot, and sends each move until it is acknowledged."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
        self._begin()

    def move(self) -> float:
        """Makes a move; when it was acknowledged."""
        if not self._view["legal_moves"]:
            self._begin()
        body = self._view["legal_moves"][0]
        self._number += 1
        key = f"{self.match_id} {self._number}".replace(" ", "-")
        self._view = self._ask("POST", f"{PATH}/{self.match_id}/moves", body, key)
        return time.monotonic()

    def _begin(self) -> None:
        self._token, self._number = "", 0
        made = self._ask("POST", PATH, MATCH, f"{time.monotonic_ns()}")
        self.match_id, self._token = made["match_id"], made["seats"][0]["token"]
        self._view = self._ask("GET", f"{PATH}/{self.match_id}")

    def _ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self._token}"} if self._token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        while True:
            data = None if body is None else json.dumps(body)
            self._connection.request(method, path, data, headers)
            response = self._connection.getresponse()
            answer = response.read()
            if response.status in (200, 201):
                return json.loads(answer)
            assert response.status == 503, answer
            time.sleep(0.01)


def longest_silence(player: Player, kill: Callable[[], None]) -> float:
    """The longest time between two acknowledged moves, around a kill."""
    times = [player.move()]
    while times[-1] < times[0] + PLAY:
        times.append(player.move())
    kill()
    again = player.move()
    times.append(again)
    while times[-1] < again + PLAY:
        times.append(player.move())
    return max(after - before for before, after in itertools.pairwise(times))


@contextmanager
def player_at(url: str, *, cluster: bool = False, wait_replicas: int = 0) -> Iterator[Player]:
    """A player at a service of its own."""
    settings = {
        "REDIS_URL": url,
        "CROUPIER_REDIS_CLUSTER": str(int(cluster)),
        "CROUPIER_WAIT_REPLICAS": str(wait_replicas),
    }
    with tempfile.TemporaryDirectory() as place, Service(Path(place), **settings) as service:
        yield Player(service.ready().url)


def behind_sentinels(down_after: float, wait_replicas: int) -> Iterator[float]:
    """The silences at several kills of a primary with two replicas."""
    with (
        Watched(replicas=2, down_after=down_after, appendonly="yes") as watched,
        player_at(watched.url, wait_replicas=wait_replicas) as player,
    ):
        for _ in range(KILLS):
            primary = watched.primary
            yield longest_silence(player, primary.kill)
            primary.start()
            eventually(lambda primary=primary: _follows(primary))


def in_a_cluster(down_after: float) -> Iterator[float]:
    """The silences at several kills of the primary that has the match."""
    with (
        Shards(down_after=down_after, appendonly="yes") as shards,
        player_at(shards.url, cluster=True) as player,
    ):
        for _ in range(KILLS):
            primaries: list[Node] = []

            def kill(primaries: list[Node] = primaries) -> None:
                slot = key_slot(keys.match(player.match_id).encode())
                primaries.append(shards.owner(slot))
                primaries[0].kill()

            yield longest_silence(player, kill)
            primaries[0].start()
            eventually(lambda primary=primaries[0]: _follows(primary))


def _follows(node: Node) -> bool:
    state = node.replication()
    return (state["role"], state.get("master_link_status")) == ("slave", "up")


def cost_of_confirmation() -> tuple[float, float]:
    """Milliseconds a move without confirmation, and the ratio to that with one replica: medians of
    rounds in turns."""
    with ExitStack() as stack:
        watched = stack.enter_context(Watched(replicas=2))
        players = [
            stack.enter_context(player_at(watched.url, wait_replicas=wait)) for wait in (0, 1)
        ]
        rounds = [[_time_of(player) for player in players] for _ in range(TURNS)]
    return (
        statistics.median(plain for plain, _ in rounds),
        statistics.median(confirmed / plain for plain, confirmed in rounds),
    )


def _time_of(player: Player) -> float:
    began = time.perf_counter()
    for _ in range(TIMED):
        player.move()
    return (time.perf_counter() - began) / TIMED * 1000


def main() -> None:
    """Measures and prints."""
    print("seconds without service      down after   median   worst")
    runs = {
        "Sentinels": lambda after: behind_sentinels(after, 0),
        "Sentinels, 1 confirms": lambda after: behind_sentinels(after, 1),
        "Cluster": in_a_cluster,
    }
    for name, run in runs.items():
        for down_after in DOWN_AFTER:
            silences = sorted(run(down_after))
            median = statistics.median(silences)
            print(f"{name:<28} {down_after:10.1f} {median:8.1f} {silences[-1]:7.1f}", flush=True)
    plain, ratio = cost_of_confirmation()
    print(f"a move takes {plain:.1f} ms, and {ratio:.2f} times as long where a replica confirms")


if __name__ == "__main__":
    main()
