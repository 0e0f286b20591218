"""What befalls a service in a run: things that happen again and again beside the load, and how much
of it the short and the long form have."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
#: How often a fault comes in a run, and how many moves are made around each.
TIMES = 20 if SOAK else 2
MOVES = 60 if SOAK else 20
#: How many tables are played at.
TABLES = 3 if SOAK else 2
#: For a service of which every line is one too many.
QUIET = {"CROUPIER_LOG_LEVEL": "warning"}


@contextmanager
def every(seconds: float, happens: Callable[[], object]) -> Iterator[list[int]]:
    """Lets something happen every so many seconds while the block runs, for the first time at its
    beginning. The list grows with each time. What it raises is raised at the end."""
    over, times, troubles = threading.Event(), list[int](), list[BaseException]()

    def run() -> None:
        try:
            while not over.is_set():
                happens()
                times.append(len(times))
                over.wait(seconds)
        except BaseException as error:
            troubles.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield times
    finally:
        over.set()
        thread.join()
    if troubles:
        raise troubles[0]
