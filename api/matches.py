"""Matches: create, view and delete, under each game's own path."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for

from api.documents import (
    ETAG,
    IF_NONE_MATCH,
    LOCATION,
    MATCH_ID_PARAMETER,
    NO_TOKEN,
    TOKEN,
    TOKEN_OR_NONE,
    example,
    problems,
)
from api.schemas import GameSchemas
from api.service import Created, Service
from api.web import Blueprint, answer, etag_of_view, not_modified, token, view_headers
from engine import Game

NO_STORE = {"Cache-Control": "no-store"}


def add_routes(blp: Blueprint, game: Game[Any], schemas: GameSchemas, service: Service) -> None:
    """Adds a game's match routes to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches", methods=["POST"])
    @blp.arguments(schemas.create, examples=example(game, "create"))
    @blp.response(201, schemas.created, examples=example(game, "created"), headers=LOCATION)
    @problems(
        blp,
        "malformed-request",
        "too-large",
        "unsupported-media-type",
        "validation",
        "store-unavailable",
    )
    @blp.doc(operationId=f"create_{slug}_match", security=NO_TOKEN)
    def create_match(request: dict[str, Any]) -> Response:
        """Create a match

        Deals at once when no seat is open. The tokens in the answer are shown this once: each
        plays one seat, the host's ends the match. Everything is kept until 30 days after the last
        move unless the operator chose another time.
        """
        created = service.create(game, request)
        location = url_for(".view_match", match_id=created.table.match_id)
        return answer(_created(created), 201, {"Location": location, **NO_STORE})

    @blp.route("/matches/<match_id>", parameters=[MATCH_ID_PARAMETER], methods=["GET"])
    @blp.response(200, schemas.view, examples=example(game, "view"), headers=ETAG)
    @blp.alt_response(304, description="Nothing has changed since the version you named.")
    @problems(blp, "unauthorized", "forbidden", "not-found", "store-unavailable")
    @blp.doc(operationId=f"view_{slug}_match", security=TOKEN_OR_NONE, parameters=[IF_NONE_MATCH])
    def view_match(match_id: str) -> Response:
        """View a match

        With a seat's token the seat's view, hand and legal moves included; without one, or with
        the host's, what a spectator sees. Send the `ETag` of your last view as `If-None-Match` to
        be told cheaply that nothing has changed.
        """
        table, role = service.watch(game, match_id, token())
        etag = etag_of_view(table.match.version, role.seat)
        if not_modified(etag):
            return Response(status=304, headers=view_headers(etag))
        return answer(table.view(role.seat), headers=view_headers(etag))

    @blp.route("/matches/<match_id>", parameters=[MATCH_ID_PARAMETER], methods=["DELETE"])
    @blp.response(204, description="The match is gone, with all that was kept of it.")
    @problems(blp, "unauthorized", "forbidden", "not-found", "store-unavailable")
    @blp.doc(operationId=f"delete_{slug}_match", security=TOKEN)
    def delete_match(match_id: str) -> Response:
        """Delete a match

        Ends the match for everybody and removes it. Needs the host's token.
        """
        service.delete(game, match_id, token())
        return Response(status=204, headers=NO_STORE)


def _created(created: Created) -> dict[str, Any]:
    table = created.table
    return {
        "match_id": table.match_id,
        "host_token": created.host_token,
        "seats": [
            {"seat": seat, "name": table.match.seats[seat].name, "token": seat_token}
            for seat, seat_token in created.seat_tokens.items()
        ],
        "view": table.view(None),
    }
