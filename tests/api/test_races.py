"""Races between four real workers on one Valkey: no legal move is lost and none is made twice.

Cases 30, 42 and 33. The requests are plain ones, from many threads at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any, TypeVar

import pytest
import requests

from api.store.redis import RedisStore
from api.table import logged
from engine import GAMES, Match, Step
from tests.api.tables import plainly, put
from tests.engine.positions import ck, es
from tests.services import Service
from tests.valkey import Server

THREADS = 8
T = TypeVar("T")


class Table:
    """A match as its players reach it over the network."""

    def __init__(self, service: Service, game: str, made: dict[str, Any]) -> None:
        self.match_id: str = made["match_id"]
        self.tokens = [ticket["token"] for ticket in made["seats"]]
        self.host: str = made["host_token"]
        self.url = f"{service.url}/v1/games/{game}/matches/{self.match_id}"

    @classmethod
    def create(cls, service: Service, game: str, humans: int, **request: Any) -> Table:
        request["seats"] = [{}] * humans
        answer = requests.post(f"{service.url}/v1/games/{game}/matches", json=request, timeout=10)
        assert answer.status_code == 201, answer.text
        return cls(service, game, answer.json())

    def auth(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    def view(self, seat: int | None = None) -> dict[str, Any]:
        headers = {} if seat is None else self.auth(seat)
        view: dict[str, Any] = requests.get(self.url, headers=headers, timeout=10).json()
        return view

    def move(
        self, seat: int, body: Any, session: requests.Session | None = None
    ) -> requests.Response:
        sender = session or requests
        return sender.post(f"{self.url}/moves", json=body, headers=self.auth(seat), timeout=10)

    def delete(self) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.host}"}
        return requests.delete(self.url, headers=headers, timeout=10)


@pytest.fixture
def steps(store: RedisStore) -> Callable[[Table], list[Step]]:
    """The log of a match, as the store keeps it."""
    return lambda table: [
        logged(entry.data).step for entry in store.entries(table.match_id, 0, 100_000)
    ]


def at_once(calls: list[Callable[[], T]]) -> list[T]:
    """What the calls return, made by a thread each at the same moment."""
    barrier = Barrier(len(calls))

    def wait_and(call: Callable[[], T]) -> T:
        barrier.wait(timeout=10)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(wait_and, calls))


def racer(table: Table, number: int) -> Iterator[tuple[int, dict[str, Any], requests.Response]]:
    """Moves for whoever is to act, again and again, whether or not somebody else does the same."""
    with requests.Session() as session:
        while True:
            view = session.get(table.url, timeout=10).json()
            if view["status"] != "playing":
                return
            seat = view["to_act"][number % len(view["to_act"])]
            own = session.get(table.url, headers=table.auth(seat), timeout=10).json()
            if not own["legal_moves"]:
                continue
            body = own["legal_moves"][number % len(own["legal_moves"])]
            yield seat, body, table.move(seat, body, session)


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("even-steven", 3, {"turn_limit": 60}),
        ("card-keeper", 4, {"turn_limit": 60}),
        ("seven-twos-tens", 5, {"turn_limit": 60}),
    ],
)
def test_case_42_of_racing_moves_each_accepted_one_is_made_once(
    service: Service,
    valkey: Server,
    steps: Callable[[Table], list[Step]],
    game: str,
    players: int,
    options: dict[str, Any],
) -> None:
    table = Table.create(service, game, players, options=options, seed="race")
    racers = [partial(list, racer(table, number)) for number in range(THREADS)]
    made = [move for moves in at_once(racers) for move in moves]
    answers = Counter(answer.status_code for _, _, answer in made)
    accepted = [(s, b, answer.json()) for s, b, answer in made if answer.status_code == 200]
    assert set(answers) <= {200, 409}, answers
    assert answers[409], "nobody raced"

    view, log = table.view(), steps(table)
    assert view["version"] == len(accepted) == len(log) - 1
    assert sorted(moved["version"] for _, _, moved in accepted) == list(range(1, len(log)))
    assert [step.version for step in log] == list(range(len(log)))
    told = {moved["version"]: (seat, body) for seat, body, moved in accepted}
    assert [(step.seat, step.move) for step in log[1:]] == [told[n] for n in range(1, len(log))]

    again = Match.new(
        GAMES[game],
        seats=[f"Player {n + 1}" for n in range(players)],
        seed="race",
        options=options,
        host_seeded=True,
    )
    for step in log[1:]:
        again.play(step.seat, step.move)
    expected = again.view(None)
    assert {name: view[name] for name in expected} == expected


def test_case_30_the_same_move_at_once_is_made_once(
    service: Service, valkey: Server, store: RedisStore
) -> None:
    for _ in range(8):
        match = es("0: 4C 4D 6H 8H; 1: KC QD 3C; pile 2C; value 2")
        table = Table(service, "even-steven", put(store, match))
        body = {"action": "play", "card": "4C"}
        answers = at_once([partial(table.move, 0, body)] * 12)
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 11}
        types = {answer.json()["type"] for answer in answers if answer.status_code == 409}
        assert types == {"/problems/not-your-turn"}
        assert table.view()["version"] == 1


def test_case_42_twelve_lays_at_the_same_moment_all_count(
    service: Service, valkey: Server, steps: Callable[[Table], list[Step]]
) -> None:
    for round_ in range(5):
        table = Table.create(service, "seven-twos-tens", 12, seed=f"lay {round_}")
        bodies = [table.view(seat)["legal_moves"][-1] for seat in range(12)]
        answers = at_once([partial(table.move, seat, body) for seat, body in enumerate(bodies)])
        assert [answer.status_code for answer in answers] == [200] * 12
        assert sorted(answer.json()["version"] for answer in answers) == list(range(1, 13))
        view = table.view()
        assert (view["version"], view["table"]["phase"]) == (12, "play")
        assert [seat["face_up"] for seat in view["seats"]] == [body["cards"] for body in bodies]
        assert {step.seat: step.move for step in steps(table)[1:]} == dict(enumerate(bodies))


def test_case_42_the_answers_to_a_chaos_at_the_same_moment_all_count(
    service: Service, valkey: Server, store: RedisStore
) -> None:
    seats = "; ".join(f"{n}: red-{n} blue-{n} green-{n}" for n in range(1, 10))
    for _ in range(5):
        match = ck(f"0: chaos wild; {seats}; discard red-9")
        table = Table(service, "card-keeper", put(store, match))
        assert table.move(0, {"action": "play", "card": "chaos"}).status_code == 200
        choices = {n: {"action": "burn", "card": f"blue-{n}"} for n in range(1, 10)}
        answers = at_once([partial(table.move, n, choices[n]) for n in choices for _ in "ab"])
        assert Counter(answer.status_code for answer in answers) == {200: 9, 409: 9}
        view = table.view()
        assert (view["version"], view["table"]["burn_count"]) == (10, 9)
        for n in choices:
            assert f"blue-{n}" not in table.view(n)["you"]["hand"]


def test_a_match_deleted_in_the_midst_of_moves_does_not_come_back(
    service: Service, valkey: Server
) -> None:
    for number in range(5):
        table = Table.create(service, "card-keeper", 3, seed=f"delete {number}")
        bodies = table.view(0)["legal_moves"]
        moves = [partial(table.move, 0, body) for body in bodies[:8]]
        deleted, *moved = at_once([table.delete, *moves])
        assert deleted.status_code == 204
        assert {answer.status_code for answer in moved} <= {200, 409, 404}
        left = b"".join(key + value for key, value in plainly(valkey).items())
        assert table.match_id.encode() not in left
        assert requests.get(table.url, timeout=10).status_code == 404


def test_case_35_matches_made_at_once_have_nothing_in_common(
    service: Service, valkey: Server
) -> None:
    def create() -> list[Table]:
        return [Table.create(service, "even-steven", 2) for _ in range(5)]

    tables = [table for some in at_once([create] * THREADS) for table in some]
    assert len({table.match_id for table in tables}) == len(tables) == 5 * THREADS
    assert len({token for table in tables for token in (*table.tokens, table.host)}) == 15 * THREADS
    assert len({str(table.view(0)["you"]["hand"]) for table in tables}) == len(tables)
    assert len({table.view()["seed_hash"] for table in tables}) == len(tables)
