"""Who asks, where proxies are in between: a trusted one is believed, and nobody else."""

from __future__ import annotations

import pytest
from werkzeug.test import Client

from api import create_app
from api.config import Config, ConfigError
from api.proxies import client_address, networks
from api.store.redis import RedisStore

OURS = networks("10.0.0.0/8, 2001:db8:1::/48")
CREATE = "/v1/games/even-steven/matches"


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        # One proxy, and several.
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7,10.0.0.3 , 10.0.0.2", "198.51.100.7"),
        ("2001:db8:1::1", "2001:db8:9::7", "2001:db8:9::7"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        # What the client wrote into it itself comes first, and counts for nothing.
        ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "10.0.0.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "garbage, 198.51.100.7", "198.51.100.7"),
        # Nobody else is believed.
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("198.51.100.7", "10.0.0.1", "198.51.100.7"),
        ("2001:db8:2::1", "203.0.113.9", "2001:db8:2::1"),
        # Where all are trusted, it is the first.
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        # What some proxies put with it.
        ("10.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
        ("10.0.0.1", "[2001:db8:9::7]:4711", "2001:db8:9::7"),
        ("10.0.0.1", "[2001:db8:9::7]", "2001:db8:9::7"),
        # A proxy that cannot say it vouches for nobody.
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.7, ", "10.0.0.1"),
        ("10.0.0.1", ",,,", "10.0.0.1"),
        ("10.0.0.1", "1.2.3", "10.0.0.1"),
        ("10.0.0.1", "9" * 5000, "10.0.0.1"),
        ("", "198.51.100.7", ""),
    ],
)
def test_the_client_is_who_asked_the_outermost_trusted_proxy(
    peer: str, forwarded: str, client: str
) -> None:
    assert client_address(peer, forwarded, OURS) == client


@pytest.mark.parametrize("text", ["proxy", "10.0.0.0/33", "10.0.0.1/8", "*", "10.0.0.1 10.0.0.2"])
def test_what_is_no_network_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"CROUPIER_TRUSTED_PROXIES must be .*"):
        Config.from_environ({"CROUPIER_TRUSTED_PROXIES": text})


def created(store: RedisStore, trusted: str, peer: str, forwarded: str, key: str) -> str:
    """The match that is made by whoever comes this way with this key, which others may think of."""
    config = Config(trusted_proxies=networks(trusted), rate_limit=None)
    answer = Client(create_app(config, store=store)).post(
        CREATE,
        json={"seats": [{}, {}]},
        headers={"X-Forwarded-For": forwarded, "Idempotency-Key": key},
        environ_overrides={"REMOTE_ADDR": peer},
    )
    assert answer.status_code == 201
    return str(answer.get_json()["match_id"])


def test_a_short_idempotency_key_is_its_clients_and_not_its_proxys(store: RedisStore) -> None:
    one = created(store, "10.0.0.0/8", "10.0.0.1", "198.51.100.7", "k")
    assert created(store, "10.0.0.0/8", "10.0.0.2", "198.51.100.7", "k") == one
    assert created(store, "10.0.0.0/8", "10.0.0.1", "198.51.100.8", "k") != one


def test_a_forged_header_makes_nobody_somebody_else(store: RedisStore) -> None:
    """By default, and from an address that is no proxy's."""
    for trusted in ("", "10.0.0.0/8"):
        one = created(store, trusted, "192.0.2.1", "198.51.100.7", trusted or "k")
        assert created(store, trusted, "192.0.2.1", "198.51.100.8", trusted or "k") == one
        assert created(store, trusted, "192.0.2.2", "198.51.100.7", trusted or "k") != one
