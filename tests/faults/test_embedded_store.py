"""The embedded store on a full disk: nothing that was acknowledged is lost, and the service comes
back by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.chaos import MOVES, QUIET, SOAK, TABLES
from tests.faults.checker import check
from tests.faults.limited import LimitedValkey
from tests.faults.load import Load
from tests.services import Service, eventually

#: Bytes that the store's files have room for: enough for some dozens of moves.
ROOM = 120_000


@pytest.mark.parametrize("policy", ["always", "everysec"] if SOAK else ["always"])
def test_a_full_disk_loses_nothing_and_is_over_when_there_is_room(
    tmp_path: Path, policy: str
) -> None:
    limited = LimitedValkey(tmp_path / "limited", ROOM)
    settings = {**limited.settings, **QUIET, "CROUPIER_APPENDFSYNC": policy}
    with (
        Service(tmp_path, **settings) as service,
        Load([service.ready().url], seed=f"full {policy}", tables=TABLES) as load,
    ):
        log = service.data_dir / "valkey.log"
        eventually(lambda: log.read_text().count("AOF file") > (2 if policy == "always" else 0))
        assert ("Can't recover from AOF write error" in service.output) == (policy == "always")
        limited.lift(eventually(service.valkey))
        load.until(MOVES)
        verdict = check(load.stop())
    assert not verdict.problems, str(verdict)
    assert verdict.counts["503"] > 0
