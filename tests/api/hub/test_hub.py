"""The hub: rooms made and removed, and one connection for all watchers of a worker."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from api.hub import Hub
from api.service import Service
from tests.api.hub.rooms import GAME, SOON, Made, counted, crowd, hears, listening, move
from tests.histories import history, store_with_log
from tests.services import eventually
from tests.valkey import Server


def test_a_room_is_there_as_long_as_somebody_watches(
    hub: Hub, service: Service, match: Made, server: Server
) -> None:
    with hub.watching(GAME, match["match_id"]) as (room, wakeup):
        with hub.watching(GAME, match["match_id"]) as (same, other):
            assert same is room
            assert other is not wakeup
            assert hub.watchers() == 2
        assert hub.watchers() == 1
        assert not wakeup.is_set() or room.heard.is_set()
        hears(service, match, room, wakeup)
    assert hub.watchers() == 0
    eventually(lambda: not listening(server), within=SOON)
    with hub.watching(GAME, match["match_id"]) as (anew, wakeup):
        assert anew is not room
        hears(service, match, anew, wakeup)


def test_many_watchers_of_many_matches_share_one_connection(
    hub: Hub, service: Service, server: Server
) -> None:
    one_more, *made = (
        store_with_log(service.store, history("even-steven", moves=1)) for _ in range(21)
    )
    with ExitStack() as stack:
        entered = [
            stack.enter_context(hub.watching(GAME, match["match_id"]))
            for match in made
            for _ in range(10)
        ]
        assert hub.watchers() == 200
        (one,) = listening(server)
        assert int(one["sub"]) == 20
        for match, (room, wakeup) in zip(made[::5], entered[::50], strict=True):
            hears(service, match, room, wakeup)
        with hub.watching(GAME, one_more["match_id"]):
            eventually(lambda: [int(c["sub"]) for c in listening(server)] == [21], within=SOON)
        eventually(lambda: [int(c["sub"]) for c in listening(server)] == [20], within=SOON)
    eventually(lambda: not listening(server), within=SOON)


def test_what_happens_while_one_enters_is_not_missed(hub: Hub, service: Service) -> None:
    """Moves are made in the very moment in which a room is made, now sooner, now later."""
    for number in range(40):
        past = history("even-steven", moves=3, seed=f"{number}")
        match = store_with_log(service.store, past)
        mover = threading.Timer(number / 10_000, move, (service, match))
        mover.start()
        with hub.watching(GAME, match["match_id"]) as (room, wakeup):
            while True:
                wakeup.clear()
                if room.table(service).match.seq > past.seq:
                    break
                assert wakeup.wait(SOON), "the move was missed"
        mover.join()


def test_a_room_that_is_left_and_entered_at_once_hears_on(
    hub: Hub, service: Service, match: Made
) -> None:
    for _ in range(20):
        with hub.watching(GAME, match["match_id"]):
            pass
        with hub.watching(GAME, match["match_id"]) as (room, wakeup):
            assert room.heard.wait(SOON)
    with hub.watching(GAME, match["match_id"]) as (room, wakeup):
        hears(service, match, room, wakeup)


def test_however_many_watch_a_change_is_fetched_once(
    hub: Hub, service: Service, match: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.watching.KEEPALIVE", 0.2)
    before = service.current(GAME, match["match_id"])[0].match.seq
    loads = counted(service, monkeypatch)
    made: list[int] = []

    def all_have_it(had: list[int]) -> bool:
        if not made and min(had) == before:
            loads.clear()
            made.append(move(service, match))  # loads it three times itself
        return bool(made) and min(had) == made[0]

    assert set(crowd(hub, match, 40, all_have_it)) == set(made)
    assert len(loads) <= 3 + 2


def test_a_room_has_what_is_new_and_the_store_the_rest(hub: Hub, service: Service) -> None:
    match = history("even-steven", moves=20)
    made = store_with_log(service.store, match)
    with hub.watching(GAME, made["match_id"]) as (room, _):
        table = room.table(service)
        for after in range(match.seq + 2):
            steps = room.steps(service, table, after)
            events = [seq for step in steps for seq in range(step.first_seq, step.last_seq + 1)]
            assert [seq for seq in events if seq > after] == list(range(after + 1, match.seq + 1))
        move(service, made)
        assert room.steps(service, table, match.seq) == [], "newer than the table that was seen"
        eventually(lambda: room.table(service).match.seq > match.seq, within=SOON)
        assert room.steps(service, table, match.seq) == []
        assert room.steps(service, table, match.seq - 1)[-1].last_seq == match.seq
        (step,) = room.steps(service, room.table(service), match.seq)
        assert step.first_seq == match.seq + 1
