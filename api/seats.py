"""Seats: join, leave, a new token for a lost phone, and the rematch."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for

from api.documents import example, leads_to, problems, takes
from api.links import links
from api.parameters import (
    IDEMPOTENCY_KEY,
    LOCATION,
    MATCH_ID_PARAMETER,
    REPLAYED,
    SEAT_PARAMETER,
    TOKEN,
)
from api.schemas import GameSchemas
from api.schemas.common import JoinRequest, Renewed
from api.seating import Seating
from api.throttle import Throttle
from api.web import NO_STORE, Blueprint, answer, caller, idempotency_key, replayed, token
from engine import Game


def add_routes(
    blp: Blueprint,
    game: Game[Any],
    schemas: GameSchemas,
    seating: Seating,
    throttle: Throttle,
) -> None:
    """Adds a game's seat routes to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches/<match_id>/seats", parameters=[MATCH_ID_PARAMETER], methods=["POST"])
    @blp.arguments(JoinRequest(), examples=example(game, "join"))
    @blp.response(201, schemas.joined, examples=example(game, "joined"), headers=REPLAYED)
    @problems(
        "malformed-request",
        "not-found",
        "seat-taken",
        "match-full",
        "match-finished",
        "too-large",
        "unsupported-media-type",
        "validation",
        "store-unavailable",
    )
    @leads_to(
        201, links(slug, "view", "move", "events", "leave", "renew", view="$response.body#/view")
    )
    @takes(IDEMPOTENCY_KEY)
    @blp.doc(operationId=f"join_{slug}_match")
    def join_match(request: dict[str, Any], match_id: str) -> Response:
        """Join a match

        Takes an open seat. The answer holds the token that plays it, shown this once; the last
        join deals the cards.
        """
        joined = seating.join(game, match_id, request, idempotency_key(), caller())
        return answer(joined.body, 201, {**replayed(joined), **NO_STORE})

    @blp.route(
        "/matches/<match_id>/seats/<int:seat>",
        parameters=[MATCH_ID_PARAMETER, SEAT_PARAMETER],
        methods=["DELETE"],
    )
    @blp.response(204, description="The seat is left, and its token is dead.")
    @problems("unauthorized", "forbidden", "not-found", "match-finished", "store-unavailable")
    @blp.doc(operationId=f"leave_{slug}_match", security=TOKEN)
    def leave_match(match_id: str, seat: int) -> Response:
        """Leave a seat

        Before the deal the seat is open again; after it a bot plays on. The host may do it for an
        absent player.
        """
        seating.leave(game, match_id, seat, token())
        return Response(status=204, headers=NO_STORE)

    @blp.route(
        "/matches/<match_id>/seats/<int:seat>/token",
        parameters=[MATCH_ID_PARAMETER, SEAT_PARAMETER],
        methods=["POST"],
    )
    @blp.response(200, Renewed, examples=example(game, "renewed"), headers=REPLAYED)
    @problems(
        "malformed-request",
        "unauthorized",
        "forbidden",
        "not-found",
        "validation",
        "store-unavailable",
    )
    @leads_to(200, links(slug, "view", "events", "leave"))
    @takes(IDEMPOTENCY_KEY)
    @blp.doc(operationId=f"renew_{slug}_token", security=TOKEN)
    def renew_token(match_id: str, seat: int) -> Response:
        """Get a new token for a seat

        For a lost phone: with the seat's token or the host's. The old token is dead.
        """
        renewed = seating.renew(game, match_id, seat, token(), idempotency_key(), caller())
        return answer(renewed.body, headers={**replayed(renewed), **NO_STORE})

    @blp.route("/matches/<match_id>/rematch", parameters=[MATCH_ID_PARAMETER], methods=["POST"])
    @blp.response(200, schemas.rematched, examples=example(game, "rematched"), headers=LOCATION)
    @problems("unauthorized", "forbidden", "not-found", "match-not-finished", "store-unavailable")
    @leads_to(200, links(slug, "view", "move", "events", view="$response.body#/view"))
    @blp.doc(operationId=f"rematch_{slug}_match", security=TOKEN)
    def rematch(match_id: str) -> Response:
        """Play again

        The same game, options and seats in a new match, made by whoever asks first. Each holder of
        a token of the finished match, the host too, is given theirs of the new one, and the same
        when they ask again.
        """
        throttle.creation()
        place = seating.rematch(game, match_id, token())
        location = url_for(".view_match", match_id=place.match_id)
        return answer(place.body, headers={"Location": location, **NO_STORE})
