"""Card Keeper on the wire: its moves, its events and its facts."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from api.schemas.common import GameParts, Members, count, event_cards
from api.schemas.fields import Closed, Flag, Whole, Word
from engine.games.card_keeper import CODES, COLOURS

DECK = "CardKeeperCard"
COLOUR = "CardKeeperColour"
LAST_SEAT = 9


class NameColour(Closed):
    """Name the colour of a Wild that was turned over to start."""

    colour = Word(COLOURS, COLOUR, required=True)


class Play(Closed):
    """Play a card that fits. `targets` are for Captures and Swaps, `colour` is for a Wild."""

    card = Word(CODES, DECK, required=True)
    targets = fields.List(
        Whole(0, LAST_SEAT),
        validate=validate.Length(min=1, max=2),
        metadata={"description": "Seats, in the order in which they are taken from."},
    )
    colour = Word(COLOURS, COLOUR)


class Burn(Closed):
    """Burn a card face down: a turn's other choice, and the answer to a Chaos."""

    card = Word(CODES, DECK, required=True)


def _direction() -> Word:
    return Word(("left", "right"), "CardKeeperDirection", required=True)


class CardKeeperTable(Closed):
    """What lies on the table."""

    phase = Word(("name_colour", "play", "chaos"), required=True)
    draw_count = count(108)
    discard_top = Word(CODES, DECK, required=True)
    discard_count = count(108)
    burn_count = count(108)
    colour = Word(
        COLOURS,
        COLOUR,
        required=True,
        allow_none=True,
        metadata={"description": "null until the colour of a first Wild is named."},
    )
    direction = _direction()


def _event(*, seat: bool = True, with_cards: bool = False, **facts: fields.Field[Any]) -> Members:
    seats: Members = {"seat": Whole(0, LAST_SEAT, required=True)} if seat else {}
    return {**seats, **(event_cards(DECK, CODES) if with_cards else {}), **facts}


def _seat() -> Whole:
    return Whole(0, LAST_SEAT, required=True)


PARTS = GameParts(
    title="CardKeeper",
    deck=DECK,
    moves={"name_colour": NameColour, "play": Play, "burn": Burn},
    events={
        "cards_dealt": _event(with_cards=True),
        "card_put_back": _event(seat=False, with_cards=True),
        "first_card_turned": _event(
            seat=False,
            with_cards=True,
            draw_count=count(108),
            colour=Word(COLOURS, COLOUR, required=True, allow_none=True),
            direction=_direction(),
        ),
        "colour_named": _event(colour=Word(COLOURS, COLOUR, required=True)),
        "card_played": _event(
            with_cards=True,
            targets=fields.List(Whole(0, LAST_SEAT), required=True),
            colour=Word(COLOURS, COLOUR, required=True),
            direction=_direction(),
        ),
        "card_captured": _event(with_cards=True, target=_seat()),
        "shield_used": _event(burned=Flag(required=True)),
        "hands_swapped": _event(target=_seat()),
        "hand_seen": _event(with_cards=True),
        "choice_made": _event(with_cards=True),
        "card_burned": _event(with_cards=True),
        "cards_drawn": _event(with_cards=True),
        "draw_pile_made": _event(seat=False, draw_count=count(108)),
        "knocked_out": _event(shields=count(4)),
    },
    seat_facts={"hand_count": Whole(0, 108), "shields": Whole(0, 4), "out": Flag()},
    revealed={},
    table=CardKeeperTable,
    reasons=("last_holding_cards", "last_together", "turn_limit"),
)
