"""The law of what is known: `known` is true, and exactly what a watcher's own events make certain.

The watcher here is a small second source: it is given nothing but the events that one seat, or a
spectator, is shown, and keeps a count of cards for each hand.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine import GAMES, Match, Viewer
from tests import styles
from tests.engine.positions import ck
from tests.engine.steps import do
from tests.known import KNOWN
from tests.laws import viewers

MATCHES = 2000 if os.environ.get("CROUPIER_SOAK") == "1" else 14
MOVES = 150
Shown = Mapping[str, Any]


class Watcher:
    """What one who watches is certain of: by seat, the cards that must be in that hand."""

    def __init__(self, viewer: Viewer, players: int) -> None:
        self.viewer = viewer
        self.hands = [Counter[str]() for _ in range(players)]
        self.happened = Counter[str]()

    def see(self, event: Shown) -> None:
        """Follows one event as it is shown."""
        seat, target = event.get("seat"), event.get("target")
        match event["type"]:
            case "cards_dealt":
                self.hands[seat].clear()
            case "hands_swapped":
                self.hands[seat], self.hands[target] = self.hands[target], self.hands[seat]
                self.happened["a known hand swapped"] += any(map(bool, self.hands))
            case "hand_seen" if event["cards"] is not None:
                self.hands[seat] = Counter(event["cards"])
            case "pile_picked_up" | "cards_drawn":
                self._enter(seat, event)
            case "card_captured":
                self._leave(target, event)
                self._enter(seat, event)
            case "card_stolen":
                if event["slot"] is None:
                    self._leave(target, event)
                self._enter(seat, event)
            case "cards_laid" | "card_burned":
                self._leave(seat, event)
            case "card_played" | "cards_played" if event.get("zone", "hand") == "hand":
                self._leave(seat, event)
        if self.viewer is not None:
            self.hands[self.viewer].clear()  # one's own hand is there to be looked at

    def _enter(self, seat: int, event: Shown) -> None:
        self.hands[seat].update(event["cards"] or ())

    def _leave(self, seat: int, event: Shown) -> None:
        if event["cards"] is not None:
            self.hands[seat] -= Counter(event["cards"])
            return
        for _ in range(event["count"]):  # it may have been any of them
            self.happened["unseen departures from a known hand"] += bool(self.hands[seat])
            self.hands[seat] -= Counter(set(self.hands[seat]))

    def certain(self, codes: tuple[str, ...]) -> list[list[str]]:
        """The same as a view has it."""
        return [sorted(hand.elements(), key=codes.index) for hand in self.hands]


@pytest.mark.parametrize("game", GAMES)
def test_everybody_is_told_exactly_what_their_own_events_make_certain(game: str) -> None:
    rng, known, tally = Random(f"known of {game}"), KNOWN[game], Counter[str]()
    curious = styles.Curious(known, rng, Counter())
    set_ups = styles.set_ups(known, rng)
    for _ in range(MATCHES):
        players, options = next(set_ups)
        match = Match.new(
            GAMES[game], seats=["A"] * players, seed=f"known {rng.random()}", options=options
        )
        table = styles.a_table(known, curious, rng, players)
        watchers = [Watcher(viewer, players) for viewer in viewers(match)]
        follow(match, watchers)
        while match.to_act and match.version < MOVES:
            seat, body = styles.play_on(match, table, rng)
            match.play(seat, body)
            follow(match, watchers)
            if rng.random() < 0.3:
                tally += compared(match, watchers)
            if rng.random() < 0.1:
                match = Match.from_bytes(match.to_bytes())
        tally += compared(match, watchers)
        for watcher in watchers:
            tally += watcher.happened
    assert not NEEDED[game] - tally.keys(), f"never happened: {NEEDED[game] - tally.keys()}"


#: What must have been compared for the law to say something.
NEEDED = {
    "even-steven": {"a spectator", "a seat", "more than a spectator"},
    "card-keeper": {
        *("a seat", "more than a spectator", "two of a kind"),
        *("a known hand swapped", "unseen departures from a known hand"),
    },
    "seven-twos-tens": {"a spectator", "a seat", "two of a kind"},
}


def follow(match: Match, watchers: list[Watcher]) -> None:
    """Shows everybody the last step."""
    for watcher in watchers:
        for event in match.show(match.log[-1], watcher.viewer):
            watcher.see(event)


def compared(match: Match, watchers: list[Watcher]) -> Counter[str]:
    """Holds `known` against each watcher and against the hands; counts what there was to see."""
    hands = [Counter(match.view(seat)["you"]["hand"]) for seat in range(len(match.seats))]
    told = {watcher.viewer: match.view(watcher.viewer)["known"] for watcher in watchers}
    tally = Counter[str]()
    for watcher in watchers:
        viewer, known = watcher.viewer, told[watcher.viewer]
        assert known == watcher.certain(match.game.codes), f"as {viewer} sees it"
        for seat, cards in enumerate(known):
            assert Counter(cards) <= hands[seat], f"{viewer} is told {cards} of seat {seat}"
            if viewer is not None:
                rest = told[None][seat] if seat != viewer else []
                assert Counter(rest) <= Counter(cards), "a seat is certain of less than all are"
                tally["more than a spectator"] += len(cards) > len(rest)
            tally["a spectator" if viewer is None else "a seat"] += bool(cards)
            tally["two of a kind"] += len(set(cards)) < len(cards)
    return +tally


def test_a_law_that_bites_on_too_much_and_on_too_little() -> None:
    """The same comparison fails for a watcher who has missed an event."""
    match = ck("0: red-capture-1 red-1 red-2; 1: yellow-7 blue-1; 2: blue-2 blue-3; discard red-9")
    watchers = [Watcher(viewer, 3) for viewer in viewers(match)]
    do(match, "play red-capture-1 1")
    with pytest.raises(AssertionError, match="as 1 sees it"):
        compared(match, watchers)
    follow(match, watchers)
    compared(match, watchers)
    do(match, "burn blue-1" if "blue-1" in match.view(1)["you"]["hand"] else "burn yellow-7")
    do(match, "burn blue-2", "burn red-1")
    with pytest.raises(AssertionError, match="as 1 sees it"):
        compared(match, watchers)
