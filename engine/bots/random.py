"""The `random` bot: any legal move, each listed one equally likely."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def choose(view: Mapping[str, Any], pick: Callable[[int], int]) -> Mapping[str, Any]:
    """Chooses one of the view's legal moves."""
    moves = view["legal_moves"]
    chosen: Mapping[str, Any] = moves[pick(len(moves))]
    return chosen
