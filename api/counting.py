"""Counting in the worker, shared with the other workers by way of the store.

A request only adds to a counter in memory. A thread tells the store once a second what was added,
and hears what all workers together have counted; sooner, once a worker has counted a sixteenth of
what a caller may have since it last heard. So no request waits for a count, or fails because of
one: while the store is away each worker counts on alone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from api.rates import WINDOW
from api.store.base import StoreUnavailable

log = logging.getLogger("croupier")

#: Seconds between two talks with the store.
SHARE = 1.0
#: Counters told to the store at a time.
BATCH = 1000

#: Adds to the counters of a window, and returns what each has come to.
Share: TypeAlias = Callable[[int, Mapping[str, int]], Sequence[int]]


class Exhausted(Exception):
    """A counter has come to its limit: the one at place `which` of those wanted, for so many
    seconds more."""

    def __init__(self, which: int, seconds: int) -> None:
        self.which = which
        self.seconds = seconds
        super().__init__(which, seconds)


class _Counter:
    """What the store knew when it was last asked, what was added here since, and what is open."""

    __slots__ = ("added", "known", "open")

    def __init__(self, still_open: int = 0) -> None:
        self.known = 0
        self.added = self.open = still_open


class Counters:
    """Counters by name, all of them at zero when a minute begins, except for what is open: it
    counts anew in each minute, so that what a killed worker had open is forgotten with the minute.

    `clock` gives milliseconds since 1970.
    """

    def __init__(self, share: Share, clock: Callable[[], int]) -> None:
        self._share = share
        self._clock = clock
        self._lock = threading.Lock()
        self._window = 0
        self._counters: dict[str, _Counter] = {}
        self._open = 0
        #: Names of counters with something that the store has not been told.
        self._untold: set[str] = set()
        self._urgent = threading.Event()
        self._thread: threading.Thread | None = None

    def take(
        self, names: Sequence[str], limits: Sequence[int], *, still_open: bool = False
    ) -> tuple[list[int], int]:
        """Adds one to each of some counters, and returns how much is left of each limit, and for
        how many seconds the minute still lasts. With `still_open` they are to be given back when
        what was taken ends.

        Raises Exhausted where one has come to its limit; then none is added to.
        """
        left = []
        with self._lock:
            seconds = self._turn()
            counters = self._counters
            for which, name in enumerate(names):
                counter = counters.get(name)
                if counter is None:
                    counter = counters[name] = _Counter()
                used = counter.known + counter.added
                # Nothing less than what is open here: the store may have lost its count.
                remains = limits[which] - max(counter.open, used)
                if remains <= 0:
                    raise Exhausted(which, seconds)
                left.append(remains - 1)
            for which, name in enumerate(names):
                counter = counters[name]
                counter.added += 1
                counter.open += still_open
                if counter.added * 16 > limits[which]:
                    self._urgent.set()
            self._untold.update(names)
            self._open += still_open and len(names)
            if self._thread is None:
                self._share_from_now_on()
        return left, seconds

    def give_back(self, names: Sequence[str]) -> None:
        """What was taken of these counters with `still_open` has ended."""
        with self._lock:
            self._turn()
            for name in names:
                counter = self._counters[name]
                counter.added -= 1
                counter.open -= 1
                self._open -= 1
                self._untold.add(name)
            if self._thread is None:
                self._share_from_now_on()

    def _turn(self) -> int:
        """Begins a new minute where it is time, and returns how many seconds are left of it."""
        window, gone = divmod(self._clock() // 1000, WINDOW)
        if window != self._window:
            self._window = window
            self._counters = {n: _Counter(c.open) for n, c in self._counters.items() if c.open}
            self._untold = set(self._counters)
        return WINDOW - gone

    def _share_from_now_on(self) -> None:
        self._thread = threading.Thread(target=self._tell, name="counts", daemon=True)
        self._thread.start()

    def _tell(self) -> None:
        """Runs while there is something to tell, or open and to be told of in the next minute."""
        while True:
            self._urgent.wait(SHARE)
            with self._lock:
                self._urgent.clear()
                self._turn()
                window, untold = self._window, list(self._untold)
                if not untold and not self._open:
                    self._thread = None
                    return
            try:
                for start in range(0, len(untold), BATCH):
                    self._tell_some(window, untold[start : start + BATCH])
            except Exception as error:
                # Where the store is away, whoever asks for more than a count is told.
                if not isinstance(error, StoreUnavailable):
                    log.exception("counts cannot be shared")
                time.sleep(SHARE)

    def _tell_some(self, window: int, names: list[str]) -> None:
        with self._lock:
            if window != self._window:
                return
            told = {name: self._counters[name].added for name in names}
        totals = self._share(window, told)
        with self._lock:
            if window != self._window:
                return
            for (name, added), total in zip(told.items(), totals, strict=True):
                counter = self._counters[name]
                counter.known = total
                counter.added -= added
                if not counter.added:
                    self._untold.discard(name)
