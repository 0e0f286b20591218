"""Which server keeps what: all in which one server, Sentinels and a Cluster differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from redis import Connection, ConnectionPool

from api.store.redis_server import Server
from api.store.redis_trouble import Trouble


class Route(Protocol):
    """Where a command is to go."""

    @property
    def server(self) -> Server:
        """The server that is to carry it out."""

    @property
    def ask(self) -> bool:
        """Whether that server has to be told that the slot is still on its way to it."""


class Servers(Protocol):
    """The servers that one store is kept in. Every method may raise Trouble; nothing is connected
    before the first call."""

    def route(self, key: str) -> Route:
        """Where commands about a key go."""

    def reroute(self, key: str, tried: Route, trouble: Trouble) -> Route | None:
        """Where a command is to go next after this trouble; None when another try has no use.
        Whatever the trouble tells of the servers is heeded from now on."""

    def each(self) -> Iterator[Server]:
        """The servers, any of which shows that the store is there."""

    def listening_pool(self) -> ConnectionPool:
        """Connections on which every wake-up is heard."""

    def is_heard_on(self, pool: ConnectionPool, connection: Connection) -> bool:
        """Whether a connection of such a pool still leads where every wake-up is heard, as far as
        is known without asking. One that leads elsewhere need not break."""

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""


class OneServer:
    """A single server, and a route to itself.

    A connection that breaks (an idle one that a proxy dropped, a server restarted) is worth another
    try. Nothing is sent again after a time-out.
    """

    ask = False

    def __init__(self, pool: ConnectionPool, max_connections: int) -> None:
        self._pool = pool
        self.server = Server(pool, max_connections)

    def route(self, key: str) -> Route:
        """See Servers.route."""
        return self

    def reroute(self, key: str, tried: Route, trouble: Trouble) -> Route | None:
        """See Servers.reroute."""
        return self if trouble.broke_off else None

    def each(self) -> Iterator[Server]:
        """See Servers.each."""
        yield self.server

    def listening_pool(self) -> ConnectionPool:
        """See Servers.listening_pool."""
        return self._pool

    def is_heard_on(self, pool: ConnectionPool, connection: Connection) -> bool:
        """See Servers.is_heard_on."""
        return True

    def close(self) -> None:
        """See Servers.close."""
        self.server.cool()
        self._pool.disconnect()
