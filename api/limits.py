"""Limits: what one address or one token may ask for, and how much of it is left."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_network

from api import metrics, tokens
from api.counting import Counters, Exhausted
from api.errors import TooManyRequests
from api.proxies import read_address
from api.rates import WINDOW, Rates, Told

#: Seconds after which it is worth asking for a stream again, where too many are open.
STREAM_AGAIN = 10
# Made beforehand: a count that begins with its first refusal would show no growth.
_REFUSED = {name: metrics.REFUSED.labels(name) for name in Rates.names()}


class Limits:
    """Limits with their counters. Every method raises TooManyRequests, and counts only what it
    lets pass. An IPv6 network of 64 bits counts as one address: that is what one customer gets."""

    def __init__(self, rates: Rates, counters: Counters) -> None:
        self._counters = counters
        self._of_requests = (rates.address, rates.token)
        self._of_matches = (rates.matches,)
        self._of_streams = (rates.streams, rates.token_streams)
        self._by_address = _in_time("address", rates.address)
        self._by_both = f"{self._by_address}, {_in_time('token', rates.token)}"
        self._matches = _in_time("matches", rates.matches)

    def request(self, address: str, token: str | None) -> Told:
        """Any request."""
        names = [f"a:{customer(address)}"]
        if token is not None:
            names.append(f"t:{_mark(token)}")
        try:
            left, seconds = self._counters.take(names, self._of_requests)
        except Exhausted as exhausted:
            raise _refusal(("address", "token"), self._of_requests, exhausted) from None
        if token is None:
            return Told(self._by_address, f'"address";r={left[0]};t={seconds}')
        return Told(
            self._by_both, f'"address";r={left[0]};t={seconds}, "token";r={left[1]};t={seconds}'
        )

    def creation(self, address: str) -> Told:
        """A request that makes a match."""
        try:
            left, seconds = self._counters.take([f"m:{customer(address)}"], self._of_matches)
        except Exhausted as exhausted:
            raise _refusal(("matches",), self._of_matches, exhausted) from None
        return Told(self._matches, f'"matches";r={left[0]};t={seconds}')

    def stream(self, address: str, token: str | None) -> Callable[[], None]:
        """A stream or a long poll, until what is returned is called."""
        names = [f"s:{customer(address)}"]
        if token is not None:
            names.append(f"w:{_mark(token)}")
        try:
            self._counters.take(names, self._of_streams, still_open=True)
        except Exhausted as exhausted:
            which = exhausted.which
            name, limit = ("streams", "token-streams")[which], self._of_streams[which]
            told = Told(f'"{name}";q={limit};qu="concurrent-requests"', f'"{name}";r=0')
            raise _too_many(name, told, STREAM_AGAIN) from None
        return lambda: self._counters.give_back(names)


def _refusal(
    policies: tuple[str, ...], limits: tuple[int, ...], exhausted: Exhausted
) -> TooManyRequests:
    name, limit = policies[exhausted.which], limits[exhausted.which]
    told = Told(_in_time(name, limit), f'"{name}";r=0;t={exhausted.seconds}')
    return _too_many(name, told, exhausted.seconds)


def _too_many(name: str, told: Told, retry_after: int) -> TooManyRequests:
    _REFUSED[name].inc()
    return TooManyRequests(name, told=told, retry_after=retry_after)


def _in_time(name: str, limit: int) -> str:
    return f'"{name}";q={limit};w={WINDOW}'


@lru_cache(maxsize=4096)
def customer(address: str) -> str:
    """Who counts as one: an IPv4 address, or the 64-bit network of an IPv6 address."""
    ip = read_address(address)
    if ip is None:
        return address
    if isinstance(ip, IPv6Address):
        return str(ip_network((int(ip), 64), strict=False))
    return str(ip)


def _mark(token: str) -> str:
    """What tells a token from others where it is counted: 96 bits of its hash."""
    return tokens.digest(token)[:12].hex()
