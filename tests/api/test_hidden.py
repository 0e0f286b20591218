"""The law of the hidden card, over HTTP: two matches that differ only in what a viewer may not know
give that viewer the same bytes: views, refusals, headers and lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api import tokens
from api.store.redis import RedisStore
from engine import Match, Seat
from tests.api.tables import POSITIONS, put
from tests.conformance import CheckedClient
from tests.hidden_card import varied
from tests.known import KNOWN
from tests.seats import Seats
from tests.valkey import Server
from tests.wrong_moves import nonsense, some_bodies

#: How many wrong moves are tried.
BODIES = 40
#: An answer's id is its own unless the request brings one.
NAMED = {"X-Request-Id": "the-same"}

Request = Callable[[Seats], TestResponse]


def told(answer: TestResponse) -> tuple[Any, ...]:
    """All that goes over the wire."""
    return answer.status_code, answer.data, [*answer.headers]


class Pair:
    """Two matches that a viewer cannot tell apart, one after the other under the same id and
    tokens."""

    def __init__(
        self, client: CheckedClient, store: RedisStore, server: Server, matches: list[Match]
    ) -> None:
        self.client, self.store, self.server, self.matches = client, store, server, matches
        self.match_id, self.host = tokens.new_match_id(), tokens.new_token()
        self.seats = [tokens.new_token() for _ in matches[0].seats]

    def ask(self, *requests: Request) -> Iterator[list[tuple[Any, ...]]]:
        """What each match answers to the requests. Only the last of them may write."""
        for match in self.matches:
            with self.server.client() as plain:
                plain.flushall()
            made = put(self.store, match, match_id=self.match_id, host=self.host, seats=self.seats)
            seats = Seats(self.client, match.game.id, made)
            yield [told(request(seats)) for request in requests]


def in_play(game: str, moves: int) -> Match:
    """A match of three after so many moves."""
    known, rng = KNOWN[game], Random(f"{game} {moves}")
    seats = [Seat(name=name) for name in ("Ada", "Ben", "Cyd")]
    match = Match.new(known.game, seats=seats, seed=f"{game} {moves}", host_seeded=True)
    for _ in range(moves):
        if match.outcome is None:
            seat = rng.choice(match.to_act)
            match.play(seat, rng.choice(match.legal_moves(seat)))
    match.log.clear()
    return match


CASES = [
    *((game, POSITIONS[game]) for game in POSITIONS),
    *((game, lambda g=game, n=moves: in_play(g, n)) for game in POSITIONS for moves in (1, 7, 40)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_case_38_a_viewer_gets_the_same_bytes_whatever_is_hidden(
    client: CheckedClient, store: RedisStore, valkey: Server, case: Any, viewer: int | None
) -> None:
    game, make = case
    match, rng = make(), Random(game)
    other = varied(KNOWN[game], match, [viewer], rng, new_seed=False)
    etag = f'"{match.version}-{"spectator" if viewer is None else viewer}"'
    requests: list[Request] = [
        lambda seats: seats.get(viewer, **NAMED),
        lambda seats: seats.client.head(seats.path, headers={**seats.auth(viewer), **NAMED}),
        lambda seats: seats.get(viewer, **NAMED, **{"If-None-Match": etag}),
        lambda seats: seats.client.delete(seats.path, headers={**seats.auth(viewer), **NAMED}),
    ]
    if viewer is not None:
        bodies = [*some_bodies(match, viewer, rng), *nonsense(match, viewer, rng)]
        wrong = [body for body in bodies if is_refused(match, viewer, body)]
        requests += [
            lambda seats, body=body: seats.move(viewer, body, **NAMED)
            for body in rng.sample(wrong, min(BODIES, len(wrong)))
        ]
    one, two = Pair(client, store, valkey, [match, other]).ask(*requests)
    assert [answer[0] for answer in one[:4]] == [200, 200, 304, 401 if viewer is None else 403]
    assert {answer[0] for answer in one[4:]} <= {409, 422}
    for number, (a, b) in enumerate(zip(one, two, strict=True)):
        assert a == b, f"request {number} tells them apart"


def is_refused(match: Match, seat: int, body: Any) -> bool:
    """Whether a body is refused, by the schema or by the rules."""
    try:
        move = match.read(body)
    except ValueError:
        return True
    return seat not in match.to_act or match.game.refusal(match.state, seat, move) is not None
