"""One service for all API tests, made once since that takes longer than most of them; and one in
processes of its own for those that need real workers."""

from collections.abc import Iterator

import pytest
from flask import Flask

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.services import Service
from tests.valkey import Server

TTL_SECONDS = 3600
WORKERS = 4


@pytest.fixture(scope="session")
def shared_store(valkey_session: Server) -> Iterator[RedisStore]:
    """A store in the session's server."""
    store = RedisStore(valkey_session.url, ttl_seconds=TTL_SECONDS)
    yield store
    store.close()


@pytest.fixture(scope="session")
def shared_app(shared_store: RedisStore) -> Flask:
    """The service over that store. It keeps nothing of its own between requests."""
    return create_app(Config(rate_limit=None), store=shared_store)


@pytest.fixture
def store(valkey: Server, shared_store: RedisStore) -> RedisStore:
    """The store, in the emptied server."""
    return shared_store


@pytest.fixture
def app(valkey: Server, shared_app: Flask) -> Flask:
    """The service, over the emptied server."""
    return shared_app


@pytest.fixture(scope="session")
def service(valkey_session: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Four workers, started as a user starts them. Ask for `valkey` too: it empties the store."""
    place = tmp_path_factory.mktemp("service")
    settings = {"REDIS_URL": valkey_session.url, "CROUPIER_WORKERS": str(WORKERS)}
    with Service(place, **settings) as service:
        yield service.ready()
