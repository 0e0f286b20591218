"""Wake-ups from Redis: one connection on which a process hears of every match that it watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from api.store import keys
from api.store.base import StoreUnavailable
from api.store.redis_servers import Servers
from api.store.redis_trouble import reason

#: Seconds without a word after which Redis is asked whether it still listens, and after as many
#: more the connection counts as broken: a network that drops packets would leave it open for ever.
QUIET = 5.0
#: What names a match that woke somebody, or that is heard of from now on.
NEWS = (b"message", b"subscribe")


class RedisListener:
    """See base.Listener. One thread calls `hear`; any may subscribe and unsubscribe.

    It speaks over a bare connection: redis-py's PubSub connects anew behind its user's back, from
    whichever thread meets the trouble.
    """

    def __init__(self, servers: Servers) -> None:
        # Commands of several threads must not mix on the wire.
        self._sending = threading.Lock()
        self._broken = False
        self._heard_at = time.monotonic()
        self._asked = False
        self._servers = servers
        with self._unbroken():
            self._pool = servers.listening_pool()
            # Any: redis-py leaves the methods of its connections untyped.
            self._connection: Any = self._pool.get_connection()

    def subscribe(self, match_id: str) -> None:
        """See Listener.subscribe."""
        self._send("SUBSCRIBE", keys.channel(match_id))

    def unsubscribe(self, match_id: str) -> None:
        """See Listener.unsubscribe."""
        self._send("UNSUBSCRIBE", keys.channel(match_id))

    def hear(self, seconds: float) -> str | None:
        """See Listener.hear."""
        with self._unbroken():
            heard = self._connection.can_read(timeout=seconds)
            reply = self._connection.read_response() if heard else None
        if not heard:
            self._ask_whether_it_listens()
            return None
        self._heard_at, self._asked = time.monotonic(), False
        # A PING before the first subscription is answered with no list.
        if isinstance(reply, list) and reply[0] in NEWS:
            return keys.match_of_channel(reply[1])
        return None

    def close(self) -> None:
        """See Listener.close."""
        self._connection.disconnect()
        self._pool.release(self._connection)

    def _ask_whether_it_listens(self) -> None:
        silent = time.monotonic() - self._heard_at
        is_heard = self._servers.is_heard_on(self._pool, self._connection)
        if silent > 2 * QUIET or not is_heard:
            self._broken = True
            raise StoreUnavailable("the wake-ups fell silent")
        if silent > QUIET and not self._asked:
            self._asked = True
            self._send("PING")

    def _send(self, *command: str) -> None:
        with self._sending, self._unbroken():
            self._connection.send_command(*command)

    @contextmanager
    def _unbroken(self) -> Iterator[None]:
        """Once something has failed nothing more is tried: a connection that was closed would open
        itself again, without its subscriptions."""
        if self._broken:
            raise StoreUnavailable("the wake-ups broke off")
        try:
            yield
        # A read whose connection is closed by another thread's failed send raises anything.
        except Exception as error:
            self._broken = True
            raise StoreUnavailable(f"the wake-ups broke off: {reason(error)}") from error
