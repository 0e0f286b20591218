"""A store on the session's server, and a plain client that looks at what it wrote."""

from collections.abc import Iterator

import pytest
import redis

from api.store.redis import RedisStore
from tests.api.store.commits import TTL_SECONDS
from tests.valkey import Server


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisStore]:
    store = RedisStore(redis_url, ttl_seconds=TTL_SECONDS)
    yield store
    store.close()


@pytest.fixture
def peek(valkey: Server) -> Iterator[redis.Redis]:
    with valkey.client() as client:
        yield client
