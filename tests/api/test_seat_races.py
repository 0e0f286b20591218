"""Races for seats between four real workers: every answer is true, and no seat, move or token is
given twice or lost (cases 41, 42 and 43)."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from api.service import now
from api.store.redis import RedisStore
from tests.api.clocks import on_terms
from tests.api.lives import events
from tests.api.places import OPEN, join, leave, rematch, renew
from tests.api.tables import placed, plainly
from tests.conformance import Contract
from tests.engine.positions import ck, es
from tests.rush import Answer, Remote, at_once
from tests.seats import Seats
from tests.services import Service
from tests.valkey import Server

PLAY = {"action": "play", "card": "4C"}
ROUNDS = 6


@pytest.fixture
def remote(service: Service, valkey: Server, contract: Contract) -> Any:
    """A client of the four workers."""
    return Remote(service.url, contract)


def position() -> Any:
    """An Even Steven match in which seat 0 plays 4C, and then it is another's turn."""
    return es("0: 4C 4D 6H 8H; 1: KC QD 3C; 2: JC QS 3H; pile 2C; value 2")


def kinds(answers: list[Answer]) -> Counter[tuple[int, str]]:
    """How many answers were of which kind."""
    return Counter(answer.kind for answer in answers)


def steps(seats: Seats) -> list[tuple[int, str, int | None]]:
    """Version, type and seat of what concerns seats and moves."""
    return [
        (event["version"], event["type"], event.get("seat"))
        for event in events(seats, None)
        if event["type"] in ("seat_joined", "seat_left", "move_overdue", "card_played")
    ]


# Joining


def test_case_41_twenty_who_join_at_once_get_three_seats(remote: Any) -> None:
    for _ in range(ROUNDS):
        seats = Seats.create(remote, seats=[OPEN, {}, OPEN, OPEN])
        answers = at_once([partial(join, seats, {"name": f"J{n}"}) for n in range(20)])
        assert kinds(answers) == {(201, ""): 3, (409, "match-full"): 17}
        given = {a.get_json()["seat"]: a.get_json() for a in answers if a.status_code == 201}
        assert set(given) == {0, 2, 3}
        assert "token" not in "".join(a.text for a in answers if a.status_code == 409)
        view = seats.view()
        assert (view["status"], view["version"]) == ("playing", 3)
        for seat, told in given.items():
            seats.tokens[seat] = told["token"]
            assert seats.view(seat)["you"]["seat"] == seat
            assert view["seats"][seat]["name"] == told["name"]


def test_case_41_twenty_who_want_the_same_seat(remote: Any) -> None:
    for _ in range(ROUNDS):
        seats = Seats.create(remote, seats=[{}, OPEN, OPEN])
        answers = at_once([partial(join, seats, {"seat": 2})] * 20)
        assert kinds(answers) == {(201, ""): 1, (409, "seat-taken"): 19}
        assert seats.view()["version"] == 1


def test_case_41_a_leave_against_the_last_joins_never_deals_to_an_open_seat(remote: Any) -> None:
    for _ in range(2 * ROUNDS):
        seats = Seats.create(remote, seats=[{}, {}, OPEN])
        left, *answers = at_once([partial(leave, seats, 1), *[partial(join, seats)] * 4])
        assert left.kind == (204, "")
        view = seats.view()
        taken = [answer.get_json() for answer in answers if answer.status_code == 201]
        assert len(taken) == len({told["token"] for told in taken})
        seats.tokens |= {told["seat"]: told["token"] for told in taken}
        places = [seat["kind"] for seat in view["seats"]]
        if places[1] == "bot":  # dealt first, left then
            assert [told["seat"] for told in taken] == [2]
        else:  # left first: the seat was open to all, and somebody took it
            assert places == ["human", "human", "human"]
            assert sorted(told["seat"] for told in taken) == [1, 2]
        assert view["status"] == "playing"
        for told in taken:
            assert seats.view(told["seat"])["you"]["seat"] == told["seat"]


# Moving


def test_fifty_copies_with_one_key_are_one_move_and_one_answer(
    remote: Any, store: RedisStore
) -> None:
    seats = placed(remote, store, position())
    answers = at_once([partial(seats.move, 0, PLAY, **{"Idempotency-Key": "one"})] * 50)
    assert kinds(answers) == {(200, ""): 50}
    assert len({answer.data for answer in answers}) == 1
    assert seats.view()["version"] == 1


def test_fifty_copies_with_a_key_each_are_one_move(remote: Any, store: RedisStore) -> None:
    seats = placed(remote, store, position())
    answers = at_once(
        [partial(seats.move, 0, PLAY, **{"Idempotency-Key": f"{n}"}) for n in range(50)]
    )
    assert kinds(answers) == {(200, ""): 1, (409, "not-your-turn"): 49}
    assert seats.view()["version"] == 1


def test_case_42_a_leave_against_a_move(remote: Any, store: RedisStore) -> None:
    for _ in range(ROUNDS):
        seats = placed(remote, store, position())
        moved, left = at_once([partial(seats.move, 0, PLAY), partial(leave, seats, 0, "host")])
        assert left.kind == (204, "")
        first, second, *_ = steps(seats)
        if moved.status_code == 200:
            assert (first, second) == ((1, "card_played", 0), (2, "seat_left", 0))
        else:
            assert moved.kind == (401, "unauthorized")
            assert first == (1, "seat_left", 0)
        assert seats.view()["seats"][0]["kind"] == "bot"


def test_a_seat_that_is_left_twice_at_once_is_left_once(remote: Any, store: RedisStore) -> None:
    for _ in range(ROUNDS):
        seats = placed(remote, store, position())
        answers = at_once([partial(leave, seats, 1), partial(leave, seats, 1, "host")] * 3)
        tally = kinds(answers)
        assert tally.pop((204, "")) == 1
        assert set(tally) <= {(401, "unauthorized"), (404, "not-found")}
        assert steps(seats) == [(1, "seat_left", 1)]


# Deadlines


def test_twenty_who_come_too_late_make_one_overdue_move(remote: Any, store: RedisStore) -> None:
    for _ in range(ROUNDS):
        seats = on_terms(remote, store, position(), deadline=now() - 1)
        calls: list[Any] = [partial(seats.get, who) for who in (0, 1, 2, "host", None)] * 3
        calls += [partial(seats.move, 0, PLAY)] * 5
        answers = at_once(calls)
        assert kinds(answers[:15]) == {(200, ""): 15}
        assert kinds(answers[15:]) == {(409, "not-your-turn"): 5}
        overdue = [step for step in steps(seats) if step[1] == "move_overdue"]
        assert overdue == [(1, "move_overdue", 0)]
        assert seats.view()["version"] == 1


def test_twenty_who_come_too_late_put_all_out_who_owe_a_choice_and_once(
    remote: Any, store: RedisStore
) -> None:
    chaos = "0: red-1 red-2 red-3 red-4; 1: red-5 red-6 red-7; 2: blue-1 blue-2 blue-3"
    for _ in range(ROUNDS):
        match = ck(f"{chaos}; discard chaos; colour red; chaos 1 2")
        seats = on_terms(remote, store, match, deadline=now() - 1, on_timeout="leave")
        answers = at_once([partial(seats.get, who) for who in ("host", None)] * 10)
        assert kinds(answers) == {(200, ""): 20}
        gone = [(kind, seat) for _, kind, seat in steps(seats) if kind != "card_played"]
        assert gone == [(k, seat) for seat in (1, 2) for k in ("move_overdue", "seat_left")]


def test_a_move_at_the_last_moment_is_made_or_comes_too_late(
    remote: Any, store: RedisStore
) -> None:
    for number in range(2 * ROUNDS):
        seats = on_terms(remote, store, position(), deadline=now() + 5 * number)
        calls = [partial(seats.move, 0, PLAY), *[partial(seats.get, None)] * 4]
        moved, *views = at_once(calls)
        assert kinds(views) == {(200, ""): 4}
        overdue = [step for step in steps(seats) if step[1] == "move_overdue"]
        if moved.status_code == 200:
            assert overdue == []
        else:
            assert moved.kind == (409, "not-your-turn")
            assert overdue == [(1, "move_overdue", 0)]
        assert seats.view()["version"] == 1


def test_a_long_poll_is_answered_with_the_move_that_falls_due(
    remote: Any, store: RedisStore
) -> None:
    seats = on_terms(remote, store, position(), deadline=now() + 700)
    started = now()
    answer = remote.get(f"{seats.path}/events?after={seats.view()['last_seq']}&wait=20")
    assert answer.get_json()["events"][0]["type"] == "move_overdue"
    assert now() - started < 10_000


# Deleting, new tokens, the rematch


def test_a_deletion_against_moves_joins_and_leaves_leaves_nothing(
    remote: Any, store: RedisStore, valkey: Server
) -> None:
    for _ in range(ROUNDS):
        seats = Seats.create(remote, seats=[{}, {}, OPEN, OPEN])
        deleting = partial(remote.delete, seats.path, headers=seats.auth("host"))
        calls = [deleting, *[partial(join, seats)] * 4, partial(leave, seats, 1)]
        calls += [partial(renew, seats, 0, 0), partial(seats.move, 0, PLAY)]
        deleted, *answers = at_once(calls)
        assert deleted.kind == (204, "")
        assert not {status for status, _ in kinds(answers)} - {200, 201, 204, 401, 404, 409}
        assert seats.get().kind == (404, "not-found")
        left = b"".join(k + v for k, v in plainly(valkey).items() if b"list" not in k)
        assert seats.match_id.encode() not in left
    assert remote.get("/v1/games/even-steven/matches").get_json()["matches"] == []


def test_of_new_tokens_that_are_asked_for_at_once_one_lives(remote: Any, store: RedisStore) -> None:
    for _ in range(ROUNDS):
        seats = placed(remote, store, position())
        answers = at_once([partial(renew, seats, 0, who) for who in (0, "host") * 3])
        assert set(kinds(answers)) <= {(200, ""), (401, "unauthorized")}
        given = [a.get_json()["token"] for a in answers if a.status_code == 200]
        headers = [{"Authorization": f"Bearer {token}"} for token in given]
        living = [remote.get(seats.path, headers=header).status_code for header in headers]
        assert sorted(living) == [200, *[401] * (len(given) - 1)]
        assert seats.get(0).status_code == 401


def test_all_who_want_a_rematch_at_once_meet_in_one(remote: Any) -> None:
    for _ in range(3):
        old = Seats.create(remote, humans=6, options={"turn_limit": 50})
        old.play_on()
        everybody = [*old.tokens, "host"]
        answers = at_once([partial(rematch, old, who) for who in everybody * 3])
        assert kinds(answers) == {(200, ""): 21}
        told = [answer.get_json() for answer in answers]
        assert len({place["match_id"] for place in told}) == 1
        for who, place in zip(everybody * 3, told, strict=True):
            assert place["seat"] == (None if who == "host" else who)
            assert place["token"] == told[everybody.index(who)]["token"]
        for place in told[:7]:
            path = old.path.replace(old.match_id, place["match_id"])
            view = remote.get(path, headers={"Authorization": f"Bearer {place['token']}"})
            assert (view.get_json()["you"] or {}).get("seat") == place["seat"]
