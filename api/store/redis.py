"""The store in Redis or Valkey, 7 or newer: what each question of the port is in its commands."""

import hashlib
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from api.store import keys
from api.store.base import (
    SETTLED,
    Answered,
    Commit,
    CommitResult,
    Entry,
    Loaded,
    Outcome,
    Place,
)
from api.store.redis_calls import Calls
from api.store.redis_listener import RedisListener
from api.store.redis_server import Command
from api.store.redis_set_up import servers_at
from api.store.redis_url import SCHEMES, RedisUrl

SWEPT = 2
"""So many of a list's oldest places, and of any of them, are looked at when a match is put into it.
The oldest alone might be of matches that go on and on, with thousands of leftovers behind them."""

COUNTED_MS = 180_000
"""Milliseconds for which a minute's counters are kept: workers' clocks may differ a little."""


class Script:
    """A script: its source, and the name that a server knows it by once it has run there."""

    def __init__(self, name: str) -> None:
        self.source = Path(__file__).with_name(name).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


COMMIT, DELETE, LOAD, COUNT = map(Script, ("commit.lua", "delete.lua", "load.lua", "count.lua"))


class RedisStore:
    """Matches in Redis or Valkey: in one server, in the one that Sentinels choose, or in a Cluster.

    `url` is of a form that RedisUrl knows, with the options of redis-py in its query; `cluster`
    tells that it leads to a Cluster. Each match expires `ttl_seconds` after its last commit. Of
    each process at most `max_connections` calls are on their way to a server at a time; nothing is
    connected before the first call. Threads and greenlets may share a store.

    With `wait_replicas`, nothing is told of a match before so many replicas have said that they
    have it too. What they do not say in time is a StoreUnavailable that may have been done. The
    questions are part of the same round trips.
    """

    def __init__(
        self,
        url: str,
        *,
        ttl_seconds: int,
        cluster: bool = False,
        wait_replicas: int = 0,
        max_connections: int = 32,
    ) -> None:
        """Raise ValueError for a URL or a time that cannot be used, without repeating the URL."""
        if ttl_seconds < 1:
            raise ValueError("a match has to live for a second at least")
        self._ttl_ms = ttl_seconds * 1000
        self._wait_replicas = wait_replicas
        try:
            self._servers = servers_at(
                RedisUrl.parse(url, cluster=cluster), max_connections=max_connections
            )
        except ValueError:
            schemes = ", ".join(f"{scheme}://" for scheme in SCHEMES)
            raise ValueError(f"the Redis URL cannot be used; expected one of {schemes}") from None
        self._calls = Calls(self._servers, wait_replicas=wait_replicas)

    def load(self, match_id: str, answer_field: str | None = None) -> Loaded | None:
        """See Store.load."""
        fields = ["version", "state"]
        if answer_field is not None:
            fields.append(keys.answer(answer_field))
        key = keys.match(match_id)
        if self._wait_replicas:
            version, state, *answers = self._run(key, LOAD, (1, key, *fields), changes=False)
        else:
            version, state, *answers = self._calls.ask(key, ("HMGET", key, *fields))
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
        outcome, *kept = self._run(keys.match(commit.match_id), COMMIT, arguments)
        return Answered(kept[0]) if kept else Outcome(outcome.decode())

    def delete(self, match_id: str) -> bool:
        """See Store.delete."""
        names = (keys.match(match_id), keys.events(match_id), keys.channel(match_id))
        return bool(self._run(names[0], DELETE, (2, *names)))

    def entries(self, match_id: str, after: int, limit: int) -> list[Entry]:
        """See Store.entries."""
        key = keys.events(match_id)
        rows = self._calls.ask(key, ("XRANGE", key, f"({after}-0", "+", "COUNT", limit))
        return [
            Entry(seq=int(row_id.partition(b"-")[0]), data=fields[-1]) for row_id, fields in rows
        ]

    def enlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.enlist."""
        key = keys.listing(name)
        ask = self._calls.ask
        # A list never expires: one of its matches may be played for longer than any other is begun.
        ask(key, ("ZADD", key, 0, _member(created_at, match_id)), changes=True, confirm=True)
        oldest = ask(key, ("ZRANGE", key, 0, SWEPT - 1))
        for member in {*oldest, *ask(key, ("ZRANDMEMBER", key, SWEPT))}:
            # A match that is about to be made has its place before it is there.
            old = _place(member).created_at < created_at - SETTLED
            match_key = keys.match(_place(member).match_id)
            if old and not ask(match_key, ("EXISTS", match_key)):
                ask(key, ("ZREM", key, member), changes=True)

    def unlist(self, name: str, match_id: str, created_at: int) -> None:
        """See Store.unlist."""
        key = keys.listing(name)
        self._calls.ask(key, ("ZREM", key, _member(created_at, match_id)), changes=True)

    def listed(self, name: str, before: Place | None, limit: int) -> list[Place]:
        """See Store.listed."""
        start = "+" if before is None else f"({_member(before.created_at, before.match_id)}"
        key = keys.listing(name)
        members = self._calls.ask(
            key, ("ZRANGE", key, start, "-", "BYLEX", "REV", "LIMIT", 0, limit)
        )
        return [_place(member) for member in members]

    def count(self, window: int, added: Mapping[str, int]) -> list[int]:
        """See Store.count."""
        key = keys.counts(window)
        pairs = (part for pair in added.items() for part in pair)
        totals: list[int] = self._run(key, COUNT, (1, key, COUNTED_MS, *pairs), confirm=False)
        return totals

    def secret(self) -> bytes:
        """See Store.secret."""
        key, ask = keys.secret(), self._calls.ask
        kept: bytes | None = ask(key, ("GET", key))
        if kept is None:
            made = secrets.token_bytes(32)
            kept = ask(key, ("SET", key, made, "NX", "GET"), changes=True, confirm=True) or made
        return kept

    def listen(self) -> RedisListener:
        """See Store.listen."""
        return RedisListener(self._servers)

    def ping(self) -> None:
        """See Store.ping."""
        self._calls.reach()

    def close(self) -> None:
        """Close all connections. A later call opens new ones."""
        self._servers.close()

    def _run(
        self,
        key: str,
        script: Script,
        arguments: Command,
        *,
        changes: bool = True,
        confirm: bool = True,
    ) -> Any:
        """Run a script about a key, which the server may not have seen yet."""
        return self._calls.ask(
            key,
            ("EVALSHA", script.sha, *arguments),
            if_unknown=("EVAL", script.source, *arguments),
            changes=changes,
            confirm=confirm,
        )


def _member(created_at: int, match_id: str) -> str:
    return f"{created_at:015d}:{match_id}"


def _place(member: bytes) -> Place:
    created_at, _, match_id = member.decode().partition(":")
    return Place(int(created_at), match_id)
