"""Makes all schemas of a game from its parts and from what the engine says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from marshmallow import Schema, fields

from api.schemas.common import (
    BIG,
    MATCH_ID,
    TIME,
    CreateRequest,
    GameParts,
    Members,
    Place,
    SeatRequest,
    SeatTicket,
    cards,
    count,
    seat_number,
    variant,
)
from api.schemas.fields import Closed, Const, Text, Union, Whole, Word, option_field, union
from engine import Game


@dataclass(frozen=True, kw_only=True)
class GameSchemas:
    """A game's schemas: what clients send (`create`, `move`) and what they get."""

    create: type[Schema]
    move: type[Union]
    event: type[Union]
    view: type[Schema]
    created: type[Schema]
    moved: type[Schema]


def schemas_for(game: Game[Any], parts: GameParts) -> GameSchemas:
    """All schemas of a game, each under a name of its own in the contract."""
    move = _tagged(parts, "action", "Move", "", parts.moves, "One decision of a seat.")
    result = _result(game, parts)
    event = _event(game, parts, result)
    view_members = _view_members(game, parts, move, result)
    view = variant(f"{parts.title}View", "All that the asker may know of a match.", view_members)
    created = variant(
        f"{parts.title}Created",
        "A new match with its tokens, which are shown this once.",
        {
            "match_id": view_members["match_id"],
            "host_token": fields.String(required=True),
            "seats": fields.List(fields.Nested(SeatTicket), required=True),
            "view": fields.Nested(view, required=True),
        },
    )
    moved = variant(
        f"{parts.title}Moved",
        "The mover's new view, and what happened since the version before the move.",
        {**view_members, "events": fields.List(fields.Nested(event), required=True)},
    )
    return GameSchemas(
        create=_create(game, parts), move=move, event=event, view=view, created=created, moved=moved
    )


def _camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def _tagged(
    parts: GameParts, tag: str, name: str, suffix: str, kinds: Any, doc: str
) -> type[Union]:
    """A union of schemas, in each of which `tag` holds the kind's own word."""
    return union(
        f"{parts.title}{name}",
        tag,
        {
            word: variant(
                f"{parts.title}{_camel(word)}{suffix}",
                members.__doc__ or "",
                {tag: Const(word, required=True), **members._declared_fields},
            )
            for word, members in kinds.items()
        },
        doc,
    )


def _create(game: Game[Any], parts: GameParts) -> type[Schema]:
    options = variant(
        f"{parts.title}OptionsRequest",
        "Options of a new match; a left-out one gets its default.",
        {option.name: option_field(option) for option in game.options},
    )
    seats = fields.List(
        fields.Nested(SeatRequest),
        required=True,
        metadata={
            "minItems": game.min_players,
            "maxItems": game.max_players,
            "description": "The seats, 0, 1, 2 … clockwise.",
        },
    )
    members = {"game": game, "seats": seats, "options": fields.Nested(options)}
    return type(f"{parts.title}Create", (CreateRequest,), {"__doc__": "A new match.", **members})


def _result(game: Game[Any], parts: GameParts) -> type[Schema]:
    seat = seat_number(game.max_players - 1)
    return variant(
        f"{parts.title}Result",
        "How the match ended.",
        {
            "winners": fields.List(
                seat, required=True, metadata={"description": "The first place of the ranking."}
            ),
            "ranking": fields.List(
                fields.List(seat),
                required=True,
                metadata={"description": "Best first; seats that share a place together."},
            ),
            "reason": Word(parts.reasons, required=True),
        },
    )


def _event(game: Game[Any], parts: GameParts, result: type[Schema]) -> type[Union]:
    to_act = fields.List(seat_number(game.max_players - 1), required=True)
    kinds: dict[str, Members] = {
        "match_created": {"seats": fields.List(fields.Nested(Place), required=True)},
        **parts.events,
        "turn": {"to_act": to_act},
        "match_finished": {
            "result": fields.Nested(result, required=True),
            "seed": Text(required=True),
        },
    }
    numbered: Members = {"seq": Whole(1, BIG, required=True), "version": count(BIG)}
    return _tagged(
        parts,
        "type",
        "Event",
        "Event",
        {word: variant("Members", "", {**numbered, **own}) for word, own in kinds.items()},
        "Something that happened. Cards that a watcher may not know are null, and counted.",
    )


def _seat(game: Game[Any], parts: GameParts) -> type[Closed]:
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "null while open."}
    )
    return variant(
        f"{parts.title}Seat",
        "A seat as everybody sees it. The game's facts come with the deal; `hand`, and what lay "
        "face down, once the match is finished.",
        {
            "seat": seat_number(game.max_players - 1, required=True),
            "name": name,
            "kind": Word(("human", "bot", "open"), required=True),
            **parts.seat_facts,
            "hand": fields.List(Word(game.codes, parts.deck)),
            **parts.revealed,
        },
    )


def _you(game: Game[Any], parts: GameParts, move: type[Union]) -> type[Closed]:
    in_order = {"description": "In sorting order."}
    chosen = {"description": "A simultaneous choice that you have made and others may not see yet."}
    return variant(
        f"{parts.title}You",
        "What only this seat may know.",
        {
            "seat": seat_number(game.max_players - 1, required=True),
            "hand": cards(parts.deck, game.codes, metadata=in_order),
            "committed": fields.Nested(move, required=True, allow_none=True, metadata=chosen),
        },
    )


def _view_members(
    game: Game[Any], parts: GameParts, move: type[Union], result: type[Schema]
) -> dict[str, fields.Field[Any]]:
    filled = variant(
        f"{parts.title}Options",
        "Every option of the match, defaults filled in.",
        {option.name: option_field(option, required=True) for option in game.options},
    )

    def text(description: str = "", **kwargs: Any) -> fields.String:
        metadata = {k: v for k, v in kwargs.items() if k == "pattern"}
        if description:
            metadata["description"] = description
        return fields.String(
            required=True, allow_none=kwargs.get("allow_none", False), metadata=metadata
        )

    def described(description: str) -> dict[str, str]:
        return {"description": description}

    return {
        "match_id": text(pattern=MATCH_ID),
        "game": Const(game.id, required=True),
        "version": count(BIG, metadata=described("Up by one with every move, join and leave.")),
        "status": Word(("waiting", "playing", "finished"), required=True),
        "options": fields.Nested(filled, required=True),
        "seats": fields.List(fields.Nested(_seat(game, parts)), required=True),
        "you": fields.Nested(_you(game, parts, move), required=True, allow_none=True),
        "to_act": fields.List(
            seat_number(game.max_players - 1),
            required=True,
            metadata=described("The seats that owe a decision now."),
        ),
        "legal_moves": fields.List(
            fields.Nested(move),
            required=True,
            metadata=described("What you may do now: each one a body for POST …/moves."),
        ),
        "table": fields.Nested(
            parts.table, required=True, allow_none=True, metadata=described("null while waiting.")
        ),
        "result": fields.Nested(result, required=True, allow_none=True),
        "seed_hash": text("The SHA-256 of the seed, in hex.", pattern="^[0-9a-f]{64}$"),
        "seed": text("null until the match is finished.", allow_none=True),
        "host_seeded": fields.Boolean(required=True),
        "created_at": text(pattern=TIME),
        "updated_at": text(pattern=TIME),
        "deadline": text(pattern=TIME, allow_none=True),
    }
