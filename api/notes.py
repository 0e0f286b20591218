"""What becomes known of a request while it is served, told by its log line and its span.

Whoever learns something notes it, wherever that is, and nobody has to pass it on. Outside of a
request nothing is kept.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Notes:
    """Of one request: facts to be told, by name, and texts that no line may hold."""

    facts: dict[str, str | int | float] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    #: What the request broke on, where the service itself is at fault.
    error: BaseException | None = None


_now: ContextVar[Notes | None] = ContextVar("notes", default=None)


def begin() -> Notes:
    """A fresh sheet, for the request that begins."""
    notes = Notes()
    _now.set(notes)
    return notes


def note(name: str, value: str | int) -> None:
    """Notes a fact. The last one of a name counts."""
    if (notes := _now.get()) is not None:
        notes.facts[name] = value


def secret(text: str) -> None:
    """Notes a text that must not be told, such as a seed."""
    if (notes := _now.get()) is not None:
        notes.secrets.append(text)


def broke(error: BaseException) -> None:
    """Notes what the request broke on."""
    if (notes := _now.get()) is not None:
        notes.error = error
