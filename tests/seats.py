"""Seats at a table, over HTTP: what the API tests say their requests with."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from tests.conformance import CheckedClient


class Seats:
    """A match, its tokens, and requests in the name of a seat, of the host or of nobody."""

    def __init__(self, client: CheckedClient, game: str, answer: dict[str, Any]) -> None:
        self.client = client
        self.game = game
        self.match_id: str = answer["match_id"]
        self.host: str = answer["host_token"]
        self.tokens: dict[int, str] = {s["seat"]: s["token"] for s in answer["seats"]}
        self.path = f"/v1/games/{game}/matches/{self.match_id}"

    @classmethod
    def create(
        cls, client: CheckedClient, game: str = "even-steven", humans: int = 2, **request: Any
    ) -> Seats:
        """Creates a match with `humans` own seats, unless the request names its seats."""
        request.setdefault("seats", [{"name": f"P{n}"} for n in range(humans)])
        response = client.post(f"/v1/games/{game}/matches", json=request)
        assert response.status_code == 201, response.text
        return cls(client, game, response.get_json())

    def auth(self, who: int | str | None) -> dict[str, str]:
        """The headers of a seat, of "host", or of nobody."""
        if who is None:
            return {}
        token = self.host if who == "host" else self.tokens[int(who)]
        return {"Authorization": f"Bearer {token}"}

    def get(self, who: int | str | None = None, **headers: str) -> TestResponse:
        """The view as it is answered."""
        return self.client.get(self.path, headers={**self.auth(who), **headers})

    def view(self, who: int | str | None = None) -> dict[str, Any]:
        """The view of somebody who may see it."""
        response = self.get(who)
        assert response.status_code == 200, response.text
        view: dict[str, Any] = response.get_json()
        return view

    def move(self, who: int | str | None, body: Any, **headers: str) -> TestResponse:
        """A move as it is answered."""
        return self.client.post(
            f"{self.path}/moves", json=body, headers={**self.auth(who), **headers}
        )

    def play_on(self, moves: int = 10_000) -> dict[str, Any]:
        """Plays the first legal move of whoever is to act, until the end or so many moves."""
        view = self.view()
        for _ in range(moves):
            if view["status"] != "playing":
                break
            seat = view["to_act"][0]
            legal = self.view(seat)["legal_moves"]
            response = self.move(seat, legal[0])
            assert response.status_code == 200, response.text
            view = response.get_json()
        return view
