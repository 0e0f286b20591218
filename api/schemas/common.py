"""Schemas that all games share, and the factory that makes a game's own from its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validates_schema

from api.schemas.fields import (
    Closed,
    Const,
    Flag,
    Name,
    Text,
    Union,
    Whole,
    Word,
    option_field,
    union,
)
from engine import BOTS, Game, InvalidSetup, settle_options

#: The largest number that every JSON reader holds exactly.
BIG = 2**53 - 1
MATCH_ID = "^[a-z2-7]{16}$"
TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"


def seat_number(maximum: int, **kwargs: Any) -> Whole:
    """A seat's number, from 0."""
    return Whole(0, maximum, **kwargs)


def count(maximum: int | None = None, **kwargs: Any) -> Whole:
    """How many of something there are, as an answer's required member."""
    return Whole(0, maximum, required=True, **kwargs)


def cards(component: str, codes: tuple[str, ...], **kwargs: Any) -> fields.List[Any]:
    """A list of card codes, as an answer's required member."""
    return fields.List(Word(codes, component), required=True, **kwargs)


def variant(name: str, doc: str, /, *, base: type[Closed] = Closed, **members: Any) -> type[Closed]:
    """Makes a closed schema of that name."""
    return type(name, (base,), {"__doc__": doc, **members})


@dataclass(frozen=True, kw_only=True)
class GameParts:
    """What a game's schema module supplies; `schemas_for` makes the rest.

    `moves` maps an action to its members, `events` an event type to its members besides `seq`,
    `version` and `type`. `deck` names the component that lists the card codes.
    """

    title: str
    deck: str
    moves: Mapping[str, type[Closed]]
    events: Mapping[str, type[Closed]]
    seat_facts: Mapping[str, fields.Field[Any]]
    revealed: Mapping[str, fields.Field[Any]]
    table: type[Closed]
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class GameSchemas:
    """A game's schemas: what clients send (`create`, `move`) and what they get."""

    create: type[Schema]
    move: type[Union]
    event: type[Union]
    view: type[Schema]
    created: type[Schema]
    moved: type[Schema]


class SeatRequest(Closed):
    """A seat of a new match: the caller's own player (`name`, which may be left out), a bot, or
    open for somebody to join."""

    name = Name(metadata={"description": "Defaults to `Player N`, N from 1."})
    bot = Word(sorted(BOTS), metadata={"description": "Play this seat by the named bot."})
    open = Const(True, metadata={"description": "Leave this seat open to join."})

    @validates_schema
    def one_holder(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if len(data) > 1:
            raise ValidationError(f"Only one of: {', '.join(sorted(data))}.")


class CreateRequest(Closed):
    """What a new match of any game takes besides seats and options."""

    game: ClassVar[Game[Any]]

    seed = Text(
        1,
        128,
        metadata={"description": "Fixes all chance of the match, for a reproducible one."},
    )
    public = Flag(
        metadata={
            "default": True,
            "description": "Listed, and open to spectators; else only token holders see it.",
        }
    )

    @validates_schema
    def fits_the_game(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        """Whether seats and options go together, which no field can tell alone."""
        try:
            settle_options(self.game, data.get("options", {}), players=len(data["seats"]))
        except InvalidSetup as error:
            raise ValidationError(dict(error.errors)) from None


def event_members(
    deck: str, codes: tuple[str, ...], *, seat: bool = True, with_cards: bool = False, **facts: Any
) -> type[Closed]:
    """The members of one event type besides `seq`, `version` and `type`."""
    members: dict[str, Any] = {}
    if seat:
        members["seat"] = Whole(0, required=True)
    if with_cards:
        members["cards"] = fields.List(
            Word(codes, deck),
            required=True,
            allow_none=True,
            metadata={"description": "null for a watcher who may not know them."},
        )
        members["count"] = count(metadata={"description": "How many cards it was."})
    return variant("EventMembers", "", **members, **facts)


def result_schema(title: str, players: int, reasons: tuple[str, ...]) -> type[Closed]:
    """How a match ended."""
    return variant(
        f"{title}Result",
        "How the match ended.",
        winners=fields.List(
            seat_number(players),
            required=True,
            metadata={"description": "The first place of the ranking."},
        ),
        ranking=fields.List(
            fields.List(seat_number(players)),
            required=True,
            metadata={"description": "Best first; seats that share a place together."},
        ),
        reason=Word(reasons, required=True),
    )


def schemas_for(game: Game[Any], parts: GameParts) -> GameSchemas:
    """Makes all schemas of a game from its parts and from what the engine says of it."""
    title, last_seat = parts.title, game.max_players - 1
    code = lambda **kw: Word(game.codes, parts.deck, **kw)  # noqa: E731

    options = variant(
        f"{title}OptionsRequest",
        "Options of a new match; a left-out one gets its default.",
        **{option.name: option_field(option) for option in game.options},
    )
    filled = variant(
        f"{title}Options",
        "Every option of the match, defaults filled in.",
        **{option.name: option_field(option, required=True) for option in game.options},
    )

    create = variant(
        f"{title}Create",
        "A new match.",
        base=CreateRequest,
        game=game,
        seats=fields.List(
            fields.Nested(SeatRequest),
            required=True,
            metadata={
                "minItems": game.min_players,
                "maxItems": game.max_players,
                "description": "The seats, 0, 1, 2 … clockwise.",
            },
        ),
        options=fields.Nested(options),
    )
    move = union(
        f"{title}Move",
        "action",
        {
            action: variant(
                f"{title}{_camel(action)}",
                members.__doc__ or "",
                action=Const(action, required=True),
                **members._declared_fields,
            )
            for action, members in parts.moves.items()
        },
        "One decision of a seat.",
    )
    result = result_schema(title, last_seat, parts.reasons)
    every_event = {
        "match_created": event_members(
            parts.deck,
            game.codes,
            seat=False,
            seats=fields.List(fields.Nested(EventSeat), required=True),
        ),
        **parts.events,
        "turn": event_members(
            parts.deck,
            game.codes,
            seat=False,
            to_act=fields.List(seat_number(last_seat), required=True),
        ),
        "match_finished": event_members(
            parts.deck,
            game.codes,
            seat=False,
            result=fields.Nested(result, required=True),
            seed=Text(required=True),
        ),
    }
    event = union(
        f"{title}Event",
        "type",
        {
            kind: variant(
                f"{title}{_camel(kind)}Event",
                f"`{kind}`",
                seq=Whole(1, BIG, required=True),
                version=count(BIG),
                type=Const(kind, required=True),
                **members._declared_fields,
            )
            for kind, members in every_event.items()
        },
        "Something that happened. Cards that a watcher may not know are null, and counted.",
    )
    seat = variant(
        f"{title}Seat",
        "A seat as everybody sees it. Facts of the game come with the deal; `hand` and what lay "
        "face down are shown once the match is finished.",
        seat=seat_number(last_seat, required=True),
        name=fields.String(
            required=True, allow_none=True, metadata={"description": "null while open."}
        ),
        kind=Word(("human", "bot", "open"), required=True),
        **parts.seat_facts,
        hand=fields.List(code()),
        **parts.revealed,
    )
    you = variant(
        f"{title}You",
        "What only this seat may know.",
        seat=seat_number(last_seat, required=True),
        hand=cards(parts.deck, game.codes, metadata={"description": "In sorting order."}),
        committed=fields.Nested(
            move,
            required=True,
            allow_none=True,
            metadata={
                "description": "A simultaneous choice that you have made and others may not see."
            },
        ),
    )
    view_members: dict[str, fields.Field[Any]] = {
        "match_id": fields.String(required=True, metadata={"pattern": MATCH_ID}),
        "game": Const(game.id, required=True),
        "version": count(BIG, metadata={"description": "Up by one with every move, join, leave."}),
        "status": Word(("waiting", "playing", "finished"), required=True),
        "options": fields.Nested(filled, required=True),
        "seats": fields.List(fields.Nested(seat), required=True),
        "you": fields.Nested(you, required=True, allow_none=True),
        "to_act": fields.List(seat_number(last_seat), required=True),
        "legal_moves": fields.List(
            fields.Nested(move),
            required=True,
            metadata={"description": "What you may do now: each one a body for POST …/moves."},
        ),
        "table": fields.Nested(parts.table, required=True, allow_none=True),
        "result": fields.Nested(result, required=True, allow_none=True),
        "seed_hash": fields.String(required=True, metadata={"pattern": "^[0-9a-f]{64}$"}),
        "seed": fields.String(
            required=True, allow_none=True, metadata={"description": "null until finished."}
        ),
        "host_seeded": fields.Boolean(required=True),
        "created_at": fields.String(required=True, metadata={"pattern": TIME}),
        "updated_at": fields.String(required=True, metadata={"pattern": TIME}),
        "deadline": fields.String(required=True, allow_none=True, metadata={"pattern": TIME}),
    }
    view = variant(f"{title}View", "All that the asker may know of a match.", **view_members)
    created = variant(
        f"{title}Created",
        "A new match with its tokens, which are shown this once.",
        match_id=view_members["match_id"],
        host_token=fields.String(required=True),
        seats=fields.List(fields.Nested(SeatTicket), required=True),
        view=fields.Nested(view, required=True),
    )
    moved = variant(
        f"{title}Moved",
        "The mover's new view, and what happened since the version before the move.",
        **view_members,
        events=fields.List(fields.Nested(event), required=True),
    )
    return GameSchemas(
        create=create, move=move, event=event, view=view, created=created, moved=moved
    )


class EventSeat(Closed):
    """A seat at the moment of an event."""

    seat = Whole(0, required=True)
    name = fields.String(required=True, allow_none=True)
    kind = Word(("human", "bot", "open"), required=True)


class SeatTicket(Closed):
    """A seat that the caller holds, with the token that plays it."""

    seat = Whole(0, required=True)
    name = fields.String(required=True)
    token = fields.String(required=True)


def _camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))
