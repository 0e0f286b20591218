"""Random play, moves per second: Croupier's games beside RLCard's uno and OpenSpiel's crazy_eights.

Croupier takes part in Python and, after `make fast`, compiled.
A move is the same work everywhere: list what is legal, choose one at random, play it. Deals and all
that follows by itself are in the time. The contestants take turns in short rounds (A B C A B C …),
so that a busy machine slows all of them alike, ratios are taken within a round, and what is
measured is processor time, which others' work does not use up.
"""

from __future__ import annotations

import importlib
import importlib.util
import platform
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import rlcard

from engine import GAMES
from scripts import fast

ENGINE = re.compile(r"engine(\.|$)")

ROUNDS = 15
#: Processor time that one contestant gets in one round; the match under way is then played out.
SECONDS = 0.2

RLCARD_ENV = "RLCard uno, env.step"
RLCARD_GAME = "RLCard uno, game.step"
OPEN_SPIEL = "OpenSpiel crazy_eights"
PEERS = (RLCARD_ENV, RLCARD_GAME, OPEN_SPIEL)


class Played(NamedTuple):
    """What a match, or a round of matches, came to. `actions` counts what the caller drove: for
    OpenSpiel that is each card that chance deals too, for the others the moves again."""

    moves: int
    actions: int


#: Plays one random match to its end.
PlayMatch = Callable[[random.Random], Played]


class Contestant(NamedTuple):
    """A game at a table, and how a match of it is played."""

    name: str
    players: int
    play_match: PlayMatch


class Rate(NamedTuple):
    """Moves and actions per second of one contestant in one round."""

    moves: float
    actions: float


def engines() -> Iterator[tuple[str, ModuleType]]:
    """The engine in Python, then the compiled one, and what to add to its games' names."""
    yield "", importlib.import_module("engine")
    if folder := fast.found():
        ours = {name: sys.modules.pop(name) for name in list(sys.modules) if ENGINE.match(name)}
        sys.path.insert(0, str(folder))
        yield ", compiled", importlib.import_module("engine")
        sys.path.remove(str(folder))
        sys.modules.update(ours)


def croupier(engine: Any, game_id: str, players: int, *, recorded: bool) -> PlayMatch:
    """Through `Match`: seat to act, listed moves, one of them played. A `recorded` match also keeps
    events and a log, as the service does; the peers keep nothing of the kind."""
    game, new = engine.GAMES[game_id], engine.Match.new
    names = [f"Player {number}" for number in range(1, players + 1)]

    def play_match(rng: random.Random) -> Played:
        match = new(game, seats=names, seed=str(rng.random()), recorded=recorded)
        while match.outcome is None:
            seat = match.to_act[0]
            match.play(seat, rng.choice(match.legal_moves(seat)))
        return Played(match.version, match.version)

    return play_match


def rlcard_env() -> PlayMatch:
    """RLCard's documented loop, `env.reset` and `env.step`. Each step builds the next player's
    observation, an array, with the legal actions in it."""
    env = rlcard.make("uno", config={"seed": 1})

    def play_match(rng: random.Random) -> Played:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            moves += 1
        return Played(moves, moves)

    return play_match


def rlcard_game() -> PlayMatch:
    """RLCard's rules without its environment: `game.init_game` and `game.step`. They give back the
    next player's state as a dict, with the legal actions in it."""
    game = rlcard.make("uno", config={"seed": 1}).game

    def play_match(rng: random.Random) -> Played:
        state, _ = game.init_game()
        moves = 0
        while not game.is_over():
            state, _ = game.step(rng.choice(state["legal_actions"]))
            moves += 1
        return Played(moves, moves)

    return play_match


def open_spiel(players: int) -> PlayMatch:
    """The loop of OpenSpiel's own `benchmark_games.py`, in which chance is one more player."""
    import pyspiel  # not there on every Python: see `contestants`

    game = pyspiel.load_game("crazy_eights", {"players": players})

    def play_match(rng: random.Random) -> Played:
        state = game.new_initial_state()
        moves = actions = 0
        while not state.is_terminal():
            moves += not state.is_chance_node()
            actions += 1
            state.apply_action(rng.choice(state.legal_actions(state.current_player())))
        return Played(moves, actions)

    return play_match


def contestants(*, with_open_spiel: bool) -> Iterator[Contestant]:
    """The peers, then each game at its smallest and its largest table."""
    yield Contestant(RLCARD_ENV, 2, rlcard_env())
    yield Contestant(RLCARD_GAME, 2, rlcard_game())
    tables = [(game, n) for game in GAMES.values() for n in (game.min_players, game.max_players)]
    if with_open_spiel:
        for players in sorted({players for _, players in tables}):
            yield Contestant(OPEN_SPIEL, players, open_spiel(players))
    for suffix, engine in engines():
        for recorded in (False, True):
            for game, players in tables:
                name = f"{game.id}{suffix}{', recorded' if recorded else ''}"
                play_match = croupier(engine, game.id, players, recorded=recorded)
                yield Contestant(name, players, play_match)


def measure(contestant: Contestant, rng: random.Random) -> Rate:
    """Plays matches for one round."""
    moves = actions = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        played = contestant.play_match(rng)
        moves += played.moves
        actions += played.actions
    return Rate(moves / elapsed, actions / elapsed)


def rounds(field: list[Contestant]) -> dict[tuple[str, int], list[Rate]]:
    """All rates, by contestant's name and players and then by round."""
    rng = random.Random(1)
    rates: dict[tuple[str, int], list[Rate]] = {(c.name, c.players): [] for c in field}
    for contestant in field:
        contestant.play_match(rng)  # the first match pays for caches and imports
    for _ in range(ROUNDS):
        for contestant in field:
            rates[contestant.name, contestant.players].append(measure(contestant, rng))
    return rates


def ratio(ours: list[Rate], theirs: list[Rate] | None, *, per_action: bool = False) -> str:
    """How many times as fast, the median of the rounds; a dash when the peer is not there."""
    if theirs is None:
        return "-"
    peers = [their.actions if per_action else their.moves for their in theirs]
    ratios = (our.moves / peer for our, peer in zip(ours, peers, strict=True))
    return f"{statistics.median(ratios):.2f}"


def row(*cells: object) -> str:
    """A table's line: a name, then numbers."""
    return f"{cells[0]:<36}" + "".join(f"{cell:>13}" for cell in cells[1:])


def report(rates: dict[tuple[str, int], list[Rate]]) -> None:
    """Prints the peers' speeds, and each game's with its ratios to them."""
    print(row("peer", "players", "moves/s", "actions/s"))
    for (name, players), measured in rates.items():
        if name in PEERS:
            moves, actions = (statistics.median(r) for r in zip(*measured, strict=True))
            print(row(name, players, f"{moves:,.0f}", f"{actions:,.0f}"))
    print()
    print("Croupier's moves/s, and how many times a peer's that is (above 1: faster than the peer)")
    print(row("game", "players", "moves/s", "env.step", "game.step", "OpenSpiel", "its actions"))
    for (name, players), measured in rates.items():
        if name not in PEERS:
            spiel = rates.get((OPEN_SPIEL, players))
            print(
                row(
                    name,
                    players,
                    f"{statistics.median(r.moves for r in measured):,.0f}",
                    ratio(measured, rates[RLCARD_ENV, 2]),
                    ratio(measured, rates[RLCARD_GAME, 2]),
                    ratio(measured, spiel),
                    ratio(measured, spiel, per_action=True),
                )
            )


def main() -> None:
    with_open_spiel = importlib.util.find_spec("pyspiel") is not None
    field = list(contestants(with_open_spiel=with_open_spiel))
    version = platform.python_version()
    print(
        f"Random play on one core, Python {version}: median of {ROUNDS} interleaved rounds, "
        f"{SECONDS} s of processor time each"
    )
    if not with_open_spiel:
        print(
            f"OpenSpiel is left out: it has no wheel for Python {version} on {platform.system()} "
            f"{platform.machine()}."
        )
    if fast.found() is None:
        print("The compiled engine is left out: `make fast` makes it.")
    print()
    report(rounds(field))


if __name__ == "__main__":
    main()
