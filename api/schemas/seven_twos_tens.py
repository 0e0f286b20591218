"""Seven, Twos & Tens on the wire: its moves, its events and its facts."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from api.schemas.common import GameParts, Members, cards, count, event_cards
from api.schemas.fields import Closed, Flag, Whole, Word
from engine.cards import CODES, RANKS

DECK = "StandardCard"
RANK = "StandardRank"
LAST_SEAT = 11
#: All cards of one rank in four decks.
MOST_ALIKE = 16
MOST_CARDS = 208


class Lay(Closed):
    """Lay three of the first six cards face up."""

    cards = fields.List(Word(CODES, DECK), required=True, validate=validate.Length(equal=3))


class Play(Closed):
    """Play one or more cards of one rank, from the zone in turn."""

    cards = fields.List(
        Word(CODES, DECK), required=True, validate=validate.Length(min=1, max=MOST_ALIKE)
    )


class PickUp(Closed):
    """Pick up the whole pile."""


class Flip(Closed):
    """Turn over a face-down card, and play it if it may be played."""

    slot = Whole(0, 2, required=True)


class SevenTwosTensTable(Closed):
    """What lies on the table."""

    phase = Word(("lay", "play"), required=True)
    round = Whole(1, 20, required=True)
    draw_count = count(MOST_CARDS)
    pile = cards(DECK, CODES, metadata={"description": "Oldest first."})
    value = Word(
        RANKS,
        RANK,
        required=True,
        allow_none=True,
        metadata={"description": "The rank to reach; null and 2 ask for nothing."},
    )
    removed_count = count(MOST_CARDS)
    scores = fields.List(
        fields.List(count(MOST_CARDS)),
        required=True,
        metadata={"description": "For each ended round the cards left, by seat."},
    )


def _event(*, seat: bool = True, with_cards: bool = False, **facts: fields.Field[Any]) -> Members:
    seats: Members = {"seat": Whole(0, LAST_SEAT, required=True)} if seat else {}
    return {**seats, **(event_cards(DECK, CODES) if with_cards else {}), **facts}


def _value() -> Word:
    return Word(RANKS, RANK, required=True, allow_none=True)


def _round() -> Whole:
    return Whole(1, 20, required=True)


PARTS = GameParts(
    title="SevenTwosTens",
    deck=DECK,
    moves={"lay": Lay, "play": Play, "pick_up": PickUp, "flip": Flip},
    events={
        "round_started": _event(round=_round(), draw_count=count(MOST_CARDS)),
        "cards_dealt": _event(with_cards=True, face_down=count(3)),
        "choice_made": _event(with_cards=True),
        "cards_laid": _event(with_cards=True),
        "card_turned": _event(with_cards=True, value=_value(), removed=Flag(required=True)),
        "cards_played": _event(
            with_cards=True,
            zone=Word(("hand", "face_up", "face_down"), required=True),
            slot=Whole(0, 2, required=True, allow_none=True),
            value=_value(),
        ),
        "card_flipped": _event(with_cards=True, slot=Whole(0, 2, required=True)),
        "pile_removed": _event(count=count(MOST_CARDS)),
        "pile_picked_up": _event(with_cards=True),
        "cards_drawn": _event(with_cards=True),
        "round_ended": _event(
            seat=False,
            winner=Whole(0, LAST_SEAT, required=True, allow_none=True),
            round=_round(),
            points=fields.List(count(MOST_CARDS), required=True),
        ),
    },
    seat_facts={
        "hand_count": Whole(0, MOST_CARDS),
        "face_up": fields.List(Word(CODES, DECK)),
        "face_down": fields.List(Whole(0, 2)),
        "points": Whole(0),
    },
    revealed={
        "face_down_cards": fields.List(Word(CODES, DECK, allow_none=True)),
    },
    table=SevenTwosTensTable,
    reasons=("no_cards", "turn_limit", "lowest_score"),
)
