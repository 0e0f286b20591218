"""Bots: they choose legal moves from a view alone, and the `greedy` one chooses well."""

from __future__ import annotations

import ast
import json
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import engine.bots
from engine import BOTS, GAMES, Game, Match, Seat
from tests import styles
from tests.engine.positions import ck, es, st
from tests.engine.steps import legal, line
from tests.known import KNOWN
from tests.known.base import Known
from tests.tiny_game import HighCard

every_game = pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)

#: Moves after which a match has shown enough.
MOVES = 300


def played(game: Game, *bots: str, seed: str, pick: Random) -> Match:
    """A match of bots, played to its end."""
    seats = [Seat(name=f"Bot {n}", kind="bot", bot=bot) for n, bot in enumerate(bots, 1)]
    match = Match.new(game, seats=seats, seed=seed)
    match.play_bots(pick.randrange)
    return match


def no_chance(below: int) -> int:
    raise AssertionError("a choice that leaves nothing to chance")


def greedy(match: Match) -> str:
    """What the `greedy` bot would do for the first seat to act."""
    return line(BOTS["greedy"](match.view(match.to_act[0]), [], no_chance))


# What every bot keeps to


@every_game
@pytest.mark.parametrize("name", BOTS)
def test_every_choice_is_a_legal_move_and_changes_nothing(known: Known, name: str) -> None:
    """At every number of players, twice, with all kinds of options."""
    rng = Random(f"{name} plays {known.game.id}")
    tables = 2 * (known.game.max_players - known.game.min_players + 1)
    for players, options in islice(styles.set_ups(known, rng), tables):
        seats = [f"P{n}" for n in range(players)]
        match = Match.new(known.game, seats=seats, options=options, seed=str(rng.random()))
        while match.outcome is None and match.version < MOVES:
            seat = rng.choice(match.to_act)
            view = json.dumps([match.view(seat), match.show(match.log[-1], seat)])
            given = json.loads(view)
            choice = BOTS[name](*given, rng.randrange)
            assert choice in given[0]["legal_moves"]
            assert json.dumps(given) == view
            match.play(seat, choice)


@pytest.mark.parametrize(
    "path", sorted(Path(engine.bots.__file__).parent.glob("*.py")), ids=lambda path: path.name
)
def test_a_bot_knows_nothing_of_states_and_matches(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
    ours = {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names}
    assert all(name.startswith(("engine.bots", "engine.cards")) for name in ours), ours


# How well the greedy bot plays


@every_game
def test_greedy_beats_random_clearly(known: Known) -> None:
    """40 matches of two, each seed in both seat orders: at least 28 are won."""
    rng, won = Random("greedy against random"), 0
    for number in range(20):
        first = played(known.game, "greedy", "random", seed=f"{number}", pick=rng)
        second = played(known.game, "random", "greedy", seed=f"{number}", pick=rng)
        for match, seat in ((first, 0), (second, 1)):
            assert match.outcome is not None
            won += match.outcome.winners == [seat]
    assert won >= 28


@every_game
@pytest.mark.parametrize("players", [2, 3, 6])
def test_matches_of_greedy_bots_end_by_themselves(known: Known, players: int) -> None:
    """In Card Keeper too, where nobody goes out unless somebody attacks."""
    for number in range(5):
        rng = Random(f"greedy {number}")
        match = played(known.game, *["greedy"] * players, seed=f"{number}", pick=rng)
        assert match.outcome is not None
        assert match.outcome.reason in ("no_cards", "last_holding_cards")


def test_greedy_in_a_game_that_it_knows_nothing_of_plays_any_legal_move() -> None:
    match = Match.new(HighCard(), seats=["Ada", "Ben"], seed="demo")
    view = match.view(0)
    for number, move in enumerate(view["legal_moves"]):
        asked = []

        def pick(below: int, number: int = number, asked: list[int] = asked) -> int:
            asked.append(below)
            return number

        assert BOTS["greedy"](view, [], pick) == move
        assert asked == [len(view["legal_moves"])]


def test_greedy_has_thoughts_on_every_game_of_the_registry() -> None:
    for game in GAMES.values():
        match = Match.new(game, seats=["Ada", "Ben"], seed="demo")
        assert greedy(match) in legal(match)  # and nothing is left to chance


# Even Steven


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("0: 4C 8C KC 3C; 1: 3D; pile 6C; value 6", "play 8C"),  # the lowest that fits
        ("0: 4C 3C 9C; 1: 3D; pile KC; value 13", "play 3C"),  # an odd card rather than a draw
        ("0: 4C 6C; 1: 3D; pile KC; value 13", "draw"),
        ("0: AC 3C; 1: 3D 3H; pile KC; value 13", "play AC"),  # four cards for the other to draw
        ("0: AC 3C; 1: 3D 3H; pile KC; value 13; round 7", "play 3C"),  # none any more
        ("0: | 2D . 9S; 1: 3D", "flip 0"),
        ("0: 4C | 2D; 1: KC; pile 7C; steal", "decline"),
        ("0: | 2D; 1: | KC; pile 7C; steal", "decline"),  # robbed of the last card, 1 would win
    ],
)
def test_greedy_in_even_steven(position: str, move: str) -> None:
    assert greedy(es(position)) == move


# Card Keeper


@pytest.mark.parametrize(
    ("position", "move"),
    [
        # A knock-out comes before all else, whoever it is.
        ("0: red-1 draw-3 capture-2; 1: red-2 red-3; discard red-9", "play capture-2 1 1"),
        ("0: red-1 red-capture-1; 1: red-2 red-3; 2: red-4; discard red-9", "play red-capture-1 2"),
        ("0: draw-3 chaos; 1: blue-1; discard red-9", "play chaos"),
        # The last attack in hand waits; of two, one is used, on the weakest without a Shield.
        ("0: red-1 capture-2; 1: red-2 red-3 red-4; discard red-9", "play red-1"),
        ("0: red-1 chaos; 1: red-2 red-3 red-4; discard red-9", "play red-1"),
        (
            "0: chaos capture-2; 1: red-2 red-3 red-4; 2: red-4 | shield; 3: blue-1; discard red-9",
            "play capture-2 1 3",
        ),
        (
            "0: red-capture-1 chaos; 1: red-2 red-3 red-4; 2: red-4 | shield; discard red-9",
            "play red-capture-1 1",
        ),
        # A Swap for at least two cards more than it gives.
        (
            "0: red-1 swap-red-yellow; 1: red-2 red-3 red-4; discard red-9",
            "play swap-red-yellow 1",
        ),
        ("0: red-1 swap-red-yellow; 1: red-2 red-3; discard red-9", "play red-1"),
        # The best of a quiet hand; the worst burned when nothing good can be played.
        ("0: draw-3 shield wild; 1: red-2 red-3; discard red-9", "play draw-3"),
        ("0: shield wild red-1; 1: red-2 red-3; discard red-9", "play shield"),
        ("0: blue-1 wild capture-2; 1: red-2 red-3 red-4; discard red-9", "burn blue-1"),
        ("0: shield blue-1 wild; 1: red-2; discard red-9; turn 1; chaos 0", "burn blue-1"),
        # Into the colour in which a Capture +1 waits.
        (
            "0: red-1 blue-9 blue-capture-1; 1: red-2 red-3; discard red-9",
            "play blue-9",
        ),
        (
            "0: wild red-1 blue-capture-1; 1: red-2 red-3; discard red-9",
            "play wild blue",
        ),
        (
            "0: red-1 red-3 green-capture-1; 1: red-2; discard wild; colour none",
            "name_colour green",
        ),
        ("0: red-1 red-3 green-4; 1: red-2; discard wild; colour none", "name_colour red"),
    ],
)
def test_greedy_in_card_keeper(position: str, move: str) -> None:
    assert greedy(ck(position)) == move


# Seven, Twos & Tens


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("0: 3C 4C 9C; 1: 3D; pile 3H; draw *", "play 3C"),  # the lowest
        ("0: 4C 4D 9C; 1: 3D; pile 3H; draw *", "play 4C 4D"),  # several at once
        ("0: 2C 7C 10C AC; 1: 3D; pile 3H; draw *", "play AC"),  # specials wait
        ("0: 2C 7C 10C 3C; 1: 3D; pile KH; draw *", "play 7C"),
        ("0: 2C 2D 3C; 1: 3D; pile KH; draw *", "play 2C"),  # and go one at a time
        ("0: 2C 10C 3C; 1: 3D; pile 9C 9H JC JD KH; draw *", "play 10C"),  # for a large pile
        ("0: 3C AC; 1: 3D; pile AD AH AS; draw *", "play AC"),  # the fourth
        ("0: 3C 5C; 1: 3D; pile 9C; draw *", "pick_up"),
        ("0: | | . 9C 4D; 1: 3D; pile 4C; removed *", "flip 1"),
        ("0: 3C 5C 7C 10C KC AC; 1: 3D 4D 5D 6D 8D 9D; lay 0 1", "lay 7C 10C AC"),
    ],
)
def test_greedy_in_seven_twos_tens(position: str, move: str) -> None:
    assert greedy(st(position)) == move


def test_greedy_picks_up_freely_only_in_need() -> None:
    assert greedy(st("0: 10C; 1: 3D; pile 9C; draw *", pick_up_freely=True)) == "play 10C"
