"""The `greedy` bot: weighs each legal move by a rule of thumb and makes the best one.

It looks no further than the move itself and remembers nothing. What it thinks of each game is in a
file of its own; in a game without one it plays any legal move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.bots import greedy_card_keeper, greedy_even_steven, greedy_seven_twos_tens
from engine.bots.base import Bot, Json, Pick
from engine.bots.random import choose as random

#: By a game's id: how its moves are weighed.
HEURISTICS: Final[dict[str, Bot]] = {
    "even-steven": greedy_even_steven.choose,
    "card-keeper": greedy_card_keeper.choose,
    "seven-twos-tens": greedy_seven_twos_tens.choose,
}


def choose(view: Json, events: Sequence[Json], pick: Pick) -> Json:
    """Chooses the legal move that it likes best, the first listed among equals."""
    heuristic = HEURISTICS.get(view["game"], random)
    return heuristic(view, events, pick)
