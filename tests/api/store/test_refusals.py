"""A server that answers but will not serve: full, read-only, loading and others (case 44)."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from api.store import Answer, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, everything, move
from tests.api.store.proxy import Proxy, Say
from tests.valkey import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the test's own, to be put into trouble."""
    with Server() as server:
        yield server


@pytest.fixture
def client(server: Server) -> Iterator[redis.Redis]:
    with server.client() as client:
        yield client


@pytest.fixture
def troubled(server: Server) -> Iterator[RedisStore]:
    """A store on that server, with one match."""
    store = RedisStore(server.url, ttl_seconds=TTL_SECONDS)
    store.commit(creation())
    yield store
    store.close()


def fill(client: redis.Redis) -> None:
    client.config_set("maxmemory", 1)


def demote(client: redis.Redis) -> None:
    client.execute_command("REPLICAOF", "127.0.0.1", "1")


def lose_replicas(client: redis.Redis) -> None:
    client.config_set("min-replicas-to-write", 1)


def break_disk(client: redis.Redis) -> None:
    directory = client.config_get("dir")["dir"]
    Path(directory, "dump.rdb").mkdir()
    client.config_set("save", "3600 1")
    client.bgsave()
    deadline = time.monotonic() + 5
    while client.info("persistence")["rdb_last_bgsave_status"] == "ok":
        assert time.monotonic() < deadline, "the save was to fail"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("trouble", "code"),
    [(fill, "OOM"), (demote, "READONLY"), (lose_replicas, "NOREPLICAS"), (break_disk, "MISCONF")],
)
def test_case_44_a_server_that_takes_no_writes_changes_nothing_and_still_reads(
    troubled: RedisStore, client: redis.Redis, trouble: Callable[[redis.Redis], None], code: str
) -> None:
    before = everything(client)
    trouble(client)
    for commit in (move(0), move(0, answer=Answer("k", b"a")), creation("new")):
        with pytest.raises(StoreUnavailable, match=code) as caught:
            troubled.commit(commit)
        assert not caught.value.maybe_done
    assert everything(client) == before
    assert troubled.load(MATCH, "k") == Loaded(version=0, state=b"dealt")


def test_case_44_a_server_that_fills_up_between_moves_takes_each_as_a_whole_or_not_at_all(
    troubled: RedisStore, client: redis.Redis
) -> None:
    client.config_set("maxmemory", client.info("memory")["used_memory"] + 3_000_000)
    accepted = 0
    big = bytes(100_000)
    with suppress(StoreUnavailable):
        while accepted < 1000:
            troubled.commit(move(accepted, state=big, answer=Answer(f"request {accepted}", big)))
            accepted += 1
    assert 3 < accepted < 1000

    loaded = troubled.load(MATCH, f"request {accepted}")
    assert loaded == Loaded(version=accepted, state=big, answer=None)
    assert len(troubled.entries(MATCH, after=0, limit=2000)) == 1 + accepted

    client.config_set("maxmemory", 0)
    assert troubled.commit(move(accepted)) is Outcome.COMMITTED


def test_a_full_server_still_deletes(troubled: RedisStore, client: redis.Redis) -> None:
    fill(client)
    assert troubled.delete(MATCH) is True
    assert everything(client) == {}


def test_a_replica_without_its_primary_may_refuse_to_read_too(
    troubled: RedisStore, client: redis.Redis
) -> None:
    client.config_set("replica-serve-stale-data", "no")
    demote(client)
    with pytest.raises(StoreUnavailable, match="MASTERDOWN"):
        troubled.load(MATCH)


REPLIES = [
    "LOADING Redis is loading the dataset in memory",
    "CLUSTERDOWN The cluster is down",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "MOVED 3999 10.9.8.7:6381",
    "ASK 3999 10.9.8.7:6381",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "BUSY Redis is busy running a script.",
    "UNKILLABLE Sorry the script already executed write commands against the dataset.",
    "NOAUTH Authentication required.",
    "NOPERM User default has no permissions to run the 'evalsha' command",
    "ERR max number of clients reached",
]


# A server that wants a password says this to a stranger's long command.
STRANGER = ("ERR Protocol error: unauthenticated multibulk length", "NOAUTH")

# A script may not do all that it does.
DENIED = [
    ("ERR ACL failure in script: User me has no permissions to run the 'xadd' command", "NOPERM"),
    ("ERR The user executing the script can't run this command or subcommand", "NOPERM"),
]


@pytest.mark.parametrize(
    ("reply", "code"), [*((reply, reply.split()[0]) for reply in REPLIES), STRANGER, *DENIED]
)
def test_a_refusal_of_whatever_kind_is_an_unavailable_store_that_did_nothing(
    valkey: Server, reply: str, code: str
) -> None:
    with Proxy(valkey.socket) as proxy:
        store = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS)
        store.commit(creation())
        for call in (lambda: store.commit(move(0)), lambda: store.load(MATCH), store.ping):
            proxy.faults.append(Say(reply))
            with pytest.raises(StoreUnavailable, match=code) as caught:
                call()
            assert not caught.value.maybe_done
            assert "10.9.8.7" not in str(caught.value)
            # A connection that was told so may have been closed, and the next call opens one: let
            # that pass.
            proxy.faults.clear()
        assert store.commit(move(0)) is Outcome.COMMITTED
        store.close()


@pytest.mark.parametrize(
    "reply", ["ERR unknown command", "WRONGTYPE Operation against a key", "CROSSSLOT Keys in"]
)
def test_a_mistake_of_ours_is_no_unavailable_store(valkey: Server, reply: str) -> None:
    with Proxy(valkey.socket) as proxy:
        store = RedisStore(proxy.url, ttl_seconds=TTL_SECONDS)
        store.ping()
        proxy.faults.append(Say(reply))
        with pytest.raises(redis.ResponseError):
            store.load(MATCH)
        store.close()


def test_a_foreign_key_in_the_way_is_told_before_anything_is_written(
    store: RedisStore, peek: redis.Redis
) -> None:
    peek.set("croupier:{m1}:events", "not ours")
    before = everything(peek)
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        store.commit(creation())
    assert everything(peek) == before


@pytest.mark.parametrize("password", ["", "wr0ng"], ids=["no password", "wrong password"])
def test_a_wrong_password_is_an_unavailable_store_and_is_not_repeated(
    server: Server, client: redis.Redis, password: str
) -> None:
    client.config_set("requirepass", "r1ght")
    wrong = RedisStore(f"unix://:{password}@{server.socket}", ttl_seconds=TTL_SECONDS)
    with pytest.raises(StoreUnavailable, match=r"NOAUTH|WRONGPASS") as caught:
        wrong.commit(creation())
    assert not caught.value.maybe_done
    assert "0ng" not in str(caught.value)
    right = RedisStore(f"unix://:r1ght@{server.socket}", ttl_seconds=TTL_SECONDS)
    assert right.commit(creation()) is Outcome.COMMITTED
    wrong.close()
    right.close()


def test_a_user_who_may_not_publish_can_still_play(server: Server, client: redis.Redis) -> None:
    client.acl_setuser(
        "service",
        enabled=True,
        passwords=["+pw"],
        keys=["croupier:*"],
        categories=["+@all"],
        reset_channels=True,
    )
    store = RedisStore(f"unix://service:pw@{server.socket}", ttl_seconds=TTL_SECONDS)
    assert store.commit(creation()) is Outcome.COMMITTED
    assert store.commit(move(0)) is Outcome.COMMITTED
    assert store.load(MATCH) == Loaded(version=1, state=b"state 1")
    store.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://:s3cret@host",
        "redis://:s3cret@host:port",
        "redis://:s3cret/with-a-slash@host:6379",
        "redis://:s3cret@host?socket_timeout=s3cret",
        "redis://:s3cret@host?no_such_option=s3cret",
        "rediss://:s3cret@host?ssl_cert_reqs=s3cret",
        "",
    ],
)
def test_a_url_that_cannot_be_used_is_told_at_once_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="the Redis URL cannot be used") as caught:
        RedisStore(url, ttl_seconds=TTL_SECONDS)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
