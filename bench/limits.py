"""What counting requests costs: processor time for a move with limits, as a ratio to that without,
and the same with Flask-Limiter, where it is installed.

    .venv-bench/bin/python -m bench.limits

Services of each kind stand by at a time, with limits that nobody meets and without. They take turns
in short stretches. Processor time of a service's workers and its store says what a move costs
whatever else the machine does meanwhile.
"""

from __future__ import annotations

import statistics
from contextlib import ExitStack
from importlib.util import find_spec

from bench import processor
from bench.services import service
from bench.watchers import PLAYERS, Player, speed

#: Counted as by default, and met by nobody.
HIGH = "address=999999999,token=999999999,matches=999999999"
STRETCH, ROUNDS = 2.0, 15


class Contestant:
    """A service with players."""

    def __init__(self, stack: ExitStack, rate_limit: str, app: str = "app:app") -> None:
        running = stack.enter_context(service(app, CROUPIER_RATE_LIMIT=rate_limit))
        self.players = [Player(running.address) for _ in range(PLAYERS)]
        speed(self.players, STRETCH)  # warms up, and has all workers begun
        with running.store() as store:
            self.processes = [*running.workers(), processor.server(store)]

    def seconds_a_move(self) -> float:
        """Processor time for a move, over one stretch."""
        before = processor.seconds(self.processes)
        moves = speed(self.players, STRETCH) * STRETCH
        return (processor.seconds(self.processes) - before) / moves


def main() -> None:
    """Measures and prints."""
    with ExitStack() as stack:
        field = {"without": Contestant(stack, "off"), "its own": Contestant(stack, HIGH)}
        if find_spec("flask_limiter"):
            field["Flask-Limiter's"] = Contestant(stack, "off", "bench.limits_library:app")
        turns: list[dict[str, float]] = []
        for number in range(ROUNDS):
            order = list(field)
            first = number % len(order)
            turns.append({n: field[n].seconds_a_move() for n in order[first:] + order[:first]})
    plain = statistics.median(turn["without"] for turn in turns)
    print(f"{PLAYERS} players, processor time for a move without limits: {1000 * plain:.2f} ms")
    for name in list(field)[1:]:
        ratios = [turn[name] / turn["without"] for turn in turns]
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"  with {name} {middle:.3f} of that (half of the rounds {low:.3f} to {high:.3f})")
    if len(field) == 2:
        print("  Flask-Limiter is not installed here: .venv-bench has it")


if __name__ == "__main__":
    main()
