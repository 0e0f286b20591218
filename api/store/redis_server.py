"""One Redis server as a process sees it: a few connections that all of its calls share."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
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

WARM = 0.5
"""Seconds for which an answer shows that the server is there and keeps its connections."""

Command: TypeAlias = tuple[str | bytes | int, ...]


class Slots:
    """How many may do something at the same time. Unlike threading's semaphores it costs next to
    nothing where nobody has to wait."""

    def __init__(self, most: int) -> None:
        # Python takes an item from a list, or adds one, in a single step.
        self._free = [None] * most
        self._waiting = 0
        self._given_back = threading.Condition()

    def take(self, seconds: float) -> bool:
        """Take a slot; False when none became free in time."""
        if self._taken():
            return True
        with self._given_back:
            self._waiting += 1
            try:
                return self._given_back.wait_for(self._taken, seconds)
            finally:
                self._waiting -= 1

    def give_back(self) -> None:
        """Let another have the slot."""
        self._free.append(None)
        if self._waiting:
            with self._given_back:
                self._given_back.notify()

    def _taken(self) -> bool:
        try:
            self._free.pop()
        except IndexError:
            return False
        return True


class Server:
    """A server, or whichever a pool's connections lead to. Threads and greenlets may share it.

    At most `max_connections` calls are on their way at a time. The others wait for as long as the
    server answers anybody: a hang is refused, a queue is not.
    """

    def __init__(self, pool: ConnectionPool, max_connections: int) -> None:
        self.pool = pool
        self._slots = Slots(max_connections)
        self._replies = 0
        #: Connections that were answered a moment ago, the latest one last, and when that was.
        self._warm: list[Any] = []
        self._answered_at = 0.0
        self._confirm_ms = CONFIRM_MS

    def exchange(self, command: Command, *, confirmations: int = 0, ask: bool = False) -> Any:
        """Send a command and return the reply, in one round trip.

        With `confirmations`, so many replicas have to say that they have all that this connection
        wrote. `ask` tells a server of a Cluster that the slot is on its way to it. Raises Trouble.
        """
        commands = [("ASKING",), command] if ask else [command]
        self._wait_for_slot()
        try:
            if confirmations:
                commands.append(("WAIT", confirmations, self._confirm_ms))
            replies = self._replies_to(commands)
        finally:
            self._slots.give_back()
        reply = replies[int(ask)]
        if isinstance(reply, Exception):
            raise Trouble(reply, sent=True) from reply
        if confirmations:
            self._require(replies[-1], confirmations)
        return reply

    def cool(self) -> None:
        """Give the pool all connections that nobody uses. It looks at each before it is used."""
        while (connection := self._warm_one()) is not None:
            self.pool.release(connection)

    def _require(self, confirmed: Any, confirmations: int) -> None:
        """Refuse what too few have confirmed; an error reply, as of a server demoted meanwhile,
        confirms nothing."""
        enough = isinstance(confirmed, int) and confirmed >= confirmations
        self._confirm_ms = CONFIRM_MS if enough else CONFIRM_MS_AFTER_FAILURE
        if not enough:
            raise Trouble(NotConfirmed(), sent=True)

    def _replies_to(self, commands: Sequence[Command]) -> list[Any]:
        """A reply for each command, or the error that was one."""
        connection = self._sent_on_warm_one(commands) or self._sent_on_new_one(commands)
        try:
            replies = [self._reply(connection) for _ in commands]
        except BaseException as error:
            raise self._trouble(connection, error) from error
        self._replies += 1
        if connection.should_reconnect():  # another server is to be asked from now on
            self.pool.release(connection)
        else:
            self._answered_at = time.monotonic()
            self._warm.append(connection)
        return replies

    def _sent_on_warm_one(self, commands: Sequence[Command]) -> Any:
        """The connection; None where there was none, or the server has closed it and so got no
        whole command."""
        if time.monotonic() - self._answered_at > WARM:
            self.cool()
        connection = self._warm_one()
        if connection is None:
            return None
        try:
            _send(commands, connection)
        except ConnectionError:
            self.pool.release(connection)
            self.cool()
            return None
        except BaseException as error:
            raise self._trouble(connection, error) from error
        return connection

    def _sent_on_new_one(self, commands: Sequence[Command]) -> Any:
        # Any: redis-py leaves the methods of its connections untyped.
        try:
            connection: Any = self.pool.get_connection()
        except RedisError as error:
            raise Trouble(error, sent=False) from error
        try:
            _send(commands, connection)
        except BaseException as error:
            raise self._trouble(connection, error) from error
        return connection

    def _warm_one(self) -> Any:
        try:
            return self._warm.pop()
        except IndexError:
            return None

    def _trouble(self, connection: Any, error: BaseException) -> BaseException:
        """What to raise where something was sent and no reply came."""
        # A reply that is still to come would be taken for that of a later command.
        connection.disconnect()
        self.pool.release(connection)
        self.cool()
        return Trouble(error, sent=True) if isinstance(error, RedisError) else error

    def _reply(self, connection: Any) -> Any:
        try:
            return connection.read_response()
        except ResponseError as error:
            return error

    def _wait_for_slot(self) -> None:
        quiet = 0
        seen = self._replies
        while not self._slots.take(WAIT_SLICE):
            quiet = quiet + 1 if self._replies == seen else 0
            seen = self._replies
            if quiet == QUIET_SLICES:
                raise Trouble(ConnectionError("nobody is answered"), sent=False)


def _send(commands: Sequence[Command], connection: Any) -> None:
    connection.send_packed_command([b"".join(map(_packed, commands))])


def _packed(command: Command) -> bytes:
    """A command as it is sent: an array of bulk strings (RESP2). redis-py looks at the type of each
    part in turn, which takes three times as long."""
    parts = [b"*%d\r\n" % len(command)]
    for part in command:
        data = part if isinstance(part, bytes) else str(part).encode()
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)
