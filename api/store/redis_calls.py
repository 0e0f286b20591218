"""Calls to Redis: each finds its server, and is tried again where that is safe."""

from __future__ import annotations

from typing import Any

from redis.exceptions import NoScriptError

from api.store.base import StoreUnavailable
from api.store.redis_server import Command, Server
from api.store.redis_servers import Servers
from api.store.redis_trouble import Trouble

MOST_TRIES = 20
"""Times that one call is sent, when servers point to each other or the keys are on their way."""


class Calls:
    """The way from a command to its reply.

    A server that hangs costs a call one SOCKET_TIMEOUT, or less when the call was still waiting for
    a connection, since nothing is sent again after a time-out. A connection that breaks is another
    matter: the command is sent once more, at once. That is safe for a commit, which carries its
    nonce. `wait_replicas` is how many replicas have to confirm a call that asks for it.
    """

    def __init__(self, servers: Servers, *, wait_replicas: int) -> None:
        self._servers = servers
        self._wait_replicas = wait_replicas

    def ask(
        self,
        key: str,
        command: Command,
        *,
        if_unknown: Command | None = None,
        changes: bool = False,
        confirm: bool = False,
    ) -> Any:
        """Send a command about a key, or `if_unknown` if its script is unknown, and return the
        reply. `changes` tells whether it may change something, `confirm` whether the replicas have
        to confirm what it wrote. Raises StoreUnavailable.
        """
        call = _Call(command, if_unknown, self._wait_replicas if confirm else 0)
        try:
            return call.answer(self._servers, key)
        except Trouble as trouble:
            if trouble.is_mistake:
                raise trouble.error from None
            maybe_done = changes and call.unsure
            raise StoreUnavailable(str(trouble), maybe_done=maybe_done) from trouble

    def reach(self) -> None:
        """Return as soon as any server answers. Raises StoreUnavailable."""
        last = None
        try:
            for server in self._servers.each():
                try:
                    return _greet(server)
                except Trouble as trouble:
                    last = trouble
        except Trouble as trouble:
            last = trouble
        raise StoreUnavailable(str(last or "there is no server")) from last


class _Call:
    """One command on its way. `unsure` tells whether it may have been carried out so far."""

    def __init__(self, command: Command, if_unknown: Command | None, confirmations: int) -> None:
        self.unsure = False
        self._command = command
        self._if_unknown = if_unknown
        self._confirmations = confirmations

    def answer(self, servers: Servers, key: str) -> Any:
        """The reply of the server that the command belongs to. Raises Trouble."""
        route = servers.route(key)
        for left in reversed(range(MOST_TRIES)):
            try:
                return route.server.exchange(
                    self._command, confirmations=self._confirmations, ask=route.ask
                )
            except Trouble as trouble:
                if left and self._is_unknown(trouble):
                    continue
                lost_again = self.unsure and trouble.is_lost
                self.unsure = self.unsure or trouble.may_be_done
                again = servers.reroute(key, route, trouble)
                if again is None or lost_again or not left:
                    raise
                route = again
        raise AssertionError("the last try returns or raises")

    def _is_unknown(self, trouble: Trouble) -> bool:
        """Whether the server did not know the script, whose source goes out from now on."""
        if not isinstance(trouble.error, NoScriptError) or self._if_unknown is None:
            return False
        self._command, self._if_unknown = self._if_unknown, None
        return True


def _greet(server: Server) -> None:
    try:
        server.exchange(("PING",))
    except Trouble as trouble:
        if not trouble.broke_off:
            raise
        server.exchange(("PING",))
