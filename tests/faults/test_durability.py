"""What a power cut takes: nothing that was answered with `appendfsync always`, and with `everysec`
what was answered after the last time that the disk was told to keep it.

A cut is a server that is killed and whose file then has only its first part, as if the rest had
been in the system's memory alone. What is on disk for certain is what the system says, see
`tests.disk`; where it does not, Valkey itself is asked by WAITAOF.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.disk import on_disk, tells
from tests.services import eventually
from tests.valkey import Server

MATCHES = "/v1/games/even-steven/matches"


class Answered(NamedTuple):
    """A move, and the length of the store's file when it had been answered."""

    version: int
    length: int
    request: dict[str, Any]
    events: list[Any]


class Cut:
    """A match over a server that may lose the end of its file."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._store = RedisStore(server.url, ttl_seconds=3600)
        self._client = create_app(Config(rate_limit=None), store=self._store).test_client()
        made = self._client.post(MATCHES, json={"seats": [{"name": "Ada"}, {"name": "Ben"}]})
        self._path = f"{MATCHES}/{made.get_json()['match_id']}"
        self._tokens = [seat["token"] for seat in made.get_json()["seats"]]

    def view(self, who: int = 0) -> Any:
        """The match as a seat sees it."""
        headers = {"Authorization": f"Bearer {self._tokens[who]}"}
        return self._client.get(self._path, headers=headers).get_json()

    def move(self) -> Answered:
        """Makes a move."""
        seat = self.view()["to_act"][0]
        view = self.view(seat)
        headers = {
            "Authorization": f"Bearer {self._tokens[seat]}",
            "Idempotency-Key": f"the-move-after-version-{view['version']}",
        }
        request = {"json": view["legal_moves"][0], "headers": headers}
        answer = self.send(request).get_json()
        length = self.file().stat().st_size
        return Answered(answer["version"], length, request, answer["events"])

    def send(self, request: dict[str, Any]) -> Any:
        """Sends a move, for the first time or again."""
        answer = self._client.post(f"{self._path}/moves", **request)
        assert answer.status_code == 200, answer.text
        return answer

    def file(self) -> Path:
        """The file that the store appends to."""
        (found,) = (self.server.directory / "appendonlydir").glob("*.incr.aof")
        return found

    def cut(self, length: int) -> None:
        """The power is cut, and comes back: so much of the file is there."""
        self.server.kill()
        with self.file().open("r+b") as file:
            file.truncate(length)
        self.server.start()

    def close(self) -> None:
        """Hangs up."""
        self._store.close()


@contextmanager
def cutting(policy: str) -> Iterator[Cut]:
    """A match over a server of its own."""
    with Server(appendonly="yes", appendfsync=policy) as server:
        match = Cut(server)
        yield match
        match.close()


def is_kept(match: Cut, *, within: float = 0.0) -> bool:
    """Whether what is written and answered just now is on disk within that many seconds."""
    told = tells(match.server.directory)
    with match.server.client() as client:
        client.set("probe", "written")
        if not told:
            here, _ = client.execute_command("WAITAOF", 1, 0, 1 + round(1000 * within))
            return bool(here)
        deadline = time.monotonic() + within
        # While the disk is busy, Valkey may hold back what it has answered.
        while client.info("persistence")["aof_buffer_length"] or not on_disk(match.file()):
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.01)
    return True


def test_with_always_all_that_was_answered_is_there_after_a_cut() -> None:
    with cutting("always") as match:
        answered = [match.move() for _ in range(8)]
        assert all(is_kept(match) for _ in range(20))
        for last in reversed(answered):
            match.cut(last.length)
            assert match.view()["version"] == last.version
        # In the middle of an entry: the rest of it is dropped.
        match.cut(answered[0].length - 7)
        assert match.view()["version"] == answered[0].version - 1


def test_with_everysec_a_cut_takes_what_was_answered_since_and_clients_can_make_it_again() -> None:
    with cutting("everysec") as match:
        before = [match.move() for _ in range(4)]
        # While the disk is being told, what is answered may not even be in the file.
        assert is_kept(match, within=10)
        length = match.file().stat().st_size
        lost = [match.move() for _ in range(4)]
        # Once a second the disk is told; what comes in between is answered and not yet on it.
        eventually(lambda: not is_kept(match))
        assert is_kept(match, within=10)
        match.cut(length)
        assert match.view()["version"] == before[-1].version
        for move in lost:
            assert match.send(move.request).get_json()["events"] == move.events
        assert match.view()["version"] == lost[-1].version
