"""Card Keeper on the wire: its moves, its events and its facts."""

from __future__ import annotations

from functools import partial

from marshmallow import fields, validate

from api.schemas.common import GameParts, about, count
from api.schemas.events import event
from api.schemas.fields import CardCode, Closed, Flag, Whole, Word
from engine.games.card_keeper import CODES, COLOURS

DECK = "CardKeeperCard"
COLOUR = "CardKeeperColour"
LAST_SEAT = 9


class NameColour(Closed):
    """Name the colour of a Wild that was turned over to start."""

    colour = Word(COLOURS, COLOUR, required=True, metadata=about("What comes next must have it."))


class Play(Closed):
    """Play a card that fits. `targets` are for Captures and Swaps, `colour` is for a Wild."""

    card = CardCode(CODES, DECK, required=True)
    targets = fields.List(
        Whole(0, LAST_SEAT),
        validate=validate.Length(min=1, max=2),
        metadata=about("Seats, in the order in which they are taken from."),
    )
    colour = Word(COLOURS, COLOUR, metadata=about("The colour that the Wild is to have."))


class Burn(Closed):
    """Burn a card face down: a turn's other choice, and the answer to a Chaos."""

    card = CardCode(CODES, DECK, required=True)


def _direction(description: str) -> Word:
    return Word(
        ("left", "right"), "CardKeeperDirection", required=True, metadata=about(description)
    )


class CardKeeperTable(Closed):
    """What lies on the table."""

    phase = Word(
        ("name_colour", "play", "chaos"),
        required=True,
        metadata=about(
            "`name_colour` while the colour of a first Wild is owed, `chaos` while choices are; "
            "else `play`."
        ),
    )
    draw_count = count(108, metadata=about("Cards in the draw pile."))
    discard_top = CardCode(
        CODES, DECK, required=True, metadata=about("The top card of the discard pile.")
    )
    discard_count = count(108, metadata=about("Cards in the discard pile, the top one too."))
    burn_count = count(108, metadata=about("Cards in the burn pile."))
    colour = Word(
        COLOURS,
        COLOUR,
        required=True,
        allow_none=True,
        metadata=about("The active colour; null until that of a first Wild is named."),
    )
    direction = _direction("Which neighbour is next.")


_event = partial(event, deck=DECK, codes=CODES, last_seat=LAST_SEAT)


def _colour(description: str) -> Word:
    return Word(COLOURS, COLOUR, required=True, metadata=about(description))


def _target(description: str) -> Whole:
    return Whole(0, LAST_SEAT, required=True, metadata=about(description))


PARTS = GameParts(
    title="CardKeeper",
    deck=DECK,
    moves={"name_colour": NameColour, "play": Play, "burn": Burn},
    events={
        "cards_dealt": _event(
            "A seat got its hand: one such event for each seat, by number.",
            seat="Who got it.",
            shows="The hand in sorting order, for its owner; null for all others.",
        ),
        "card_put_back": _event(
            "A card that may not start was turned over, put back, and the draw pile shuffled.",
            shows="The card, for everybody.",
        ),
        "first_card_turned": _event(
            "The discard pile begins with this card.",
            shows="The card, for everybody.",
            draw_count=count(108, metadata=about("Cards left in the draw pile.")),
            colour=Word(
                COLOURS,
                COLOUR,
                required=True,
                allow_none=True,
                metadata=about("The active colour; null if a player is to name that of a Wild."),
            ),
            direction=_direction("Which neighbour is next; `right` after a Reverse."),
        ),
        "colour_named": _event(
            "The colour of a first Wild was named, before the first turn.",
            seat="Who named it.",
            colour=_colour("The active colour from now on."),
        ),
        "card_played": _event(
            "A card was played. Its effects follow as events of their own.",
            seat="Who played it.",
            shows="The card, for everybody.",
            targets=fields.List(
                Whole(0, LAST_SEAT),
                required=True,
                metadata=about("The seats named with it, in that order; empty for most cards."),
            ),
            colour=_colour("The active colour after it."),
            direction=_direction("Which neighbour is next after it."),
        ),
        "card_captured": _event(
            "A Capture took a card. A take that a Shield blocks, or that finds no card, has no "
            "such event.",
            seat="Who took it.",
            shows="The card, for those two seats; null for all others.",
            target=_target("Who lost it."),
        ),
        "shield_used": _event(
            "A Shield blocked a Capture or a Chaos and is used up.",
            seat="Whose Shield it was.",
            burned=Flag(
                required=True,
                metadata=about("Whether it went on the burn pile; else it has left the match."),
            ),
        ),
        "hands_swapped": _event(
            "Two seats traded their hands. Two `hand_seen` follow.",
            seat="Who played the Swap.",
            target=_target("The other one."),
        ),
        "hand_seen": _event(
            "After a Swap: the hand that a seat holds now.",
            seat="Whose hand it is now.",
            shows="The whole hand in sorting order, for the two who traded; null for all others.",
        ),
        "choice_made": _event(
            "A seat chose the card that it burns in a Chaos. The card stays in the hand until all "
            "have chosen.",
            seat="Who chose.",
            shows="The card, for who chose it; null for all others.",
        ),
        "card_burned": _event(
            "A card went from a hand on the burn pile, in a turn or at the end of a Chaos.",
            seat="Whose card it was.",
            shows="The card, for who burned it; null for all others.",
        ),
        "cards_drawn": _event(
            "A seat drew, to catch up or by a Draw +3. If a new draw pile is made between two "
            "cards, there is an event before it and one after it.",
            seat="Who drew.",
            shows="The cards in sorting order, for who drew them; null for all others.",
        ),
        "draw_pile_made": _event(
            "The draw pile was empty when a card had to come: a new one was shuffled from the "
            "discard pile, but for its top card, and the burn pile.",
            draw_count=count(108, metadata=about("How many cards the new pile has.")),
        ),
        "knocked_out": _event(
            "A seat holds no card at the end of a move, and is out.",
            seat="Who is out.",
            shields=count(4, metadata=about("How many Shields left the match with it.")),
        ),
    },
    seat_facts={
        "hand_count": Whole(0, 108, metadata=about("Cards in its hand.")),
        "shields": Whole(0, 4, metadata=about("Shields that lie face up before it.")),
        "out": Flag(metadata=about("Whether it has lost its last card and is out.")),
    },
    revealed={},
    table=CardKeeperTable,
    reasons=("last_holding_cards", "last_together", "turn_limit"),
)
