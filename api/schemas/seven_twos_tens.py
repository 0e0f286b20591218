"""Seven, Twos & Tens on the wire: its moves, its events and its facts."""

from __future__ import annotations

from functools import partial

from marshmallow import fields, validate

from api.schemas.common import GameParts, about, cards, count
from api.schemas.events import event
from api.schemas.fields import CardCode, Closed, Flag, Whole, Word
from engine.cards import CODES, RANKS

DECK = "StandardCard"
RANK = "StandardRank"
LAST_SEAT = 11
#: All cards of one rank in four decks.
MOST_ALIKE = 16
MOST_CARDS = 208


class Lay(Closed):
    """Lay three of the first six cards face up."""

    cards = fields.List(
        CardCode(CODES, DECK),
        required=True,
        validate=validate.Length(equal=3),
        metadata=about("Three of your hand, in any order."),
    )


class Play(Closed):
    """Play one or more cards of one rank, from the zone in turn."""

    cards = fields.List(
        CardCode(CODES, DECK),
        required=True,
        validate=validate.Length(min=1, max=MOST_ALIKE),
        metadata=about("Cards of one rank, in any order."),
    )


class PickUp(Closed):
    """Pick up the whole pile."""


class Flip(Closed):
    """Turn over a face-down card, and play it if it may be played."""

    slot = Whole(0, 2, required=True, metadata=about("The card's slot, from 0."))


class SevenTwosTensTable(Closed):
    """What lies on the table."""

    phase = Word(
        ("lay", "play"),
        required=True,
        metadata=about("`lay` while face-up cards are chosen; else `play`."),
    )
    round = Whole(1, 20, required=True, metadata=about("The round, from 1."))
    draw_count = count(MOST_CARDS, metadata=about("Cards in the draw pile."))
    pile = cards(DECK, CODES, metadata=about("Oldest first."))
    value = Word(
        RANKS,
        RANK,
        required=True,
        allow_none=True,
        metadata=about("The rank to reach; null and 2 ask for nothing."),
    )
    removed_count = count(MOST_CARDS, metadata=about("Cards removed in this round."))
    scores = fields.List(
        fields.List(count(MOST_CARDS)),
        required=True,
        metadata=about("For each ended round the cards left, by seat."),
    )


_event = partial(event, deck=DECK, codes=CODES, last_seat=LAST_SEAT)


def _value(description: str) -> Word:
    return Word(RANKS, RANK, required=True, allow_none=True, metadata=about(description))


def _round() -> Whole:
    return Whole(1, 20, required=True, metadata=about("Its number, from 1."))


PARTS = GameParts(
    title="SevenTwosTens",
    deck=DECK,
    moves={"lay": Lay, "play": Play, "pick_up": PickUp, "flip": Flip},
    events={
        "round_started": _event(
            "A round is dealt from a fresh deck. The hands follow.",
            seat="Who will begin.",
            round=_round(),
            draw_count=count(MOST_CARDS, metadata=about("Cards in the draw pile after the deal.")),
        ),
        "cards_dealt": _event(
            "A seat got its cards: one such event for each seat, by number.",
            seat="Who got them.",
            shows="The six open ones in sorting order, for their owner; null for all others.",
            face_down=count(
                3, metadata=about("How many cards lie face down before it, in slots from 0.")
            ),
        ),
        "choice_made": _event(
            "A seat chose its face-up cards. They stay in the hand until all have chosen.",
            seat="Who chose.",
            shows="The three cards in sorting order, for who chose them; null for all others.",
        ),
        "cards_laid": _event(
            "All have chosen: the face-up cards of a seat are shown, and have left its hand.",
            seat="Whose cards they are.",
            shows="The three cards in sorting order, for everybody.",
        ),
        "card_turned": _event(
            "The top card of the draw pile was turned over to start the pile.",
            seat="Who begins.",
            shows="The card, for everybody.",
            value=_value("The pile's value after it; null for none."),
            removed=Flag(required=True, metadata=about("True for a 10, which has removed itself.")),
        ),
        "cards_played": _event(
            "Cards of one rank came on the pile.",
            seat="Who played them.",
            shows="The cards in sorting order, for everybody.",
            zone=Word(
                ("hand", "face_up", "face_down"),
                required=True,
                metadata=about("Where they came from; `face_down` for a flipped card that fits."),
            ),
            slot=Whole(
                0,
                2,
                required=True,
                allow_none=True,
                metadata=about("The slot that it lay in; null unless `zone` is `face_down`."),
            ),
            value=_value("The pile's value with them on it; null for none."),
        ),
        "card_flipped": _event(
            "A face-down card was turned over and does not fit. It is picked up with the pile.",
            seat="Who flipped it.",
            shows="The card, for everybody.",
            slot=Whole(0, 2, required=True, metadata=about("The slot that it lay in.")),
        ),
        "pile_removed": _event(
            "A 10 or four of a kind removed the pile from the round.",
            seat="Who played the last of its cards.",
            count=count(MOST_CARDS, metadata=about("How many cards the pile had.")),
        ),
        "pile_picked_up": _event(
            "The pile went into a hand, with the flipped card if one did not fit.",
            seat="Whose hand it went into.",
            shows="The pile in sorting order, for everybody.",
        ),
        "cards_drawn": _event(
            "After a play a seat filled up its hand from the draw pile.",
            seat="Who drew.",
            shows="The cards in sorting order, for who drew them; null for all others.",
        ),
        "round_ended": _event(
            "A round is over: somebody has no cards left, or its turn limit is reached.",
            winner=Whole(
                0,
                LAST_SEAT,
                required=True,
                allow_none=True,
                metadata=about("Who has no cards left; null when the turn limit ended it."),
            ),
            round=_round(),
            points=fields.List(
                count(MOST_CARDS),
                required=True,
                metadata=about("The cards that each seat has left, by seat."),
            ),
        ),
    },
    seat_facts={
        "hand_count": Whole(0, MOST_CARDS, metadata=about("Cards in its hand.")),
        "face_up": fields.List(
            CardCode(CODES, DECK),
            metadata=about("Its face-up cards in sorting order; empty until all are shown."),
        ),
        "face_down": fields.List(
            Whole(0, 2), metadata=about("The slots that still hold a face-down card.")
        ),
        "points": Whole(0, metadata=about("Its points of all ended rounds.")),
    },
    revealed={
        "face_down_cards": fields.List(
            CardCode(CODES, DECK, allow_none=True),
            metadata=about("By slot, once the match is finished; null where the slot is empty."),
        ),
    },
    table=SevenTwosTensTable,
    reasons=("no_cards", "turn_limit", "lowest_score"),
)
