"""Streams of real workers, and what befalls them: a stop, a reload, a worker or a Valkey that is
killed, readers that take nothing or vanish, and many at once."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from api.store import keys
from api.store.redis import RedisStore
from engine import Match
from tests.conformance import Contract
from tests.histories import history, store_with_log
from tests.rush import Remote
from tests.seats import Seats
from tests.services import GUNICORN, PATIENCE, Service, eventually
from tests.streams import NDJSON, SSE, Stream, headers_of, watching

#: Seconds within which a stream ends when its worker is to stop; gunicorn would cut it after five.
SOON = 3.0
WATCHERS = (0, 1, None)
HASTY = (*GUNICORN, "tests.hasty:app")
QUIET = {"CROUPIER_LOG_LEVEL": "warning"}


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two workers with little patience. A test leaves as many behind."""
    place = tmp_path_factory.mktemp("two-workers")
    with Service(place, command=HASTY, CROUPIER_WORKERS="2", **QUIET) as service:
        yield service.ready()


@pytest.fixture
def seats(two_workers: Service, contract: Contract) -> Seats:
    """A match of that service."""
    return a_match(two_workers, contract)


def a_match(service: Service, contract: Contract) -> Seats:
    """A new match of a service."""
    return Seats.create(Remote(service.url, contract), humans=3, seed="faults")


@contextmanager
def in_silence(service: Service) -> Iterator[None]:
    """Fails when the service has something to complain of."""
    before = service.output
    yield
    assert service.output == before


def subscribed(service: Service, seats: Seats) -> int:
    """How many workers hear of the match."""
    with service.store() as store:
        ((_, count),) = store.pubsub_numsub(keys.channel(seats.match_id))
    return int(count)


def page(seats: Seats, who: int | str | None = None) -> list[Any]:
    """All events of a match, as pages have them."""
    found: list[Any] = []
    while True:
        path = f"{seats.path}/events?limit=1000&after={len(found)}"
        more = seats.client.get(path, headers=seats.auth(who)).get_json()["events"]
        if not more:
            return found
        found += more


@contextmanager
def several(service: Service, seats: Seats, each: int = 3) -> Iterator[list[Stream]]:
    """So many streams of both kinds for several watchers, all of which have had all events."""
    with ExitStack() as stack:
        streams = [
            stack.enter_context(watching(service.url, seats, who, accept, "?after=0"))
            for accept in (SSE, NDJSON)
            for who in WATCHERS
            for _ in range(each)
        ]
        last = seats.view()["last_seq"]
        for stream in streams:
            stream.until_seq(last)
        yield streams


@contextmanager
def for_each_worker(
    service: Service, seats: Seats, each: int
) -> Iterator[tuple[dict[int, list[Stream]], list[Stream]]]:
    """The same for each of the workers: its own streams, by its process, and all of them. The
    others are held up meanwhile, since the kernel may give all connections to one."""
    workers = service.workers()
    found: dict[int, list[Stream]] = {}
    with ExitStack() as stack:
        for worker in workers:
            with held_up(workers - {worker}):
                found[worker] = stack.enter_context(several(service, seats, each))
        yield found, [stream for streams in found.values() for stream in streams]


@contextmanager
def held_up(processes: set[int]) -> Iterator[None]:
    """Lets processes do nothing."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_a_stop_ends_streams_and_long_polls_quickly_and_in_good_order(
    tmp_path: Path, contract: Contract
) -> None:
    with Service(tmp_path, command=HASTY, CROUPIER_WORKERS="2", **QUIET) as service:
        seats = a_match(service.ready(), contract)
        with several(service, seats) as streams, in_silence(service), ThreadPoolExecutor() as pool:
            last = streams[0].got.last_seq
            path = f"{seats.path}/events?after={last}&wait=60"
            polls = [pool.submit(seats.client.get, path) for _ in range(4)]
            time.sleep(0.5)
            begun = time.monotonic()
            service.send(signal.SIGTERM)
            for stream in streams:
                stream.until_end(SOON)
            for poll in polls:
                assert poll.result(SOON).get_json() == {"events": [], "last_seq": last}
            assert service.ended() == 0
            assert time.monotonic() - begun < 4.5, "it waited for the graceful timeout"


def test_a_reload_ends_streams_and_whoever_comes_back_misses_nothing(
    two_workers: Service, seats: Seats
) -> None:
    old = two_workers.workers()
    with several(two_workers, seats) as streams, in_silence(two_workers):
        two_workers.send(signal.SIGHUP)
        for stream in streams:
            stream.until_end(PATIENCE)  # not before the new workers have loaded the service
        seats.play_on(3)
        eventually(lambda: two_workers.workers().isdisjoint(old))
        whole = page(seats)
        had = streams[6].got.events
        assert had == whole[: len(had)]
        last = str(had[-1]["seq"])
        with watching(two_workers.url, seats, None, SSE, **{"Last-Event-ID": last}) as again:
            assert had + again.until_seq(len(whole)) == whole


def test_a_killed_worker_takes_its_own_streams_along_and_no_event(
    two_workers: Service, seats: Seats
) -> None:
    with for_each_worker(two_workers, seats, each=2) as (streams_of, streams):
        killed, lives = streams_of
        os.kill(killed, signal.SIGKILL)
        eventually(lambda: all(stream.ended for stream in streams_of[killed]))
        seats.play_on(5)
        whole = {who: page(seats, who) for who in WATCHERS}
        last = len(whole[None])
        for index, stream in enumerate(streams):
            accept, who = (SSE, NDJSON)[index // 6 % 2], WATCHERS[index // 2 % 3]
            if stream in streams_of[lives]:
                assert stream.until_seq(last) == whole[who]
            else:
                query = f"?after={stream.got.last_seq}"
                with watching(two_workers.url, seats, who, accept, query) as again:
                    assert stream.got.events + again.until_seq(last) == whole[who]
    eventually(lambda: len(two_workers.workers()) == 2)


def test_a_killed_valkey_ends_no_stream(two_workers: Service, seats: Seats) -> None:
    """While it is away there are signs of life; when it is back, what happens is told to all."""
    with several(two_workers, seats) as streams:
        for _ in range(2):
            killed = two_workers.valkey()
            os.kill(killed, signal.SIGKILL)
            eventually(lambda k=killed: two_workers.valkey() != k)
            eventually(lambda: seats.client.get("/readyz").status_code == 200)
            seats.play_on(2)
        whole = {who: page(seats, who) for who in WATCHERS}
        for index, stream in enumerate(streams):
            assert stream.until_seq(len(whole[None])) == whole[WATCHERS[index // 3 % 3]]
            assert not stream.ended


@contextmanager
def taking_nothing(service: Service, seats: Seats) -> Iterator[socket.socket]:
    """A reader who asks for a stream from the first event on, and then takes nothing of it."""
    where = urlsplit(service.url)
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.connect((where.hostname, where.port))
        asked = headers_of(seats, None, SSE, Host="croupier")
        lines = [f"GET {seats.path}/events HTTP/1.1", *(f"{k}: {v}" for k, v in asked.items())]
        reader.sendall("\r\n".join([*lines, "", ""]).encode())
        yield reader


@pytest.fixture(scope="module")
def long_match() -> Match:
    """A match whose events are more than the buffers of a connection hold: the same again and
    again."""
    match = history("seven-twos-tens", moves=3000, players=12, rounds=20, turn_limit=10_000)
    assert match.status == "playing"
    for step in match.log * 7:
        match.log.append(msgspec.structs.replace(step, first_seq=match.seq + 1))
        match.seq += len(step.events)
    return match


def test_a_reader_who_takes_nothing_is_let_go_and_costs_the_others_nothing(
    tmp_path: Path, contract: Contract, long_match: Match
) -> None:
    with (
        Service(tmp_path, command=HASTY, **QUIET) as service,
        ExitStack() as readers,
        in_silence(service.ready()),
    ):
        place = (service.data_dir / "valkey.socket").read_text()
        store = RedisStore(f"unix://{place}", ttl_seconds=3600)
        made = store_with_log(store, long_match)
        store.close()
        seats = Seats(Remote(service.url, contract), "seven-twos-tens", made)
        with watching(service.url, seats, 0, SSE, f"?after={long_match.seq - 1}") as lively:
            for _ in range(3):
                readers.enter_context(taking_nothing(service, seats))
            begun = time.monotonic()
            lively.until(lambda got: len(got.others) > 10)
            assert time.monotonic() - begun < 10, "the others wait too"
        # The stuck ones are still connected, and the room is empty all the same.
        eventually(lambda: subscribed(service, seats) == 0, within=15)


def test_a_reader_who_vanishes_is_noticed_by_the_next_signs_of_life(
    two_workers: Service, seats: Seats
) -> None:
    with in_silence(two_workers):
        with (
            watching(two_workers.url, seats, 0, SSE),
            watching(two_workers.url, seats, None, NDJSON),
        ):
            eventually(lambda: subscribed(two_workers, seats) >= 1)
        eventually(lambda: subscribed(two_workers, seats) == 0, within=SOON)


def test_a_connection_serves_on_after_a_stream(two_workers: Service, seats: Seats) -> None:
    """The patience with readers of streams is not for whatever else comes on their connection."""
    where = urlsplit(two_workers.url)
    assert where.hostname is not None
    seats.play_on()
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=10)
    ports = set()
    with in_silence(two_workers):
        for method, accept in (("HEAD", SSE), ("GET", SSE), ("GET", NDJSON), ("GET", "*/*")):
            connection.request(method, f"{seats.path}/events", headers={"Accept": accept})
            answer = connection.getresponse()
            assert answer.status == 200
            assert bool(answer.read()) == (method == "GET")
            ports.add(connection.sock.getsockname())
            time.sleep(1.8)  # longer than the patience
        connection.close()
    assert len(ports) == 1


def test_three_hundred_streams_are_served_over_a_connection_for_each_worker(
    two_workers: Service, seats: Seats
) -> None:
    with in_silence(two_workers), for_each_worker(two_workers, seats, each=25) as (_, streams):
        with two_workers.store() as store:
            hearing = [c for c in store.client_list() if int(c["sub"])]
        assert [int(c["sub"]) for c in hearing] == [1, 1]
        begun = time.monotonic()
        seats.play_on(3)
        assert time.monotonic() - begun < 10
        whole = {who: page(seats, who) for who in WATCHERS}
        for index, stream in enumerate(streams):
            assert stream.until_seq(len(whole[None])) == whole[WATCHERS[index // 25 % 3]]
    eventually(lambda: subscribed(two_workers, seats) == 0)
