"""The log that a step is told to: what happened because of a move, and who may see which cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.values import Event


class Log:
    """The events of the step that is being made, in order.

    `kept` is False where nobody keeps what is told: then events need not be made at all.
    """

    def __init__(self, *, kept: bool = True) -> None:
        self.kept = kept
        self.events: list[Event] = []

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
        if self.kept:
            held = None if cards is None else tuple(cards)
            self.events.append(Event(type_, seat, held, seen_by, facts, out_of, into))


#: The log of matches that are not recorded. It stays empty, so that one is enough.
SILENCE: Final = Log(kept=False)
