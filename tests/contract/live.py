"""Matches in play on a running service, in every state that a request can meet one in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import requests

WAITING, PLAYING, PRIVATE, FINISHED = "waiting", "playing", "private", "finished"
STATES = (WAITING, PLAYING, PRIVATE, FINISHED)
PLAYERS = [{"name": "Ada"}, {"name": "Ben"}, {"bot": "random"}]
#: By state: what is asked for at creation. The first two seats are always our own.
REQUESTS: dict[str, dict[str, Any]] = {
    WAITING: {"seats": [*PLAYERS[:2], {"open": True}, {"open": True}]},
    PLAYING: {"seats": PLAYERS},
    PRIVATE: {"seats": PLAYERS, "public": False},
    FINISHED: {"seats": PLAYERS, "options": {"turn_limit": 50}},
}


@dataclass
class Match:
    """A match with the tokens of its own seats. `to_act` is as it was last seen."""

    game: str
    match_id: str
    host: str
    seats: dict[int, str]
    to_act: list[int] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/v1/games/{self.game}/matches/{self.match_id}"

    @property
    def acting(self) -> int:
        """One of our seats that is to act, or just one of ours."""
        return next((seat for seat in self.to_act if seat in self.seats), 0)


class Live:
    """A match of each game in each state, made when first asked for and again when used up."""

    def __init__(self, url: str) -> None:
        self.url = url
        #: Its connections are used again.
        self.session = requests.Session()
        self.session.headers.clear()  # they would come before those of a request
        self._matches: dict[tuple[str, str], Match] = {}
        games = self.session.get(f"{url}/v1/games", timeout=30).json()["games"]
        #: The decks and codes of all cards that have a picture.
        self.pictures = [
            dict(zip(("deck", "code"), card["image"].split(".")[0].split("/")[2:], strict=True))
            for game in games
            for card in game["cards"]
        ]

    def match(self, game: str, state: str) -> Match:
        """A match of that game in that state."""
        if (game, state) not in self._matches:
            made = self.create(game, REQUESTS[state])
            if state == FINISHED:
                self.play_on(made)
            self._matches[game, state] = made
        return self._matches[game, state]

    def use_up(self, match: Match) -> None:
        """Forget a match that is no longer in the state that it was made in."""
        self._matches = {key: kept for key, kept in self._matches.items() if kept is not match}

    def renew(self) -> None:
        """Make new matches in place of those that requests may have changed."""
        for game, state in list(self._matches):
            if state != FINISHED:
                self._matches[game, state] = self.create(game, REQUESTS[state])

    def tokens(self) -> set[bytes]:
        """Every token of every match."""
        kept = list(self._matches.values())
        return {t.encode() for match in kept for t in (match.host, *match.seats.values())}

    def view(self, match: Match, token: str | None) -> dict[str, Any]:
        """The match as the holder of a token sees it, or a spectator."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.session.get(self.url + match.path, headers=headers, timeout=30)
        answer.raise_for_status()
        view: dict[str, Any] = answer.json()
        return view

    def legal_moves(self, match: Match) -> list[dict[str, Any]]:
        """What the seat that is to act may do."""
        moves: list[dict[str, Any]] = self.view(match, match.seats[match.acting])["legal_moves"]
        return moves

    def play_on(self, match: Match) -> None:
        """Play the last legal move of whoever is to act, until the end."""
        while match.to_act:
            self.move_once(match)

    def move_once(self, match: Match) -> None:
        """Play the last legal move of whoever is to act."""
        moved = self.session.post(
            f"{self.url}{match.path}/moves",
            json=self.legal_moves(match)[-1],
            headers={"Authorization": f"Bearer {match.seats[match.acting]}"},
            timeout=30,
        )
        moved.raise_for_status()
        match.to_act = moved.json()["to_act"]

    def create(self, game: str, request: dict[str, Any]) -> Match:
        """A new match. The first two seats asked for are to be our own."""
        answer = self.session.post(f"{self.url}/v1/games/{game}/matches", json=request, timeout=30)
        answer.raise_for_status()
        made = answer.json()
        return Match(
            game,
            made["match_id"],
            made["host_token"],
            {ticket["seat"]: ticket["token"] for ticket in made["seats"]},
            made["view"]["to_act"],
        )
