"""Events: what happened because of a move, and who may see which cards of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec


class Event(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One thing that happened.

    `cards` are None for an event about no cards. `seen_by` names the seats that may know them,
    None means everyone; all else of an event is public by definition. `out_of` and `into` are the
    seats whose hands the cards left or entered.
    """

    type: str
    seat: int | None
    cards: tuple[int, ...] | None
    seen_by: tuple[int, ...] | None
    facts: dict[str, Any]
    out_of: int | None = None
    into: int | None = None

    def shows_cards_to(self, viewer: int | None) -> bool:
        """Whether this viewer (None: a spectator) may know the cards."""
        return self.seen_by is None or viewer in self.seen_by


class Log(list[Event]):
    """The events of the step that is being made, in order."""

    #: Whether what is told here is kept. Where telling takes some work, look at it first.
    kept = True

    def add(
        self,
        type_: str,
        seat: int | None = None,
        *,
        cards: Sequence[int] | None = None,
        seen_by: tuple[int, ...] | None = None,
        out_of: int | None = None,
        into: int | None = None,
        **facts: Any,
    ) -> None:
        """Appends an event. Facts are on the wire as they are given, so they must be public."""
        held = None if cards is None else tuple(cards)
        self.append(Event(type_, seat, held, seen_by, facts, out_of, into))


class Silence(Log):
    """The log of a match that keeps none."""

    kept = False

    def add(self, type_: str, seat: int | None = None, **facts: Any) -> None:
        """Forgets the event."""


#: It is always empty, so that one is enough.
SILENCE: Final = Silence()
