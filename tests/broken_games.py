"""Games broken in one way each, for the laws to catch: methods to put in place of a game's own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from engine import Event, Move
from engine.events import Log
from engine.game import Game
from engine.games import card_keeper, even_steven, seven_twos_tens
from engine.values import Refusal
from tests import tiny_game
from tests.known.base import Known
from tests.known.seven_twos_tens import KnownSevenTwosTens
from tests.tiny_game import HighCard


def broken(known: Known, **methods: Any) -> Known:
    """The game with some of its methods replaced, and what the laws know of it."""
    game: Game[Any] = type("Broken", (type(known.game),), methods)()
    return type("KnownBroken", (type(known),), {"game": game})()


# What leaks


def deck_count_tells_a_card(self: Any, state: Any) -> dict[str, Any]:
    return even_steven.EvenSteven.table(self, state) | {"deck_count": sum(state.deck[-1:])}


def slots_tell_their_order(self: Any, state: Any, seat: int) -> dict[str, Any]:
    facts = even_steven.EvenSteven.seat_facts(self, state, seat)
    row = state.face_down[seat]
    return facts | {"face_down": sorted(facts["face_down"], key=row.__getitem__)}


def burn_count_tells_a_card(self: Any, state: Any) -> dict[str, Any]:
    return card_keeper.CardKeeper.table(self, state) | {"burn_count": sum(state.burned[-1:])}


def choices_are_face_up_at_once(self: Any, state: Any, seat: int) -> dict[str, Any]:
    facts = seven_twos_tens.SevenTwosTens.seat_facts(self, state, seat)
    chosen = [self.codes[card] for card in (state.laid or state.face_up)[seat]]
    return facts | {"face_up": chosen}


def only_the_best_flip(self: Any, state: Any, seat: int) -> list[Move]:
    moves = even_steven.EvenSteven.legal_moves(self, state, seat)
    row = state.face_down[seat]
    return [m for m in moves if type(m) is not even_steven.Flip or row[m.slot] == max(row)]


def names_the_blind_card(self: Any, state: Any, seat: int, move: Move) -> Refusal | None:
    refusal = even_steven.EvenSteven.refusal(self, state, seat, move)
    if refusal is even_steven.FLIP_LATER and move.slot in range(len(state.face_down[seat])):
        return Refusal(f"It is too early for card {state.face_down[seat][move.slot]}.")
    return refusal


def says_who_has_it(self: Any, state: Any, seat: int, move: Move) -> Refusal | None:
    refusal = card_keeper.CardKeeper.refusal(self, state, seat, move)
    if refusal is not None and isinstance(move, card_keeper.Burn):
        holders = [s for s, hand in enumerate(state.hands) if move.card in hand]
        return Refusal(f"You do not hold that card, but {holders} do.")
    return refusal


def told(type_: str, change: Callable[[Any, Event], Event], known: Known) -> dict[str, Any]:
    """Play and proceed whose events of a type are told otherwise."""

    def after(name: str) -> Callable[..., None]:
        def method(self: Any, state: Any, *args: Any) -> None:
            log: Log = args[-1]
            first = len(log.events)
            getattr(type(known.game), name)(self, state, *args)
            told = log.events[first:]
            log.events[first:] = [change(state, e) if e.type == type_ else e for e in told]

        return method

    return {"play": after("play"), "proceed": after("proceed")}


def with_fact(state: Any, event: Event) -> Event:
    assert event.cards is not None
    return msgspec.structs.replace(event, facts={"first": event.cards[0]})


def openly(state: Any, event: Event) -> Event:
    return msgspec.structs.replace(event, seen_by=None)


def as_if_still_there(state: Any, event: Event) -> Event:
    return msgspec.structs.replace(event, out_of=None)


def deals_in_order_of_cards(self: Any, *, log: Log, **given: Any) -> Any:
    state = HighCard.deal(self, log=log, **given)
    log.events.sort(key=lambda event: event.cards or ())
    return state


# What is wrong in other ways


def loses_a_card(self: Any, state: Any, *args: Any) -> None:
    HighCard.play(self, state, *args)
    state.shown[:] = state.shown[:4]


def doubles_a_card(self: Any, state: Any, *args: Any) -> None:
    HighCard.play(self, state, *args)
    state.stock.append(0)


def returns_removed_cards(self: Any, state: Any, *args: Any) -> None:
    seven_twos_tens.SevenTwosTens.proceed(self, state, *args)
    if state.removed:
        whole = Counter(self.deck * state.options.decks)
        present = Counter(card for zone in KnownSevenTwosTens().zones(state) for card in zone)
        state.draw.insert(0, next((whole - present).elements()))
        state.removed -= 1


def nothing_to_do(self: Any, state: Any, seat: int) -> list[Move]:
    return HighCard.legal_moves(self, state, seat) if seat or len(state.shown) < 4 else []


def twice(self: Any, state: Any, seat: int) -> list[Move]:
    return [move for move in HighCard.legal_moves(self, state, seat) for _ in range(2)]


def all_but_the_last(self: Any, state: Any, seat: int) -> list[Move]:
    moves = HighCard.legal_moves(self, state, seat)
    return moves[:-1] or moves


def not_only_own_cards(self: Any, state: Any, seat: int) -> list[Move]:
    moves = HighCard.legal_moves(self, state, seat)
    return [*moves, tiny_game.Choose(state.hands[seat - 1][0])]


def any_targets(self: Any, state: Any, seat: int, move: Move) -> Refusal | None:
    refusal = card_keeper.CardKeeper.refusal(self, state, seat, move)
    return None if refusal is card_keeper.OFF_TARGET else refusal


def thinks_with_the_state(self: Any, state: Any, seat: int, move: Move) -> Refusal | None:
    refusal = HighCard.refusal(self, state, seat, move)
    if refusal is not None:
        state.points[seat] += 1
    return refusal


def bare_refusal(self: Any, state: Any, seat: int, move: Move) -> Refusal | None:
    return HighCard.refusal(self, state, seat, move) and Refusal("")


def remembers_in_itself(self: Any, state: Any, *args: Any) -> None:
    HighCard.play(self, state, *args)
    self.count = getattr(self, "count", 0) + 1
    state.points[0] += self.count % 7


def throws_dice(self: Any, state: Any, *args: Any) -> None:
    HighCard.play(self, state, *args)
    state.points[0] += random.randrange(1000)


def tuple_in_table(self: Any, state: Any) -> dict[str, Any]:
    return HighCard.table(self, state) | {"shown": tuple(state.shown)}


def more_in_table(self: Any, state: Any) -> dict[str, Any]:
    return HighCard.table(self, state) | {"more": 1}


def window_in_table(self: Any, state: Any) -> dict[str, Any]:
    return HighCard.table(self, state) | {"shown": state.shown}


def unsorted_hand(self: Any, state: Any, seat: int) -> list[int]:
    return state.hands[seat][::-1]


def tells_no_own_choice(self: Any, state: Any, seat: int) -> Move | None:
    return tiny_game.Choose(0) if seat == 1 else None
