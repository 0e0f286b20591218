"""How well the `greedy` bot plays: its share of wins against `random`, and how long matches take.

    python -m bench.bots [MATCHES]

Matches of two players with the default options, 400 of a kind unless told otherwise. Against
`random` each seed is played in both seat orders. All seeds and choices are fixed, so that a run
says the same on every machine.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Sequence
from math import sqrt
from typing import Any

from engine import GAMES, Game, Match, Seat

#: The normal distribution's value that leaves 2.5 % on either side.
Z = 1.96


def played(game: Game[Any], bots: Sequence[str], number: int) -> Match:
    """The match with this number, from its deal to its end."""
    seats = [Seat(name=bot, kind="bot", bot=bot) for bot in bots]
    match = Match.new(game, seats=seats, seed=f"bots {number}")
    match.play_bots(random.Random(number).randrange)
    return match


def won(match: Match, seat: int) -> float:
    """The seat's part of the win: all, none, or a share of a shared first place."""
    assert match.outcome is not None
    winners = match.outcome.winners
    return (seat in winners) / len(winners)


def interval(share: float, matches: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    spread = Z * sqrt(share * (1 - share) / matches + (Z / matches) ** 2 / 4)
    middle, size = share + Z * Z / matches / 2, 1 + Z * Z / matches
    return (middle - spread) / size, (middle + spread) / size


def row(*cells: object) -> str:
    """A table's line: a game, then figures."""
    return f"{cells[0]:<18}" + "".join(f"{cell:>12}" for cell in cells[1:])


def lengths(matches: Sequence[Match]) -> tuple[str, str, int]:
    """The median and the most moves of a match, and how many ended by the turn limit."""
    moves = [match.version for match in matches]
    reasons = [match.outcome.reason for match in matches if match.outcome is not None]
    return f"{statistics.median(moves):.0f}", f"{max(moves)}", reasons.count("turn_limit")


def against_random(game: Game[Any], count: int) -> str:
    """A line on `count` matches of `greedy` against `random`, half of them in each seat order."""
    first = [played(game, ("greedy", "random"), number) for number in range(count // 2)]
    second = [played(game, ("random", "greedy"), number) for number in range(count // 2)]
    ahead = statistics.mean(won(match, 0) for match in first)
    behind = statistics.mean(won(match, 1) for match in second)
    share = (ahead + behind) / 2
    low, high = interval(share, len(first) + len(second))
    return row(
        game.id,
        f"{share:.1%}",
        f"{low:.0%} to {high:.0%}",
        f"{ahead:.0%}",
        f"{behind:.0%}",
        *lengths(first + second),
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    figures = ("moves", "most moves", "turn limit")
    print(f"greedy against random, {count} matches of two, half of them in each seat order")
    print(row("game", "wins", "95 %", "in seat 0", "in seat 1", *figures))
    for game in GAMES.values():
        print(against_random(game, count))
    print()
    print(f"greedy against greedy, {count} matches of two")
    print(row("game", *figures))
    for game in GAMES.values():
        alike = [played(game, ("greedy", "greedy"), number) for number in range(count)]
        print(row(game.id, *lengths(alike)))


if __name__ == "__main__":
    main()
