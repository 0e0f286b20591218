"""Clients that dawdle, never stop, or take nothing: each is let go in time, and costs the others
nothing."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from api.wire import MAX_BODY
from tests.hostile.wire import Answer, Wire, request
from tests.services import GUNICORN, Service, eventually

#: As tests/hasty.py has it for a head and for a body, and as is told for the wait for a request.
SECONDS, IDLE = 1.5, 3.0
HASTY = (*GUNICORN, "--keep-alive", "3", "tests.hasty:app")
#: What a busy machine may add.
SLACK = 8.0
CREATE = "/v1/games/even-steven/matches"
JSON = b"Content-Type: application/json\r\n"
HEAD = b"POST " + CREATE.encode() + b" HTTP/1.1\r\nHost: croupier\r\n" + JSON
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
HEALTH = request("GET", "/healthz")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One worker with little patience: whoever holds it up holds up all."""
    with Service(tmp_path_factory.mktemp("slow"), command=HASTY) as service:
        yield service.ready()


@contextmanager
def unharmed(service: Service) -> Iterator[None]:
    """The same worker goes on and has nothing to complain of."""
    workers = service.workers()
    yield
    with Wire(service.url) as wire:
        wire.send(HEALTH)
        answer = wire.answer(within=SLACK)
        assert answer is not None
        assert answer.status == 200
    assert service.workers() == workers
    assert "Traceback" not in service.output


def is_problem(answer: Answer | None, status: int, slug: str) -> None:
    assert answer is not None
    assert (answer.status, answer.media_type) == (status, "application/problem+json")
    assert json.loads(answer.body)["type"] == f"/problems/{slug}"
    assert answer.headers["X-Request-Id"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Connection"] == "close"


def dribble(wire: Wire, data: bytes, until: float) -> None:
    """Sends a byte now and then."""
    for byte in data:
        if time.monotonic() > until:
            return
        wire.send(bytes([byte]))
        time.sleep(0.1)


#: Bytes that are sent at once, and those that follow one at a time.
DRIPS = (
    (b"", b"GET /healthz HTTP/1.1\r\nHost: " + 500 * b"x"),
    (b"GET /healthz HTTP/1.1\r\n", b"X-Slow: " + 500 * b"x"),
    (b"G", b""),
    (HEAD, b""),
    (HEAD + b"Content-Length: 500\r\n\r\n", b'{"seats": [' + 500 * b" "),
    (HEAD + b"Content-Length: 500\r\n\r\n", b""),
    (HEAD + b"Expect: 100-continue\r\nContent-Length: 500\r\n\r\n", b""),
    (HEAD + CHUNKED, b""),
    (HEAD + CHUNKED, b"1\r\n{\r\n" + 90 * b"1\r\n \r\n"),
    (HEAD + CHUNKED + b"2\r\n{}\r\n0\r\n", b"X-Slow: " + 500 * b"x"),
    (HEAD + CHUNKED, b"1;" + 500 * b"x"),
)


def test_a_head_and_a_body_have_a_time_each(service: Service) -> None:
    def dawdle(case: tuple[bytes, bytes]) -> None:
        sent, drip = case
        with Wire(service.url) as wire:
            begun = time.monotonic()
            wire.send(sent)
            dribble(wire, drip, until=begun + 2 * SECONDS + 1)
            answer = wire.answer(within=SLACK)
            if answer is not None and answer.status == 100:
                answer = wire.answer(within=SLACK)
            is_problem(answer, 408, "request-timeout")
            assert wire.answer(within=SLACK) is None
            assert time.monotonic() - begun >= SECONDS - 0.3

    with unharmed(service), ThreadPoolExecutor(len(DRIPS)) as pool:
        list(pool.map(dawdle, DRIPS))


def test_a_connection_without_a_request_is_kept_for_a_while_and_closed_in_silence(
    service: Service,
) -> None:
    def wait(sent: bytes) -> None:
        with Wire(service.url) as wire:
            wire.send(sent)
            if sent:
                assert wire.answer() is not None
            begun = time.monotonic()
            assert wire.answer(within=IDLE + SLACK) is None
            assert time.monotonic() - begun > IDLE - 1

    with unharmed(service), ThreadPoolExecutor(2) as pool:
        list(pool.map(wait, (b"", HEALTH)))


@pytest.mark.parametrize(
    "framing",
    [
        b"Content-Length: 1000000000\r\n\r\n",
        b"Content-Length: 1000000000\r\n\r\n" + 100_000 * b"x",
        b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1),
        b"Expect: 100-continue\r\nContent-Length: 1000000000\r\n\r\n",
        b"Content-Length: " + 60 * b"9" + b"\r\n\r\n",
    ],
)
def test_a_body_that_is_announced_as_too_long_is_refused_without_being_read(
    service: Service, framing: bytes
) -> None:
    with unharmed(service), Wire(service.url) as wire:
        begun = time.monotonic()
        wire.send(HEAD + framing)
        answer = wire.answer(within=SLACK)
        is_problem(answer, 413, "too-large")
        assert time.monotonic() - begun < SECONDS, "it waited for the body"
        assert wire.answer(within=SLACK) is None


def test_what_takes_no_body_is_answered_and_the_rest_not_waited_for(service: Service) -> None:
    long = b"GET /healthz HTTP/1.1\r\nHost: croupier\r\nContent-Length: 1000000000\r\n\r\n"
    with unharmed(service), Wire(service.url) as wire:
        wire.send(long)
        answer = wire.answer(within=SLACK)
        assert answer is not None
        assert answer.status == 200
        assert wire.answer(within=SLACK) is None


@pytest.mark.parametrize("size", [1, 100, MAX_BODY])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_nobody_wants_does_not_spoil_the_next_request(
    service: Service, size: int, chunked: bool
) -> None:
    body = size * b"x"
    framing = b"Content-Length: %d\r\n\r\n%b" % (size, body)
    if chunked:
        framing = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (size, body)
    with unharmed(service), Wire(service.url) as wire:
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: croupier\r\n" + framing + HEALTH)
        for _ in range(2):
            answer = wire.answer(within=SLACK)
            assert answer is not None
            assert answer.status == 200


@pytest.mark.parametrize(
    "chunk",
    [
        b"400\r\n" + 0x400 * b" " + b"\r\n",
        b"1\r\n \r\n",
        b"1;x=" + 4000 * b"y" + b"\r\n \r\n",
    ],
)
def test_a_body_that_never_ends_is_cut_off(service: Service, chunk: bytes) -> None:
    with unharmed(service), Wire(service.url) as wire:
        wire.send(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        sent, begun = 0, time.monotonic()

        def pour() -> None:
            nonlocal sent
            try:
                while time.monotonic() < begun + 30:
                    wire.socket.sendall(64 * chunk)
                    sent += 64 * len(chunk)
            except OSError:
                return

        pouring = threading.Thread(target=pour)
        pouring.start()
        answer = wire.answer(within=SLACK)
        pouring.join(SLACK)
        assert not pouring.is_alive(), "it goes on reading"
        if answer is not None:  # what is still being sent may cost the client the answer
            assert answer.status in (408, 413)


def test_a_head_is_32_kib_at_most(service: Service) -> None:
    lines = b"".join(b"X-%d: %b\r\n" % (n, 4000 * b"x") for n in range(16))
    with unharmed(service), Wire(service.url) as wire:
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: croupier\r\n" + lines + b"\r\n")
        is_problem(wire.answer(within=SLACK), 400, "malformed-request")


# Others are not held up


def served_in(service: Service) -> float:
    """Seconds that somebody else's requests take, the slowest of some."""
    slowest = 0.0
    for _ in range(5):
        begun = time.monotonic()
        with Wire(service.url) as wire:
            wire.send(request("GET", CREATE))
            answer = wire.answer()
            assert answer is not None
            assert answer.status == 200
        slowest = max(slowest, time.monotonic() - begun)
    return slowest


def test_three_hundred_who_dawdle_hold_up_nobody(service: Service) -> None:
    halves = (b"", b"GET / HTTP/1.1\r\nX-Slow: ", HEAD + b"Content-Length: 500\r\n\r\n{")
    with unharmed(service), ExitStack() as stack:
        wires = [(sent, stack.enter_context(Wire(service.url))) for sent in 100 * halves]
        for sent, wire in wires:
            wire.send(sent)
        assert served_in(service) < SECONDS
        for sent, wire in wires:
            answer = wire.answer(within=IDLE + SLACK)
            assert (408 if sent else None) == (answer and answer.status)


def test_one_who_sends_without_a_pause_holds_up_nobody(service: Service) -> None:
    """Its requests need no store, so that nothing else makes its worker turn to others."""
    stop = threading.Event()

    def flood(wire: Wire) -> None:
        many = 200 * HEALTH
        with wire:
            while not stop.is_set():
                wire.send(many)

    def drain(wire: Wire) -> None:
        try:
            while wire.socket.recv(1 << 20):
                pass
        except OSError:
            return

    with unharmed(service):
        wires = [Wire(service.url) for _ in range(3)]
        threads = [
            threading.Thread(target=what, args=[w]) for w in wires for what in (flood, drain)
        ]
        for thread in threads:
            thread.start()
        try:
            time.sleep(1)
            assert served_in(service) < SLACK
        finally:
            stop.set()
            for wire in wires:
                wire.socket.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join()


def test_one_who_takes_no_answer_is_let_go(service: Service) -> None:
    """Answers to many requests that nobody reads fill what the network holds."""
    with unharmed(service), Wire(service.url) as wire:
        wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.socket.settimeout(1)
        asked = 200 * request("GET", "/openapi.json")
        with suppress(TimeoutError):
            wire.socket.sendall(asked)
        assert served_in(service) < SLACK
        time.sleep(2 * SECONDS)

        def let_go() -> bool:
            try:
                wire.socket.sendall(b"\r\n")
            except ConnectionError:
                return True
            except TimeoutError:
                return False
            return False

        assert eventually(let_go, within=3 * SLACK)


# Few connections


def few_files(limit: int) -> tuple[str, ...]:
    """Starts the hasty service where processes may have so many files open."""
    program = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))
os.execv(sys.executable, [sys.executable, *{HASTY!r}])
"""
    return ("-c", program)


def test_those_who_wait_longest_make_room_for_whoever_comes(tmp_path: Path) -> None:
    """More connections than the worker may have files: each new one is served all the same."""
    with (
        Service(tmp_path, command=few_files(300)) as service,
        unharmed(service.ready()),
        ExitStack() as stack,
    ):
        for n in range(800):
            wire = stack.enter_context(Wire(service.url))
            wire.send((b"", b"GET / HT")[n % 2])
            if n % 80 == 79:
                assert served_in(service) < SLACK


def test_a_stop_waits_for_a_request_and_for_nothing_else(tmp_path: Path) -> None:
    """A body that is still arriving is waited for; connections without a request are not."""
    with Service(tmp_path) as service, ExitStack() as stack:
        for sent in 10 * (b"", HEALTH, b"GET / HT"):
            wire = stack.enter_context(Wire(service.ready().url))
            wire.send(sent)
            if sent == HEALTH:
                assert wire.answer() is not None
        body = b'{"seats": [{}, {}]}'
        late = stack.enter_context(Wire(service.url))
        late.send(HEAD + b"Content-Length: %d\r\n\r\n" % len(body))
        time.sleep(0.3)
        service.send(signal.SIGTERM)
        time.sleep(1.2)
        late.send(body)
        answer = late.answer(within=SLACK)
        assert answer is not None
        assert answer.status == 201
        assert service.ended() == 0
        assert "Worker graceful timeout" not in service.output
        assert "Traceback" not in service.output
