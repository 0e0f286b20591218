"""The embedded store in trouble, with the service's own keeper to see to it: nothing that was
acknowledged is lost, and the service comes back by itself."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.faults.chaos import MOVES, SOAK, TIMES
from tests.faults.checker import check
from tests.faults.limited import LimitedValkey
from tests.faults.load import Load
from tests.services import Service, eventually

#: Bytes that the store's files have room for: enough for some dozens of moves.
ROOM = 120_000


def test_a_valkey_that_is_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    with Service(tmp_path) as service, Load([service.ready().url], seed="killed") as load:
        for _ in range(TIMES):
            load.until(MOVES)
            os.kill(eventually(service.valkey), signal.SIGKILL)
        load.until(MOVES)
        verdict = check(load.stop())
    assert not verdict.problems, verdict
    assert verdict.counts["503"] > 0
    assert service.output.count("starting it again") == TIMES


@pytest.mark.parametrize("policy", ["always", "everysec"] if SOAK else ["always"])
def test_a_full_disk_loses_nothing_and_is_over_when_there_is_room(
    tmp_path: Path, policy: str
) -> None:
    limited = LimitedValkey(tmp_path / "limited", ROOM)
    settings = {**limited.settings, "CROUPIER_APPENDFSYNC": policy}
    with (
        Service(tmp_path, **settings) as service,
        Load([service.ready().url], seed=f"full {policy}") as load,
    ):
        log = service.data_dir / "valkey.log"
        eventually(lambda: log.read_text().count("AOF file") > (2 if policy == "always" else 0))
        assert ("Can't recover from AOF write error" in service.output) == (policy == "always")
        limited.lift(eventually(service.valkey))
        load.until(MOVES)
        verdict = check(load.stop())
    assert not verdict.problems, verdict
    assert verdict.counts["503"] > 0
