"""Bots, one file each. A bot is given what its seat may see, and chooses one of the legal moves.

Nothing here can import a state or a match: views and events are plain JSON values.
"""

from __future__ import annotations

from typing import Final

from engine.bots.base import Bot
from engine.bots.greedy import choose as greedy
from engine.bots.random import choose as random

BOTS: Final[dict[str, Bot]] = {"greedy": greedy, "random": random}
