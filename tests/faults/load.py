"""The load: tables with several clients each, who play match after match over real connections and
note all that they ask and hear."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from random import Random
from types import TracebackType
from typing import Self

from engine import GAMES
from tests.faults.history import History, Who
from tests.faults.line import Line
from tests.faults.table import Habits, Table

#: Seconds that everything which should take a moment may take, on however busy a machine.
PATIENCE = 60.0
#: Seconds before another match is tried where one could not be played.
PAUSE = 0.5


class Load:
    """So many `tables`, each with `seats` clients and a watcher for each of `watchers` (None: one
    without a token), that play the games in turn, beginning with any, at any of the `urls`.

    It begins with `with`. `stop` lets every match be played to its end and gives the history.
    With `rivals` so many clients act for each seat, and race; they may move out of turn too.
    `pause` is the seconds that a seat thinks before each move, `rudeness` the share of requests
    that clients cut off themselves, and `patience` the seconds for which one is sent again.
    """

    def __init__(
        self,
        urls: Sequence[str],
        *,
        seed: str,
        tables: int = 3,
        seats: int = 2,
        rivals: int = 1,
        watchers: Sequence[Who] = (None, 0),
        games: Sequence[str] = tuple(GAMES),
        turn_limit: int = 50,
        pause: float = 0.0,
        rudeness: float = 0.0,
        patience: float = PATIENCE,
    ) -> None:
        #: Moves that were acknowledged so far.
        self.moves = 0
        self._habits = Habits(
            urls=urls,
            seats=seats,
            rivals=rivals,
            watchers=watchers,
            turn_limit=turn_limit,
            pause=pause,
            rudeness=rudeness,
            patience=patience,
            moved=self._count,
        )
        self._seed = seed
        self._tables: list[Table] = []
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._play_on, args=(number, games), name=f"table {number}")
            for number in range(tables)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._habits.given_up.set()
        for thread in self._threads:
            thread.join()

    def until(self, moves: int, within: float = PATIENCE) -> None:
        """Waits until so many more moves are acknowledged. Raises AssertionError when they are
        not."""
        wanted, deadline = self.moves + moves, time.monotonic() + within
        while self.moves < wanted:
            assert time.monotonic() < deadline, (wanted - self.moves, self.troubles()[:5])
            time.sleep(0.01)

    def stop(self, within: float = 2 * PATIENCE) -> History:
        """Lets all matches come to their end, and looks at what is then there. When they do not,
        the history says so in its troubles."""
        self._stopping.set()
        deadline = time.monotonic() + within
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._habits.given_up.set()
        for thread in self._threads:
            thread.join()
        line = Line(self._habits.urls, Random(self._seed))
        for table in self._tables:
            table.look_back(line)
        line.close()
        return History([table.history for table in self._tables])

    def troubles(self) -> list[str]:
        """What clients had to complain of so far."""
        return [trouble for table in self._tables for trouble in table.history.troubles]

    def _count(self) -> None:
        with self._lock:
            self.moves += 1

    def _play_on(self, number: int, games: Sequence[str]) -> None:
        rounds = Random(self._seed).randrange(len(games))
        while not self._stopping.is_set():
            game = games[(number + rounds) % len(games)]
            table = Table(self._habits, game, f"{self._seed} {number} {rounds}")
            self._tables.append(table)
            if not table.play():
                self._stopping.wait(PAUSE)
            rounds += 1
