"""Bots, one file each. A bot is given a view and chooses a body; it never sees a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.bots.random import choose as random

#: A seat's view, and a source of random choices, to one of the view's legal moves.
Bot = Callable[[Mapping[str, Any], Callable[[int], int]], Mapping[str, Any]]

BOTS: Final[dict[str, Bot]] = {"random": random}
