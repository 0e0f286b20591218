"""What all tests share: a real Valkey server, empty at the start of each test that asks."""

import signal
from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import settings

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.conformance import CheckedClient, Contract
from tests.markdown import blocks, page
from tests.valkey import Server

# How long one example takes says more of the machine than of the code.
settings.register_profile("croupier", deadline=None)
settings.load_profile("croupier")

# What is started in the background ignores Ctrl-C, and hands that on to all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def valkey_session() -> Iterator[Server]:
    """The session's server. A test asks for `valkey` or `redis_url`, which empty it first. The
    service comes to it as the user with few rights that the documentation has.
    """
    user, *_ = blocks(page("docs/many-servers.md"), "acl")
    with Server() as server:
        server.admit(user.code)
        yield server


@pytest.fixture
def valkey(valkey_session: Server) -> Server:
    """The session's server, emptied. Trouble is for servers of a test's own: `with Server() as
    server`.
    """
    with valkey_session.client() as client:
        client.flushall()
    return valkey_session


@pytest.fixture
def redis_url(valkey: Server) -> str:
    """Where the emptied server listens, as `REDIS_URL` would say it."""
    return valkey.url


@pytest.fixture(scope="session")
def contract() -> Contract:
    """The contract as the code makes it."""
    nowhere = RedisStore("redis://localhost:1", ttl_seconds=1)
    client = create_app(Config(rate_limit=None), store=nowhere).test_client()
    return Contract(client.get("/openapi.json").get_json())


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisStore]:
    """A store in the emptied server."""
    made = RedisStore(redis_url, ttl_seconds=3600)
    yield made
    made.close()


@pytest.fixture
def app(store: RedisStore) -> Flask:
    """The service over the emptied server."""
    return create_app(Config(rate_limit=None), store=store)


@pytest.fixture
def client(app: Flask, contract: Contract) -> CheckedClient:
    """A client that holds every answer against the contract."""
    app.test_client_class = type("Client", (CheckedClient,), {"contract": contract})
    client = app.test_client()
    assert isinstance(client, CheckedClient)
    return client
