"""A server that hangs, dies and comes back: refused quickly, nothing lost (cases 43 and 44)."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from api.store import Answer, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from api.store.redis_server import QUIET_SLICES, WAIT_SLICE
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, move
from tests.api.store.proxy import Proxy
from tests.valkey import Server

T = TypeVar("T")

WHOLE_REQUEST = 3.0
"""Seconds that a request, load and commit together, may take at the very worst."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the test's own that has on disk what it has answered to."""
    with Server(appendonly="yes", appendfsync="always") as server:
        yield server


@pytest.fixture
def store(server: Server) -> Iterator[RedisStore]:
    store = RedisStore(server.url, ttl_seconds=TTL_SECONDS, max_connections=4)
    store.commit(creation())
    yield store
    store.close()


@contextmanager
def paused(server: Server) -> Iterator[None]:
    server.pause()
    try:
        yield
    finally:
        server.resume()


def refused_within(seconds: float, call: Callable[[], object]) -> StoreUnavailable:
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        call()
    assert time.monotonic() - started < seconds
    return caught.value


def test_case_43_a_move_sent_before_the_server_hung_is_made_once_and_sending_it_again_says_so(
    store: RedisStore, server: Server
) -> None:
    assert store.load(MATCH) is not None
    sent = move(0, answer=Answer("k", b"the answer"))
    with paused(server):
        error = refused_within(WHOLE_REQUEST, lambda: store.commit(sent))
    assert error.maybe_done
    assert store.commit(sent) is Outcome.COMMITTED
    assert store.load(MATCH, "k") == Loaded(version=1, state=b"state 1", answer=b"the answer")
    assert [entry.seq for entry in store.entries(MATCH, after=0, limit=9)] == [2, 4]


def test_a_view_of_a_hanging_server_is_refused_and_changed_nothing(
    store: RedisStore, server: Server
) -> None:
    with paused(server):
        error = refused_within(WHOLE_REQUEST, lambda: store.load(MATCH))
        assert not error.maybe_done
        refused_within(WHOLE_REQUEST, store.ping)
    assert store.load(MATCH) == Loaded(version=0, state=b"dealt")


@pytest.mark.parametrize("scheme", ["unix", "redis"])
def test_a_server_that_hangs_before_the_first_connection_was_sent_nothing(
    server: Server, scheme: str
) -> None:
    with Proxy(server.socket) as proxy, paused(server):
        url = server.url if scheme == "unix" else proxy.url
        store = RedisStore(url, ttl_seconds=TTL_SECONDS)
        error = refused_within(WHOLE_REQUEST, lambda: store.commit(creation()))
        assert not error.maybe_done
        store.close()


def crowd(size: int, call: Callable[[], T]) -> list[T]:
    """What the call returns to each of so many threads that make it at the same time."""
    barrier = threading.Barrier(size)

    def at_once() -> T:
        barrier.wait(timeout=10)
        return call()

    with ThreadPoolExecutor(size) as pool:
        futures = [pool.submit(at_once) for _ in range(size)]
        return [future.result() for future in futures]


def test_a_crowd_before_a_hanging_server_is_refused_as_quickly(
    store: RedisStore, server: Server
) -> None:
    with paused(server):
        crowd(40, lambda: refused_within(WHOLE_REQUEST / 2, lambda: store.load(MATCH)))
    assert store.load(MATCH) == Loaded(version=0, state=b"dealt")


def test_a_crowd_shares_few_connections(store: RedisStore, server: Server) -> None:
    for _ in range(10):
        assert None not in crowd(30, lambda: store.load(MATCH))
    with server.client() as client:
        assert len(client.client_list()) <= 4 + 1


def test_a_crowd_before_a_slow_server_queues_and_is_served(
    store: RedisStore, server: Server
) -> None:
    """The last of them waits far longer than anybody would for a server that answers nobody."""
    with Proxy(server.socket) as proxy:
        narrow = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS, max_connections=1)
        narrow.ping()
        proxy.delay = 0.04
        started = time.monotonic()
        assert None not in crowd(40, lambda: narrow.load(MATCH))
        assert time.monotonic() - started > 2 * WAIT_SLICE * QUIET_SLICES
        narrow.close()


def test_a_queue_before_a_server_that_begins_to_hang_is_refused_as_quickly(
    store: RedisStore, server: Server
) -> None:
    with Proxy(server.socket) as proxy:
        narrow = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS, max_connections=1)
        narrow.ping()
        proxy.delay = 0.04

        def request() -> bool:
            try:
                return narrow.load(MATCH) is not None
            except StoreUnavailable:
                return False

        started = time.monotonic()
        hang = threading.Timer(0.6, server.pause)
        hang.start()
        served = crowd(40, request)
        took = time.monotonic() - started
        hang.join()
        server.resume()
        assert 0 < served.count(True) < 40
        assert took < 0.6 + WHOLE_REQUEST
        narrow.close()


def test_case_44_a_server_that_is_down_is_refused_and_serves_again_when_it_is_back(
    store: RedisStore, server: Server
) -> None:
    sent = move(0)
    server.kill()
    error = refused_within(WHOLE_REQUEST, lambda: store.commit(sent))
    assert not error.maybe_done, "nobody listened, so that nothing was sent"
    refused_within(WHOLE_REQUEST, lambda: store.load(MATCH))
    server.start()
    assert store.commit(sent) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=1, state=b"state 1")


@pytest.mark.parametrize("first", ["load", "commit"])
def test_the_first_call_after_a_restart_works_on_every_stale_connection(
    store: RedisStore, server: Server, first: str
) -> None:
    """Every connection of the pool was open and is dead; no call that gets one may fail."""
    store.commit(move(0, answer=Answer("k", b"kept")))
    crowd(4, lambda: store.load(MATCH))
    server.kill()
    server.start()
    if first == "commit":
        assert store.commit(move(1)) is Outcome.COMMITTED
    crowd(4, lambda: store.load(MATCH))
    assert len(store.entries(MATCH, after=0, limit=9)) == (3 if first == "commit" else 2)
    loaded = store.load(MATCH, "k")
    assert loaded is not None
    assert loaded.answer == b"kept"


def test_a_host_that_does_not_exist_is_refused_without_its_name() -> None:
    for url in (
        "redis://:s3cret@127.0.0.1:1/0",
        "rediss://:s3cret@127.0.0.1:1/0",
        "unix://:s3cret@/no/such/socket",
    ):
        store = RedisStore(url, ttl_seconds=TTL_SECONDS)
        error = refused_within(WHOLE_REQUEST, lambda: store.commit(creation()))  # noqa: B023
        assert not error.maybe_done
        for part in ("s3cret", "127.0.0.1", "socket"):
            assert part not in str(error)
        assert "s3cret" not in repr(error.__cause__)


GREENLETS = """
from gevent import monkey; monkey.patch_all()
import os, signal, sys, time, gevent
from api.store import StoreUnavailable
from api.store.redis import RedisStore

url, pid = sys.argv[1], int(sys.argv[2])
store = RedisStore(url, ttl_seconds=60, max_connections=4)
crowd = [gevent.spawn(store.load, "m1") for _ in range(100)]
gevent.joinall(crowd, raise_error=True)
assert all(greenlet.value is not None for greenlet in crowd)

ticks = 0
def tick():
    global ticks
    while True:
        gevent.sleep(0.01)
        ticks += 1
gevent.spawn(tick)
os.kill(pid, signal.SIGSTOP)
crowd = [gevent.spawn(store.load, "m1") for _ in range(20)]
gevent.joinall(crowd)
os.kill(pid, signal.SIGCONT)
assert all(isinstance(greenlet.exception, StoreUnavailable) for greenlet in crowd), crowd
assert ticks > 20, ticks
assert store.load("m1") is not None
"""


def test_greenlets_share_the_pool_and_go_on_while_the_server_hangs(
    store: RedisStore, server: Server
) -> None:
    with server.client() as client:
        pid = client.info("server")["process_id"]
    run = subprocess.run(
        [sys.executable, "-c", GREENLETS, server.url, str(pid)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert run.returncode == 0, run.stderr
