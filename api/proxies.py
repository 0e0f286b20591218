"""Behind proxies: who really asks. A proxy that is trusted names its client; nobody else is
believed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


class TrustedProxies:
    """A WSGI application whose REMOTE_ADDR is the client's where trusted proxies are in between."""

    def __init__(self, app: WSGIApplication, proxies: Sequence[Network]) -> None:
        self._app = app
        self._proxies = proxies

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        forwarded = environ.get("HTTP_X_FORWARDED_FOR")
        if forwarded:
            environ["REMOTE_ADDR"] = client_address(
                environ.get("REMOTE_ADDR", ""), forwarded, self._proxies
            )
        return self._app(environ, start_response)


def client_address(peer: str, forwarded: str, proxies: Sequence[Network]) -> str:
    """The address of whoever asked the outermost trusted proxy.

    Each proxy puts the address that it was asked from at the end of X-Forwarded-For. So the header
    is read from its end, and for as long as the address that vouches for the next one is trusted:
    what a client wrote into it itself comes before that, and is not read.
    """
    address = read_address(peer)
    if address is None:
        return peer
    for hop in reversed(forwarded.split(",")):
        if not any(address in network for network in proxies):
            break
        found = read_address(_without_port(hop.strip()))
        if found is None:
            break
        address = found
    return str(address)


def networks(text: str) -> tuple[Network, ...]:
    """Reads addresses and networks with commas. Raises ValueError."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def read_address(text: str) -> Address | None:
    """An address, that of an IPv4 client of a socket for both as IPv4; None for other texts."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
