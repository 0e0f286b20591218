"""Processor time of processes, to the microsecond, as Linux tells it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def seconds(places: Iterable[Path]) -> float:
    """What the processes behind these directories of /proc have used so far, all their threads."""
    told = [task.read_text() for place in places for task in place.glob("task/*/schedstat")]
    return sum(int(text.split()[0]) for text in told) / 1e9
