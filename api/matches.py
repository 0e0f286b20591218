"""Matches: create, view and delete, under each game's own path."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for

from api.creating import Creating
from api.documents import conditional, example, leads_to, problems, takes
from api.links import links
from api.lists import list_public
from api.parameters import (
    ETAG,
    IDEMPOTENCY_KEY,
    LOCATION,
    MATCH_ID_PARAMETER,
    REPLAYED,
    TOKEN,
    TOKEN_OR_NONE,
)
from api.schemas import GameSchemas
from api.schemas.queries import ListQuery, ViewQuery
from api.service import Service
from api.throttle import Throttle
from api.web import (
    NO_STORE,
    Blueprint,
    answer,
    caller,
    idempotency_key,
    not_modified,
    replayed,
    token,
    view_headers,
)
from engine import Game


def add_routes(
    blp: Blueprint,
    game: Game[Any],
    schemas: GameSchemas,
    service: Service,
    creating: Creating,
    throttle: Throttle,
) -> None:
    """Adds a game's match routes to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches", methods=["POST"])
    @blp.arguments(
        schemas.create(),
        examples=example(game, "create", create_waiting="A table that waits for others to join"),
    )
    @blp.response(
        201, schemas.created, examples=example(game, "created"), headers={**LOCATION, **REPLAYED}
    )
    @problems(
        "malformed-request",
        "too-large",
        "unsupported-media-type",
        "validation",
        "store-unavailable",
    )
    @leads_to(201, links(slug, "view", "events", "join", "delete"))
    @takes(IDEMPOTENCY_KEY)
    @blp.doc(operationId=f"create_{slug}_match")
    def create_match(request: dict[str, Any]) -> Response:
        """Create a match

        Deals at once when no seat is open. The tokens in the answer are shown this once: each
        plays one seat, the host's ends the match. Bots that are due play on at once, a thousand
        moves in a request at the most; the next request lets them go on. Everything is kept until
        30 days after the last move unless the operator chose another time.
        """
        throttle.creation()
        created = creating.create(game, request, idempotency_key(), caller())
        location = url_for(".view_match", match_id=created.match_id)
        return answer(created.body, 201, {"Location": location, **replayed(created), **NO_STORE})

    @blp.route("/matches", methods=["GET"])
    @blp.arguments(ListQuery(), location="query")
    @blp.response(200, schemas.listed, examples=example(game, "listed"))
    @problems("validation", "store-unavailable")
    @leads_to(
        200,
        links(
            slug, "view", "events", "join", "replay", match_id="$response.body#/matches/0/match_id"
        ),
    )
    @blp.doc(operationId=f"list_{slug}_matches")
    def list_matches(query: dict[str, Any]) -> Response:
        """List public matches

        Newest first. A cursor neither skips nor repeats a match, however many come and go.
        """
        page = list_public(service, game, **{"status": None, "cursor": None, **query})
        matches = [table.summary() for table in page.tables]
        return answer({"matches": matches, "next_cursor": page.next_cursor}, headers=NO_STORE)

    @blp.route("/matches/<match_id>", parameters=[MATCH_ID_PARAMETER], methods=["GET"])
    @blp.arguments(ViewQuery(), location="query")
    @blp.response(200, schemas.view, examples=example(game, "view"), headers=ETAG)
    @problems("unauthorized", "forbidden", "not-found", "validation", "store-unavailable")
    @leads_to(200, links(slug, "move", "more_events", "join", "replay", "rematch"))
    @conditional
    @blp.doc(operationId=f"view_{slug}_match", security=TOKEN_OR_NONE)
    def view_match(query: dict[str, Any], match_id: str) -> Response:
        """View a match

        With a seat's token the seat's view, hand and legal moves included; without one, or with
        the host's, what a spectator sees. Send the `ETag` of your last view as `If-None-Match` to
        be told cheaply that nothing has changed.
        """
        table, role = service.watch(game, match_id, token())
        etag = table.etag(role.seat)
        if not_modified(etag):
            return Response(status=304, headers=view_headers(etag))
        view = table.view(role.seat)
        if query["why"] and role.seat is not None:
            view["why_not"] = table.match.why_not(role.seat)
        return answer(view, headers=view_headers(etag))

    @blp.route("/matches/<match_id>", parameters=[MATCH_ID_PARAMETER], methods=["DELETE"])
    @blp.response(204, description="The match is gone, with all that was kept of it.")
    @problems("unauthorized", "forbidden", "not-found", "store-unavailable")
    @blp.doc(operationId=f"delete_{slug}_match", security=TOKEN)
    def delete_match(match_id: str) -> Response:
        """Delete a match

        Ends the match for everybody and removes it. Needs the host's token.
        """
        service.delete(game, match_id, token())
        return Response(status=204, headers=NO_STORE)
