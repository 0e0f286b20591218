"""Several servers of which Sentinels make one the primary."""

from __future__ import annotations

import time

from redis import Connection, ConnectionPool
from redis.sentinel import Sentinel, SentinelConnectionPool

from api.store.redis_servers import OneServer, Route
from api.store.redis_trouble import Trouble

ASK_ANEW_EVERY = 1.0
"""Seconds between two doubts about a primary that answers, however often it refuses."""


class BehindSentinels(OneServer):
    """Whichever server the Sentinels have made the primary: each new connection asks them, so that
    one that breaks, as all do when Sentinels demote a server, leads to the new primary."""

    def __init__(
        self, sentinel: Sentinel, pool: SentinelConnectionPool, max_connections: int
    ) -> None:
        super().__init__(pool, max_connections)
        self._sentinel = sentinel
        self._asked_anew_at = float("-inf")

    def reroute(self, key: str, tried: Route, trouble: Trouble) -> Route | None:
        """See Servers.reroute."""
        if trouble.is_refusal and time.monotonic() - self._asked_anew_at > ASK_ANEW_EVERY:
            self._ask_anew()
        return super().reroute(key, tried, trouble)

    def is_heard_on(self, pool: ConnectionPool, connection: Connection) -> bool:
        """See Servers.is_heard_on."""
        # The pool owns what leads to the primary that it was last told of.
        return bool(pool.owns_connection(connection))

    def _ask_anew(self) -> None:
        """Let the next connection ask another Sentinel. A primary that is cut off from the others
        does not know that it has been replaced, and a Sentinel beside it does not either."""
        self._asked_anew_at = time.monotonic()
        first, *others = self._sentinel.sentinels
        # A new list, as the old one may be being gone through.
        self._sentinel.sentinels = [*others, first]
        self.server.cool()
        self._pool.disconnect(inuse_connections=False)
        self._pool.update_active_connections_for_reconnect()
