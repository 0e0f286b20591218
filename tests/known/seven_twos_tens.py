"""Seven, Twos & Tens as its rule page has it: zones, who sees what, kinds of move, listing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import Any, ClassVar

from engine.games.seven_twos_tens import SevenTwosTens, State
from tests.known.base import (
    Body,
    Known,
    Place,
    View,
    everyone,
    held,
    its_seat,
    not_own,
    row_places,
    sort_all,
)


class KnownSevenTwosTens(Known):
    game = SevenTwosTens()
    table_keys = frozenset(
        {"phase", "round", "draw_count", "pile", "value", "removed_count", "scores"}
    )
    seat_keys = frozenset({"hand_count", "face_up", "face_down", "points"})
    shown_keys = frozenset({"hand", "face_down_cards"})
    audience: ClassVar = {
        "cards_dealt": its_seat,
        "choice_made": its_seat,
        "cards_laid": everyone,
        "card_turned": everyone,
        "cards_played": everyone,
        "card_flipped": everyone,
        "pile_picked_up": everyone,
        "cards_drawn": its_seat,
    }
    bare_events = frozenset({"round_started", "pile_removed", "round_ended"})
    secret_actions = frozenset({"lay"})
    kinds = frozenset(
        {
            *("lay", "pick_up", "flip"),
            *(f"play {count} from hand" for count in (1, 2, 3, 4)),
            *("play one from face_up", "play several from face_up"),
            *("play 2", "play 7", "play 10"),
        }
    )
    reasons = frozenset({"no_cards", "turn_limit", "lowest_score"})

    def zones(self, state: State) -> Iterator[list[int]]:
        yield from (state.draw, state.pile, *state.hands, *state.face_up)
        yield from map(held, state.face_down)

    def left(self, state: State) -> int:
        return state.removed

    def decks(self, state: State) -> int:
        return state.options.decks

    def dealing(self, state: State) -> int:
        return state.round

    def hidden(self, state: State, viewer: int | None) -> Iterator[Place]:
        yield from row_places(state.draw)
        yield from not_own(state.hands, viewer)
        yield from not_own(state.face_down, None)

    def hidden_after_the_end(self, state: State) -> Iterator[Place]:
        return row_places(state.draw)

    def rechoose(self, state: State, knowing: Collection[int], rng: Random) -> None:
        sort_all(state.hands)
        for seat, laid in enumerate(state.laid):
            if laid and seat not in knowing:
                state.laid[seat] = sorted(rng.sample(state.hands[seat], len(laid)))

    def kind(self, body: Body, view: View) -> str:
        if body["action"] != "play":
            return str(body["action"])
        rank, count = body["cards"][0][:-1], len(body["cards"])
        if rank in ("2", "7", "10") and count == 1:
            return f"play {rank}"
        if view["you"]["hand"]:
            return f"play {count} from hand"
        return f"play {'one' if count == 1 else 'several'} from face_up"

    def order(self, body: Body) -> Any:
        action = ("play", "pick_up", "flip", "lay").index(body["action"])
        cards = [self.game.codes.index(card) for card in body.get("cards", [])]
        if body["action"] == "play":
            return action, cards[0] // 4, len(cards)
        return action, cards, body.get("slot", 0)

    def look(self, card: str) -> str:
        return card[:-1]

    def canonical(self, body: Body, view: View, seat: int) -> Body:
        # Suits do not matter: the first cards of the same ranks stand for all choices of them.
        if "cards" not in body:
            return body
        hand, facts = view["you"]["hand"], view["seats"][seat]
        zone = list(hand if hand or view["table"]["draw_count"] else facts["face_up"])
        if Counter(body["cards"]) - Counter(zone):
            return body
        first = []
        for rank in sorted(card[:-1] for card in body["cards"]):
            first.append(next(card for card in zone if card[:-1] == rank))
            zone.remove(first[-1])
        return body | {"cards": sorted(first, key=self.game.codes.index)}
