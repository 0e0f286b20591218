"""Replays: all it takes to play a finished match again and check it."""

from __future__ import annotations

from typing import Any

from flask import Response

from api.documents import example, problems
from api.parameters import MATCH_ID_PARAMETER, TOKEN_OR_NONE
from api.schemas import GameSchemas
from api.service import Service
from api.web import Blueprint, answer, token
from engine import Game


def add_routes(blp: Blueprint, game: Game[Any], schemas: GameSchemas, service: Service) -> None:
    """Adds a game's replay route to its blueprint."""
    slug = game.id.replace("-", "_")

    @blp.route("/matches/<match_id>/replay", parameters=[MATCH_ID_PARAMETER], methods=["GET"])
    @blp.response(200, schemas.replay, examples=example(game, "replay"))
    @problems("unauthorized", "forbidden", "not-found", "match-not-finished", "store-unavailable")
    @blp.doc(operationId=f"replay_{slug}_match", security=TOKEN_OR_NONE)
    def replay_match(match_id: str) -> Response:
        """Get the replay of a finished match

        The seed, the options and every move: enough to play the match again, with any program that
        follows the rules, and to check the deal against `seed_hash`.
        """
        private = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
        return answer(service.replay(game, match_id, token()), headers=private)
