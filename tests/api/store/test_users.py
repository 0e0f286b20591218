"""The users with few rights that the documentation has: enough, and nothing that is not needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis

from api.store import Answer, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, move
from tests.faults.checker import check
from tests.faults.load import Load
from tests.many_valkeys import HOST, SERVICE, SLOTS, Node, followed, free_ports
from tests.markdown import blocks, page
from tests.services import Service, eventually
from tests.tls import Authority, TlsProxy

BASE, WITH_WAIT, IN_CLUSTER, WITH_SELECT, OF_SENTINELS = (
    block.code.strip().replace("PASSWORD", "s3cret")
    for block in blocks(page("docs/many-servers.md"), "acl")
)
RIGHTS = re.findall(r"\+(\S+)", BASE)
FOR_ORDER = "client|setinfo"
"""Goes on without, but every connection is noted as one that tried what it may not."""


@pytest.fixture(scope="module")
def pair() -> Iterator[Node]:
    """A server with a replica, where the user may do what any set-up with one server needs."""
    with followed() as (node, _):
        yield node


@pytest.fixture
def node(pair: Node) -> Node:
    pair.ask("FLUSHALL")
    pair.ask("SCRIPT", "FLUSH")
    pair.ask("ACL", "LOG", "RESET")
    admit(pair, BASE, WITH_WAIT, WITH_SELECT)
    return pair


def admit(node: Node, *lines: str) -> None:
    """Take a user of these lines of an ACL file, and no rights that he had before."""
    _, name, *_ = lines[0].split()
    rules = [rule for line in lines for rule in line.split()[2:]]
    node.ask("ACL", "SETUSER", name, "reset", *rules)


def does_everything(url: str, *, cluster: bool = False, wait_replicas: int = 0) -> None:
    """A store at that URL does all that the port has, each part of it for the first time too."""
    store = RedisStore(url, ttl_seconds=TTL_SECONDS, cluster=cluster, wait_replicas=wait_replicas)
    with closing(store), closing(store.listen()) as listener:
        store.ping()
        listener.subscribe(MATCH)
        assert listener.hear(2) == MATCH
        assert store.commit(creation()) is Outcome.COMMITTED
        assert listener.hear(2) == MATCH
        first = move(0, answer=Answer("k", b"a"))
        assert [store.commit(first) for _ in range(2)] == [Outcome.COMMITTED] * 2
        store.commit(move(1, answer=Answer("k", b"b")))
        loaded = store.load(MATCH, "k")
        assert loaded is not None
        assert loaded.version == 1
        assert len(store.entries(MATCH, after=0, limit=9)) == 2
        store.enlist("waiting", "left over", 1)
        store.enlist("waiting", MATCH, 10**12)
        assert [place.match_id for place in store.listed("waiting", None, 9)] == [MATCH]
        store.unlist("waiting", MATCH, 10**12)
        assert store.secret() == store.secret()
        assert [store.count(7, {"asked": 1}) for _ in range(2)] == [[1], [2]]
        listener.unsubscribe(MATCH)
        while listener.hear(0.1):
            pass
        assert store.delete(MATCH)


def url(node: Node) -> str:
    return f"redis://croupier:s3cret@{HOST}:{node.port}"


@pytest.mark.parametrize("wait_replicas", [0, 1])
@pytest.mark.parametrize("database", ["", "/1"])
def test_the_documented_rights_are_enough(node: Node, wait_replicas: int, database: str) -> None:
    does_everything(url(node) + database, wait_replicas=wait_replicas)
    assert node.ask("ACL", "LOG") == []


@pytest.mark.parametrize("right", RIGHTS)
def test_each_documented_right_is_needed(node: Node, right: str) -> None:
    node.ask("ACL", "SETUSER", "croupier", f"-{right}")
    if right == FOR_ORDER:
        does_everything(url(node))
    else:
        with pytest.raises((StoreUnavailable, AssertionError)):
            does_everything(url(node))
    assert node.ask("ACL", "LOG") != []


@pytest.mark.parametrize(
    ("lines", "database", "wait_replicas"),
    [((BASE, WITH_SELECT), "", 1), ((BASE, WITH_WAIT), "/1", 0)],
    ids=["wait", "select"],
)
def test_each_right_more_is_needed_where_it_is_documented(
    node: Node, lines: tuple[str, ...], database: str, wait_replicas: int
) -> None:
    admit(node, *lines)
    with pytest.raises(StoreUnavailable, match=r"NOPERM|too few replicas"):
        does_everything(url(node) + database, wait_replicas=wait_replicas)


@pytest.mark.parametrize(
    "command",
    [
        ("GET", "another's"),
        ("SUBSCRIBE", "another's"),
        ("PUBLISH", "another's", "news"),
        ("EVAL", "return redis.call('GET', KEYS[1])", 1, "another's"),
        ("KEYS", "*"),
        ("CONFIG", "GET", "*"),
        ("FLUSHALL",),
    ],
    ids=lambda command: command[0].lower(),
)
def test_the_user_can_do_nothing_else(node: Node, command: tuple[object, ...]) -> None:
    with (
        redis.Redis.from_url(url(node), protocol=2) as client,
        pytest.raises((redis.exceptions.NoPermissionError, redis.ResponseError), match="perm"),
    ):
        client.execute_command(*command)


def test_in_a_cluster_and_behind_sentinels_the_documented_rights_are_enough() -> None:
    port, bus, single, watching = free_ports(4)
    watch = f"sentinel monitor {SERVICE} {HOST} {single} 1"
    with (
        Node(port, cluster_enabled="yes", cluster_port=bus) as shard,
        Node(single) as server,
        Node(watching, sentinel=watch) as sentinel,
    ):
        shard.ask("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
        eventually(lambda: "cluster_state:ok" in shard.text("CLUSTER", "INFO"))
        admit(shard, BASE, IN_CLUSTER)
        does_everything(url(shard), cluster=True)
        admit(server, BASE)
        admit(sentinel, OF_SENTINELS)
        sentinel.ask("ACL", "SETUSER", "default", "off")
        does_everything(
            f"redis+sentinel://croupier:s3cret@{HOST}:{watching}/{SERVICE}"
            "?sentinel_username=croupier&sentinel_password=s3cret"
        )
        for node in (shard, server):
            assert node.ask("ACL", "LOG") == []


def test_a_whole_service_with_few_rights_and_through_tls_says_neither_password_nor_address(
    node: Node, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    mine, key = authority.certificate("croupier")
    with TlsProxy(node.port, authority.certificate(HOST), trust=authority) as proxy:
        files = f"ssl_ca_certs={authority.file}&ssl_certfile={mine}&ssl_keyfile={key}"
        place = f"{HOST}:{proxy.port}"
        settings = {
            "REDIS_URL": f"rediss://croupier:s3cret@{place}?{files}",
            "CROUPIER_LOG_LEVEL": "debug",
        }
        with (
            Service(tmp_path, **settings) as service,
            Load([service.ready().url], seed="few rights", tables=1) as load,
        ):
            load.until(moves=10)
            # As an operator would notice: what was allowed is not any more, and then is again.
            node.ask("ACL", "SETUSER", "croupier", "-evalsha")
            eventually(lambda: node.ask("ACL", "LOG"))
            node.ask("ACL", "SETUSER", "croupier", "+evalsha")
            load.until(moves=10)
            verdict = check(load.stop())
            told, *rest = (line for line in service.output.splitlines() if place in line)
        assert not verdict.problems, verdict
        assert verdict.counts["503"] > 0
        assert told == f"  store  rediss://croupier:***@{place}?{files}"
        assert not rest
        assert "s3cret" not in service.output
