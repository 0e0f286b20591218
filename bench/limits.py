"""What counting requests costs: processor time for a move with limits, as a ratio to that without.

    .venv/bin/python -m bench.limits

Two services at a time, one with limits that nobody meets and one without. They take turns in short
stretches. Processor time of all processes of a service, its store included, says what a move costs
whatever else the machine does meanwhile.
"""

from __future__ import annotations

import os
import statistics
from contextlib import ExitStack
from pathlib import Path

from bench.services import service
from bench.watchers import PLAYERS, Player, speed

#: Counted as by default, and met by nobody.
HIGH = "address=999999999,token=999999999,matches=999999999"
STRETCH, ROUNDS = 2.0, 15


def processor_seconds(parent: int) -> float:
    """What a process and all that it started have used."""
    used, parents = dict[int, float](), dict[int, int]()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(entry.name)] = int(stat[1])
        used[int(entry.name)] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    family = {parent}
    while more := {pid for pid, of in parents.items() if of in family} - family:
        family |= more
    return sum(used[pid] for pid in family)


class Contestant:
    """A service with players."""

    def __init__(self, stack: ExitStack, rate_limit: str) -> None:
        self.parent, address, _ = stack.enter_context(service(CROUPIER_RATE_LIMIT=rate_limit))
        self.players = [Player(address) for _ in range(PLAYERS)]
        speed(self.players, STRETCH)  # warms up

    def seconds_a_move(self) -> float:
        """Processor time for a move, over one stretch."""
        before = processor_seconds(self.parent)
        moves = speed(self.players, STRETCH) * STRETCH
        return (processor_seconds(self.parent) - before) / moves


def main() -> None:
    """Measures and prints."""
    with ExitStack() as stack:
        without, limited = Contestant(stack, "off"), Contestant(stack, HIGH)
        plain, ratios = [], []
        for turn in range(ROUNDS):
            if turn % 2:
                bare, counted = without.seconds_a_move(), limited.seconds_a_move()
            else:
                counted, bare = limited.seconds_a_move(), without.seconds_a_move()
            plain.append(bare)
            ratios.append(counted / bare)
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(f"{PLAYERS} players, processor time for a move: {1000 * statistics.median(plain):.2f} ms")
    print(f"  with limits {middle:.3f} of that (half of the rounds {low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
