"""Bytes of a saved match at its largest: random matches of each game's largest table, all options.

These bytes travel to Redis and back with every move. Seats have their default names and the seed is
64 hex digits, as when the service draws it; what a host writes there instead comes on top.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from engine import GAMES, Game, InvalidSetup, Match, Option

BAR = 1500
#: No further match of the same options is begun after so many moves.
MOVES = 10_000


class Largest(NamedTuple):
    """The most bytes of a match seen, and the options that it had."""

    size: int
    options: dict[str, Any]


def values(option: Option) -> tuple[Any, ...]:
    """What is tried of an option: all of few words, or the ends of a range."""
    if option.name == "turn_limit":
        return (option.maximum,)  # a lower one only ends matches before they have grown
    return option.choices or (option.minimum, option.maximum)


def option_sets(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """Every combination; not all of them may be allowed at a table."""
    names = [option.name for option in game.options]
    for chosen in product(*(values(option) for option in game.options)):
        yield dict(zip(names, chosen, strict=True))


def largest_of(match: Match, rng: random.Random) -> int:
    """Plays a match to its end and gives its most bytes after any move."""
    size = len(match.to_bytes())
    while match.outcome is None:
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal_moves(seat)))
        size = max(size, len(match.to_bytes()))
    return size


def largest(game: Game[Any], rng: random.Random) -> tuple[Largest, int]:
    """The largest match of a game, and how many moves were made to find it."""
    names = [f"Player {number}" for number in range(1, game.max_players + 1)]
    found, total = Largest(0, {}), 0
    for options in option_sets(game):
        moves = 0
        while moves < MOVES:
            seed = f"{rng.getrandbits(256):064x}"
            try:
                match = Match.new(game, seats=names, seed=seed, options=options)
            except InvalidSetup:  # not together, or not at this table
                break
            found = max(found, Largest(largest_of(match, rng), options), key=lambda it: it.size)
            moves += match.version
        total += moves
    return found, total


def main() -> None:
    print(f"Largest saved match (Match.to_bytes) over random matches; the bar is {BAR} bytes")
    print()
    print(f"{'game':<18}{'players':>8}{'moves':>10}{'bytes':>7}{'of the bar':>12}  options")
    rng = random.Random(1)
    for game in GAMES.values():
        found, moves = largest(game, rng)
        chosen = ", ".join(f"{name} {value}" for name, value in found.options.items())
        print(
            f"{game.id:<18}{game.max_players:>8}{moves:>10,}{found.size:>7}"
            f"{found.size / BAR:>12.0%}  {chosen}"
        )


if __name__ == "__main__":
    main()
