"""What the service's parent process and its workers tell each other, in memory that they share."""

from __future__ import annotations

import mmap

#: More than the workers that are born between one reload and the next.
PLACES = 1024


class Board:
    """Made by the parent before it forks. A worker's age is its number in the order of births."""

    def __init__(self) -> None:
        self._words = memoryview(mmap.mmap(-1, 4 * (1 + PLACES))).cast("I")

    @property
    def leaving(self) -> bool:
        """Whether the whole service is to stop, now or soon."""
        return bool(self._words[PLACES])

    def leave(self) -> None:
        """The whole service is to stop."""
        self._words[PLACES] = 1

    def begin(self, age: int) -> None:
        """A worker serves from now on."""
        self._words[age % PLACES] = age

    def younger_than(self, age: int) -> int:
        """How many younger workers have begun to serve."""
        return sum(other > age for other in self._words[:PLACES])
