"""What the service asks of a store: bytes under a version, a log, and one commit of it all.

A store never looks inside the bytes. It knows of a match its id, its version, the number of its
last event, its log and the answers that are to be repeated word for word. Everything else is the
service's.
"""

import dataclasses
import itertools
import secrets
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol, TypeAlias


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's log: the events of one version.

    `seq` is the number of the last event in it, from 1, and grows strictly from entry to entry.
    Where a version brought several events, `seq` jumps by as many, so that a reader who has seen
    event `n` asks for the entries after `n`.
    """

    seq: int
    data: bytes = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Answer:
    """An answer to be given again word for word when its request comes again.

    `field` names the request within its match (`Idempotency-Key`). A match holds one answer for
    each field, for as long as it lives.
    """

    field: str
    value: bytes = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Loaded:
    """A match as it is now, with what is kept under the answer field that was asked for."""

    version: int
    state: bytes = dataclasses.field(repr=False)
    answer: bytes | None = dataclasses.field(default=None, repr=False)


def new_nonce() -> str:
    """A name for one commit that no other commit has: 96 random bits, URL-safe."""
    return secrets.token_urlsafe(12)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One change of one match, written as a whole or not at all.

    `expected` is the version that the change was judged on, None to create the match; `version` is
    the one it leads to. `base_seq` is the number of the last event that was read (0 for a new
    match); the first entry comes after it. A change that no event tells, like a new token, brings
    no entry; delivered twice it is a CONFLICT the second time, so it must be safe to make again.

    `nonce` tells this commit from every other. The same object may be handed over again when the
    outcome of the first time is unknown: it is written once. A new judgement needs a new commit,
    and with it a new nonce.

    Raises ValueError when the numbers do not fit together.
    """

    match_id: str
    expected: int | None
    version: int
    state: bytes = dataclasses.field(repr=False)
    entries: Sequence[Entry]
    base_seq: int
    answer: Answer | None = None
    nonce: str = dataclasses.field(default_factory=new_nonce)

    def __post_init__(self) -> None:
        if self.expected is not None and self.version <= self.expected:
            raise ValueError(f"version {self.version} does not follow {self.expected}")
        seqs = [self.base_seq, *(entry.seq for entry in self.entries)]
        if seqs[0] < 0 or any(after <= before for before, after in itertools.pairwise(seqs)):
            raise ValueError(f"event numbers do not grow: {seqs}")


SETTLED = 60_000
"""Milliseconds after which a place in a list without a match behind it is left over for certain."""


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Place:
    """A match's place in a public list: by when it was made (milliseconds), then by id."""

    created_at: int
    match_id: str


class Outcome(Enum):
    """What became of a commit that met no kept answer."""

    COMMITTED = "committed"
    """Written, now or by an earlier delivery of the same commit."""

    CONFLICT = "conflict"
    """Nothing written: the match has moved on from the version that was expected."""

    GONE = "gone"
    """Nothing written: the match expired or was deleted, and is not revived."""

    EXISTS = "exists"
    """Nothing written: a match of that id is there already. Of creations only."""


@dataclasses.dataclass(frozen=True, slots=True)
class Answered:
    """Nothing written: an earlier commit kept `value` under the same answer field."""

    value: bytes = dataclasses.field(repr=False)


CommitResult: TypeAlias = Outcome | Answered


class StoreUnavailable(Exception):
    """The store cannot be reached or will not serve now. Only asking again later may help.

    The text says what kind of trouble it is and never holds an address or a password. `maybe_done`
    is True when a change was sent and no reply came, or no word that it will last: it may have been
    made, and handing over the same commit again tells.
    """

    def __init__(self, reason: str, *, maybe_done: bool = False) -> None:
        super().__init__(reason)
        self.maybe_done = maybe_done


class Listener(Protocol):
    """Hears of changes of some matches. Every method raises StoreUnavailable, after which a new
    listener is needed: what was published in between is lost."""

    def subscribe(self, match_id: str) -> None:
        """Ask to hear of a match. It holds from the moment that `hear` names the match."""

    def unsubscribe(self, match_id: str) -> None:
        """Ask to hear no more of a match."""

    def hear(self, seconds: float) -> str | None:
        """Wait for a match that changed, or that is now heard of, and return its id; None when
        nothing came in time."""

    def close(self) -> None:
        """Give the connection back."""


class Store(Protocol):
    """The port. Every method takes one round trip and raises StoreUnavailable.

    Everything kept of a match expires together, a fixed time after its last commit.
    """

    def load(self, match_id: str, answer_field: str | None = None) -> Loaded | None:
        """The match and the answer kept under `answer_field`, of one instant; None without one."""

    def commit(self, commit: Commit) -> CommitResult:
        """Write the change if the match still is at the expected version, and wake the watchers.

        Judged in this order: an earlier delivery of the same commit, a match that is gone, a kept
        answer, the version.
        """

    def delete(self, match_id: str) -> bool:
        """Remove all that is kept of the match. False when there was nothing."""

    def entries(self, match_id: str, after: int, limit: int) -> list[Entry]:
        """Up to `limit` entries with `seq` above `after`, oldest first; none without a match."""

    def enlist(self, name: str, match_id: str, created_at: int) -> None:
        """Put a match into a public list, newest by `created_at` (milliseconds) first.

        Takes a few round trips, and clears some of the places that no match is behind.
        """

    def unlist(self, name: str, match_id: str, created_at: int) -> None:
        """Take a match out of a public list; nothing happens when it is not in it."""

    def listed(self, name: str, before: Place | None, limit: int) -> list[Place]:
        """Up to `limit` places of a list that come after `before`, newest first.

        A place may be left over from a match that is gone or has moved to another list.
        """

    def count(self, window: int, added: Mapping[str, int]) -> list[int]:
        """Add to the counters of a minute since 1970, and return what each has come to.

        They are forgotten some minutes later. A lost connection may have it done twice.
        """

    def secret(self) -> bytes:
        """The service's own secret, made once, the same for all its processes: 32 random bytes."""

    def listen(self) -> Listener:
        """Open a listener, which takes a connection of its own."""

    def ping(self) -> None:
        """Return when the store answers."""
