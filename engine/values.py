"""Values: moves, outcomes, refusals and events, which never change once they are made.

They are msgspec Structs, so that they are small, compare by what they hold, and encode as they are.
"""

from __future__ import annotations

from typing import Any

import msgspec


def _action(name: str) -> str:
    """A kind of move's action, from the name of its class: `PickUp` is `pick_up`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


class Move(msgspec.Struct, frozen=True, tag_field="action", tag=_action, gc=False):
    """The root of every kind of move. A kind is a subclass that is named for its action; card codes
    and other words are held as numbers (see `Game.words`)."""


class Outcome(msgspec.Struct, array_like=True, frozen=True):
    """How a match ended: seats best first, those who share a place together, and one word why."""

    ranking: list[list[int]]
    reason: str

    @property
    def winners(self) -> list[int]:
        """The first place."""
        return self.ranking[0]


class Refusal(msgspec.Struct, frozen=True):
    """Why a move is against the rules now: a sentence, and the ruling's id where it has one."""

    reason: str
    rule: str | None = None


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
