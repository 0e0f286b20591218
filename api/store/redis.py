"""The store in Redis or Valkey, 7 or newer: the only module that imports redis."""

import functools
import hashlib
import secrets
import threading
from pathlib import Path
from typing import Any, TypeAlias

from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import (
    ConnectionError,
    InvalidResponse,
    NoScriptError,
    RedisError,
    ResponseError,
    TimeoutError,
)
from redis.retry import Retry

from api.store import keys
from api.store.base import (
    Answered,
    Commit,
    CommitResult,
    Entry,
    Loaded,
    Outcome,
    Place,
    StoreUnavailable,
)
from api.store.redis_listener import RedisListener

SOCKET_TIMEOUT = 0.8
"""Seconds to wait for a connection, and for each reply."""

WAIT_SLICE = 0.25
"""Seconds after which a call without a connection looks whether Redis has answered anybody."""

QUIET_SLICES = 2
"""So many slices in a row without any reply, and the wait is given up."""

SWEPT = 2
"""So many of a list's oldest places are looked at when a match is put into it."""

SETTLED_MS = 60_000
"""Milliseconds after which a place without a match behind it is a leftover for certain."""


def _script(name: str) -> tuple[bytes, str]:
    """A script's source and the name that the server knows it by once it has run."""
    source = Path(__file__).with_name(name).read_bytes()
    return source, hashlib.sha1(source, usedforsecurity=False).hexdigest()


COMMIT, COMMIT_SHA = _script("commit.lua")
DELETE, DELETE_SHA = _script("delete.lua")

# Replies that mean a mistake of ours and no trouble of the server's.
MISTAKES = frozenset({"ERR", "WRONGTYPE", "CROSSSLOT"})

Command: TypeAlias = tuple[str | bytes | int, ...]


class RedisStore:
    """Matches in one Redis or Valkey server.

    `url` is `redis://`, `rediss://` or `unix://`, with the options of redis-py in its query. Each
    match expires `ttl_seconds` after its last commit. At most `max_connections` are open for each
    process; nothing is connected before the first call. Threads and greenlets may share a store.

    A server that hangs costs a call one SOCKET_TIMEOUT, or less when the call was still waiting for
    a connection, since nothing is sent again after a time-out. A connection that breaks is another
    matter (an idle one that a proxy dropped, a server restarted): the command is sent once more on
    a new one, at once. That is safe for a commit, which carries its nonce.
    """

    def __init__(self, url: str, *, ttl_seconds: int, max_connections: int = 32) -> None:
        """Raise ValueError for a URL or a time that cannot be used, without repeating the URL."""
        if ttl_seconds < 1:
            raise ValueError("a match has to live for a second at least")
        self._ttl_ms = ttl_seconds * 1000
        self._slots = threading.BoundedSemaphore(max_connections)
        self._replies = 0
        try:
            connect = functools.partial(
                ConnectionPool.from_url,
                url,
                socket_timeout=SOCKET_TIMEOUT,
                socket_connect_timeout=SOCKET_TIMEOUT,
                retry=Retry(NoBackoff(), 0),
                # The newer protocol brings nothing here and costs each connection a round trip.
                protocol=2,
            )
            self._pool = connect(max_connections=max_connections)
            self._listening_pool = connect()
            # Connections are built when needed; options that none of them takes have to fail now.
            self._pool.connection_class(**self._pool.connection_kwargs)
        except (ValueError, TypeError, RedisError):
            raise ValueError(
                "the Redis URL cannot be used; expected redis://, rediss:// or unix://"
            ) from None

    def load(self, match_id: str, answer_field: str | None = None) -> Loaded | None:
        """See Store.load."""
        fields = ["version", "state"]
        if answer_field is not None:
            fields.append(keys.answer(answer_field))
        version, state, *answers = self._ask(("HMGET", keys.match(match_id), *fields))
        if version is None:
            return None
        return Loaded(version=int(version), state=state, answer=answers[0] if answers else None)

    def commit(self, commit: Commit) -> CommitResult:
        """See Store.commit."""
        answer = commit.answer
        arguments: Command = (
            2,
            keys.match(commit.match_id),
            keys.events(commit.match_id),
            "" if commit.expected is None else commit.expected,
            commit.version,
            commit.state,
            commit.base_seq,
            commit.nonce,
            self._ttl_ms,
            keys.channel(commit.match_id),
            "" if answer is None else keys.answer(answer.field),
            b"" if answer is None else answer.value,
            *(part for entry in commit.entries for part in (entry.seq, entry.data)),
        )
        outcome, *kept = self._ask(
            ("EVALSHA", COMMIT_SHA, *arguments),
            if_unknown=("EVAL", COMMIT, *arguments),
            changes=True,
        )
        return Answered(kept[0]) if kept else Outcome(outcome.decode())

    def delete(self, match_id: str) -> bool:
        """See Store.delete."""
        names = (keys.match(match_id), keys.events(match_id), keys.channel(match_id))
        arguments: Command = (2, *names)
        removed = self._ask(
            ("EVALSHA", DELETE_SHA, *arguments),
            if_unknown=("EVAL", DELETE, *arguments),
            changes=True,
        )
        return bool(removed)

    def entries(self, match_id: str, after: int, limit: int) -> list[Entry]:
        """See Store.entries."""
        rows = self._ask(("XRANGE", keys.events(match_id), f"({after}-0", "+", "COUNT", limit))
        return [
            Entry(seq=int(row_id.partition(b"-")[0]), data=fields[-1]) for row_id, fields in rows
        ]

    def enlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.enlist."""
        key = keys.listing(name)
        self._ask(("ZADD", key, 0, _member(created_at, match_id)), changes=True)
        self._ask(("PEXPIRE", key, self._ttl_ms), changes=True)
        for member in self._ask(("ZRANGE", key, 0, SWEPT - 1)):
            # A match that is about to be made has its place before it is there.
            old = _place(member).created_at < created_at - SETTLED_MS
            if old and not self._ask(("EXISTS", keys.match(_place(member).match_id))):
                self._ask(("ZREM", key, member), changes=True)

    def unlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.unlist."""
        self._ask(("ZREM", keys.listing(name), _member(created_at, match_id)), changes=True)

    def listed(self, name: str, before: Place | None, limit: int) -> list[Place]:
        """See Store.listed."""
        start = "+" if before is None else f"({_member(before.created_at, before.match_id)}"
        key = keys.listing(name)
        members = self._ask(("ZRANGE", key, start, "-", "BYLEX", "REV", "LIMIT", 0, limit))
        return [_place(member) for member in members]

    def secret(self) -> bytes:
        """See Store.secret."""
        kept: bytes | None = self._ask(("GET", keys.secret()))
        if kept is None:
            made = secrets.token_bytes(32)
            kept = self._ask(("SET", keys.secret(), made, "NX", "GET"), changes=True) or made
        return kept

    def listen(self) -> RedisListener:
        """See Store.listen."""
        return RedisListener(self._listening_pool)

    def ping(self) -> None:
        """See Store.ping."""
        self._ask(("PING",))

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        self._pool.disconnect()
        self._listening_pool.disconnect()

    def _ask(
        self, command: Command, *, if_unknown: Command | None = None, changes: bool = False
    ) -> Any:
        """Send a command, or `if_unknown` if its script is unknown, and return the reply."""
        self._wait_for_slot()
        try:
            return self._ask_now(command, if_unknown, changes)
        finally:
            self._slots.release()

    def _wait_for_slot(self) -> None:
        """Wait while Redis serves the calls before this one: a hang is refused, a queue is not."""
        quiet = 0
        seen = self._replies
        while not self._slots.acquire(timeout=WAIT_SLICE):
            quiet = quiet + 1 if self._replies == seen else 0
            seen = self._replies
            if quiet == QUIET_SLICES:
                raise StoreUnavailable("Redis answers nobody")

    def _ask_now(self, command: Command, if_unknown: Command | None, changes: bool) -> Any:
        unsure = False
        while True:
            try:
                # Any: redis-py leaves the methods of its connections untyped.
                connection: Any = self._pool.get_connection()
            except RedisError as error:
                raise StoreUnavailable(_reason(error), maybe_done=unsure and changes) from error
            try:
                connection.send_command(*command)
                reply = connection.read_response()
                self._replies += 1
                return reply
            except NoScriptError:
                if if_unknown is None:
                    raise
                command, if_unknown = if_unknown, None
            except RedisError as error:
                if isinstance(error, ResponseError) and _code(error) in MISTAKES:
                    raise
                lost = _is_lost(error)
                if unsure or not lost or not isinstance(error, ConnectionError):
                    raise StoreUnavailable(
                        _reason(error), maybe_done=(unsure or lost) and changes
                    ) from error
                unsure = True
            finally:
                self._pool.release(connection)


def _member(created_at: int, match_id: str) -> str:
    return f"{created_at:015d}:{match_id}"


def _place(member: bytes) -> Place:
    created_at, _, match_id = member.decode().partition(":")
    return Place(int(created_at), match_id)


def _code(error: RedisError) -> str | None:
    """The code in front of an error reply, such as OOM; None when there was no such reply."""
    # What a server that wants a password says to a command too long for a stranger.
    if str(error).startswith("Protocol error: unauthenticated"):
        return "NOAUTH"
    if error.status_code is None and isinstance(error, ResponseError):
        word = str(error).partition(" ")[0]
        return word if word.isupper() else None
    return error.status_code


def _is_lost(error: RedisError) -> bool:
    """Whether no reply came, so that nobody knows if the command was carried out."""
    return error.status_code is None and isinstance(
        error, (ConnectionError, TimeoutError, InvalidResponse)
    )


def _reason(error: RedisError) -> str:
    """What is wrong, without the address that the driver's texts hold."""
    if isinstance(error, TimeoutError):
        return "Redis does not answer in time"
    code = _code(error)
    if code is not None:
        return f"Redis refuses to serve: {code}"
    return f"Redis cannot be reached: {type(error).__name__}"
