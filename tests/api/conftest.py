"""One service for all API tests, made once since that takes longer than most of them; and one in
processes of its own for those that need real workers."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.api.clocks import START, Clock
from tests.conformance import ROOT, Contract, Validators
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


@pytest.fixture(scope="session")
def shared_clock() -> Clock:
    """The clock of `app_of_clock`."""
    return Clock()


@pytest.fixture(scope="session")
def app_of_clock(shared_store: RedisStore, shared_clock: Clock) -> Flask:
    """The service over that store, with a clock that tests set."""
    return create_app(Config(rate_limit=None), store=shared_store, clock=shared_clock)


@pytest.fixture
def clock(shared_clock: Clock) -> Clock:
    """The service's clock, at its start."""
    shared_clock.now = START
    return shared_clock


@pytest.fixture
def app(request: pytest.FixtureRequest, valkey: Server) -> Flask:
    """The service, over the emptied server. A test that asks for `clock` gets the one with it."""
    name = "app_of_clock" if "clock" in request.fixturenames else "shared_app"
    app: Flask = request.getfixturevalue(name)
    return app


@pytest.fixture
def quick(app: Flask) -> FlaskClient:
    """A client that holds no answer against the contract, for matches of many requests."""
    return FlaskClient(app, app.response_class)


@pytest.fixture(scope="session")
def service(valkey_session: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Four workers, started as a user starts them. Ask for `valkey` too: it empties the store."""
    place = tmp_path_factory.mktemp("service")
    settings = {"REDIS_URL": valkey_session.url, "CROUPIER_WORKERS": str(WORKERS)}
    with Service(place, **settings) as service:
        yield service.ready()


@pytest.fixture
def validator(contract: Contract) -> Validators:
    """Makes the validator of a part of the contract, named by its pointer."""

    def make(pointer: str) -> Draft202012Validator:
        return Draft202012Validator({"$ref": f"{ROOT}#{pointer}"}, registry=contract.registry)

    return make
