"""What a store takes for a match, for a place in a list, and for a wake-up through a Cluster.

A part of `bench.growth`, which says what comes of it.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import redis

from api import tokens
from api.store import keys
from api.store.redis import RedisStore
from bench.flat_memory import keep
from bench.growth_model import Bus
from bench.processor import seconds, server
from engine import GAMES
from tests.histories import history
from tests.many_valkeys import Shards
from tests.valkey import Server

#: Matches and places made to see what one takes.
KEPT, PLACES = 90, 20_000
#: Messages through a Cluster's bus, so many at a time.
PUBLISHED, AT_A_TIME = 40_000, 500


def kept(players: int) -> tuple[float, float, float]:
    """Bytes of Redis for a match halfway through, for one at its end, and for a place in a list,
    all that belongs to them counted."""
    with (
        Server() as valkey,
        valkey.client() as client,
        closing(RedisStore(valkey.url, ttl_seconds=3600)) as store,
    ):

        def grown(act: Callable[[], None]) -> float:
            before = client.info("memory")["used_memory"]
            act()
            return (int(client.info("memory")["used_memory"]) - int(before)) / KEPT

        games = list(itertools.islice(itertools.cycle(GAMES), KEPT))
        whole = [history(game, players=players, seed=f"{n}") for n, game in enumerate(games)]
        half = [
            history(game, players=players, seed=f"{n}", moves=whole[n].version // 2)
            for n, game in enumerate(games)
        ]
        keep(store, half[0])  # the script is there then, and the connection
        sizes = [
            grown(lambda some=some: [keep(store, match) for match in some])
            for some in (half, whole)
        ]
        members = {f"{n:015d}:{tokens.new_match_id()}": 0 for n in range(PLACES)}
        place = grown(lambda: client.zadd("list", members)) * KEPT / PLACES
        return sizes[0], sizes[1], place


def bus(client: redis.Redis) -> Bus:
    """What a wake-up costs the nodes of a Cluster that nobody asked for it. `client` is of a server
    of its own, where a message costs no more than itself."""
    channel, number = keys.channel("a" * 16), str(1000)

    def published(client: redis.Redis, place: Path) -> float:
        before = seconds([place])
        for _ in range(PUBLISHED // AT_A_TIME):
            with client.pipeline(transaction=False) as pipe:
                for _ in range(AT_A_TIME):
                    pipe.execute_command("PUBLISH", channel, number)
                pipe.execute()
        return (seconds([place]) - before) / PUBLISHED

    with Shards(primaries=2) as cluster:
        places = []
        for node in cluster.nodes:
            with node.client() as one:
                places.append(server(one))

        def had(place: Path) -> int:
            return int((place / "io").read_text().split()[1])

        with cluster.nodes[0].client() as first:
            published(first, places[0])
            time.sleep(1)
            before, size = seconds(places[1:2]), had(places[1])
            sender = published(first, places[0])
            time.sleep(1)
            got = (seconds(places[1:2]) - before) / PUBLISHED
            size = had(places[1]) - size
        others = len(cluster.nodes) - 1
    alone = published(client, server(client))
    return Bus(got, max(0.0, sender - alone) / others, size / PUBLISHED)
