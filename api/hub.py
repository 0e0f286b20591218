"""The hub: how the watchers of one worker hear of what happens, over one connection to the store.

Each match that somebody watches has a room. What happened is fetched once a room, however many
watch; each watcher takes from it what it has not had yet, as its own role may see it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from api import metrics
from api.service import Service
from api.store.base import Listener, StoreUnavailable
from api.table import Table
from engine import Game, Step

log = logging.getLogger("croupier")

#: Seconds between looks at whether the worker is to stop, and between tries to hear again.
TICK = 0.5
#: Seconds for which a watcher waits until its match is heard of, which spares it a second look.
CONFIRM = 1.0
#: Seconds after which a match is looked at even if nothing woke its room: one that expires does so
#: in silence.
UNTOLD = 60.0
#: Entries of a match's log that a room keeps for those who are not quite up to date.
KEPT = 256
#: Entries fetched from the store at a time.
PAGE = 256


class Room:
    """A watched match: its table as it was last looked at, and the newest entries of its log."""

    def __init__(self, game: Game[Any], match_id: str) -> None:
        self.game = game
        self.match_id = match_id
        self.watchers: set[threading.Event] = set()
        self.heard = threading.Event()
        self._lock = threading.Lock()
        self._stale = True
        self._look_again_at = 0.0
        self._away_until = 0.0
        self._table: Table | None = None
        self._newest: deque[Step] = deque(maxlen=KEPT)

    def wake(self, *, stale: bool = True) -> None:
        """Lets every watcher look, at the match itself if it has changed."""
        if stale:
            self._stale = True
        for watcher in list(self.watchers):
            watcher.set()

    def table(self, service: Service, *, seen: int = 0) -> Table:
        """The match as it is now, overdue moves made; not older than a revision that was `seen`,
        even where nobody woke the room since. Raises NotFound, TooContended, StoreUnavailable."""
        with self._lock:
            table, moment = self._table, time.monotonic()
            if (
                table is not None
                and not self._stale
                and (table.revision or 0) >= seen
                and moment < self._look_again_at
                and not table.overdue(service.clock())
            ):
                return table
            # However many watch, a store that is away is asked once in a while.
            if moment < self._away_until:
                raise StoreUnavailable("the store was away a moment ago")
            self._stale = False
            try:
                self._table = table = self._fetched(service)
            except BaseException as error:
                self._stale = True
                if isinstance(error, StoreUnavailable):
                    self._away_until = time.monotonic() + TICK
                raise
            self._look_again_at = moment + UNTOLD
            return table

    def steps(self, service: Service, table: Table, after: int) -> list[Step]:
        """Some of the steps with events after number `after`, oldest first, and none beyond the
        table's own version."""
        newest = list(self._newest)
        if after >= table.match.seq:
            return []
        if not (newest and newest[0].first_seq <= after + 1):
            newest = service.steps(self.match_id, after, PAGE)
        return [step for step in newest if after < step.last_seq <= table.match.seq]

    def _fetched(self, service: Service) -> Table:
        table, _ = service.current(self.game, self.match_id)
        # Whoever comes anew needs the past; the room keeps what comes from now on.
        last = self._newest[-1].last_seq if self._newest else max(0, table.match.seq - 1)
        if last > table.match.seq:  # a store that came back without the last it was told
            self._newest.clear()
        while last < table.match.seq and (steps := service.steps(self.match_id, last, KEPT)):
            self._newest.extend(steps)
            last = steps[-1].last_seq
        return table


class Hub:
    """All rooms of a worker. `stopping` tells when streams are to end by themselves."""

    def __init__(self, service: Service, stopping: Callable[[], bool] = lambda: False) -> None:
        self.service = service
        self.stopping = stopping
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self._listener: Listener | None = None
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, game: Game[Any], match_id: str) -> Iterator[tuple[Room, threading.Event]]:
        """Enters a room. The event is set whenever there may be something new."""
        wakeup = threading.Event()
        with self._lock:
            room = self._rooms.get(match_id)
            if room is None:
                room = self._rooms[match_id] = Room(game, match_id)
                self._listen_to(match_id)
            room.watchers.add(wakeup)
        metrics.WATCHERS.inc()
        try:
            # A confirmation that comes later, as when the store is away, wakes the room.
            room.heard.wait(CONFIRM)
            yield room, wakeup
        finally:
            metrics.WATCHERS.dec()
            with self._lock:
                room.watchers.discard(wakeup)
                if not room.watchers:
                    del self._rooms[match_id]
                    self._forget(match_id)

    def watchers(self) -> int:
        """How many are watching just now."""
        return sum(len(room.watchers) for room in list(self._rooms.values()))

    def _listen_to(self, match_id: str) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._hear, name="wake-ups", daemon=True)
            self._thread.start()
        elif self._listener is not None:
            self._on_wire(self._listener.subscribe, match_id)

    def _forget(self, match_id: str) -> None:
        if self._listener is not None:
            self._on_wire(self._listener.unsubscribe, match_id)

    def _on_wire(self, command: Callable[[str], None], match_id: str) -> None:
        # The hearing thread meets the same trouble, and begins anew with all rooms.
        with suppress(StoreUnavailable):
            command(match_id)

    def _hear(self) -> None:
        """Runs while there are rooms. Whatever breaks, it begins anew with all of them, and each
        looks for what it has missed as soon as it can be heard of again."""
        told = False
        while True:
            try:
                with closing(self.service.store.listen()) as listener:
                    self._begin(listener)
                    while self._goes_on():
                        told = not self._hear_once(listener) and told
                    return
            except Exception as error:
                # An outage is told once, however often hearing is tried again.
                if not told:
                    known = isinstance(error, StoreUnavailable)
                    log.warning("wake-ups: %s", error, exc_info=not known)
                told = True
            self._lose_listener()
            time.sleep(TICK)
            self._let_end()
            if not self._goes_on():
                return

    def _goes_on(self) -> bool:
        """Whether there is a room to hear for. If not, this thread is to end, and whoever comes
        next begins another."""
        with self._lock:
            if not self._rooms:
                self._listener = self._thread = None
            return bool(self._rooms)

    def _begin(self, listener: Listener) -> None:
        with self._lock:
            self._listener = listener
            for match_id in self._rooms:
                listener.subscribe(match_id)

    def _hear_once(self, listener: Listener) -> bool:
        """Waits a moment, and wakes the room that something was heard of, if so."""
        match_id = listener.hear(TICK)
        room = self._rooms.get(match_id) if match_id else None
        if room is not None:
            room.heard.set()
            room.wake()
        self._let_end()
        return match_id is not None

    def _let_end(self) -> None:
        """Wakes everybody when the worker is to stop."""
        if self.stopping():
            for room in list(self._rooms.values()):
                room.wake(stale=False)

    def _lose_listener(self) -> None:
        with self._lock:
            self._listener = None
            for room in self._rooms.values():
                room.heard.clear()
