"""Wake-ups from Redis: one connection on which a process hears of every match that it watches."""

from __future__ import annotations

import threading
from typing import Any

from redis import ConnectionPool
from redis.client import PubSub
from redis.exceptions import RedisError

from api.store import keys
from api.store.base import StoreUnavailable

#: A channel that nobody publishes to, so that the connection is never without a subscription.
IDLE = ""


class RedisListener:
    """See base.Listener. One thread calls `hear`; any may subscribe and unsubscribe."""

    def __init__(self, pool: ConnectionPool) -> None:
        # Any: redis-py leaves the methods of PubSub untyped.
        self._pubsub: Any = PubSub(pool)
        # Commands of several threads must not mix on the wire.
        self._sending = threading.Lock()
        self._send(self._pubsub.subscribe, IDLE)

    def subscribe(self, match_id: str) -> None:
        """See Listener.subscribe."""
        self._send(self._pubsub.subscribe, match_id)

    def unsubscribe(self, match_id: str) -> None:
        """See Listener.unsubscribe."""
        self._send(self._pubsub.unsubscribe, match_id)

    def hear(self, seconds: float) -> str | None:
        """See Listener.hear."""
        try:
            message = self._pubsub.get_message(timeout=seconds)
        except (RedisError, OSError, ValueError) as error:
            raise StoreUnavailable(f"the wake-ups broke off: {type(error).__name__}") from error
        if message is None or message["type"] not in ("message", "subscribe"):
            return None
        return keys.match_of_channel(message["channel"])

    def close(self) -> None:
        """See Listener.close."""
        self._pubsub.close()

    def _send(self, command: Any, match_id: str) -> None:
        try:
            with self._sending:
                command(keys.channel(match_id))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"the wake-ups broke off: {type(error).__name__}") from error
