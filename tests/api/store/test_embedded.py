"""The embedded store: how its Valkey is set up, and what it says when it cannot start."""

import importlib.util
import os
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from api.store import embedded
from api.store.embedded import EmbeddedStore, EmbeddedStoreError
from tests.services import children, eventually, lives


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "var"


@contextmanager
def running(data_dir: Path, appendfsync: str = "always") -> Iterator[redis.Redis]:
    store = EmbeddedStore.start(data_dir, appendfsync=appendfsync)
    try:
        with redis.Redis.from_url(store.url, decode_responses=True) as client:
            yield client
    finally:
        store.stop()


@pytest.fixture
def client(data_dir: Path) -> Iterator[redis.Redis]:
    with running(data_dir) as client:
        yield client


def valkey(client: redis.Redis) -> int:
    return int(client.info("server")["process_id"])


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("port", "0"),
        ("appendonly", "yes"),
        ("appendfsync", "always"),
        ("maxmemory", "0"),
        ("maxmemory-policy", "noeviction"),
        ("save", ""),
        ("unixsocketperm", "700"),
    ],
)
def test_settings(client: redis.Redis, setting: str, value: str) -> None:
    assert client.config_get(setting) == {setting: value}


def test_it_may_be_settled_when_what_was_written_is_on_disk(data_dir: Path) -> None:
    with running(data_dir, appendfsync="everysec") as client:
        assert client.config_get("appendfsync") == {"appendfsync": "everysec"}


@pytest.mark.usefixtures("client")
def test_other_users_cannot_look_into_the_data(data_dir: Path) -> None:
    socket = Path((data_dir / "valkey.socket").read_text())
    for place in (data_dir, socket.parent):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_a_relative_data_directory_is_where_the_service_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    EmbeddedStore.start(Path("some/where"), appendfsync="always").stop()
    assert (tmp_path / "some" / "where" / "appendonlydir").is_dir()


def test_after_a_stop_nothing_runs(data_dir: Path) -> None:
    before = children(os.getpid())
    with running(data_dir) as client:
        pid = valkey(client)
    assert not lives(pid)
    assert children(os.getpid()) == before


def test_the_directory_can_be_had_as_soon_as_it_is_free(data_dir: Path) -> None:
    taken = rf"in use by another .* \(pid {os.getpid()}\)$"
    with running(data_dir), pytest.raises(EmbeddedStoreError, match=taken):
        EmbeddedStore.start(data_dir, appendfsync="always")
    EmbeddedStore.start(data_dir, appendfsync="always").stop()


def test_the_keeper_outlives_signals_that_are_meant_for_the_service(client: redis.Redis) -> None:
    keeper = next(pid for pid in children(os.getpid()) if valkey(client) in children(pid))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(keeper, number)
    ended = valkey(client)
    os.kill(ended, signal.SIGTERM)
    assert eventually(lambda: valkey(client) - ended)
    assert valkey(client) in children(keeper)


def test_a_file_in_place_of_the_data_directory_is_named(data_dir: Path) -> None:
    data_dir.write_text("in the way")
    with pytest.raises(EmbeddedStoreError, match=f"data directory {data_dir} cannot be used"):
        EmbeddedStore.start(data_dir, appendfsync="always")


def test_data_that_cannot_be_read_stops_the_start_and_stays_as_it_is(data_dir: Path) -> None:
    EmbeddedStore.start(data_dir, appendfsync="always").stop()
    log = next((data_dir / "appendonlydir").glob("*.incr.aof"))
    log.write_bytes(b"this is no command\r\n" * 3)
    with pytest.raises(EmbeddedStoreError, match="does not start: Bad file format") as refused:
        EmbeddedStore.start(data_dir, appendfsync="always")
    assert "\n" not in str(refused.value)
    assert log.read_bytes() == b"this is no command\r\n" * 3


def test_a_valkey_that_does_not_start_again_is_tried_until_it_does(
    data_dir: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said = ""

    def told() -> bool:
        nonlocal said
        said += capfd.readouterr().err
        return said.count("trying again in") > 1

    with running(data_dir) as client:
        client.set("note", "kept")
        log = next((data_dir / "appendonlydir").glob("*.incr.aof"))
        whole = log.read_bytes()
        log.write_bytes(whole + b"this is no command\r\n")
        os.kill(valkey(client), signal.SIGKILL)
        eventually(told)
        assert "does not start: Bad file format" in said
        log.write_bytes(whole)
        eventually(client.ping)
        assert client.get("note") == "kept"


@pytest.mark.parametrize("trouble", ["no wheel", "a wheel that does not run here"])
def test_without_a_valkey_for_the_platform_it_points_to_redis_url(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    if trouble == "no wheel":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    else:
        monkeypatch.setattr(embedded, "valkey_server", lambda: __file__)
    with pytest.raises(EmbeddedStoreError, match=r"set REDIS_URL to a Redis or Valkey server"):
        EmbeddedStore.start(data_dir, appendfsync="always")
    assert not list(tmp_path.glob("croupier-*")), "nothing is left of the attempt"
