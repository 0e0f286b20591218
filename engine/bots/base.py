"""What a bot is: a function from what a seat may see to one of its legal moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

#: A view, an event or a move's body, in the contract's words.
Json = Mapping[str, Any]


class Pick(Protocol):
    """A random choice: `pick(k)` gives a number from 0 to k-1. Never the match's own chance."""

    def __call__(self, below: int, /) -> int: ...


class Bot(Protocol):
    """Chooses a body from `view["legal_moves"]`, which is never empty.

    `events` are what the seat has seen happen since its own last move, that move included, as far
    back as the match has been in memory: a match that was just loaded brings none.
    """

    def __call__(self, view: Json, events: Sequence[Json], pick: Pick, /) -> Json: ...
