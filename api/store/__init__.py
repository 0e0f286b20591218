"""Where matches are kept: the port that the service knows. `redis` has what is behind it."""

from api.store.base import (
    Answer,
    Answered,
    Commit,
    CommitResult,
    Entry,
    Loaded,
    Outcome,
    Store,
    StoreUnavailable,
)

__all__ = [
    "Answer",
    "Answered",
    "Commit",
    "CommitResult",
    "Entry",
    "Loaded",
    "Outcome",
    "Store",
    "StoreUnavailable",
]
