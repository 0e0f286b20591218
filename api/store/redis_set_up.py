"""From a URL to the servers behind it, in any of the three set-ups."""

from __future__ import annotations

from typing import Any

from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.exceptions import RedisError
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from api.store.redis_cluster import Cluster
from api.store.redis_sentinel import BehindSentinels
from api.store.redis_server import SOCKET_TIMEOUT
from api.store.redis_servers import OneServer, Servers
from api.store.redis_url import RedisUrl, SetUp

SENTINEL_TIMEOUT = 0.3
"""Seconds to wait for each answer of a Sentinel: there are others to ask."""

SPARE = 4
"""Connections that a pool has besides those of the calls: for wake-ups, and to ask for the way."""


def servers_at(url: RedisUrl, *, max_connections: int) -> Servers:
    """The servers behind a URL. Raises ValueError, without repeating the URL, for options that the
    driver does not know."""
    try:
        options = {
            "max_connections": max_connections + SPARE,
            **_patience(SOCKET_TIMEOUT),
            **parse_url(url.plain),
        }
        # Connections are built when needed; options that none of them takes have to fail now.
        pool = ConnectionPool(**options)
        pool.connection_class(**pool.connection_kwargs)
    except (ValueError, TypeError, RedisError):
        raise ValueError("it has options that are not known") from None
    if url.set_up is SetUp.ONE:
        return OneServer(pool, max_connections)
    for own in ("host", "port"):
        options.pop(own, None)
    if url.set_up is SetUp.SENTINEL:
        return _behind_sentinels(url, options, max_connections)
    return Cluster(url.hosts, options, max_connections)


def _behind_sentinels(url: RedisUrl, options: dict[str, Any], most: int) -> Servers:
    tls = options.pop("connection_class", None) is not None
    of_both = {name: value for name, value in options.items() if name.startswith("ssl_")}
    sentinel = Sentinel(
        url.hosts,
        sentinel_kwargs=_patience(SENTINEL_TIMEOUT) | of_both | url.sentinel_user | {"ssl": tls},
    )
    pool = SentinelConnectionPool(url.service, sentinel, ssl=tls, **options)
    return BehindSentinels(sentinel, pool, most)


def _patience(seconds: float) -> dict[str, Any]:
    return {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 0),
        # The newer protocol brings nothing here and costs each connection a round trip. To tell the
        # driver's name costs one too, and shows whether anybody answers before a command is sent.
        "protocol": 2,
    }
