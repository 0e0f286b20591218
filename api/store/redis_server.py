"""One Redis server as a process sees it: a few connections that all of its calls share."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from redis import ConnectionPool
from redis.exceptions import ConnectionError, RedisError, ResponseError

from api.store.redis_trouble import NotConfirmed, Trouble

SOCKET_TIMEOUT = 0.8
"""Seconds to wait for a connection, and for each reply."""

WAIT_SLICE = 0.25
"""Seconds after which a call without a connection looks whether Redis has answered anybody."""

QUIET_SLICES = 2
"""So many slices in a row without any reply, and the wait is given up."""

CONFIRM_MS = 400
"""Milliseconds that replicas may take to confirm; well below SOCKET_TIMEOUT, as a call waits."""

CONFIRM_MS_AFTER_FAILURE = 20
"""The same, once they have failed to: calls must not pile up before a server without replicas."""

Command: TypeAlias = tuple[str | bytes | int, ...]


class Server:
    """A server, or whichever a pool's connections lead to. Threads and greenlets may share it.

    At most `max_connections` calls are on their way at a time. The others wait for as long as the
    server answers anybody: a hang is refused, a queue is not.
    """

    def __init__(self, pool: ConnectionPool, max_connections: int) -> None:
        self.pool = pool
        self._slots = threading.BoundedSemaphore(max_connections)
        self._replies = 0
        self._confirm_ms = CONFIRM_MS

    def exchange(self, command: Command, *, confirmations: int = 0, ask: bool = False) -> Any:
        """Send a command and return the reply, in one round trip.

        With `confirmations`, so many replicas have to say that they have all that this connection
        wrote. `ask` tells a server of a Cluster that the slot is on its way to it. Raises Trouble.
        """
        commands = [("ASKING",), command] if ask else [command]
        with self._connection() as connection:
            if confirmations:
                commands.append(("WAIT", confirmations, self._confirm_ms))
            replies = self._replies_to(commands, connection)
        reply = replies[int(ask)]
        if isinstance(reply, Exception):
            raise Trouble(reply, sent=True) from reply
        if confirmations:
            self._require(replies[-1], confirmations)
        return reply

    def _require(self, confirmed: Any, confirmations: int) -> None:
        """Refuse what too few have confirmed; an error reply, as of a server demoted meanwhile,
        confirms nothing."""
        enough = isinstance(confirmed, int) and confirmed >= confirmations
        self._confirm_ms = CONFIRM_MS if enough else CONFIRM_MS_AFTER_FAILURE
        if not enough:
            raise Trouble(NotConfirmed(), sent=True)

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        self._wait_for_slot()
        try:
            connection = self._connected()
            try:
                yield connection
            finally:
                self.pool.release(connection)
        finally:
            self._slots.release()

    def _connected(self) -> Any:
        # Any: redis-py leaves the methods of its connections untyped.
        try:
            return self.pool.get_connection()
        except RedisError as error:
            raise Trouble(error, sent=False) from error

    def _replies_to(self, commands: Sequence[Command], connection: Any) -> list[Any]:
        """A reply for each command, or the error that was one."""
        try:
            connection.send_packed_command(connection.pack_commands(commands))
            replies = [self._reply(connection) for _ in commands]
        except BaseException as error:
            # A reply that is still to come would be taken for that of a later command.
            connection.disconnect()
            if isinstance(error, RedisError):
                raise Trouble(error, sent=True) from error
            raise
        self._replies += 1
        return replies

    def _reply(self, connection: Any) -> Any:
        try:
            return connection.read_response()
        except ResponseError as error:
            return error

    def _wait_for_slot(self) -> None:
        quiet = 0
        seen = self._replies
        while not self._slots.acquire(timeout=WAIT_SLICE):
            quiet = quiet + 1 if self._replies == seen else 0
            seen = self._replies
            if quiet == QUIET_SLICES:
                raise Trouble(ConnectionError("nobody is answered"), sent=False)
