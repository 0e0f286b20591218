"""Makes all schemas of a game from its parts and from what the engine says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from marshmallow import Schema, fields

from api.schemas.common import (
    BIG,
    KINDS,
    MATCH_ID,
    STATUSES,
    CreateRequest,
    GameParts,
    Members,
    Place,
    SeatRequest,
    SeatTicket,
    WhyNot,
    cards,
    count,
    moment,
    seat_number,
    variant,
)
from api.schemas.fields import Closed, Const, Text, Union, Whole, Word, option_field, union
from engine import Game


@dataclass(frozen=True, kw_only=True)
class GameSchemas:
    """A game's schemas: what clients send (`create`, `move`) and what they get. `title` begins all
    of their names."""

    title: str
    create: type[Schema]
    move: type[Union]
    event: type[Union]
    view: type[Schema]
    created: type[Schema]
    moved: type[Schema]
    events: type[Schema]
    joined: type[Schema]
    rematched: type[Schema]
    listed: type[Schema]
    replay: type[Schema]


def schemas_for(game: Game[Any], parts: GameParts) -> GameSchemas:
    """All schemas of a game, each under a name of its own in the contract."""
    move = _tagged(parts, "action", "Move", "", parts.moves, "One decision of a seat.")
    result = _result(game, parts)
    event = _event(game, parts, result)
    view_members = _view_members(game, parts, move, result)
    why_not = fields.List(
        fields.Nested(WhyNot), metadata={"description": "Only when asked for with `why=true`."}
    )
    view = variant(
        f"{parts.title}View",
        "All that the asker may know of a match.",
        {**view_members, "why_not": why_not},
    )
    match_id, nested_view = view_members["match_id"], fields.Nested(view, required=True)
    token = fields.String(required=True)
    seat = seat_number(game.max_players - 1, required=True)
    events = fields.List(fields.Nested(event), required=True)
    created = variant(
        f"{parts.title}Created",
        "A new match with its tokens, which are shown this once.",
        {
            "match_id": match_id,
            "host_token": token,
            "seats": fields.List(fields.Nested(SeatTicket), required=True),
            "view": nested_view,
        },
    )
    moved = variant(
        f"{parts.title}Moved",
        "The mover's new view, and what happened since the version before the move.",
        {**view_members, "events": events},
    )
    return GameSchemas(
        title=parts.title,
        create=_create(game, parts),
        move=move,
        event=event,
        view=view,
        created=created,
        moved=moved,
        events=variant(
            f"{parts.title}Events",
            "Some events, oldest first, and the number of the match's last one.",
            {"events": events, "last_seq": view_members["last_seq"]},
        ),
        joined=variant(
            f"{parts.title}Joined",
            "The seat taken, with the token that plays it, shown this once.",
            {
                "token": token,
                "match_id": match_id,
                "seat": seat,
                "name": fields.String(required=True),
                "view": nested_view,
            },
        ),
        rematched=variant(
            f"{parts.title}Rematched",
            "Your place in the rematch: a seat's, or the host's (`seat` null).",
            {
                "match_id": match_id,
                "seat": seat_number(game.max_players - 1, required=True, allow_none=True),
                "token": token,
                "view": nested_view,
            },
        ),
        listed=_listed(game, parts, view_members),
        replay=_replay(game, parts, view_members, move),
    )


def _listed(game: Game[Any], parts: GameParts, view: Members) -> type[Schema]:
    shared = ("match_id", "game", "status", "version", "options", "created_at", "updated_at")
    summary = variant(
        f"{parts.title}Summary",
        "A public match in a list.",
        {
            **{name: view[name] for name in shared},
            "seats": fields.List(fields.Nested(Place), required=True),
            "turn_seconds": Whole(5, 604_800, required=True, allow_none=True),
        },
    )
    return variant(
        f"{parts.title}List",
        "Public matches, newest first.",
        {
            "matches": fields.List(fields.Nested(summary), required=True),
            "next_cursor": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "Send it as `cursor` for the next page; null at the end."},
            ),
        },
    )


def _replay(game: Game[Any], parts: GameParts, view: Members, played: type[Union]) -> type[Schema]:
    move = variant(
        f"{parts.title}ReplayMove",
        "A move as it was made.",
        {
            "version": count(BIG, metadata={"description": "The version that it led to."}),
            "at": moment(),
            "seat": seat_number(game.max_players - 1, required=True),
            "move": fields.Nested(played, required=True),
        },
    )
    shared = ("match_id", "game", "options", "seed_hash", "host_seeded", "created_at")
    return variant(
        f"{parts.title}Replay",
        "All it takes to play a finished match again and check it.",
        {
            **{name: view[name] for name in shared},
            "rules_version": Whole(1, required=True),
            "seats": fields.List(fields.Nested(Place), required=True),
            "seed": Text(required=True),
            "client_seeds": fields.List(
                fields.String(allow_none=True),
                required=True,
                metadata={"description": "By seat; null where the player gave none."},
            ),
            "moves": fields.List(fields.Nested(move), required=True),
            "result": view["result"],
        },
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
    seat = seat_number(game.max_players - 1, required=True)
    kinds: dict[str, Members] = {
        "match_created": {"seats": fields.List(fields.Nested(Place), required=True)},
        "seat_joined": {"seat": seat, "name": fields.String(required=True)},
        "seat_left": {"seat": seat, "kind": Word(("open", "bot"), required=True)},
        "move_overdue": {"seat": seat},
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
            "kind": Word(KINDS, "SeatKind", required=True),
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

    def text(description: str, *, allow_none: bool = False, **metadata: str) -> fields.String:
        metadata["description"] = description
        return fields.String(required=True, allow_none=allow_none, metadata=metadata)

    def described(description: str) -> dict[str, str]:
        return {"description": description}

    return {
        "match_id": text("The match, in its paths.", pattern=MATCH_ID),
        "game": Const(game.id, required=True),
        "version": count(BIG, metadata=described("Up by one with every move, join and leave.")),
        "last_seq": count(BIG, metadata=described("The number of the match's last event.")),
        "status": Word(STATUSES, "MatchStatus", required=True),
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
        "known": fields.List(
            fields.List(Word(game.codes, parts.deck)),
            required=True,
            metadata=described(
                "By seat: cards of other hands that you (or everybody) saw go there and that must "
                "still be there."
            ),
        ),
        "result": fields.Nested(result, required=True, allow_none=True),
        "seed_hash": text("The SHA-256 of the seed, in hex.", pattern="^[0-9a-f]{64}$"),
        "seed": text("null until the match is finished.", allow_none=True),
        "host_seeded": fields.Boolean(required=True),
        "created_at": moment(),
        "updated_at": moment(),
        "deadline": moment(allow_none=True),
    }
