"""What a generated request is aimed at: a real match in some state, and somebody who asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, product
from random import Random

from schemathesis import Case, Response

from api.problems import PROBLEMS
from api.wire import MAX_BODY
from tests.contract.live import FINISHED, PLAYING, STATES, Live, Match

NDJSON, SSE = "application/x-ndjson", "text/event-stream"
ACCEPTED = ("application/json", "*/*", "text/html", "image/png", f"{SSE};q=0.1, */*")
STRANGE = "Bearer " + 43 * "x"
WRONG = (STRANGE, "Bearer wrong", "Bearer", "Bearer a b", "Basic QWRhOkJlbg==", "x" * 50)
ASKERS = ("to act", "to act", "another", "host", "wrong", "nobody")


def aims(name: str) -> Iterator[Aim]:
    """Every state with everyone who might ask, again and again. `name` shuffles them."""
    rng = Random(name)
    pairs = list(product((*STATES, PLAYING, None), ASKERS))
    rng.shuffle(pairs)
    return (Aim(state, who, rng) for state, who in cycle(pairs))


@dataclass
class Aim:
    """A match in some `state`, or None for what was generated; and `who` asks."""

    state: str | None
    who: str
    rng: Random
    match: Match | None = None

    def take(self, case: Case, live: Live) -> None:
        """Gives a request what it is aimed at, and now and then what generators do not think of."""
        path, parameters = case.operation.path, case.path_parameters
        if self.state and "match_id" in parameters:
            self.match = live.match(path.split("/")[3], self.state)
            parameters["match_id"] = self.match.match_id
            self._take_seat(parameters, self.match)
            if path.endswith("/moves") and self._chance(0.5):
                self._take_move(case, live.legal_moves(self.match))
        elif self.state and "slug" in parameters:
            parameters["slug"] = self.rng.choice(list(PROBLEMS))
        elif self.state and "deck" in parameters:
            parameters.update(self.rng.choice(live.pictures))
        case.headers.pop("Authorization", None)
        if token := self._token():
            case.headers["Authorization"] = token
        if case.operation.body:
            self._spoil(case)
        if case.method == "POST" and self._chance(0.15):
            case.headers["Idempotency-Key"] = "the-same-again-and-again"
        self._ask_for(case)

    def settle(self, case: Case, response: Response, live: Live) -> None:
        """Forgets the match if the request has taken it out of its state."""
        if self.match is None or response.status_code >= 300:
            return
        path = case.operation.path
        if path.endswith("/moves"):
            view = response.json()
            self.match.to_act = view["to_act"]
            if view["status"] == "playing":
                return
        elif path.endswith("/token"):
            self.match.seats[response.json()["seat"]] = response.json()["token"]
            return
        elif case.method != "DELETE" and "/seats" not in path:
            return
        live.use_up(self.match)

    def _take_seat(self, parameters: dict[str, object], match: Match) -> None:
        if "seat" in parameters and self._chance(0.8):
            own = self._seat(match)
            parameters["seat"] = own if self._chance(0.7) else 1 - own

    def _take_move(self, case: Case, moves: list[dict[str, object]]) -> None:
        if moves:
            case.body, case.media_type = self.rng.choice(moves), "application/json"

    def _token(self) -> str | None:
        if self.who == "nobody":
            return None
        if self.match is None:
            return STRANGE
        if self.who == "wrong":
            return self.rng.choice(WRONG)
        if self.who == "host":
            return f"Bearer {self.match.host}"
        return f"Bearer {self.match.seats[self._seat(self.match)]}"

    def _seat(self, match: Match) -> int:
        return 1 - match.acting if self.who == "another" else match.acting

    def _spoil(self, case: Case) -> None:
        if self._chance(0.08):
            case.headers["Content-Type"] = "text/plain"
        elif self._chance(0.08):
            case.body, case.media_type = {"seed": "x" * MAX_BODY}, "application/json"
        elif self._chance(0.04):
            case.body, case.media_type = [], "application/json"

    def _ask_for(self, case: Case) -> None:
        case.headers["Accept"] = self.rng.choice(ACCEPTED)
        if self._chance(0.1):
            case.headers["If-None-Match"] = "*"
        if not case.operation.path.endswith("/events"):
            return
        if str(case.query.get("wait", "")).isdigit():
            case.query["wait"] = 0  # nobody has the time here
        if self.state == FINISHED:  # where a stream ends
            case.headers["Accept"] = self.rng.choice((NDJSON, SSE))
            if self._chance(0.4):
                case.headers["Last-Event-ID"] = "999999999"

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share
