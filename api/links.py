"""Where an answer leads, for the contract: OpenAPI links from it to what can be asked next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: By the name of a link: the operation, with the game's slug left open, and what it is good for.
_TARGETS: Mapping[str, tuple[str, str]] = {
    "view": ("view_{}_match", "Look at the match."),
    "move": ("move_in_{}_match", "Make the first of the legal moves."),
    "events": ("list_{}_events", "Get what has happened in the match."),
    "more_events": ("list_{}_events", "Get what has happened since."),
    "join": ("join_{}_match", "Take an open seat."),
    "leave": ("leave_{}_match", "Leave the seat."),
    "renew": ("renew_{}_token", "Get a new token for the seat."),
    "replay": ("replay_{}_match", "Get the replay, once the match is finished."),
    "rematch": ("rematch_{}_match", "Play again, once the match is finished."),
    "delete": ("delete_{}_match", "End and remove the match, with the host's token."),
}


def links(
    slug: str,
    *names: str,
    match_id: str = "$response.body#/match_id",
    view: str = "$response.body#",
) -> dict[str, Any]:
    """The links of an answer, by name: `match_id` is where it has the match's id, `view` where it
    has the view (both runtime expressions)."""
    parameters: Mapping[str, Mapping[str, str]] = {
        "leave": {"seat": "$response.body#/seat"},
        "renew": {"seat": "$response.body#/seat"},
        "more_events": {"after": "$response.body#/last_seq"},
    }
    made: dict[str, Any] = {}
    for name in names:
        operation, purpose = _TARGETS[name]
        made[name] = {
            "operationId": operation.format(slug),
            "parameters": {"match_id": match_id, **parameters.get(name, {})},
            "description": purpose,
        }
        if name == "move":
            made[name]["requestBody"] = f"{view}/legal_moves/0"
    return made
