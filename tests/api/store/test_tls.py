"""Servers behind TLS with certificates of an authority of their own, in all three set-ups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from api.store import Answer, Loaded, Outcome, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, creation, move
from tests.many_valkeys import HOST, SERVICE, SLOTS, Node, free_ports
from tests.services import eventually
from tests.tls import Authority, TlsProxy


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def certificate(authority: Authority) -> tuple[Path, Path]:
    """What the servers show: good for their address alone."""
    return authority.certificate(HOST)


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node(*free_ports(1)) as node:
        yield node


def plays(url: str, *, cluster: bool = False) -> None:
    """A store at that URL does everything, wake-ups included."""
    store = RedisStore(url, ttl_seconds=TTL_SECONDS, cluster=cluster)
    store.ping()
    assert store.commit(creation()) is Outcome.COMMITTED
    with closing(store.listen()) as listener:
        listener.subscribe(MATCH)
        assert listener.hear(5) == MATCH
        big = move(0, state=bytes(300_000), answer=Answer("k", b"a"))
        assert store.commit(big) is Outcome.COMMITTED
        assert listener.hear(5) == MATCH
    assert store.load(MATCH, "k") == Loaded(version=1, state=bytes(300_000), answer=b"a")
    assert store.delete(MATCH) is True
    store.close()


def trusting(authority: Authority, **more: object) -> str:
    """The options of a URL that trust an authority."""
    return urlencode({"ssl_ca_certs": authority.file, **more})


def test_a_server_whose_authority_is_known_is_used(
    node: Node, authority: Authority, certificate: tuple[Path, Path]
) -> None:
    with TlsProxy(node.port, certificate) as proxy:
        plays(f"rediss://{HOST}:{proxy.port}/0?{trusting(authority)}")
        assert proxy.secured > 0


def test_a_client_shows_its_certificate_where_one_is_wanted(
    node: Node, authority: Authority, certificate: tuple[Path, Path]
) -> None:
    mine, key = authority.certificate("croupier")
    with TlsProxy(node.port, certificate, trust=authority) as proxy:
        shown = trusting(authority, ssl_certfile=mine, ssl_keyfile=key)
        plays(f"rediss://{HOST}:{proxy.port}?{shown}")
        refused(f"rediss://{HOST}:{proxy.port}?{trusting(authority)}", "Redis")


def refused(url: str, why: str) -> None:
    """A store at that URL is not available, and tells why without telling where."""
    store = RedisStore(url, ttl_seconds=TTL_SECONDS)
    with pytest.raises(StoreUnavailable, match=why) as caught:
        store.load(MATCH)
    assert HOST not in str(caught.value)
    assert "localhost" not in str(caught.value)
    store.close()


@pytest.mark.parametrize("host", [HOST, "localhost"], ids=["unknown authority", "another name"])
def test_a_server_that_may_be_somebody_else_is_refused(
    node: Node, authority: Authority, certificate: tuple[Path, Path], host: str
) -> None:
    options = "" if host == HOST else trusting(authority)
    with TlsProxy(node.port, certificate) as proxy:
        refused(f"rediss://{host}:{proxy.port}?{options}", "CERTIFICATE_VERIFY_FAILED")


def test_a_server_without_tls_is_refused(node: Node, authority: Authority) -> None:
    refused(f"rediss://{HOST}:{node.port}?{trusting(authority)}", "Redis")


def test_sentinels_and_the_server_that_they_name_are_asked_with_tls(
    node: Node, authority: Authority, certificate: tuple[Path, Path]
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(TlsProxy(node.port, certificate))
        watch = f"sentinel monitor {SERVICE} {HOST} {server.port} 1"
        sentinel = stack.enter_context(Node(*free_ports(1), sentinel=watch))
        guard = stack.enter_context(TlsProxy(sentinel.port, certificate))
        plays(f"rediss+sentinel://{HOST}:{guard.port}/{SERVICE}?{trusting(authority)}")
        assert guard.secured > 0
        assert server.secured > 0


def test_a_cluster_is_asked_with_tls_wherever_it_leads(
    authority: Authority, certificate: tuple[Path, Path]
) -> None:
    port, bus = free_ports(2)
    with TlsProxy(port, certificate) as proxy:
        settings = {"cluster_enabled": "yes", "cluster_port": bus}
        with Node(port, cluster_announce_port=proxy.port, **settings) as node:
            node.ask("CLUSTER", "ADDSLOTSRANGE", 0, SLOTS - 1)
            eventually(lambda: "cluster_state:ok" in node.text("CLUSTER", "INFO"))
            plays(f"rediss://{HOST}:{proxy.port}?{trusting(authority)}", cluster=True)
            assert proxy.secured > 2
