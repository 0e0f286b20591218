"""What the engine refuses, and why: one small family of exceptions, each with a stable code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class EngineError(ValueError):
    """The root of everything that the engine refuses. `code` is stable; sentences may change."""

    code: ClassVar[str] = "engine-error"


class Invalid(EngineError):
    """Something that can never be right, whatever the state of the match.

    `errors` maps the offending field to a list of sentences, for every bad field at once.
    """

    code = "validation"

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        self.errors = {field: list(messages) for field, messages in errors.items()}
        super().__init__("; ".join(f"{f}: {' '.join(m)}" for f, m in self.errors.items()))


class InvalidMove(Invalid):
    """A move that does not read: an unknown action, a missing or needless field, a foreign card."""


class InvalidSetup(Invalid):
    """Seats, options or a seed that no match of this game can have."""


class IllegalMove(EngineError):
    """A move that reads well but is against the rules now.

    `reason` is one sentence naming the rule, `rule` the ruling's id where it has one (`ES-4`),
    `legal_moves` the bodies that would be accepted from this seat instead.
    """

    code = "illegal-move"

    def __init__(
        self, *, reason: str, rule: str | None, legal_moves: Sequence[Mapping[str, Any]]
    ) -> None:
        self.reason = reason
        self.rule = rule
        self.legal_moves = list(legal_moves)
        super().__init__(reason)


class NotYourTurn(EngineError):
    """A move from a seat that owes no decision now; `to_act` lists the seats that do."""

    code = "not-your-turn"

    def __init__(self, to_act: Sequence[int]) -> None:
        self.to_act = list(to_act)
        super().__init__("This seat owes no decision now.")


class MatchWaiting(EngineError):
    """A move in a match that is not dealt yet because a seat is still open."""

    code = "match-waiting"

    def __init__(self) -> None:
        super().__init__("The match is dealt when its last open seat is taken.")


class MatchFinished(EngineError):
    """A move, join or leave after the end."""

    code = "match-finished"

    def __init__(self) -> None:
        super().__init__("The match is over.")


class NobodySits(EngineError):
    """A leave from a seat that no human holds."""

    code = "nobody-sits"

    def __init__(self, seat: int) -> None:
        super().__init__(f"No player sits at seat {seat}.")


class SeatTaken(EngineError):
    """A join to a seat that somebody holds."""

    code = "seat-taken"

    def __init__(self, seat: int) -> None:
        self.seat = seat
        super().__init__(f"Seat {seat} is taken.")


class MatchFull(EngineError):
    """A join to a match without an open seat."""

    code = "match-full"

    def __init__(self) -> None:
        super().__init__("No seat of this match is open.")


class UnknownFormat(EngineError):
    """Saved bytes of a format, or of a game, that this version cannot read."""

    code = "unknown-format"
