"""Play styles and set-ups for matches in tests, so that rare moves, endings and options happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from engine import InvalidSetup, Match, Option, settle_options
from tests.known.base import Body, Known, View
from tests.laws import copied, listed

#: Given a match, a seat to act and its listed bodies: the one to make.
Style = Callable[[Match, int, list[Body]], Body]


class Curious:
    """Makes the kind of move that has been made least often so far, over all matches."""

    def __init__(self, known: Known, rng: Random, made: Counter[str]) -> None:
        self.known = known
        self.rng = rng
        self.made = made

    def dealt(self, **set_up: Any) -> Match:
        """Of some deals of a set-up the one whose first seat may make the least made kind."""

        def rarest(match: Match) -> int:
            view = match.view(match.to_act[0])
            return min(self.made[self.known.kind(body, view)] for body in view["legal_moves"])

        seeds = (f"laws {self.rng.random()}" for _ in range(8))
        return min((Match.new(self.known.game, seed=seed, **set_up) for seed in seeds), key=rarest)

    def __call__(self, match: Match, seat: int, bodies: list[Body]) -> Body:
        view = match.view(seat)
        kinds = [self.known.kind(body, view) for body in bodies]
        rarest = min(self.made[kind] for kind in kinds)
        rare = [b for b, kind in zip(bodies, kinds, strict=True) if self.made[kind] == rarest]
        return self.rng.choice(rare)


def any_move(rng: Random) -> Style:
    """Any listed move, each equally likely."""
    return lambda match, seat, bodies: rng.choice(bodies)


def shedder(known: Known, rng: Random) -> Style:
    """Looks one move ahead for the fewest own cards: gets to empty hands and blind cards."""
    return _looking_ahead(known, rng, lambda view, seat: view["seats"][seat].get("hand_count", 0))


def attacker(known: Known, rng: Random) -> Style:
    """Looks one move ahead for the fewest cards in the hands of the others."""
    return _looking_ahead(
        known,
        rng,
        lambda view, seat: sum(f.get("hand_count", 0) for f in view["seats"] if f["seat"] != seat),
    )


def drainer(known: Known, rng: Random) -> Style:
    """Looks one move ahead for the fewest cards left to draw: gets to empty piles."""
    return _looking_ahead(
        known,
        rng,
        lambda view, seat: view["table"].get("deck_count", view["table"].get("draw_count", 0)),
    )


def _looking_ahead(known: Known, rng: Random, score: Callable[[View, int], int]) -> Style:
    """Makes a move, of some tried, with the lowest score of what all see afterwards."""

    def choose(match: Match, seat: int, bodies: list[Body]) -> Body:
        def after(body: Body) -> int:
            twin = copied(known, match)
            twin.play(seat, body)
            return score(twin.view(None), seat)

        return min(rng.sample(bodies, min(len(bodies), 8)), key=after)

    return choose


def pure(known: Known, rng: Random) -> list[Style]:
    """The styles that need no memory."""
    return [any_move(rng), *(make(known, rng) for make in (shedder, attacker, drainer))]


def a_table(known: Known, curious: Curious, rng: Random, players: int) -> list[Style]:
    """A style for each seat: now the same for all, now each its own."""
    styles = [curious, *pure(known, rng)]
    same = rng.choice(styles) if rng.random() < 0.6 else None
    return [same or rng.choice(styles) for _ in range(players)]


def play_on(match: Match, table: Sequence[Style], rng: Random) -> tuple[int, Body]:
    """The next seat to act, any of those that owe a decision, and the body that it chooses."""
    seat = rng.choice(match.to_act)
    return seat, table[seat](match, seat, listed(match, seat))


def led_to(known: Known, kind: str, rng: Random) -> Match:
    """A match in which a seat to act may make a move of a rare kind."""
    for number, (players, options) in enumerate(islice(set_ups(known, rng), 500)):
        match = Match.new(
            known.game, seats=["A"] * players, seed=f"{kind} {number}", options=options
        )
        table = [rng.choice(pure(known, rng))] * players
        while match.to_act and match.version < 200:
            for seat in match.to_act:
                view = match.view(seat)
                if any(known.kind(body, view) == kind for body in view["legal_moves"]):
                    return match
            match.play(*play_on(match, table, rng))
    raise AssertionError(f"no match of {known.game.id} led to {kind!r}")


def set_ups(known: Known, rng: Random) -> Iterator[tuple[int, dict[str, Any]]]:
    """Endless numbers of players, all in turn, with options: now the defaults, now any allowed,
    those first that were chosen least often."""
    game, used = known.game, Counter[tuple[str, Any]]()
    while True:
        for players in range(game.min_players, game.max_players + 1):
            options = {} if rng.random() < 0.2 else _options(known, players, used, rng)
            used.update(options.items())
            yield players, options


def _options(
    known: Known, players: int, used: Counter[tuple[str, Any]], rng: Random
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option in known.game.options:
        if rng.random() < 0.7:
            by_use = sorted(values(option), key=lambda v: (used[option.name, v], rng.random()))
            for value in by_use:
                try:
                    settle_options(known.game, options | {option.name: value}, players=players)
                except InvalidSetup:
                    continue
                options[option.name] = value
                break
    return options


def values(option: Option) -> list[Any]:
    """The values of an option that a run should have had: all, or the ends of a long range."""
    if option.choices is not None:
        return list(option.choices)
    assert option.minimum is not None
    assert option.maximum is not None
    if option.maximum - option.minimum < 10:
        return list(range(option.minimum, option.maximum + 1))
    return [option.minimum, option.minimum + 1, option.maximum]
