"""Views on the wire: what a seat or a spectator is shown of a match."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.schemas.common import (
    BIG,
    MATCH_ID,
    NUMBER,
    GameParts,
    Kind,
    Status,
    about,
    cards,
    count,
    moment,
    seat_number,
    variant,
)
from api.schemas.fields import CardCode, Closed, Const, Union, option_field
from engine import Game


def _seat(game: Game[Any], parts: GameParts) -> type[Closed]:
    called = about("What its player is called; null while open.")
    return variant(
        f"{parts.title}Seat",
        "A seat as everybody sees it. The game's facts come with the deal; `hand`, and what lay "
        "face down, once the match is finished.",
        {
            "seat": seat_number(game.max_players - 1, required=True, metadata=about(NUMBER)),
            "name": fields.String(required=True, allow_none=True, metadata=called),
            "kind": Kind(required=True),
            **parts.seat_facts,
            "hand": fields.List(
                CardCode(game.codes, parts.deck),
                metadata=about("Its hand in sorting order, once the match is finished."),
            ),
            **parts.revealed,
        },
    )


def _you(game: Game[Any], parts: GameParts, move: type[Union]) -> type[Closed]:
    in_order = about("Your hand in sorting order.")
    chosen = about("A simultaneous choice that you have made and others may not see yet.")
    return variant(
        f"{parts.title}You",
        "What only this seat may know.",
        {
            "seat": seat_number(game.max_players - 1, required=True, metadata=about(NUMBER)),
            "hand": cards(parts.deck, game.codes, metadata=in_order),
            "committed": fields.Nested(move, required=True, allow_none=True, metadata=chosen),
        },
    )


def view_members(
    game: Game[Any], parts: GameParts, move: type[Union], result: type[Schema]
) -> dict[str, fields.Field[Any]]:
    """The members of a game's view; `move` is the union of its moves, `result` how it ends."""
    filled = variant(
        f"{parts.title}Options",
        "Every option of the match, defaults filled in.",
        {option.name: option_field(option, required=True) for option in game.options},
    )

    def text(description: str, *, allow_none: bool = False, **metadata: str) -> fields.String:
        metadata["description"] = description
        return fields.String(required=True, allow_none=allow_none, metadata=metadata)

    return {
        "match_id": text("The match, in its paths.", pattern=MATCH_ID),
        "game": Const(game.id, required=True),
        "version": count(BIG, metadata=about("Up by one with every move, join and leave.")),
        "last_seq": count(BIG, metadata=about("The number of the match's last event.")),
        "status": Status(required=True),
        "options": fields.Nested(filled, required=True),
        "seats": fields.List(
            fields.Nested(_seat(game, parts)), required=True, metadata=about("By number, from 0.")
        ),
        "you": fields.Nested(_you(game, parts, move), required=True, allow_none=True),
        "to_act": fields.List(
            seat_number(game.max_players - 1),
            required=True,
            metadata=about("The seats that owe a decision now."),
        ),
        "legal_moves": fields.List(
            fields.Nested(move),
            required=True,
            metadata=about("What you may do now: each one a body for POST …/moves."),
        ),
        "table": fields.Nested(
            parts.table, required=True, allow_none=True, metadata=about("null while waiting.")
        ),
        "known": fields.List(
            fields.List(CardCode(game.codes, parts.deck)),
            required=True,
            metadata=about(
                "By seat: cards of other hands that you (or everybody) saw go there and that must "
                "still be there."
            ),
        ),
        "result": fields.Nested(result, required=True, allow_none=True),
        "seed_hash": text("The SHA-256 of the seed, in hex.", pattern="^[0-9a-f]{64}$"),
        "seed": text("null until the match is finished.", allow_none=True),
        "host_seeded": fields.Boolean(
            required=True,
            metadata=about("Whether the host has chosen the seed, and could know every card."),
        ),
        "scripted": fields.Boolean(
            required=True,
            metadata=about("Whether the host has set the order of the deck, and knows the deal."),
        ),
        "created_at": moment("When the match was made."),
        "updated_at": moment("When its version last changed."),
        "deadline": moment(
            "By when the decision is to be made; null where there is no limit.", allow_none=True
        ),
    }
