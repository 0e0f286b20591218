"""What the hub's tests do in rooms: make a move, see who listens and how often the store is asked,
and let a crowd follow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from api.hub import Hub, Room
from api.service import Service
from api.watching import Watching
from engine import GAMES
from tests.services import eventually
from tests.valkey import Server

GAME = GAMES["even-steven"]
#: Seconds within which the hub has done what it does.
SOON = 10.0

#: The answer of a match's creation.
Made = dict[str, Any]


def move(service: Service, match: Made) -> int:
    """Makes a move; the number of its last event."""
    table, _ = service.current(GAME, match["match_id"])
    (seat,) = table.match.to_act
    body = table.match.view(seat)["legal_moves"][0]
    service.move(GAME, match["match_id"], match["seats"][seat]["token"], body)
    table, _ = service.current(GAME, match["match_id"])
    return table.match.seq


def listening(server: Server) -> list[dict[str, str]]:
    """The server's connections that have a subscription, or are about to have one."""
    with server.client() as client:
        return [c for c in client.client_list() if int(c["sub"]) or c["cmd"].endswith("subscribe")]


def hears(service: Service, match: Made, room: Room, wakeup: threading.Event) -> None:
    """Fails unless a move made now is heard of in the room."""
    wakeup.clear()
    seq = move(service, match)
    assert wakeup.wait(SOON), "nobody woke the room"
    eventually(lambda: room.table(service).match.seq == seq, within=SOON)


def counted(service: Service, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When a match was loaded from the store."""
    loads: list[float] = []
    load = service.store.load

    def load_and_count(*args: Any) -> Any:
        loads.append(time.monotonic())
        return load(*args)

    monkeypatch.setattr(service.store, "load", load_and_count)
    return loads


def crowd(hub: Hub, match: Made, size: int, until: Callable[[list[int]], bool]) -> list[int]:
    """So many who follow a match, each in a thread; the last numbers that they have, once that is
    what is waited for."""
    had = [0] * size
    over = threading.Event()

    def follow(index: int) -> None:
        for events in Watching(hub).follow(GAME, match["match_id"], None, after=0):
            had[index] = events[-1]["seq"] if events else had[index]
            if over.is_set():
                return

    threads = [threading.Thread(target=follow, args=(index,)) for index in range(size)]
    for thread in threads:
        thread.start()
    try:
        eventually(lambda: until(had), within=SOON)
    finally:
        over.set()
        for thread in threads:
            thread.join(SOON)
    return had
