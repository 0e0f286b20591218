"""Players at a service whose store is a Cluster, while slots move and a primary dies or hangs.

`CROUPIER_SOAK=1` makes the long form of it: again and again, with and without confirmation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from redis.crc import key_slot

from api.store import keys
from tests.faults.checker import check
from tests.faults.load import Load
from tests.faults.test_sentinel import LOSSES, TROUBLES
from tests.many_valkeys import Node, Shards
from tests.services import Service, eventually

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
ROUNDS, MOVES = (5, 60) if SOAK else (1, 20)


def slots_of_matches(shards: Shards) -> set[int]:
    """The slots that hold matches just now."""
    found = set()
    for node in shards.nodes:
        if node.serves and shards.has_slots(node):
            with node.client() as client:
                names = client.scan_iter(match=keys.match("*"), count=1000)
                found |= {key_slot(name) for name in names}
    return found


def move_some(shards: Shards, rng: Random) -> None:
    """Moves every slot that holds a match to another primary, key by key or as a whole."""
    for slot in sorted(slots_of_matches(shards)):
        source = shards.owner(slot)
        others = [node for node in shards.nodes if shards.has_slots(node) and node is not source]
        rng.choice((shards.move, shards.move_whole))(slot, rng.choice(others))


def fail_over(shards: Shards, rng: Random, trouble: Callable[[Node], None]) -> Node:
    """A primary with matches gets into trouble, and its replica takes over. Gives the old one."""
    slot = rng.choice(sorted(slots_of_matches(shards)))
    primary = shards.owner(slot)
    trouble(primary)
    eventually(lambda: shards.owner(slot) is not primary)
    return primary


@pytest.mark.parametrize("how", TROUBLES if SOAK else ["dies"])
@pytest.mark.parametrize("confirmed", [True, False] if SOAK else [True])
def test_slots_move_and_primaries_fail_and_no_confirmed_move_is_lost(
    tmp_path: Path, how: str, confirmed: bool
) -> None:
    rng, (trouble, end) = Random(f"{how} {confirmed}"), TROUBLES[how]
    with Shards(appendonly="yes") as shards:
        settings = {
            "REDIS_URL": shards.url,
            "CROUPIER_REDIS_CLUSTER": "1",
            "CROUPIER_WAIT_REPLICAS": "1" if confirmed else "0",
        }
        with (
            Service(tmp_path, CROUPIER_WORKERS="2", **settings) as service,
            Load([service.ready().url], seed="shards") as load,
        ):
            load.until(moves=MOVES)
            for _ in range(ROUNDS):
                move_some(shards, rng)
                load.until(moves=MOVES)
                old = fail_over(shards, rng, trouble)
                # Until it is back the new primary has no replica to confirm anything.
                end(old)
                load.until(moves=MOVES)
                shards.settle()
            verdict = check(load.stop())
    assert verdict.kinds() <= (set() if confirmed else LOSSES), str(verdict)
    assert verdict.counts["503"] > 0
