"""A Valkey server of somebody else's in trouble, and the network before it: the service answers 503
meanwhile, loses nothing that it acknowledged, and goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from tests.api.store.proxy import Cut, Proxy
from tests.faults.chaos import MOVES, QUIET, SOAK, TABLES, TIMES, every
from tests.faults.checker import Verdict, check
from tests.faults.load import Load
from tests.services import Service, eventually
from tests.valkey import Server

#: Seconds for which the server hangs.
HANG = 10.0 if SOAK else 2.0
#: Seconds between two faults of the network.
EVERY = 0.1


@dataclass
class House:
    """A service, the network to its store, and the store itself."""

    service: Service
    network: Proxy
    server: Server

    def load(self, seed: str, **habits: float) -> Load:
        """Clients of the service."""
        return Load([self.service.url], seed=seed, tables=TABLES, **habits)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """All three. A test leaves them in good order."""
    place = tmp_path_factory.mktemp("house")
    with (
        Server(appendonly="yes", appendfsync="always", maxmemory_policy="noeviction") as server,
        Proxy(server.socket) as network,
        Service(place, REDIS_URL=network.url, **QUIET) as service,
    ):
        yield House(service.ready(), network, server)


def nothing_lost(load: Load) -> Verdict:
    """The verdict on a run, which has no problems."""
    verdict = check(load.stop())
    assert not verdict.problems, str(verdict)
    return verdict


def test_a_server_that_is_killed_comes_back_from_its_file_with_everything(house: House) -> None:
    with house.load("killed") as load:
        for _ in range(TIMES):
            load.until(MOVES)
            house.server.kill()
            time.sleep(0.3)
            house.server.start()
        load.until(MOVES)
        assert nothing_lost(load).counts["503"] > 0


def test_a_server_that_hangs_is_waited_for_with_503(house: House) -> None:
    with house.load("hangs") as load:
        load.until(MOVES)
        house.server.pause()
        time.sleep(HANG)
        house.server.resume()
        load.until(MOVES)
        assert nothing_lost(load).counts["503"] > 0


def test_a_server_whose_memory_is_full_refuses_moves_and_keeps_what_it_has(house: House) -> None:
    with house.load("memory") as load, house.server.client() as client:
        load.until(MOVES)
        client.config_set("maxmemory", client.info("memory")["used_memory"] + 20_000)
        eventually(lambda: client.info("errorstats").get("errorstat_OOM"))
        time.sleep(0.5)
        client.config_set("maxmemory", 0)
        load.until(MOVES)
        assert nothing_lost(load).counts["503"] > 0


def test_a_network_that_delays_and_cuts_makes_no_move_twice(house: House) -> None:
    """A reply that does not come leaves the service in doubt: it sends the same commit again, and
    so does the client with its key."""
    rng = Random("network")

    def fault() -> None:
        house.network.faults.append(rng.choice(list(Cut)))
        house.network.delay = rng.choice((0, 0, 0.002, 0.02))

    with house.load("network") as load:
        with every(EVERY, fault) as faults:
            for _ in range(TIMES):
                load.until(MOVES)
            while len(faults) < 6:  # moves may be quicker than faults
                load.until(MOVES)
        house.network.faults.clear()
        house.network.delay = 0
        nothing_lost(load)


def test_clients_who_hang_up_in_the_middle_harm_nobody(house: House) -> None:
    """Half a body, or a whole one without waiting for the answer; some reset the connection."""
    before = house.service.output
    with house.load("rude", rudeness=0.3) as load:
        for _ in range(TIMES):
            load.until(2 * MOVES)
        counts = nothing_lost(load).counts
    assert counts["cut"] > 20
    assert counts["replayed"] > 0
    assert counts["unanswered"] == counts["503"] == 0
    assert house.service.output == before
