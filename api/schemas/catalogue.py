"""The catalogue on the wire."""

from __future__ import annotations

from marshmallow import fields

from api.schemas.common import about, told
from api.schemas.fields import Anything, Closed, Text, Whole, Word

_VALUE = {"type": ["integer", "string", "boolean"]}
_VALUE_OR_NULL = {"type": ["integer", "string", "boolean", "null"]}


def _end(description: str) -> fields.Integer:
    return fields.Integer(required=True, allow_none=True, metadata=about(description))


class OptionEntry(Closed):
    """What a host may choose, and what it means."""

    name = told("Its name, as a member of `options` in the request for a new match.")
    type = Word(
        ("integer", "string", "boolean"),
        required=True,
        metadata=about("The JSON type of its values."),
    )
    default = Anything(
        {**_VALUE_OR_NULL, "description": "null where it depends on the number of players."},
        required=True,
    )
    default_by_players = Anything(
        {
            "type": ["object", "null"],
            "additionalProperties": _VALUE,
            "description": "The default by number of players; null where there is one for all.",
        },
        required=True,
    )
    minimum = _end("The least value; null where `choices` lists them, or there is none.")
    maximum = _end("The greatest value; null where `choices` lists them, or there is none.")
    choices = Anything(
        {
            "type": ["array", "null"],
            "items": _VALUE,
            "description": "All values; null where any from `minimum` to `maximum` will do.",
        },
        required=True,
    )
    meaning = told("What it decides, in a sentence to show to people.")
    ruling = fields.String(
        required=True, allow_none=True, metadata={"description": "Its number in the rules."}
    )


def _picture() -> fields.String:
    return fields.String(
        required=True,
        metadata={"description": "The path of a picture, an SVG, to be kept for ever."},
    )


class CardEntry(Closed):
    """A card of the deck, how many of it there are, and what it looks like."""

    code = fields.String(
        required=True,
        metadata={"description": "The card's code, as views, events and moves have it."},
    )
    count = Whole(1, required=True, metadata=about("How many of it one deck has."))
    image = _picture()


class Players(Closed):
    """How many play."""

    min = Whole(2, required=True, metadata=about("The least number of seats."))
    max = Whole(2, required=True, metadata=about("The greatest number of seats."))


class GameLinks(Closed):
    """Where the game is found."""

    self = told("The path of its entry, with the rules.")
    matches = told("The path of its matches: to create one there, or list them.")


class GameEntry(Closed):
    """A game: its goal, options, cards in deck order, and bots."""

    id = told("Its name in paths.")
    title = told("Its name to show to people.")
    goal = told("What wins it, in a sentence.")
    players = fields.Nested(Players, required=True)
    options = fields.List(
        fields.Nested(OptionEntry), required=True, metadata=about("What a host may choose.")
    )
    cards = fields.List(
        fields.Nested(CardEntry), required=True, metadata=about("In the order of the new deck.")
    )
    card_back = _picture()
    bots = fields.List(
        fields.String(),
        required=True,
        metadata=about("The bots that play it, as a seat's `bot` takes them."),
    )
    links = fields.Nested(GameLinks, required=True)


class GameWithRules(GameEntry):
    """A game with its rules in Markdown."""

    rules = told("The rules and all rulings, in Markdown.")


class Catalogue(Closed):
    """All games."""

    games = fields.List(
        fields.Nested(GameEntry), required=True, metadata=about("Every game of this service.")
    )


class PictureQuery(Closed):
    """Which state of a picture."""

    v = Text(1, 64, metadata={"description": "What the catalogue's address of the picture has."})
