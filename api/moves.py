"""Moves: one route a game, which plays a seat's decision."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.documents import example, leads_to, problems, takes
from api.links import links
from api.parameters import ETAG, IDEMPOTENCY_KEY, IF_MATCH, MATCH_ID_PARAMETER, REPLAYED, TOKEN
from api.schemas import GameSchemas
from api.schemas.queries import MoveQuery
from api.service import Service
from api.web import (
    Blueprint,
    answer,
    idempotency_key,
    replayed,
    token,
    versions_matched,
    view_headers,
)
from engine import Game


def add_routes(blp: Blueprint, game: Game[Any], schemas: GameSchemas, service: Service) -> None:
    """Adds a game's move route to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches/<match_id>/moves", parameters=[MATCH_ID_PARAMETER], methods=["POST"])
    @blp.arguments(MoveQuery(), location="query")
    @blp.arguments(schemas.move(), examples=example(game, "move"))
    @blp.response(200, schemas.moved, examples=example(game, "moved"), headers={**ETAG, **REPLAYED})
    @problems(
        "malformed-request",
        "unauthorized",
        "forbidden",
        "not-found",
        "not-your-turn",
        "illegal-move",
        "match-waiting",
        "match-finished",
        "version-mismatch",
        "too-large",
        "unsupported-media-type",
        "validation",
        "store-unavailable",
        of=schemas,
    )
    @leads_to(200, links(slug, "view", "move", "more_events", "replay", "rematch"))
    @takes(IDEMPOTENCY_KEY, IF_MATCH)
    @blp.doc(operationId=f"move_in_{slug}_match", security=TOKEN)
    def make_move(query: dict[str, Any], body: dict[str, Any], match_id: str) -> Response:
        """Make a move

        Any entry of your view's `legal_moves` is a body for this. Bots that are due play on within
        the same request. The answer is your new view, with what happened in `events`. With
        `dry_run=true` the move is only judged: the answer is your view as it is, or the refusal.
        """
        if query["dry_run"]:
            judged = service.judge(game, match_id, token(), body, versions_matched())
            return answer(judged.body, headers=view_headers(judged.etag))
        moved = service.move(
            game, match_id, token(), body, key=idempotency_key(), versions=versions_matched()
        )
        return answer(moved.body, headers={**view_headers(moved.etag), **replayed(moved)})
