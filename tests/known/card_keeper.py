"""Card Keeper as its rule page has it: zones, who sees what, kinds of move, order of listing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from engine.games.card_keeper import COLOURS, NOT_ASKED, OWES, SHIELD, CardKeeper, State
from tests.known.base import (
    Body,
    Known,
    Place,
    Shown,
    View,
    both,
    everyone,
    its_seat,
    not_own,
    row_places,
    sort_all,
)


def _swappers(event: Shown, step: Sequence[Shown]) -> set[int]:
    """Whose hands have changed places: each knows what it gave and what it got."""
    swap = next(e for e in step if e["type"] == "hands_swapped")
    return {swap["seat"], swap["target"]}


class KnownCardKeeper(Known):
    game = CardKeeper()
    table_keys = frozenset(
        {
            *("phase", "draw_count", "discard_top", "discard_count", "burn_count"),
            *("colour", "direction"),
        }
    )
    seat_keys = frozenset({"hand_count", "shields", "out"})
    audience: ClassVar = {
        "cards_dealt": its_seat,
        "card_put_back": everyone,
        "first_card_turned": everyone,
        "card_played": everyone,
        "card_captured": both,
        "hand_seen": _swappers,
        "choice_made": its_seat,
        "card_burned": its_seat,
        "cards_drawn": its_seat,
    }
    bare_events = frozenset(
        {"colour_named", "shield_used", "draw_pile_made", "hands_swapped", "knocked_out"}
    )
    secret_actions = frozenset({"burn"})
    kinds = frozenset(
        {
            *("name_colour", "burn", "burn for chaos"),
            *("play number", "play reverse", "play capture-1", "play wild", "play chaos"),
            *("play capture-2 from one", "play capture-2 from two", "play draw-3"),
            *("play shield", "play swap-red-yellow", "play swap-blue-green"),
        }
    )
    #: `last_together` cannot arise from a deal: see the page's findings.
    reasons = frozenset({"last_holding_cards", "turn_limit"})

    def zones(self, state: State) -> Iterator[list[int]]:
        yield from (state.draw, state.discard, state.burned, *state.hands)
        # Only Shields ever leave, so even those that have left are known.
        yield [SHIELD] * (sum(state.shields) + state.gone)

    def hidden(self, state: State, viewer: int | None) -> Iterator[Place]:
        # What lies under the discard's top was seen as it was played, but no view tells it.
        yield from self.hidden_after_the_end(state)
        yield from not_own(state.hands, viewer)

    def hidden_after_the_end(self, state: State) -> Iterator[Place]:
        for row in (state.draw, state.burned):
            yield from row_places(row)
        yield from ((state.discard, index) for index in range(len(state.discard) - 1))

    def rechoose(self, state: State, knowing: Collection[int], rng: Random) -> None:
        sort_all(state.hands)
        for seat, choice in enumerate(state.choices):
            if choice not in (OWES, NOT_ASKED) and seat not in knowing:
                state.choices[seat] = rng.choice(state.hands[seat])

    def kind(self, body: Body, view: View) -> str:
        if body["action"] == "burn":
            return "burn for chaos" if view["table"]["phase"] == "chaos" else "burn"
        if body["action"] != "play":
            return str(body["action"])
        card = body["card"]
        if card == "capture-2":
            return f"play capture-2 from {'one' if len(set(body['targets'])) == 1 else 'two'}"
        colour, _, value = card.partition("-")
        if colour in COLOURS:
            return "play number" if value.isdigit() else f"play {value}"
        return f"play {card}"

    def order(self, body: Body) -> Any:
        action = ("name_colour", "play", "burn").index(body["action"])
        card = self.game.codes.index(body["card"]) if "card" in body else 0
        colour = COLOURS.index(body["colour"]) if "colour" in body else 0
        return action, card, body.get("targets", []), colour

    def canonical(self, body: Body, view: View, seat: int) -> Body:
        # A Capture +2's pair is listed once, the lower seat first.
        return body | {"targets": sorted(body["targets"])} if "targets" in body else body
