"""Metrics for operators, in Prometheus' form, right across all worker processes.

Names and labels are stable. No label holds a match, a seat or a token, or anything else of which
there may be any number.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
    values,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4


class Gathered(values.ValueClass):  # the library has two, and chooses
    """A number of the library's, which can gather what it grows by and pass that on later: to write
    it where the other processes find it takes ten times as long."""

    #: Whether somebody will come for what is gathered, by `share`.
    gathering: ClassVar = False
    _grown: ClassVar[list[Gathered]] = []
    _by = 0.0

    def inc(self, amount: float) -> None:
        """See the library's Counter.inc."""
        if not self.gathering:
            super().inc(amount)
            return
        if not self._by:
            self._grown.append(self)
        self._by += amount

    @classmethod
    def share(cls) -> None:
        """Passes on what was gathered."""
        grown = cls._grown[:]
        cls._grown.clear()
        for value in grown:
            by, value._by = value._by, 0.0
            super(Gathered, value).inc(by)


values.ValueClass = Gathered  # the library's own place for it

REGISTRY = CollectorRegistry()

REQUESTS = Histogram(
    "croupier_request_seconds",
    "Time until an answer begins, by method, route and status.",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
    registry=REGISTRY,
)
MATCHES = Counter(
    "croupier_matches", "Matches that came to a status.", ["game", "status"], registry=REGISTRY
)
MOVES = Counter(
    "croupier_moves", "Moves that were kept, by who made them.", ["game", "kind"], registry=REGISTRY
)
CONFLICTS = Counter(
    "croupier_commit_conflicts", "Commits that lost a race and were judged anew.", registry=REGISTRY
)
STORE = Histogram(
    "croupier_store_seconds",
    "Time that a call to the store took, by operation.",
    ["operation"],
    buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2),
    registry=REGISTRY,
)
STORE_ERRORS = Counter(
    "croupier_store_errors",
    "Calls that the store could not serve, by operation.",
    ["operation"],
    registry=REGISTRY,
)
REFUSED = Counter(
    "croupier_refused", "Requests that were one too many, by limit.", ["limit"], registry=REGISTRY
)
WATCHERS = Gauge(
    "croupier_watchers",
    "Long polls and streams that are open.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
WORKERS = Counter(
    "croupier_worker_starts", "Worker processes that have started.", registry=REGISTRY
)

MEDIA_TYPE = CONTENT_TYPE_PLAIN_0_0_4


@cache
def requests(method: str, route: str, status: int) -> Histogram:
    """Where requests of a kind are measured. The library takes longer to look it up, each time and
    under a lock, than to measure."""
    return REQUESTS.labels(method, route, status)


@cache
def moves(game: str, kind: str) -> Counter:
    """Where moves of a kind are counted, likewise."""
    return MOVES.labels(game, kind)


def exposition(shared: bool) -> bytes:
    """All metrics as text: of every worker of the service when they are `shared` between its
    processes, else of this one."""
    if not shared:
        return generate_latest(REGISTRY)
    Gathered.share()
    everyone = CollectorRegistry()
    multiprocess.MultiProcessCollector(everyone)  # type: ignore[no-untyped-call]
    return generate_latest(everyone)
