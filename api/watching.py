"""The use cases of watching: a page of events, a long poll, and a stream that follows a match."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from api.errors import ServiceError, TooContended
from api.hub import Hub, Room
from api.store.base import StoreUnavailable
from api.table import Role, Table
from engine import Game

#: Seconds of silence after which a stream sends a sign of life, so that proxies keep it open.
KEEPALIVE = 15.0
#: Seconds after which a stream looks whether a store that was away has come back.
AWAY = 2.0


@dataclass(frozen=True, kw_only=True)
class Page:
    """Some events as the asker may see them. `last_seq` is the number of the match's last one."""

    events: list[dict[str, Any]]
    last_seq: int


class Watching:
    """Events for one who asks, with a token or without."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._service = hub.service

    def page(
        self,
        game: Game[Any],
        match_id: str,
        token: str | None,
        *,
        after: int,
        limit: int,
        wait: float = 0,
    ) -> Page:
        """Up to `limit` events after number `after`; without any, waits up to `wait` seconds.

        Raises NotFound, Unauthorized, Forbidden, StoreUnavailable, TooContended.
        """
        table, role = self._service.watch(game, match_id, token)
        page = self._page(table, role, after, limit)
        if page.events or not wait or table.match.status == "finished":
            return page
        until, seen = time.monotonic() + wait, table.revision or 0
        with self._hub.watching(game, match_id) as (room, wakeup):
            while True:
                wakeup.clear()
                table = room.table(self._service, seen=seen)
                page = self._page(table, table.watcher(token), after, limit)
                left = until - time.monotonic()
                over = table.match.status == "finished" or self._hub.stopping()
                if page.events or left <= 0 or over:
                    return page
                self._sleep(wakeup, table, left)

    def follow(
        self, game: Game[Any], match_id: str, token: str | None, *, after: int
    ) -> Iterator[list[dict[str, Any]]]:
        """Follows a match: each batch of events after number `after`, oldest first; an empty one
        as a sign of life. While the store is away it waits for it. It ends after the match's last
        event, when the match or the token is gone, and when the worker stops; whoever comes back
        goes on after the last number it had.
        """
        # A stream has no status left to give: it ends, and coming back tells.
        with suppress(ServiceError), self._hub.watching(game, match_id) as (room, wakeup):
            while not self._hub.stopping():
                wakeup.clear()
                try:
                    table = room.table(self._service)
                    events = self._batch(room, table, table.watcher(token), after)
                except (StoreUnavailable, TooContended):
                    wakeup.wait(AWAY)
                    yield []
                    continue
                if events:
                    after = events[-1]["seq"]
                    yield events
                elif table.match.status == "finished":
                    return
                elif not self._sleep(wakeup, table, KEEPALIVE):
                    yield []

    def _page(self, table: Table, role: Role, after: int, limit: int) -> Page:
        events: list[dict[str, Any]] = []
        match = table.match
        if after < match.seq:
            for step in self._service.steps(table.match_id, after, limit):
                events += match.show(step, role.seat)
        wanted = [event for event in events if after < event["seq"] <= match.seq]
        return Page(events=wanted[:limit], last_seq=match.seq)

    def _batch(self, room: Room, table: Table, role: Role, after: int) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        for step in room.steps(self._service, table, after):
            events += table.match.show(step, role.seat)
        return [event for event in events if event["seq"] > after]

    def _sleep(self, wakeup: threading.Event, table: Table, seconds: float) -> bool:
        """Waits for news; also wakes when a move falls due, which a look at the match then makes.
        False when the whole time has passed in silence."""
        if table.deadline is not None:
            until_due = max(0.0, (table.deadline - self._service.clock()) / 1000)
            if until_due < seconds:
                wakeup.wait(until_due)
                return True
        return wakeup.wait(seconds)
