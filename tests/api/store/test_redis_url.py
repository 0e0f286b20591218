"""The forms of a Redis URL: what is taken out of each."""

import pytest

from api.store.redis_url import RedisUrl, SetUp


@pytest.mark.parametrize(
    ("url", "cluster", "set_up", "hosts", "plain"),
    [
        ("redis://a", False, SetUp.ONE, [("a", 6379)], "redis://a:6379"),
        (
            "rediss://ada:p%40w@[::1]:7/2?ssl_ca_certs=/a",
            False,
            SetUp.ONE,
            [("::1", 7)],
            "rediss://ada:p%40w@[::1]:7/2?ssl_ca_certs=/a",
        ),
        ("unix://:pw@/run/a.sock?db=1", False, SetUp.ONE, [], "unix://:pw@/run/a.sock?db=1"),
        (
            "rediss://ada:pw@a,b:7,[::1]/?ssl_ca_certs=/a",
            True,
            SetUp.CLUSTER,
            [("a", 6379), ("b", 7), ("::1", 6379)],
            "rediss://ada:pw@a:6379/?ssl_ca_certs=/a",
        ),
        (
            "redis+sentinel://ada:pw@a,b:7/main",
            False,
            SetUp.SENTINEL,
            [("a", 26379), ("b", 7)],
            "redis://ada:pw@a:26379/",
        ),
        (
            "rediss+sentinel://a/main/3?sentinel_username=s&sentinel_password=p%26w&ssl_ca_certs=/a",
            False,
            SetUp.SENTINEL,
            [("a", 26379)],
            "rediss://a:26379/3?ssl_ca_certs=%2Fa",
        ),
    ],
)
def test_a_url_is_taken_apart(
    url: str, cluster: bool, set_up: SetUp, hosts: list[tuple[str, int]], plain: str
) -> None:
    parsed = RedisUrl.parse(url, cluster=cluster)
    assert (parsed.set_up, list(parsed.hosts), parsed.plain) == (set_up, hosts, plain)
    assert parsed.service == ("main" if set_up is SetUp.SENTINEL else "")


def test_sentinels_have_a_user_of_their_own() -> None:
    given = "redis+sentinel://ada:pw@a/main?sentinel_username=s&sentinel_password=p%26w"
    assert RedisUrl.parse(given).sentinel_user == {"username": "s", "password": "p&w"}
    assert RedisUrl.parse("redis+sentinel://ada:pw@a/main").sentinel_user == {}
