"""What clients saw: every request with its times and answers, every stream, and what is there at
the end. Plain data, so that a test can make one up.

Times are `time.monotonic()` of the one process that all clients live in.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

Json = dict[str, Any]
Operation = Literal["create", "join", "move", "view", "poll"]
#: Who asks: a seat's number, or None for somebody without a token.
Who = int | None

#: Answers after which the same request is sent again. Of these only 503 is ever right.
NOT_FOR_GOOD = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request sent once. `status` is None where no answer came, or half of one; then `trouble`
    says why."""

    began: float
    ended: float
    status: int | None
    body: bytes = field(default=b"", repr=False)
    trouble: str = ""
    replayed: bool = False
    url: str = ""
    #: Whether the client itself cut it off, on purpose.
    cut: bool = False

    @property
    def for_good(self) -> bool:
        """Whether nothing is to be gained by sending it again."""
        return self.status is not None and self.status not in NOT_FOR_GOOD

    def json(self) -> Any:
        """The answer's body, read; {} when there is none."""
        return json.loads(self.body) if self.body else {}


@dataclass(slots=True)
class Request:
    """Something asked, and sent with the same key until it was answered for good. Whatever comes
    after that was sent on purpose, to hear the same again."""

    operation: Operation
    who: Who = None
    key: str | None = None
    if_match: int | None = None
    body: Json | None = None
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def began(self) -> float:
        """When it was first sent: nothing of it happened before."""
        return self.attempts[0].began

    @property
    def answer(self) -> Attempt | None:
        """The first answer for good."""
        return next((attempt for attempt in self.attempts if attempt.for_good), None)

    @property
    def acknowledged(self) -> bool:
        """Whether it was told that what it asked for is done."""
        return self.answer is not None and self.answer.status in (200, 201)

    @property
    def in_doubt(self) -> bool:
        """Whether it may have been done though nobody said so: sent, and not answered for good, or
        refused after an earlier sending that was not answered."""
        if self.acknowledged:
            return False
        before = self.attempts[:-1] if self.answer else self.attempts
        return any(attempt.status != 429 for attempt in before)


@dataclass(slots=True)
class StreamPart:
    """One connection of a watcher: what it asked to go on after, and what came."""

    after: int
    began: float
    ended: float = 0.0
    status: int | None = None
    events: list[Json] = field(default_factory=list)
    #: When each of the events came.
    times: list[float] = field(default_factory=list)
    #: Whether the service ended it, in good order.
    ended_well: bool = False


@dataclass(slots=True)
class Watch:
    """A watcher of server-sent events who comes back with Last-Event-ID until the match is over."""

    who: Who = None
    parts: list[StreamPart] = field(default_factory=list)


@dataclass(slots=True)
class Final:
    """What the service tells of a match when everything is over: the spectator's view, all events
    as each sees them, and the replay."""

    view: Json
    events: dict[Who, list[Json]]
    record: Json


@dataclass(slots=True)
class MatchHistory:
    """All about one match. `seats` are those that clients play; `final` None: it is not there."""

    game: str
    path: str = ""
    seats: list[int] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    final: Final | None = None
    #: What clients had to complain of: exceptions, refusals of what they must have.
    troubles: list[str] = field(default_factory=list)

    def moves(self) -> list[Request]:
        """The moves that were asked for."""
        return [request for request in self.requests if request.operation == "move"]


@dataclass(slots=True)
class History:
    """A whole run."""

    matches: list[MatchHistory] = field(default_factory=list)
