"""Many clients on few matches, several for each seat: whatever they were told fits together.

The checker holds it against the engine and against the times of all requests; see `states`.
"""

from __future__ import annotations

from pathlib import Path

from tests.faults.chaos import SOAK
from tests.faults.checker import check
from tests.faults.load import Load
from tests.services import Service


def test_rivals_make_a_history_that_is_linearizable(tmp_path: Path) -> None:
    with Service(tmp_path, CROUPIER_WORKERS="2") as service:
        url = service.ready().url
        with Load([url], seed="rivals", seats=3, rivals=3, watchers=(None, 0, 1)) as load:
            for _ in range(40 if SOAK else 1):
                load.until(100)
            history = load.stop()
    verdict = check(history)
    assert not verdict.problems, verdict
    assert verdict.counts["unanswered"] == 0
    refused = [
        request.answer.status
        for match in history.matches
        for request in match.moves()
        if request.answer and request.answer.status != 200
    ]
    # They did race: with If-Match and without, on the same version and on a later one.
    assert refused.count(412) > 10
    assert refused.count(409) > 10
