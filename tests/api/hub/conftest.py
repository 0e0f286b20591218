"""A hub over a server of the test's own, and a match to watch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from api.hub import Hub
from api.service import Service
from api.store.redis import RedisStore
from engine import GAMES
from tests.api.hub.rooms import Made
from tests.histories import history, store_with_log
from tests.valkey import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server for trouble, which keeps what it wrote."""
    with Server(appendonly="yes") as server:
        yield server


@pytest.fixture
def service(server: Server) -> Iterator[Service]:
    """The use cases over that server."""
    store = RedisStore(server.url, ttl_seconds=3600)
    yield Service(store, GAMES)
    store.close()


@pytest.fixture
def hub(service: Service) -> Hub:
    """A hub without rooms."""
    return Hub(service)


@pytest.fixture
def match(service: Service) -> Made:
    """A match in the middle."""
    return store_with_log(service.store, history("even-steven", moves=5))
