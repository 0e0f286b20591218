"""The load and its checker over a service that nothing befalls."""

from __future__ import annotations

from pathlib import Path

from tests.faults.checker import check
from tests.faults.load import Load
from tests.services import Service


def test_a_run_without_faults_has_no_problems(tmp_path: Path) -> None:
    with (
        Service(tmp_path, CROUPIER_WORKERS="2") as service,
        Load([service.ready().url], seed="calm", rudeness=0.05) as load,
    ):
        load.until(moves=150)
        verdict = check(load.stop())
    assert not verdict.problems, verdict
    assert verdict.counts["moves"] >= 150
    assert verdict.counts["unanswered"] == verdict.counts["503"] == 0
    assert min(verdict.counts[name] for name in ("replayed", "cut", "streams", "events")) > 0
