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
from contextlib import contextmanager
from typing import Any

from api.service import Service
from api.store.base import Listener, StoreUnavailable
from api.table import Table
from engine import Game, Step

log = logging.getLogger("croupier")

#: Seconds between looks at whether the worker is to stop, and between tries to hear again.
TICK = 0.5
#: Seconds within which the store has to confirm that a match is heard of.
CONFIRM = 2.0
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
        self._table: Table | None = None
        self._newest: deque[Step] = deque(maxlen=KEPT)

    def wake(self, *, stale: bool = True) -> None:
        """Lets every watcher look, at the match itself if it has changed."""
        self._stale = self._stale or stale
        for watcher in list(self.watchers):
            watcher.set()

    def table(self, service: Service) -> Table:
        """The match as it is now, overdue moves made. Raises NotFound, StoreUnavailable."""
        with self._lock:
            table = self._table
            if table is None or self._stale or table.overdue(service.clock()):
                self._stale = False
                try:
                    table = self._table = self._fetched(service)
                except Exception:
                    self._stale = True
                    raise
            return table

    def steps(self, service: Service, table: Table, after: int) -> list[Step]:
        """Some of the steps with events after number `after`, oldest first, none when there are
        none up to the table's own version."""
        newest = list(self._newest)
        if after >= table.match.seq:
            return []
        if not (newest and newest[0].first_seq <= after + 1):
            newest = service.steps(self.match_id, after, PAGE)
        return [step for step in newest if after < step.last_seq <= table.match.seq]

    def _fetched(self, service: Service) -> Table:
        table, _ = service.current(self.game, self.match_id)
        # Whoever comes anew needs the past; the room keeps what comes from now on.
        last = self._newest[-1].last_seq if self._newest else table.match.seq - 1
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
        """Enters a room. The event is set whenever there may be something new.

        Raises StoreUnavailable when the store does not confirm in time that it will tell.
        """
        wakeup = threading.Event()
        with self._lock:
            room = self._rooms.get(match_id)
            if room is None:
                room = self._rooms[match_id] = Room(game, match_id)
                self._listen_to(match_id)
            room.watchers.add(wakeup)
        try:
            if not room.heard.wait(CONFIRM):
                raise StoreUnavailable("the wake-ups are not confirmed in time")
            yield room, wakeup
        finally:
            with self._lock:
                room.watchers.discard(wakeup)
                if not room.watchers:
                    del self._rooms[match_id]
                    self._forget(match_id)

    def watchers(self) -> int:
        """How many are watching just now."""
        return sum(len(room.watchers) for room in list(self._rooms.values()))

    def _listen_to(self, match_id: str) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._hear, name="wake-ups", daemon=True)
            self._thread.start()
        elif self._listener is not None:
            self._on_wire(self._listener.subscribe, match_id)

    def _forget(self, match_id: str) -> None:
        if self._listener is not None:
            self._on_wire(self._listener.unsubscribe, match_id)

    def _on_wire(self, command: Callable[[str], None], match_id: str) -> None:
        try:
            command(match_id)
        except StoreUnavailable as error:
            # The hearing thread meets the same trouble, and begins anew with all rooms.
            log.warning("wake-ups: %s", error)

    def _hear(self) -> None:
        """Runs while there are rooms. Whatever breaks, it begins anew and lets everybody look."""
        while True:
            try:
                listener = self.service.store.listen()
                with self._lock:
                    self._listener = listener
                    for match_id in self._rooms:
                        listener.subscribe(match_id)
                while self._hear_once(listener):
                    pass
                return
            except StoreUnavailable as error:
                log.warning("wake-ups: %s", error)
                self._drop_listener()
                time.sleep(TICK)

    def _hear_once(self, listener: Listener) -> bool:
        match_id = listener.hear(TICK)
        room = self._rooms.get(match_id) if match_id else None
        if room is not None:
            room.heard.set()
            room.wake()
        if self.stopping():
            for room in list(self._rooms.values()):
                room.wake(stale=False)
        with self._lock:
            if self._rooms:
                return True
            self._listener = self._thread = None
        listener.close()
        return False

    def _drop_listener(self) -> None:
        with self._lock:
            self._listener = None
            for room in self._rooms.values():
                room.heard.clear()
        for room in list(self._rooms.values()):
            room.wake()
