"""Even Steven on the wire: its moves, its events and its facts."""

from __future__ import annotations

from functools import partial

from marshmallow import fields

from api.schemas.common import GameParts, about, cards, count
from api.schemas.events import event
from api.schemas.fields import CardCode, Closed, Flag, Whole, Word
from engine.cards import CODES

DECK = "StandardCard"
LAST_SEAT = 7


class Play(Closed):
    """Play a card from the hand."""

    card = CardCode(CODES, DECK, required=True)


class Draw(Closed):
    """Turn over the deck's top card and play it blindly."""


class PickUp(Closed):
    """Pick up the pile, where one would draw but the deck is empty."""


class Flip(Closed):
    """Turn over and play one of your face-down cards."""

    slot = Whole(0, 2, required=True, metadata=about("The card's slot, from 0."))


class Steal(Closed):
    """After a 7: take a card of another seat. `slot` is for a target with an empty hand only."""

    target = Whole(0, LAST_SEAT, required=True, metadata=about("The seat to take it from."))
    slot = Whole(0, 2, metadata=about("The slot of its face-down card, from 0."))


class Decline(Closed):
    """After a 7: take nothing."""


class EvenStevenTable(Closed):
    """What lies on the table."""

    phase = Word(
        ("play", "steal"),
        required=True,
        metadata=about("`steal` after a 7, while its player may take a card; else `play`."),
    )
    round = Whole(1, required=True, metadata=about("The round, from 1."))
    deck_count = count(52, metadata=about("Cards in the deck."))
    pile = cards(DECK, CODES, metadata=about("Oldest first."))
    value = Whole(
        2,
        required=True,
        allow_none=True,
        metadata=about("What an even card must reach; null asks for nothing."),
    )


_event = partial(event, deck=DECK, codes=CODES, last_seat=LAST_SEAT)


def _slot(description: str) -> Whole:
    return Whole(0, 2, required=True, allow_none=True, metadata=about(description))


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
        "cards_dealt": _event(
            "A seat got its cards: one such event for each seat, by number.",
            seat="Who got them.",
            shows="The hand in sorting order, for its owner; null for all others.",
            face_down=count(
                3, metadata=about("How many cards lie face down before it, in slots from 0.")
            ),
        ),
        "round_started": _event(
            "A round begins: after the deal, and after the drawing at the end of the round before.",
            seat="Who starts it.",
            round=Whole(1, required=True, metadata=about("Its number, from 1.")),
            deck_count=count(52, metadata=about("Cards in the deck at its beginning.")),
        ),
        "card_played": _event(
            "A card came on the pile: played from the hand, or turned over and played at once.",
            seat="Whose turn it is.",
            shows="The card, for everybody.",
            zone=Word(
                ("hand", "deck", "face_down"),
                required=True,
                metadata=about("Where it came from."),
            ),
            slot=_slot("The slot that it lay in; null unless `zone` is `face_down`."),
            fits=Flag(
                required=True,
                metadata=about("False for an even card that is too low: the pile is picked up."),
            ),
            value=Whole(
                2,
                required=True,
                allow_none=True,
                metadata=about("The pile's value with the card on it; null for none."),
            ),
        ),
        "pile_burned": _event(
            "An A was played: the pile went under the deck, and the round ends.",
            seat="Who played the A.",
            count=count(52, metadata=about("How many cards the pile had, with the A.")),
        ),
        "pile_picked_up": _event(
            "The pile went into a hand, by choice or because a card did not fit; the round ends.",
            seat="Whose hand it went into.",
            shows="The pile in sorting order, for everybody.",
        ),
        "cards_drawn": _event(
            "A seat drew at the end of a round. Seats that get nothing have no such event.",
            seat="Who drew.",
            shows="The cards in sorting order, for who drew them; null for all others.",
        ),
        "card_stolen": _event(
            "After a 7: a card went from one seat into the hand of another.",
            seat="Who took it.",
            shows="The card, for who took it and, if it came from the hand, for who lost it; "
            "null for all others.",
            target=Whole(0, LAST_SEAT, required=True, metadata=about("Who lost it.")),
            slot=_slot("The slot that it lay in; null for a card from the hand."),
        ),
        "steal_declined": _event(
            "After a 7: the seat took nothing, and the turn passes.", seat="Who declined."
        ),
    },
    seat_facts={
        "hand_count": Whole(0, 52, metadata=about("Cards in its hand.")),
        "face_down": fields.List(
            Whole(0, 2), metadata=about("The slots that still hold a face-down card.")
        ),
    },
    revealed={
        "face_down_cards": fields.List(
            CardCode(CODES, DECK, allow_none=True),
            metadata=about("By slot, once the match is finished; null where the slot is empty."),
        ),
    },
    table=EvenStevenTable,
    reasons=("no_cards", "turn_limit"),
)
