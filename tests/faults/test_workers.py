"""Workers that are killed under the load: what they were about is taken up by the others."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.faults.chaos import MOVES, SOAK, TIMES
from tests.faults.checker import check
from tests.faults.load import Load
from tests.services import Service

WORKERS = "4" if SOAK else "2"


def test_a_worker_killed_every_second_loses_nothing(tmp_path: Path) -> None:
    """The oldest one each time, so that at some time it is one with connections, and may be the
    last one that serves. Then everybody waits for a new one, which takes more than a second to
    come; so the next one is killed only when something has been done."""
    with (
        Service(tmp_path, CROUPIER_WORKERS=WORKERS) as service,
        Load([service.ready().url], seed="workers") as load,
    ):
        for _ in range(TIMES):
            load.until(MOVES)
            os.kill(min(service.workers()), signal.SIGKILL)
            time.sleep(1)
        load.until(MOVES)
        verdict = check(load.stop())
    assert not verdict.problems, verdict
    assert verdict.counts["unanswered"] > 0
