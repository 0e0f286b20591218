"""The contract's links lead from one answer to the next: stories of matches, told along them until
each has been taken, in which every answer is as documented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from schemathesis import Case, Response

from engine import GAMES
from tests.contract.live import PLAYERS, Live
from tests.contract.test_fuzz import CHECKS, OPERATIONS, response_schema_conformance

ADA, _, BOT = PLAYERS
OPEN = {"open": True}
#: How a story begins: with the seats of a new match.
BEGINNINGS = ([ADA, BOT], [ADA, OPEN], [BOT, OPEN], [BOT, BOT])
#: Tried last in a story.
ENDINGS = ("leave", "delete")
STORIES, STEPS = 4 * len(BEGINNINGS), 80


@dataclass
class Told:
    """A request with its answer, and the token that it was made with."""

    case: Case
    answer: Response
    token: str | None

    @property
    def operation(self) -> str:
        """The name of what was asked."""
        name: str = self.case.operation.definition.raw["operationId"]
        return name

    @property
    def links(self) -> dict[str, Any]:
        """Where the contract says that it leads."""
        responses = self.case.operation.definition.raw["responses"]
        links: dict[str, Any] = responses[str(self.answer.status_code)].get("links", {})
        return links

    def value(self, expression: str) -> Any:
        """What a runtime expression of the contract stands for. Raises LookupError where the
        answer has none of it."""
        place, _, pointer = expression.partition("#/")
        if place.startswith("$request.path."):
            return self.case.path_parameters[place.removeprefix("$request.path.")]
        assert place == "$response.body", expression
        value = self.answer.json()
        for part in pointer.split("/"):
            value = value[int(part) if isinstance(value, list) else part]
        return value

    def token_for(self, link: str) -> str | None:
        """The token to go on with: the newest that this answer has for it."""
        answer = self.answer.json()
        seats = [seat["token"] for seat in answer.get("seats", ()) if "token" in seat]
        if "host_token" in answer and (link == "delete" or not seats):
            return str(answer["host_token"])
        return answer.get("token") or (seats[0] if seats else self.token)


class Teller:
    """Tells the stories of one game, and keeps which links have led on."""

    def __init__(self, live: Live, game: str) -> None:
        self.live = live
        self.slug = game.replace("-", "_")
        self.links = {
            (name, link)
            for name, operation in OPERATIONS.items()
            for response in operation.definition.raw["responses"].values()
            for link in response.get("links", {})
            if self.slug in name
        }
        self.led: set[tuple[str, str]] = set()

    def story(self, number: int) -> None:
        """Creates a match and follows links from there: each that has not been taken, or a move."""
        seats = BEGINNINGS[number % len(BEGINNINGS)]
        body = {"seats": seats, "options": {"turn_limit": 50}}
        created = self._ask(f"create_{self.slug}_match", body=body)
        status = created.value("$response.body#/view/status")
        listed = self._ask(f"list_{self.slug}_matches", status=status)
        told = {created.operation: created, listed.operation: listed}
        for _ in range(STEPS):
            if (led_to := self._next(told)) is None:
                return
            told[led_to.operation] = led_to

    def _next(self, told: dict[str, Told]) -> Told | None:
        links = [(source, link) for source in reversed(told.values()) for link in source.links]
        new = [(source, link) for source, link in links if (source.operation, link) not in self.led]
        seen = f"view_{self.slug}_match" in told
        ways = [
            *(way for way in new if way[1] not in ENDINGS),
            *(way for way in links if way[1] == ("move" if seen else "view")),
            *(way for way in new if way[1] in ENDINGS),
        ]
        for source, link in ways:
            led_to = self._follow(source, link)
            if led_to and led_to.answer.status_code < 300:
                self.led.add((source.operation, link))
                return led_to
        return None

    def _follow(self, source: Told, name: str) -> Told | None:
        link = source.links[name]
        try:
            values = {key: source.value(place) for key, place in link["parameters"].items()}
            body = source.value(link["requestBody"]) if "requestBody" in link else None
        except LookupError:
            return None
        if name == "join":
            body = {"name": "Zoë"}
        return self._ask(link["operationId"], token=source.token_for(name), body=body, **values)

    def _ask(self, name: str, *, token: str | None = None, body: Any = None, **values: Any) -> Told:
        path = {key: value for key, value in values.items() if key in ("match_id", "seat")}
        case = OPERATIONS[name].Case(
            path_parameters=path,
            query={key: value for key, value in values.items() if key not in path},
            headers={"Authorization": f"Bearer {token}"} if token else {},
            **({} if body is None else {"body": body, "media_type": "application/json"}),
        )
        answer = case.call(base_url=self.live.url, session=self.live.session, timeout=30)
        case.validate_response(answer, checks=[*CHECKS, response_schema_conformance])
        return Told(case, answer, token)


@pytest.mark.parametrize("game", GAMES)
def test_every_link_leads_somewhere(game: str, live: Live) -> None:
    teller = Teller(live, game)
    for number in range(STORIES):
        teller.story(number)
        if teller.led == teller.links:
            break
    assert sorted(teller.links - teller.led) == []
