"""A Redis Cluster: which of its servers keeps a match, and how that changes."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redis import Connection, ConnectionPool
from redis.cluster import ClusterNode, NodesManager
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ConnectionError,
    MovedError,
    RedisClusterException,
    RedisError,
    TimeoutError,
    TryAgainError,
)

from api.store.redis_server import SOCKET_TIMEOUT, Server
from api.store.redis_servers import Route
from api.store.redis_trouble import Trouble

LOOK_EVERY = 0.2
"""Seconds between two looks at the map of the Cluster, however much trouble there is."""

TRY_AGAIN_AFTER = 0.05
"""Seconds to wait while the keys of one match are on their way from server to server."""

MAP_ERRORS = (RedisError, RedisClusterException, OSError, IndexError)
"""What the driver raises when it gets no map: its errors about Clusters are not among its others,
a name may not resolve, and a Cluster without slots is nothing that it expects."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A route to a server."""

    server: Server
    ask: bool = False


class Cluster:
    """See Servers. The driver keeps the map of slots; this asks for it anew when it proves wrong.

    Wake-ups are published to the whole Cluster, so that a process hears all of them from whichever
    server it listens to, and goes on hearing when slots move and when other servers fail. Sharded
    channels would spare the servers some messages, and cost each process a connection for every
    server, all of which break and begin anew together.
    """

    def __init__(
        self, hosts: Sequence[tuple[str, int]], options: dict[str, Any], max_connections: int
    ) -> None:
        self._hosts = hosts
        self._options = options
        self._max_connections = max_connections
        self._map: NodesManager | None = None
        self._servers: dict[str, Server] = {}
        self._looking = threading.Lock()
        self._looked_at = float("-inf")
        self._doubted = True
        self._unseen: BaseException = ConnectionError("nobody has looked")

    def route(self, key: str) -> Route:
        """See Servers.route."""
        return _Way(self._server(self._owner(key)))

    def reroute(self, key: str, tried: Route, trouble: Trouble) -> Route | None:
        """See Servers.reroute."""
        match trouble.error:
            case MovedError() as moved:
                self._doubted = True
                with suppress(KeyError):  # a slot that nobody had when the map was made
                    self._known().move_slot(moved)
                return self.route(key)
            case AskError() as asked:
                node = ClusterNode(asked.host, asked.port)
                return _Way(self._server(self._known().nodes_cache.get(node.name, node)), ask=True)
            case TryAgainError():
                time.sleep(TRY_AGAIN_AFTER)
                return self.route(key)
        if trouble.is_mistake:
            return None
        self._doubted = True
        if isinstance(trouble.error, TimeoutError):
            return None
        way = self.route(key)
        return way if trouble.broke_off or way.server is not tried.server else None

    def each(self) -> Iterator[Server]:
        """See Servers.each."""
        for node in self._shuffled():
            yield self._server(node)

    def listening_pool(self) -> ConnectionPool:
        """See Servers.listening_pool."""
        # It broke off, or it was never there. Whoever fails again gets another server.
        self._doubted = True
        return self._server(self._shuffled()[0]).pool

    def is_heard_on(self, pool: ConnectionPool, connection: Connection) -> bool:
        """See Servers.is_heard_on."""
        primaries = self._map.get_nodes_by_server_type("primary") if self._map else []
        return any(self._server(node).pool is pool for node in primaries)

    def close(self) -> None:
        """See Servers.close."""
        for server in self._servers.values():
            server.cool()
            server.pool.disconnect()

    def _known(self) -> NodesManager:
        """The map, looked at anew if there is reason to doubt it. Raises Trouble."""
        if self._doubted and time.monotonic() - self._looked_at > LOOK_EVERY:
            self._look()
        if self._map is None:
            raise Trouble(self._unseen, sent=False) from self._unseen
        return self._map

    def _look(self) -> None:
        """Ask the servers for the map. Whoever comes meanwhile waits for the answer."""
        asked_at = time.monotonic()
        if not self._looking.acquire(timeout=SOCKET_TIMEOUT):
            return
        try:
            if self._looked_at < asked_at:
                self._doubted = False
                self._read_map()
        except MAP_ERRORS as error:
            self._doubted = True
            self._unseen = _root(error)
        finally:
            self._looked_at = time.monotonic()
            self._looking.release()

    def _read_map(self) -> None:
        if self._map is None:
            self._map = NodesManager(
                [ClusterNode(host, port) for host, port in self._hosts],
                from_url=True,
                require_full_coverage=False,
                **self._options,
            )
        else:
            self._map.initialize(
                additional_startup_nodes_info=list(self._hosts),
                disconnect_startup_nodes_pools=False,
            )
        self._servers = {
            name: server for name, server in self._servers.items() if name in self._map.nodes_cache
        }

    def _owner(self, key: str) -> ClusterNode:
        try:
            return self._known().get_node_from_slot(key_slot(key.encode()))
        except RedisClusterException as error:
            self._doubted = True
            raise Trouble(error, sent=False) from error

    def _shuffled(self) -> list[ClusterNode]:
        primaries = self._known().get_nodes_by_server_type("primary")
        return random.sample(primaries, len(primaries))  # nosec B311 # for an even load

    def _server(self, node: ClusterNode) -> Server:
        if node.redis_connection is None:
            self._known().create_redis_connections([node])
        pool = node.redis_connection.connection_pool
        server = self._servers.get(node.name)
        if server is None or server.pool is not pool:
            server = self._servers[node.name] = Server(pool, self._max_connections)
        return server


def _root(error: BaseException) -> BaseException:
    """What is behind an error of the driver's about the Cluster as a whole."""
    while isinstance(error, RedisClusterException):
        below = error.__cause__ or error.__context__
        if below is None:
            break
        error = below
    return error
