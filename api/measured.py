"""A store whose calls are measured, and traced where that is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from api import metrics, tracing
from api.store.base import (
    Commit,
    CommitResult,
    Entry,
    Listener,
    Loaded,
    Place,
    Store,
    StoreUnavailable,
)

P = ParamSpec("P")
T = TypeVar("T")


class MeasuredStore:
    """What it is asked goes to another store. See Store for what its methods do."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, match_id: str, answer_field: str | None = None) -> Loaded | None:
        """See Store.load."""
        return _measured("load", self._store.load, match_id, answer_field)

    def commit(self, commit: Commit) -> CommitResult:
        """See Store.commit."""
        return _measured("commit", self._store.commit, commit)

    def delete(self, match_id: str) -> bool:
        """See Store.delete."""
        return _measured("delete", self._store.delete, match_id)

    def entries(self, match_id: str, after: int, limit: int) -> list[Entry]:
        """See Store.entries."""
        return _measured("entries", self._store.entries, match_id, after, limit)

    def enlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.enlist."""
        _measured("enlist", self._store.enlist, name, match_id, created_at)

    def unlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.unlist."""
        _measured("unlist", self._store.unlist, name, match_id, created_at)

    def listed(self, name: str, before: Place | None, limit: int) -> list[Place]:
        """See Store.listed."""
        return _measured("listed", self._store.listed, name, before, limit)

    def count(self, window: int, added: Mapping[str, int]) -> list[int]:
        """See Store.count."""
        return _measured("count", self._store.count, window, added)

    def secret(self) -> bytes:
        """See Store.secret."""
        return _measured("secret", self._store.secret)

    def listen(self) -> Listener:
        """See Store.listen. What a listener waits for is not measured."""
        return self._store.listen()

    def ping(self) -> None:
        """See Store.ping."""
        _measured("ping", self._store.ping)


_OPERATIONS = (
    "commit",
    "count",
    "delete",
    "enlist",
    "entries",
    "listed",
    "load",
    "ping",
    "secret",
    "unlist",
)
# Made beforehand: a count that begins with its first error would show no growth.
_TIMES = {operation: metrics.STORE.labels(operation) for operation in _OPERATIONS}
_ERRORS = {operation: metrics.STORE_ERRORS.labels(operation) for operation in _OPERATIONS}


def _measured(operation: str, ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    began = time.perf_counter()
    try:
        with tracing.store_span(operation):
            return ask(*args, **kwargs)
    except StoreUnavailable:
        _ERRORS[operation].inc()
        raise
    finally:
        _TIMES[operation].observe(time.perf_counter() - began)
