"""Processes as Linux tells of them under /proc: their place, and time to the microsecond."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import redis


def seconds(places: Iterable[Path]) -> float:
    """What the processes behind these directories of /proc have used so far, all their threads."""
    told = [task.read_text() for place in places for task in place.glob("task/*/schedstat")]
    return sum(int(text.split()[0]) for text in told) / 1e9


def workers(parent: int) -> list[Path]:
    """The directories of gunicorn's worker processes; none where there is no /proc."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            its_parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if its_parent == parent and "gunicorn" in (place / "cmdline").read_text():
                found.append(place)
        except OSError:
            continue  # it has ended
    return found


def server(client: redis.Redis) -> Path:
    """The directory of the server's process that a client is connected to."""
    return Path("/proc", str(client.info("server")["process_id"]))
