"""Moves: one route a game, which plays a seat's decision."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.documents import ETAG, MATCH_ID_PARAMETER, TOKEN, example, problems
from api.schemas import GameSchemas
from api.service import Service
from api.web import Blueprint, answer, etag_of_view, token, view_headers
from engine import Game


def add_routes(blp: Blueprint, game: Game[Any], schemas: GameSchemas, service: Service) -> None:
    """Adds a game's move route to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches/<match_id>/moves", parameters=[MATCH_ID_PARAMETER], methods=["POST"])
    @blp.arguments(schemas.move, examples=example(game, "move"))
    @blp.response(200, schemas.moved, examples=example(game, "moved"), headers=ETAG)
    @problems(
        blp,
        "malformed-request",
        "unauthorized",
        "forbidden",
        "not-found",
        "not-your-turn",
        "illegal-move",
        "match-waiting",
        "match-finished",
        "too-large",
        "unsupported-media-type",
        "validation",
        "store-unavailable",
    )
    @blp.doc(operationId=f"move_in_{slug}_match", security=TOKEN)
    def make_move(body: dict[str, Any], match_id: str) -> Response:
        """Make a move

        Any entry of your view's `legal_moves` is a body for this. Bots that are due play on within
        the same request. The answer is your new view, with what happened in `events`.
        """
        moved = service.move(game, match_id, token(), body)
        table, match = moved.table, moved.table.match
        events = [shown for step in match.log for shown in match.show(step, moved.seat)]
        return answer(
            {**table.view(moved.seat), "events": events},
            headers=view_headers(etag_of_view(match.version, moved.seat)),
        )
