"""The catalogue: which games there are, what a host may choose, and the rules to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Response

from api.documents import conditional, example
from api.schemas.catalogue import Catalogue, GameWithRules
from api.web import Blueprint, public_answer
from engine import BOTS, Game, Option

RULES = Path(__file__).parent.parent / "docs" / "games"


def catalogue_blueprint(games: Mapping[str, Game[Any]], rules: Path) -> Blueprint:
    """The blueprint that lists the games, with a route of its own for each. `rules` is a directory
    with a page for each game, `<id>.md`."""
    blp = Blueprint("catalogue", __name__, description="Which games there are, and their rules.")
    entries = {game.id: _entry(game) for game in games.values()}

    @blp.route("/v1/games", methods=["GET"])
    @blp.response(200, Catalogue, examples=example(None, "catalogue"))
    @conditional
    @blp.doc(operationId="list_games")
    def list_games() -> Response:
        """List the games"""
        return public_answer({"games": list(entries.values())})

    for game in games.values():
        page = (rules / f"{game.id}.md").read_text("utf-8")
        _add_game(blp, game, {**entries[game.id], "rules": page})
    return blp


def _add_game(blp: Blueprint, game: Game[Any], entry: dict[str, Any]) -> None:
    @blp.route(f"/v1/games/{game.id}", methods=["GET"], endpoint=f"describe_{game.id}")
    @blp.response(200, GameWithRules)
    @conditional
    @blp.doc(operationId=f"describe_{game.id.replace('-', '_')}", summary=f"Describe {game.title}")
    def describe() -> Response:
        """Describe a game

        The catalogue's entry with the rules in Markdown.
        """
        return public_answer(entry)


def _entry(game: Game[Any]) -> dict[str, Any]:
    copies = Counter(game.deck)
    home = f"/v1/games/{game.id}"
    return {
        "id": game.id,
        "title": game.title,
        "goal": game.goal,
        "players": {"min": game.min_players, "max": game.max_players},
        "options": [_option(game, option) for option in game.options],
        "cards": [{"code": game.codes[card], "count": copies[card]} for card in copies],
        "bots": sorted(BOTS),
        "links": {"self": home, "matches": f"{home}/matches"},
    }


def _option(game: Game[Any], option: Option) -> dict[str, Any]:
    by_players = {
        str(players): defaults[option.name]
        for players in range(game.min_players, game.max_players + 1)
        if option.name in (defaults := game.default_options(players))
    }
    return {
        "name": option.name,
        "type": option.type,
        "default": option.default,
        "default_by_players": by_players or None,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "choices": None if option.choices is None else list(option.choices),
        "meaning": option.meaning,
        "ruling": option.ruling,
    }
