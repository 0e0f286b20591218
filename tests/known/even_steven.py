"""Even Steven as its rule page has it: zones, who sees what, kinds of move, order of listing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from engine.games.even_steven import EvenSteven, State
from tests.known.base import (
    Body,
    Known,
    Place,
    Shown,
    View,
    everyone,
    held,
    its_seat,
    not_own,
    row_places,
    sort_all,
)


def _stolen(event: Shown, step: Sequence[Shown]) -> set[int]:
    """ES-6: the thief, and the target too when the card came from the target's hand."""
    return {event["seat"]} if event["slot"] is not None else {event["seat"], event["target"]}


class KnownEvenSteven(Known):
    game = EvenSteven()
    table_keys = frozenset({"phase", "round", "deck_count", "pile", "value"})
    seat_keys = frozenset({"hand_count", "face_down"})
    shown_keys = frozenset({"hand", "face_down_cards"})
    audience: ClassVar = {
        "cards_dealt": its_seat,
        "card_played": everyone,
        "pile_picked_up": everyone,
        "card_stolen": _stolen,
        "cards_drawn": its_seat,
    }
    bare_events = frozenset({"round_started", "pile_burned", "steal_declined"})
    kinds = frozenset(
        {
            *(f"play {rank}" for rank in ("2", "3", "5", "7", "9", "10", "K", "A")),
            *("draw", "pick_up", "flip", "steal", "steal slot", "decline"),
        }
    )
    reasons = frozenset({"no_cards", "turn_limit"})

    def zones(self, state: State) -> Iterator[list[int]]:
        yield from (state.deck, state.pile, *state.hands)
        yield from map(held, state.face_down)

    def hidden(self, state: State, viewer: int | None) -> Iterator[Place]:
        yield from row_places(state.deck)
        yield from not_own(state.hands, viewer)
        yield from not_own(state.face_down, None)

    def hidden_after_the_end(self, state: State) -> Iterator[Place]:
        return row_places(state.deck)

    def rechoose(self, state: State, knowing: Collection[int], rng: Random) -> None:
        sort_all(state.hands)

    def kind(self, body: Body, view: View) -> str:
        if body["action"] == "play":
            return f"play {body['card'][:-1]}"
        return f"{body['action']}{' slot' if body['action'] == 'steal' and 'slot' in body else ''}"

    def order(self, body: Body) -> Any:
        action = ("play", "draw", "pick_up", "flip", "steal", "decline").index(body["action"])
        card = self.game.codes.index(body["card"]) if "card" in body else 0
        return action, card, body.get("target", 0), body.get("slot", 0)

    def told_by_rule(self, before: State | None, after: State) -> Any:
        """ES-9: the lowest even card in hand settles who starts a round."""
        if after.options.round_starter == "most_cards" or before is None:
            return after.turn
        return None
