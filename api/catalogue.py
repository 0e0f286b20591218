"""The catalogue: which games there are, what a host may choose, and the rules to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Response

from api.cards import BACK, Deck
from api.documents import conditional, example, problems
from api.schemas.catalogue import Catalogue, GameWithRules
from api.web import Blueprint, public_answer
from engine import BOTS, Game, Option

RULES = Path(__file__).parent.parent / "docs" / "games"


def catalogue_blueprint(
    games: Mapping[str, Game[Any]], decks: Mapping[str, Deck], rules: Path
) -> Blueprint:
    """The blueprint that lists the games, with a route of its own for each. `decks` has each game's
    pictures by its id; `rules` is a directory with a page for each, `<id>.md`."""
    blp = Blueprint("catalogue", __name__, description="Which games there are, and their rules.")
    entries = {game.id: _entry(game, decks[game.id]) for game in games.values()}

    @blp.route("/v1/games", methods=["GET"])
    @blp.response(200, Catalogue, examples=example(None, "catalogue"))
    @problems()
    @conditional
    @blp.doc(operationId="list_games")
    def list_games() -> Response:
        """List the games

        Each with its goal, options, cards in deck order, and bots. It changes only with a release.
        """
        return public_answer({"games": list(entries.values())})

    for game in games.values():
        page = (rules / f"{game.id}.md").read_text("utf-8")
        _add_game(blp, game, {**entries[game.id], "rules": page})
    return blp


def _add_game(blp: Blueprint, game: Game[Any], entry: dict[str, Any]) -> None:
    @blp.route(f"/v1/games/{game.id}", methods=["GET"], endpoint=f"describe_{game.id}")
    @blp.response(200, GameWithRules)
    @problems()
    @conditional
    @blp.doc(
        operationId=f"describe_{game.id.replace('-', '_')}",
        summary=f"Describe {game.title}",
    )
    def describe() -> Response:
        """Describe a game

        The catalogue's entry with the rules in Markdown.
        """
        return public_answer(entry)


def _entry(game: Game[Any], deck: Deck) -> dict[str, Any]:
    copies = Counter(game.deck)
    home = f"/v1/games/{game.id}"
    return {
        "id": game.id,
        "title": game.title,
        "goal": game.goal,
        "players": {"min": game.min_players, "max": game.max_players},
        "options": [_option(game, option) for option in game.options],
        "cards": [_card(game.codes[card], copies[card], deck) for card in copies],
        "card_back": deck.path(BACK),
        "bots": sorted(BOTS),
        "links": {"self": home, "matches": f"{home}/matches"},
    }


def _card(code: str, count: int, deck: Deck) -> dict[str, Any]:
    return {"code": code, "count": count, "image": deck.path(code)}


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
