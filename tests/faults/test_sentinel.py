"""Players at a service whose store is watched by Sentinels, while its primary dies or hangs.

`CROUPIER_SOAK=1` makes the long form of it: every trouble, again and again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.checker import check
from tests.faults.load import Load
from tests.many_valkeys import Node, Watched
from tests.services import Service, eventually

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
TROUBLES = {"dies": (Node.kill, Node.start), "hangs": (Node.pause, Node.resume)}
MORE_FAILOVERS, MOVES = (5, 60) if SOAK else (0, 20)
#: What a failover may do to moves that nobody confirmed: acknowledged ones are lost, which makes
#: views, events and answers untrue that told of them.
LOSSES = {"lost", "twice", "answer", "stream", "stale", "client", "order", "gap", "early", "state"}


def fail_over(watched: Watched, trouble: Callable[[Node], None]) -> Node:
    """The primary gets into trouble, and Sentinels make another one. Gives the old one."""
    primary = watched.primary
    trouble(primary)
    eventually(lambda: watched.primary is not primary)
    return primary


@pytest.mark.parametrize("how", TROUBLES if SOAK else ["dies"])
@pytest.mark.parametrize("confirmed", [True, False] if SOAK else [True])
def test_no_confirmed_move_goes_with_the_primary(tmp_path: Path, how: str, confirmed: bool) -> None:
    trouble, end = TROUBLES[how]
    with Watched(replicas=2, appendonly="yes") as watched:
        settings = {"REDIS_URL": watched.url, "CROUPIER_WAIT_REPLICAS": "1" if confirmed else "0"}
        with (
            Service(tmp_path, CROUPIER_WORKERS="2", **settings) as service,
            Load([service.ready().url], seed=f"{how} {confirmed}") as load,
        ):
            load.until(moves=MOVES)
            old = fail_over(watched, trouble)
            # The other replica confirms from now on.
            load.until(moves=MOVES)
            for _ in range(MORE_FAILOVERS):
                end(old)
                watched.settle()
                load.until(moves=MOVES)
                old = fail_over(watched, trouble)
                load.until(moves=MOVES)
            verdict = check(load.stop())
    assert verdict.kinds() <= (set() if confirmed else LOSSES), str(verdict)
    assert verdict.counts["503"] > 0
