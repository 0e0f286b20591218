"""Whatever becomes of the hub's connection and of the store, no wake-up is lost for good."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from api.hub import Hub
from api.service import Service
from api.store import StoreUnavailable
from api.store.redis_listener import RedisListener
from api.watching import Watching
from tests.api.hub.rooms import GAME, SOON, Made, counted, crowd, hears, listening, move
from tests.histories import history, store_with_log
from tests.services import eventually
from tests.valkey import Server


def test_a_connection_that_is_cut_is_made_anew_and_nothing_is_missed(
    hub: Hub, service: Service, match: Made, server: Server
) -> None:
    with hub.watching(GAME, match["match_id"]) as (room, wakeup), server.client() as client:
        for _ in range(3):
            (old,) = listening(server)
            seq = move(service, match)
            wakeup.clear()
            client.execute_command("CLIENT", "KILL", "ID", old["id"])
            seq = move(service, match)  # published to nobody, most likely
            assert wakeup.wait(SOON)
            eventually(lambda s=seq: room.table(service).match.seq == s, within=SOON)
            hears(service, match, room, wakeup)


def test_a_long_poll_shows_nothing_older_than_what_was_there_before_it(
    hub: Hub, service: Service, match: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others have been watching since an earlier version, and nobody has told the room of more."""
    with hub.watching(GAME, match["match_id"]) as (room, _):
        room.table(service)
        monkeypatch.setattr(room, "wake", lambda **_: None)
        seq = move(service, match)
        page = Watching(hub).page(GAME, match["match_id"], None, after=seq, limit=9, wait=0.2)
        assert (page.events, page.last_seq) == ([], seq)


def test_a_connection_that_says_nothing_more_is_given_up(
    hub: Hub,
    service: Service,
    match: Made,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when a network drops packets without a word. An idle one that answers is kept."""
    monkeypatch.setattr("api.store.redis_listener.QUIET", 1.0)
    with hub.watching(GAME, match["match_id"]) as (room, wakeup):
        (old,) = listening(server)
        time.sleep(3.5)
        assert [c["id"] for c in listening(server)] == [old["id"]]
        server.pause()
        eventually(lambda: not room.heard.is_set(), within=SOON)
        server.resume()
        eventually(room.heard.is_set, within=SOON)
        hears(service, match, room, wakeup)


def test_a_store_that_comes_back_is_heard_again_and_the_outage_told_once(
    hub: Hub,
    service: Service,
    match: Made,
    server: Server,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with hub.watching(GAME, match["match_id"]) as (room, wakeup):
        server.kill()
        eventually(lambda: not room.heard.is_set(), within=SOON)
        time.sleep(1.5)
        server.start()
        eventually(room.heard.is_set, within=SOON)
        hears(service, match, room, wakeup)
        told = [record for record in caplog.records if "wake-ups" in record.message]
        assert len(told) == 1
        assert (told[0].levelno, bool(told[0].exc_info)) == (logging.WARNING, False)
    eventually(lambda: not listening(server), within=SOON)


def test_a_store_that_never_comes_back_is_tried_only_while_somebody_watches(
    hub: Hub, match: Made, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []
    listen = hub.service.store.listen
    monkeypatch.setattr(
        hub.service.store, "listen", lambda: tried.append(time.monotonic()) or listen()
    )
    with hub.watching(GAME, match["match_id"]):
        server.kill()
        eventually(lambda: len(tried) > 2, within=SOON)
    eventually(lambda: "wake-ups" not in {t.name for t in threading.enumerate()}, within=SOON)


def test_a_fault_of_our_own_does_not_end_the_hearing(
    hub: Hub,
    service: Service,
    match: Made,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hear, faults = RedisListener.hear, [ZeroDivisionError("a fault")]

    def hear_or_fail(self: RedisListener, seconds: float) -> str | None:
        if faults:
            raise faults.pop()
        return hear(self, seconds)

    monkeypatch.setattr(RedisListener, "hear", hear_or_fail)
    with hub.watching(GAME, match["match_id"]) as (room, wakeup):
        eventually(room.heard.is_set, within=SOON)
        hears(service, match, room, wakeup)
    assert "ZeroDivisionError" in caplog.text


def test_a_store_that_is_away_is_asked_once_in_a_while_by_all_together(
    hub: Hub,
    service: Service,
    match: Made,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And when it is back, all who watched go on, without a gap or a repeat."""
    monkeypatch.setattr("api.watching.KEEPALIVE", 0.2)
    monkeypatch.setattr("api.watching.AWAY", 0.2)
    monkeypatch.setattr("api.hub.UNTOLD", 0.1)
    before = service.current(GAME, match["match_id"])[0].match.seq
    loads = counted(service, monkeypatch)
    made: list[int] = []

    def all_have_it(had: list[int]) -> bool:
        if not made and min(had) == before:
            server.kill()
            loads.clear()
            time.sleep(2.5)
            assert 1 <= len(loads) <= 8
            server.start()
            made.append(move(service, match))
        return bool(made) and min(had) == made[0]

    assert set(crowd(hub, match, 40, all_have_it)) == set(made)


def test_a_store_that_forgot_its_last_commits_is_believed(hub: Hub, service: Service) -> None:
    """As when a replica that lagged behind takes over: what it does not know has not happened."""
    match = history("even-steven", moves=4)
    made = store_with_log(service.store, match)
    seats = [ticket["token"] for ticket in made["seats"]]
    with hub.watching(GAME, made["match_id"]) as (room, _):
        assert room.table(service).match.seq == match.seq
        longer = history("even-steven", moves=9)
        service.store.delete(made["match_id"])
        store_with_log(service.store, longer, match_id=made["match_id"], seats=seats)
        eventually(lambda: room.table(service).match.seq == longer.seq, within=SOON)
        service.store.delete(made["match_id"])
        other = history("even-steven", moves=6, seed="another course")
        store_with_log(service.store, other, match_id=made["match_id"], seats=seats)
        eventually(lambda: room.table(service).match.seq == other.seq, within=SOON)
        told = room.steps(service, room.table(service), match.seq)
        assert told == service.steps(made["match_id"], match.seq, 100)


def test_a_broken_listener_says_so_and_never_opens_again(service: Service, server: Server) -> None:
    """Least of all without a subscription, so that it would wait for nothing."""
    for first in ("hear", "subscribe"):
        listener = service.store.listen()
        listener.subscribe("m1")
        assert listener.hear(SOON) == "m1"
        with server.client() as client:
            client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        steps = [lambda: listener.hear(0.1), lambda: listener.subscribe("m2")]  # noqa: B023
        for step in steps if first == "hear" else steps[::-1]:
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    step()
        listener.close()
        assert not listening(server)
