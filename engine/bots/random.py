"""The `random` bot: any legal move, each listed one equally likely."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.base import Json, Pick


def choose(view: Json, events: Sequence[Json], pick: Pick) -> Json:
    """Chooses one of the view's legal moves."""
    moves: Sequence[Json] = view["legal_moves"]
    return moves[pick(len(moves))]
