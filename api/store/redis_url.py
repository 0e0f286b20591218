"""The forms that `REDIS_URL` takes, read without the Redis driver: settings are checked before it
may be loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Self
from urllib.parse import parse_qsl, unquote, urlencode

DEFAULT_PORT = 6379
SENTINEL_PORT = 26379

#: Scheme → the scheme of the servers behind it.
PLAIN = {
    "redis": "redis",
    "rediss": "rediss",
    "unix": "unix",
    "redis+sentinel": "redis",
    "rediss+sentinel": "rediss",
}
SCHEMES = tuple(PLAIN)

_URL = re.compile(
    r"(?P<scheme>[a-z+]+)://(?:(?P<user>[^/?#]*)@)?(?P<hosts>[^/?#]*)"
    r"(?P<path>/[^?#]*)?(?:\?(?P<query>[^#]*))?"
)
_HOST = re.compile(r"(?P<host>[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII)


class SetUp(Enum):
    """How the servers behind a URL are set up."""

    ONE = "one server"
    SENTINEL = "one server out of several, which Sentinels choose"
    CLUSTER = "many servers, each with its share of the matches"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisUrl:
    """A URL taken apart. Its password is in `plain` and is not printed."""

    set_up: SetUp
    hosts: tuple[tuple[str, int], ...]
    """Where to ask first: the server, the Sentinels, or some servers of the Cluster."""

    plain: str = field(repr=False)
    """The form that the driver reads, for one server: scheme, user, first host, database and
    options, without those of the Sentinels."""

    service: str = ""
    """The name under which the Sentinels watch the servers."""

    sentinel_user: dict[str, str] = field(default_factory=dict, repr=False)
    """`username` and `password` for the Sentinels, as far as there are any."""

    @classmethod
    def parse(cls, url: str, *, cluster: bool = False) -> Self:
        """Take a URL apart. Raises ValueError, without repeating any of it.

        redis[s]://[USER:PASSWORD@]HOST[:PORT][/DB][?OPTIONS]
        redis[s]://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][?OPTIONS]          a Cluster
        redis[s]+sentinel://[USER:PASSWORD@]HOST[:PORT][,…]/SERVICE[/DB][?OPTIONS]
        unix://[USER:PASSWORD@]/PATH[?OPTIONS]
        """
        parts = _URL.fullmatch(url)
        if parts is None or parts["scheme"] not in PLAIN:
            raise ValueError("its scheme is none of those that are known")
        scheme, path = parts["scheme"], parts["path"] or ""
        if scheme == "unix":
            if cluster or path in ("", "/"):
                raise ValueError("a Unix socket needs a path, and is no Cluster")
            return cls(set_up=SetUp.ONE, hosts=(), plain=url)
        behind_sentinels = scheme.endswith("+sentinel")
        hosts = _hosts(parts["hosts"], SENTINEL_PORT if behind_sentinels else DEFAULT_PORT)
        if len(hosts) > 1 and not (behind_sentinels or cluster):
            raise ValueError("several hosts are for Sentinel and Cluster")
        service, options = "", parts["query"] or ""
        sentinel_user: dict[str, str] = {}
        if behind_sentinels:
            if cluster:
                raise ValueError("a Cluster has no Sentinels")
            service, _, database = path[1:].partition("/")
            if not service or not re.fullmatch("[0-9]*", database):
                raise ValueError("it names no service, or no database by its number")
            path = f"/{database}"
            options, sentinel_user = _divided(options)
        elif cluster and path not in ("", "/", "/0"):
            raise ValueError("a Cluster has the one database 0")
        user = "" if parts["user"] is None else f"{parts['user']}@"
        first, port = hosts[0]
        place = f"[{first}]:{port}" if ":" in first else f"{first}:{port}"
        query = f"?{options}" if options else ""
        return cls(
            set_up=_SET_UPS[behind_sentinels, cluster],
            hosts=hosts,
            plain=f"{PLAIN[scheme]}://{user}{place}{path}{query}",
            service=unquote(service),
            sentinel_user=sentinel_user,
        )


_SET_UPS = {
    (False, False): SetUp.ONE,
    (True, False): SetUp.SENTINEL,
    (False, True): SetUp.CLUSTER,
}


def _hosts(text: str, default_port: int) -> tuple[tuple[str, int], ...]:
    hosts = []
    for place in text.split(","):
        parts = _HOST.fullmatch(place)
        port = default_port if parts is None else int(parts["port"] or default_port)
        if parts is None or not 0 < port < 65_536:
            raise ValueError("it names no host, or none that can be read")
        hosts.append((parts["host"].strip("[]"), port))
    return tuple(hosts)


def _divided(query: str) -> tuple[str, dict[str, str]]:
    """The options of the servers, and the user of the Sentinels, who may be another."""
    options = parse_qsl(query, keep_blank_values=True)
    mine = {f"sentinel_{name}": name for name in ("username", "password")}
    sentinel_user = {mine[name]: value for name, value in options if name in mine}
    return urlencode([option for option in options if option[0] not in mine]), sentinel_user
