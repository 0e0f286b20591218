"""The follow law: whoever has a first view and the events after it knows the public table.

For every viewer and every version, from the first view on and from any later one, the table, the
seats and whose turn it is are rebuilt from the events alone and equal the view's.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from api.schemas import PARTS
from engine import GAMES, Match, Seat, Step, Viewer
from tests import laws, styles
from tests.follow import FOLLOWERS, Follower, follower, public
from tests.known import KNOWN
from tests.known.base import Known

MATCHES = 2000 if os.environ.get("CROUPIER_SOAK") == "1" else 30
#: A match is left when it has had so many moves; many end before.
MOVES = 150
#: How often the player to act does not come, and how often somebody leaves for good.
OVERDUE, LEAVE = 0.03, 0.01

every_game = pytest.mark.parametrize("known", KNOWN.values(), ids=lambda known: known.game.id)


def test_every_game_has_its_follower() -> None:
    assert FOLLOWERS.keys() == GAMES.keys()


class Crowd:
    """A follower for each viewer from the beginning, and one that comes late and goes again."""

    def __init__(self, match: Match, rng: Random) -> None:
        self.rng = rng
        self.early = {viewer: follower(match.view(viewer)) for viewer in laws.viewers(match)}
        self.late: tuple[Viewer, Follower] = (None, follower(match.view(None)))
        self.seen: Counter[str] = Counter()

    def take(self, match: Match, steps: list[Step]) -> None:
        """Shows some new steps to all, and compares what each has made of them."""
        if self.rng.random() < 0.1:
            viewer = self.rng.choice(laws.viewers(match))
            self.late = viewer, follower(_wire(match.view(viewer)))
        # In its public part a view is the same for all, as the laws of views hold.
        view = public(match.view(self.rng.choice(laws.viewers(match))))
        for viewer, one in [*self.early.items(), self.late]:
            for event in (e for step in steps for e in _wire(match.show(step, viewer))):
                if event["seq"] > one.now["last_seq"]:
                    one.take(event)
            assert one.now == view, f"as {viewer} follows it"
        self.seen.update(event.type for step in steps for event in step.events)


def _wire(value: Any) -> Any:
    """What a client reads from what a server wrote."""
    return json.loads(json.dumps(value))


@every_game
def test_the_public_table_follows_from_the_events(known: Known) -> None:
    rng, seen, made = Random(f"followers of {known.game.id}"), Counter[str](), Counter[str]()
    for players, options in islice(styles.set_ups(known, rng), MATCHES):
        seen += follow_a_match(known, made, rng, players, options)
    assert PARTS[known.game.id].events.keys() <= seen.keys()
    assert {"seat_joined", "seat_left", "move_overdue", "turn", "match_finished"} <= seen.keys()


def follow_a_match(
    known: Known, made: Counter[str], rng: Random, players: int, options: dict[str, Any]
) -> Counter[str]:
    """Plays a match with a crowd of followers, from its first view on; what types they saw.
    `made` counts the kinds of move made so far, in all matches."""
    open_seats = rng.sample(range(players), rng.choice([0, 0, 1, players]))
    seats = [Seat(kind="open") if n in open_seats else Seat(name=f"P{n}") for n in range(players)]
    curious = styles.Curious(known, rng, made)
    if open_seats:
        match = Match.new(known.game, seats=seats, seed=f"{rng.random()}", options=options)
    else:
        match = curious.dealt(seats=seats, options=options)
    crowd = Crowd(match, rng)

    def tell(told: int) -> int:
        if match.log[told:]:
            crowd.take(match, match.log[told:])
        return len(match.log)

    told = len(match.log)
    while match.status == "waiting":
        sitting = [n for n in range(players) if match.seats[n].kind == "human"]
        if sitting and rng.random() < 0.2:
            match.leave(rng.choice(sitting))
        else:
            match.join(seat=None, name=rng.choice([None, "Zoë ♠"]))
        told = tell(told)
    table = styles.a_table(known, curious, rng, players)
    while match.to_act and match.version < MOVES:
        leavers = [n for n in range(players) if match.seats[n].kind == "human"]
        if leavers and rng.random() < LEAVE:
            match.leave(rng.choice(leavers), overdue=rng.random() < 0.5)
        elif rng.random() < OVERDUE:
            match.play_for_absent(rng.choice(match.to_act), rng.randrange)
        else:
            seat, body = styles.play_on(match, table, rng)
            made[known.kind(body, match.view(seat))] += 1
            match.play(seat, body)
        match.play_bots(rng.randrange)
        told = tell(told)
    return crowd.seen
