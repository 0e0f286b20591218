"""Even Steven on the wire: its moves, its events and its facts."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from api.schemas.common import GameParts, Members, cards, count, event_cards
from api.schemas.fields import Closed, Flag, Whole, Word
from engine.cards import CODES

DECK = "StandardCard"
LAST_SEAT = 7


class Play(Closed):
    """Play a card from the hand."""

    card = Word(CODES, DECK, required=True)


class Draw(Closed):
    """Turn over the deck's top card and play it blindly."""


class PickUp(Closed):
    """Pick up the pile, where one would draw but the deck is empty."""


class Flip(Closed):
    """Turn over and play one of your face-down cards."""

    slot = Whole(0, 2, required=True)


class Steal(Closed):
    """After a 7: take a card of another seat. `slot` is for a target with an empty hand only."""

    target = Whole(0, LAST_SEAT, required=True)
    slot = Whole(0, 2)


class Decline(Closed):
    """After a 7: take nothing."""


class EvenStevenTable(Closed):
    """What lies on the table."""

    phase = Word(("play", "steal"), required=True)
    round = Whole(1, required=True)
    deck_count = count(52)
    pile = cards(DECK, CODES, metadata={"description": "Oldest first."})
    value = Whole(
        2,
        required=True,
        allow_none=True,
        metadata={"description": "What an even card must reach; null asks for nothing."},
    )


def _event(*, seat: bool = True, with_cards: bool = False, **facts: fields.Field[Any]) -> Members:
    seats: Members = {"seat": Whole(0, LAST_SEAT, required=True)} if seat else {}
    return {**seats, **(event_cards(DECK, CODES) if with_cards else {}), **facts}


def _slot() -> Whole:
    return Whole(0, 2, required=True, allow_none=True)


PARTS = GameParts(
    title="EvenSteven",
    deck=DECK,
    moves={
        "play": Play,
        "draw": Draw,
        "pick_up": PickUp,
        "flip": Flip,
        "steal": Steal,
        "decline": Decline,
    },
    events={
        "cards_dealt": _event(with_cards=True, face_down=count(3)),
        "round_started": _event(round=Whole(1, required=True), deck_count=count(52)),
        "card_played": _event(
            with_cards=True,
            zone=Word(("hand", "deck", "face_down"), required=True),
            slot=_slot(),
            fits=Flag(required=True),
            value=Whole(2, required=True, allow_none=True),
        ),
        "pile_burned": _event(count=count(52)),
        "pile_picked_up": _event(with_cards=True),
        "cards_drawn": _event(with_cards=True),
        "card_stolen": _event(
            with_cards=True, target=Whole(0, LAST_SEAT, required=True), slot=_slot()
        ),
        "steal_declined": _event(),
    },
    seat_facts={"hand_count": Whole(0, 52), "face_down": fields.List(Whole(0, 2))},
    revealed={
        "face_down_cards": fields.List(Word(CODES, DECK, allow_none=True)),
    },
    table=EvenStevenTable,
    reasons=("no_cards", "turn_limit"),
)
