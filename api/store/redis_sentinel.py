"""Several servers of which Sentinels make one the primary."""

from __future__ import annotations

from redis.sentinel import Sentinel, SentinelConnectionPool

from api.store.redis_servers import OneServer, Route
from api.store.redis_trouble import Trouble


class BehindSentinels(OneServer):
    """Whichever server the Sentinels have made the primary: each new connection asks them, so that
    one that breaks, as all do when Sentinels demote a server, leads to the new primary."""

    def __init__(self, sentinel: Sentinel, pool: SentinelConnectionPool, most: int) -> None:
        super().__init__(pool, most)
        self._sentinel = sentinel

    def reroute(self, key: str, tried: Route, trouble: Trouble) -> Route | None:
        """See Servers.reroute."""
        if trouble.sent and not trouble.is_lost and not trouble.is_mistake:
            # It answers but does not serve. Cut off from the others, it may not know that it has
            # been replaced; another Sentinel may.
            sentinels = self._sentinel.sentinels
            sentinels.append(sentinels.pop(0))
            self._pool.disconnect(inuse_connections=False)
        return super().reroute(key, tried, trouble)
