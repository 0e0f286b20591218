"""The catalogue on the wire."""

from __future__ import annotations

from marshmallow import fields

from api.schemas.fields import Anything, Closed, Text, Whole, Word

_VALUE = {"type": ["integer", "string", "boolean"]}
_VALUE_OR_NULL = {"type": ["integer", "string", "boolean", "null"]}


def _text() -> fields.String:
    return fields.String(required=True)


class OptionEntry(Closed):
    """What a host may choose, and what it means."""

    name = _text()
    type = Word(("integer", "string", "boolean"), required=True)
    default = Anything(
        {**_VALUE_OR_NULL, "description": "null where it depends on the number of players."},
        required=True,
    )
    default_by_players = Anything(
        {"type": ["object", "null"], "additionalProperties": _VALUE}, required=True
    )
    minimum = fields.Integer(required=True, allow_none=True)
    maximum = fields.Integer(required=True, allow_none=True)
    choices = Anything({"type": ["array", "null"], "items": _VALUE}, required=True)
    meaning = _text()
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
    count = Whole(1, required=True)
    image = _picture()


class Players(Closed):
    """How many play."""

    min = Whole(2, required=True)
    max = Whole(2, required=True)


class GameLinks(Closed):
    """Where the game is found."""

    self = _text()
    matches = _text()


class GameEntry(Closed):
    """A game: its goal, options, cards in deck order, and bots."""

    id = _text()
    title = _text()
    goal = _text()
    players = fields.Nested(Players, required=True)
    options = fields.List(fields.Nested(OptionEntry), required=True)
    cards = fields.List(fields.Nested(CardEntry), required=True)
    card_back = _picture()
    bots = fields.List(fields.String(), required=True)
    links = fields.Nested(GameLinks, required=True)


class GameWithRules(GameEntry):
    """A game with its rules in Markdown."""

    rules = _text()


class Catalogue(Closed):
    """All games."""

    games = fields.List(fields.Nested(GameEntry), required=True)


class PictureQuery(Closed):
    """Which state of a picture."""

    v = Text(1, 64, metadata={"description": "What the catalogue's address of the picture has."})
