"""Makes all schemas of a game from its parts and from what the engine says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from marshmallow import Schema, fields

from api.schemas.common import (
    BIG,
    CALLED,
    NUMBER,
    SENT_AS,
    CreateRequest,
    GameParts,
    Members,
    Place,
    SeatRequest,
    SeatTicket,
    WhyNot,
    about,
    cards,
    count,
    moment,
    seat_number,
    tagged,
    told,
    variant,
)
from api.schemas.events import event_union
from api.schemas.fields import CardCode, Text, Union, Whole, Word, option_field
from api.schemas.views import view_members
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


def schemas_for(game: Game[Any], parts: GameParts, *, scripted_deals: bool = False) -> GameSchemas:
    """All schemas of a game, each under a name of its own in the contract. `scripted_deals` says
    whether a new match may come with the order of its deck."""
    move = tagged(parts, "Move", "One decision of a seat.", tag="action", kinds=parts.moves)
    result = _result(game, parts)
    event = event_union(game, parts, result)
    members = view_members(game, parts, move, result)
    why_not = fields.List(
        fields.Nested(WhyNot), metadata={"description": "Only when asked for with `why=true`."}
    )
    view = variant(
        f"{parts.title}View",
        "All that the asker may know of a match.",
        {**members, "why_not": why_not},
    )
    match_id, nested_view = members["match_id"], fields.Nested(view, required=True)
    token = told(SENT_AS)
    host_token = told("Deletes the match and manages its seats; it plays none.")
    seat = seat_number(game.max_players - 1, required=True, metadata=about(NUMBER))
    events = fields.List(fields.Nested(event), required=True, metadata=about("Oldest first."))
    tickets = fields.List(
        fields.Nested(SeatTicket),
        required=True,
        metadata=about("The seats of your own players, each with its token."),
    )
    created = variant(
        f"{parts.title}Created",
        "A new match with its tokens, which are shown this once.",
        {
            "match_id": match_id,
            "host_token": host_token,
            "seats": tickets,
            "view": nested_view,
        },
    )
    moved = variant(
        f"{parts.title}Moved",
        "The mover's new view, and what happened since the version before the move.",
        {**members, "events": events},
    )
    return GameSchemas(
        title=parts.title,
        create=_create(game, parts, scripted_deals=scripted_deals),
        move=move,
        event=event,
        view=view,
        created=created,
        moved=moved,
        events=variant(
            f"{parts.title}Events",
            "Some events, oldest first, and the number of the match's last one.",
            {"events": events, "last_seq": members["last_seq"]},
        ),
        joined=variant(
            f"{parts.title}Joined",
            "The seat taken, with the token that plays it, shown this once.",
            {
                "token": token,
                "match_id": match_id,
                "seat": seat,
                "name": told(CALLED),
                "view": nested_view,
            },
        ),
        rematched=variant(
            f"{parts.title}Rematched",
            "Your place in the rematch: a seat's, or the host's (`seat` null).",
            {
                "match_id": match_id,
                "seat": seat_number(
                    game.max_players - 1,
                    required=True,
                    allow_none=True,
                    metadata=about("Your seat, the same as before; null for the host."),
                ),
                "token": told("Your token for the rematch, a new one."),
                "view": nested_view,
            },
        ),
        listed=_listed(game, parts, members),
        replay=_replay(game, parts, members, move),
    )


def _listed(game: Game[Any], parts: GameParts, view: Members) -> type[Schema]:
    shared = ("match_id", "game", "status", "version", "options", "created_at", "updated_at")
    summary = variant(
        f"{parts.title}Summary",
        "A public match in a list.",
        {
            **{name: view[name] for name in shared},
            "seats": _places(),
            "turn_seconds": Whole(
                5,
                604_800,
                required=True,
                allow_none=True,
                metadata=about("Seconds that a decision may take; null where any time is allowed."),
            ),
        },
    )
    return variant(
        f"{parts.title}List",
        "Public matches, newest first.",
        {
            "matches": fields.List(
                fields.Nested(summary), required=True, metadata=about("Newest first.")
            ),
            "next_cursor": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "Send it as `cursor` for the next page; null at the end."},
            ),
        },
    )


def _places() -> fields.List[Any]:
    return fields.List(
        fields.Nested(Place), required=True, metadata=about("Who sits where, by number from 0.")
    )


def _replay(game: Game[Any], parts: GameParts, view: Members, played: type[Union]) -> type[Schema]:
    move = variant(
        f"{parts.title}ReplayMove",
        "A move as it was made.",
        {
            "version": count(BIG, metadata={"description": "The version that it led to."}),
            "at": moment("When it was made."),
            "seat": seat_number(
                game.max_players - 1, required=True, metadata=about("Who made it.")
            ),
            "move": fields.Nested(played, required=True),
        },
    )
    shared = ("match_id", "game", "options", "seed_hash", "host_seeded", "created_at")
    return variant(
        f"{parts.title}Replay",
        "All it takes to play a finished match again and check it.",
        {
            **{name: view[name] for name in shared},
            "rules_version": Whole(
                1, required=True, metadata=about("The state of the game's rules it was played by.")
            ),
            "seats": _places(),
            "seed": Text(required=True, metadata=about("The seed that `seed_hash` has promised.")),
            "deal": cards(
                parts.deck,
                game.codes,
                allow_none=True,
                metadata=about(
                    "The deck as it was set for the match, the top card first; null when it was "
                    "shuffled."
                ),
            ),
            "client_seeds": fields.List(
                fields.String(allow_none=True),
                required=True,
                metadata={"description": "By seat; null where the player gave none."},
            ),
            "moves": fields.List(
                fields.Nested(move),
                required=True,
                metadata=about("In the order in which they were made."),
            ),
            "result": view["result"],
        },
    )


def _create(game: Game[Any], parts: GameParts, *, scripted_deals: bool) -> type[Schema]:
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
    deal = fields.List(
        CardCode(game.codes, parts.deck),
        metadata=about(
            "For tests of clients, where the operator allows it: the deck, the top card first, in "
            "the place of the first shuffle. Every card of the match exactly once."
        ),
    )
    members = {
        "game": game,
        "scripted_deals": scripted_deals,
        "seats": seats,
        "options": fields.Nested(options),
        "deal": deal,
    }
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
            "reason": Word(
                parts.reasons, required=True, metadata=about("Why the match was over then.")
            ),
        },
    )
