"""A whole run against a real service that logs all it can: no token and no idempotency key turns up
in its output, its traces, its metrics, its store, the store's files, or in an answer to anybody
else."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from engine import GAMES
from tests.given import Account
from tests.services import Service, eventually
from tests.streams import NDJSON, SSE

Json = dict[str, Any]
MOST_MOVES = 60
#: What strangers try to write into logs.
MARK = "INJECTED"


class Run:
    """A match of a game, played through every kind of request."""

    def __init__(self, account: Account, game: str) -> None:
        self.account, self.call = account, account.call
        self.matches = f"/v1/games/{game}/matches"
        self.statuses: list[int] = []

    def keyed(self, path: str, body: Json | None, token: str | None = None, **more: str) -> Json:
        """A request that is made, and the same once more, as after a lost answer."""
        key = str(uuid4())
        first = self.call("POST", path, body, token=token, key=key, **more)
        again = self.call("POST", path, body, token=token, key=key, **more)
        assert first.ok, first.text
        assert again.content == first.content
        assert again.headers["Idempotent-Replayed"] == "true"
        told: Json = first.json()
        return told

    def play(self) -> None:
        """From the creation to the deletion."""
        seats = [{"name": "Ada"}, {"open": True}, {"bot": "random"}, {"name": "Ben"}]
        made = self.keyed(self.matches, {"seats": seats, "options": {"turn_limit": 50}})
        self.path, self.host = f"{self.matches}/{made['match_id']}", made["host_token"]
        self.tokens = {seat["seat"]: seat["token"] for seat in made["seats"]}
        joined = self.keyed(f"{self.path}/seats", {"name": "Cem"})
        self.tokens[joined["seat"]] = joined["token"]
        watched = [
            self.account.follow(f"{self.path}/events?after=0", accept=accept, token=token)
            for accept in (SSE, NDJSON)
            for token in (None, self.tokens[1], self.host)
        ]
        lost = self.tokens[0]
        for token in (lost, self.host):
            self.tokens[0] = self.keyed(f"{self.path}/seats/0/token", None, token)["token"]
        self.refusals(lost)
        self.move_on()
        left = self.call("DELETE", f"{self.path}/seats/3", token=self.tokens[3])
        assert left.status_code in (204, 409)
        for thread in watched:
            thread.join(60)
        self.after_the_end()

    def move_on(self) -> None:
        """Plays on, looking in every way before each move, until the match is over."""
        for number in range(MOST_MOVES):
            view = self.call("GET", self.path).json()
            if view["status"] == "finished":
                return
            seat = next(seat for seat in view["to_act"] if seat in self.tokens)
            token = self.tokens[seat]
            shown = self.call("GET", f"{self.path}?why=true", token=token)
            move, etag = shown.json()["legal_moves"][0], shown.headers["ETag"]
            if number == 3:
                for again in (token, self.host):
                    self.call("GET", self.path, token=again, If_None_Match=etag)
                self.call("POST", f"{self.path}/moves?dry_run=true", move, token=token)
                self.call("GET", f"{self.path}/events?after=0&limit=5", token=token)
            self.keyed(f"{self.path}/moves", move, token, If_Match=etag)
        raise AssertionError("a turn limit of 50 has no end")

    def refusals(self, lost: str) -> None:
        """Every kind of refusal, with tokens that are right and others."""
        call, moves, seat = self.call, f"{self.path}/moves", self.tokens[1]
        nobody = f"{self.matches}/aaaaaaaaaaaaaaaa"
        wrong = {"action": "burn", "card": "nonsense"}
        refused = [
            (400, call("POST", moves, data=b"{", token=seat, Content_Type="application/json")),
            (400, call("POST", moves, move_of(self), token=seat, key=f"no key {uuid4()}")),
            (401, call("GET", self.path, token=lost)),
            (401, call("POST", f"{self.path}/seats/0/token", token=lost, key=str(uuid4()))),
            (401, call("GET", self.path, token=seat[::-1])),
            (403, call("DELETE", self.path, token=seat)),
            (403, call("DELETE", f"{self.path}/seats/0", token=seat)),
            (404, call("GET", nobody, token=seat)),
            (404, call("GET", f"{self.path}/nothing", token=self.host)),
            (405, call("PUT", self.path, {}, token=self.host)),
            (409, call("POST", f"{self.path}/seats", {}, key=str(uuid4()))),
            (409, call("POST", f"{self.path}/rematch", token=seat)),
            (409, call("GET", f"{self.path}/replay", token=seat)),
            (
                413,
                call(
                    "POST", moves, data=b" " * 20_000, token=seat, Content_Type="application/json"
                ),
            ),
            (415, call("POST", moves, data=b"x", token=seat, Content_Type="text/plain")),
            (422, call("POST", moves, wrong, token=seat, key=str(uuid4()))),
            (422, call("GET", f"{self.path}?token={seat}", token=self.host)),
            (422, call("GET", f"{self.path}/events?after=-1&access_token={seat}")),
        ]
        view = call("GET", self.path, token=seat).json()
        body = call("GET", self.path, token=self.tokens[view["to_act"][0]]).json()["legal_moves"][0]
        stale = call("POST", moves, body, token=seat, If_Match='"777-0"')
        refused += [(403, call("POST", moves, body, token=self.host)), (412, stale)]
        for status, answer in refused:
            assert answer.status_code == status, answer.text

    def after_the_end(self) -> None:
        """Replays, rematches, and the end of it all."""
        for token in (None, self.tokens[0], self.host):
            assert self.call("GET", f"{self.path}/replay", token=token).ok
        again = [
            self.call("POST", f"{self.path}/rematch", token=token).json()
            for token in (self.tokens[0], self.host, self.tokens[0])
        ]
        assert again[0]["token"] == again[2]["token"]
        new = f"{self.matches}/{again[0]['match_id']}"
        self.call("GET", new, token=again[0]["token"])
        assert self.call("GET", new, token=self.tokens[0]).status_code == 401
        for path in (self.matches, f"{self.matches}?status=finished"):
            assert self.call("GET", path).ok
        assert self.call("DELETE", new, token=again[1]["token"]).status_code == 204


def unreadable(url: str, token: str) -> None:
    """Requests that are no HTTP, or hardly, with a token in the wrong place."""
    address = urlsplit(url)
    bearer = f"Bearer {token}"
    for head in (
        f"GET /healthz HTTP/1.1\r\nAuthorization {bearer}\r\n\r\n",
        f"GET /healthz HTTP/1.1\r\n{token}: x\r\n folded\r\n\r\n",
        f"GET /healthz HTTP/1.1\r\nAuthorization: {bearer}\x00\r\n\r\n",
        f"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\nAuthorization: {bearer}\r\n\r\n",
        f"GET /healthz?token={token} HTTP/9.9\r\n\r\n",
        f"GET /healthz?token={token} {bearer}\r\n\r\n",
        f"Authorization: {bearer}\r\n\r\n",
        f"GET /healthz HTTP/1.1\r\nAuthorization: {bearer}{'x' * 9000}\r\n\r\n",
        f"POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{token}\r\n",
    ):
        with socket.create_connection((address.hostname, address.port or 80), 10) as connection:
            connection.sendall(head.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda c=connection: c.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 4"), head
        assert token.encode() not in answer


def written_by_strangers(account: Account) -> None:
    """Requests that try to write lines of their own into a log, or to command its terminal."""
    lines = f"\x1b[31m{MARK}\x9b2J\u2028{MARK}"
    headers = {"User_Agent": f"x\x1b[2J{MARK}", "Referer": f"\x9b{MARK}", "X_Request_Id": MARK * 9}
    headers |= {"X_Forwarded_For": f"\x1b]0;{MARK}\x07", "Accept_Language": f"a\t{MARK}"}
    for path in ("/healthz", f"/%0a{MARK}%1b[2J", f"/v1/games?%0d%0a{MARK}=%1b", "/%c2%9b"):
        account.call("GET", path, **headers)
    for body in ({"seats": [{"name": lines}, {}]}, {lines: lines}):
        account.call("POST", "/v1/games/even-steven/matches", body, **headers)
    account.call("PROPFIND", "/", traceparent=f"00-{MARK}")


def trouble(service: Service, run: Run) -> None:
    """A store that hangs, and one that has lost its senses."""
    token = run.tokens[0]
    valkey = service.valkey()
    os.kill(valkey, signal.SIGSTOP)
    try:
        for key in (None, str(uuid4())):
            move = run.call("POST", f"{run.path}/moves", move_of(run), token=token, key=key)
            assert move.status_code == 503
    finally:
        os.kill(valkey, signal.SIGCONT)
    eventually(lambda: run.call("GET", "/readyz").status_code == 200)
    with closing(service.store()) as store:
        (name,) = store.scan_iter(f"*{run.path[-16:]}*:match")
        store.hset(name, "state", "nonsense")
    assert run.call("GET", run.path, token=token).status_code == 500


def move_of(run: Run) -> Json:
    """A body that reads, of the run's game."""
    return {"action": "burn", "card": "wild"} if "keeper" in run.path else {"action": "pick_up"}


def everything(directory: Path) -> Iterator[bytes]:
    """The content of every file."""
    for path in directory.rglob("*"):
        if path.is_file():
            yield path.read_bytes()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Account]]:
    """A service, and the account of all that was asked of it."""
    place = tmp_path_factory.mktemp("secrets")
    told = {"CROUPIER_LOG_LEVEL": "debug", "OTEL_TRACES_EXPORTER": "console"}
    with Service(place, CROUPIER_WORKERS="2", **told) as service:
        account = Account(service.ready().url)
        for game in GAMES:
            run = Run(account, game)
            run.play()
        unreadable(service.url, run.tokens[0])
        written_by_strangers(account)
        trouble(service, run)
        yield service, account


Place = Callable[[Service, Account], bytes]
PLACES: dict[str, Place] = {
    "output and traces": lambda service, _: service.output.encode(),
    "metrics": lambda _, account: account.call("GET", "/metrics").content,
    "store": lambda service, _: stored(service),
    "files": lambda service, _: b"\n".join(everything(service.data_dir)),
}


def stored(service: Service) -> bytes:
    """All keys and values of the store, as they are sent over the wire."""
    with closing(service.store()) as client:
        client.connection_pool.connection_kwargs["decode_responses"] = False
        readers: dict[bytes, Callable[[bytes], Any]] = {
            b"hash": client.hgetall,
            b"stream": client.xrange,
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"string": client.get,
        }
        parts: list[bytes] = []
        for key in client.scan_iter():
            parts += [key, *flat(readers[client.type(key)](key))]
        return b"\n".join(parts)


def flat(value: Any) -> Iterator[bytes]:
    """Every text in a reply."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, dict):
        for item in value.items():
            yield from flat(item)
    else:
        for item in value:
            yield from flat(item)


@pytest.mark.parametrize("place", PLACES)
def test_no_token_and_no_key_turns_up(played: tuple[Service, Account], place: str) -> None:
    service, account = played
    data = PLACES[place](service, account)
    assert len(account.secrets) > 100
    assert len(data) > 500
    assert account.found_in(data) == set()


def test_no_answer_holds_a_token_but_those_it_gives(played: tuple[Service, Account]) -> None:
    _, account = played
    assert len(account.answers) > 300
    for request, told in account.answers:
        assert account.found_in(told) == set(), request


def test_nobody_writes_into_the_log(played: tuple[Service, Account]) -> None:
    """Nothing that a stranger sent is in it, and nothing that commands a terminal."""
    service, _ = played
    assert MARK not in service.output
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", service.output)
