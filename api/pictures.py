"""Pictures of the cards, for front ends that have none of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response

from api import browsers
from api.cards import Deck
from api.documents import conditional, problems
from api.errors import NotFound
from api.schemas.catalogue import PictureQuery
from api.web import Blueprint, public_answer

SVG = "image/svg+xml"
#: Of a picture whose address names its content: a year, and it need not be asked for again.
FOR_EVER = "public, max-age=31536000, immutable"
DECK = {
    "in": "path",
    "name": "deck",
    "required": True,
    "description": "The deck, such as `standard` or `card-keeper`.",
    "example": "standard",
    "schema": {"type": "string"},
}
CODE = {
    "in": "path",
    "name": "code",
    "required": True,
    "description": "A card's code, or `back`.",
    "example": "10H",
    "schema": {"type": "string"},
}


def pictures_blueprint(decks: Iterable[Deck]) -> Blueprint:
    """The blueprint of these decks' pictures."""
    blp = Blueprint("cards", __name__, description="What the cards look like.")
    by_name = {deck.name: deck for deck in decks}

    @blp.route("/cards/<deck>/<code>.svg", parameters=[DECK, CODE], methods=["GET"])
    @blp.arguments(PictureQuery(), location="query")
    @blp.response(200, {"type": "string"}, content_type=SVG)
    @problems("not-found", "validation")
    @conditional
    @blp.doc(operationId="get_card_picture")
    def picture(query: dict[str, Any], deck: str, code: str) -> Response:
        """Get the picture of a card

        An SVG with a title. The catalogue has the whole address of each one, `v` included: what is
        found there never changes, so it may be kept for ever. Without `v`, or with another one, the
        present picture is answered, to be kept for some minutes.
        """
        found = by_name.get(deck)
        if found is None or code not in found.pictures:
            raise NotFound("There is no picture of such a card.")
        answer = public_answer(found.pictures[code], SVG)
        answer.headers.update(browsers.PICTURE)
        if query.get("v") == found.version(code):
            answer.headers["Cache-Control"] = FOR_EVER
        return answer

    return blp
