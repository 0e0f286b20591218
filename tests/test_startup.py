"""Starting and stopping, with real processes: what is printed, refused, kept, and left behind."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import ROOT, Service, children, eventually, lives
from tests.valkey import Server


def write(service: Service, text: str) -> None:
    with service.store() as store:
        store.set("note", text)


def read(service: Service) -> str | None:
    with service.store() as store:
        note: str | None = store.get("note")
        return note


def test_it_says_where_it_is_and_no_more(tmp_path: Path) -> None:
    with Service(tmp_path, CROUPIER_WORKERS="2") as service:
        service.ready()
        assert len(service.workers()) == 2
        assert service.output.splitlines() == [
            f"Croupier is open at {service.url}",
            f"  store  embedded Valkey, data in {service.data_dir}",
            f"  docs   {service.url}/docs",
        ]


def test_with_a_redis_url_it_starts_no_store_and_hides_the_password(
    tmp_path: Path, valkey: Server
) -> None:
    with Service(tmp_path, REDIS_URL=f"unix://{valkey.socket}?password=hunter2") as service:
        service.ready()
        assert f"  store  unix://{valkey.socket}?password=***" in service.output
        assert "hunter2" not in service.output
        assert not service.data_dir.exists()


def test_a_bad_setting_stops_it_with_one_line(tmp_path: Path) -> None:
    with Service(tmp_path, PORT="many") as service:
        assert service.ended() == 1
        assert service.output == (
            "croupier: PORT must be a whole number from 0 to 65535, not 'many'\n"
        )


@pytest.mark.parametrize("trouble", ["the port is taken", "no such host"])
def test_an_address_that_cannot_be_had_stops_it_with_one_line(tmp_path: Path, trouble: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1]) if trouble == "the port is taken" else "0"
        host = "127.0.0.1" if trouble == "the port is taken" else "no such host"
        with Service(tmp_path, PORT=port, CROUPIER_HOST=host, TMPDIR=str(tmp_path)) as service:
            assert service.ended() == 1
            assert not scratch(tmp_path)
            assert service.output.startswith(f"croupier: cannot listen on {host}:{port}: ")
            assert service.output.count("\n") == 1
            assert not service.data_dir.exists()


def test_a_second_service_on_the_same_data_is_refused_with_one_line(tmp_path: Path) -> None:
    with Service(tmp_path) as first:
        first.ready()
        with Service(tmp_path) as second:
            assert second.ended() == 1
            assert second.output == (
                f"croupier: the data directory {first.data_dir} is in use by another running "
                f"Croupier (pid {first.pid})\n"
            )
        assert first.answers()
        assert lives(first.valkey())


def scratch(temporary: Path) -> set[Path]:
    """The scratch directories in a directory for temporary files."""
    return set(temporary.glob("croupier-scratch-*"))


def test_what_a_killed_service_leaves_behind_is_cleared_by_the_next_one(tmp_path: Path) -> None:
    temporary, *places = (tmp_path / name for name in ("tmp", "running", "killed", "next"))
    for directory in (temporary, *places):
        directory.mkdir()

    def start(place: Path) -> Service:
        return Service(place, TMPDIR=str(temporary))

    with start(places[0]) as running:
        running.ready()
        own = scratch(temporary)
        assert len(own) == 1
        with start(places[1]) as killed:
            killed.ready()
        assert len(scratch(temporary) - own) == 1
        with start(places[2]) as following:
            following.ready()
            assert len(scratch(temporary) - own) == 1, "there is more than its own"
            following.send(signal.SIGTERM)
            assert following.ended() == 0
        assert scratch(temporary) == own


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_leaves_nothing_running_and_keeps_the_data(
    tmp_path: Path, number: signal.Signals
) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        pids, socket = service.pids(), (service.data_dir / "valkey.socket").read_text()
        assert len(pids) == 4
        service.send(number)
        assert service.ended() == 0
        assert not {pid for pid in pids if lives(pid)}
        assert not Path(socket).parent.exists()
        assert len(service.output.splitlines()) == 3, "it says nothing more"
    with Service(tmp_path) as service:
        assert read(service.ready()) == "before"


def test_ctrl_c_at_a_terminal_stops_it_without_a_word(tmp_path: Path) -> None:
    with Service(tmp_path, CROUPIER_WORKERS="2") as service:
        service.ready()
        workers = service.workers()
        service.send(signal.SIGINT)
        for pid in workers:  # the terminal tells them too, and then the parent once more
            os.kill(pid, signal.SIGINT)
        assert service.ended() == 0
        assert len(service.output.splitlines()) == 3, service.output


def test_a_reload_brings_new_workers_and_keeps_the_store(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        valkey, workers = service.valkey(), service.workers()
        service.send(signal.SIGHUP)
        eventually(lambda: service.workers().isdisjoint(workers))
        eventually(service.answers)
        assert service.valkey() == valkey


def test_a_worker_that_dies_is_replaced_and_the_store_stays(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        valkey, workers = service.valkey(), service.workers()
        os.kill(workers.pop(), signal.SIGKILL)
        eventually(lambda: service.workers() - workers and service.answers())
        assert service.valkey() == valkey


def test_a_killed_valkey_comes_back_on_the_same_socket_with_its_data(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        valkey, store = service.valkey(), (service.data_dir / "valkey.socket").read_text()
        os.kill(valkey, signal.SIGKILL)
        assert eventually(service.valkey) != valkey
        assert read(service) == "before"
        assert (service.data_dir / "valkey.socket").read_text() == store
        assert "the embedded Valkey died (status -9); starting it again" in service.output


def test_a_killed_service_can_be_started_again_at_once(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        pids = service.pids()
        service.kill()
        with Service(tmp_path) as again:
            assert read(again.ready()) == "before"
            eventually(lambda: not {pid for pid in pids if lives(pid)})


def test_a_killed_service_leaves_nothing_running(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        pids = service.pids()
        service.kill()
        eventually(lambda: not {pid for pid in pids if lives(pid)})


@pytest.mark.parametrize("stuck", [False, True], ids=["answering", "stuck"])
def test_a_valkey_that_was_left_behind_is_ended_first(tmp_path: Path, stuck: bool) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        valkey = service.valkey()
        service.send(signal.SIGSTOP)  # or another keeper would take over
        os.kill(service.keeper(), signal.SIGKILL)
        service.kill()
        assert lives(valkey)
        if stuck:
            # Its socket is gone, as when someone cleared the temporary files.
            shutil.rmtree(Path((service.data_dir / "valkey.socket").read_text()).parent)
        with Service(tmp_path) as again:
            assert read(again.ready()) == "before"
            assert again.valkey() != valkey
            assert not lives(valkey)
            assert "ending the Valkey that an earlier service left behind" in again.output


def replaced_keeper(service: Service) -> int:
    """The process that keeps the store after the one that did was killed."""
    told, old = service.output.count("another one has taken over"), service.keeper()
    os.kill(old, signal.SIGKILL)
    eventually(lambda: service.output.count("another one has taken over") == told + 1)
    assert service.keeper() != old
    return service.keeper()


def test_a_keeper_that_is_killed_is_replaced_and_its_valkey_goes_on(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        valkey, store = service.valkey(), (service.data_dir / "valkey.socket").read_text()
        for _ in range(2):
            replaced_keeper(service)
            assert service.valkey() == valkey
        keeper = service.keeper()
        for _ in range(2):
            valkey = service.valkey()
            os.kill(valkey, signal.SIGKILL)
            assert eventually(service.valkey) != valkey
            assert read(service) == "before"
        assert (service.data_dir / "valkey.socket").read_text() == store
        assert "the embedded Valkey died; starting it again" in service.output
        assert service.keeper() == keeper
        assert service.valkey() in children(keeper)
        pids = service.pids()
        service.send(signal.SIGTERM)
        assert service.ended() == 0
        assert not {pid for pid in pids if lives(pid)}


def test_a_keeper_that_is_killed_with_its_valkey_is_replaced_and_starts_another(
    tmp_path: Path,
) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        valkey = service.valkey()
        for pid in (service.keeper(), valkey):
            os.kill(pid, signal.SIGKILL)
        assert eventually(service.valkey) != valkey
        assert read(service) == "before"


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGKILL])
def test_a_service_whose_keeper_was_replaced_leaves_nothing_running(
    tmp_path: Path, way: signal.Signals
) -> None:
    with Service(tmp_path) as service:
        service.ready()
        valkey, keeper = service.valkey(), replaced_keeper(service)
        service.send(way)
        service.ended()
        eventually(lambda: not lives(valkey) and not lives(keeper))
        assert not list((service.data_dir / "croupier.lock").read_text())


def test_a_keeper_cannot_take_over_while_another_service_has_the_directory(tmp_path: Path) -> None:
    with Service(tmp_path) as service:
        service.ready()
        write(service, "before")
        service.send(signal.SIGSTOP)
        os.kill(service.keeper(), signal.SIGKILL)
        with Service(tmp_path) as second:
            second.ready()
            service.send(signal.SIGCONT)
            told = f"in use by another running Croupier (pid {second.pid}); another try in 5 s"
            eventually(lambda: told in service.output)
            assert read(second) == "before"
            second.send(signal.SIGTERM)
            assert second.ended() == 0
        eventually(lambda: "another one has taken over" in service.output)
        assert eventually(lambda: read(service)) == "before"


def test_a_service_whose_keeper_is_killed_while_it_stops_ends_its_valkey_all_the_same(
    tmp_path: Path,
) -> None:
    with Service(tmp_path) as service:
        service.ready()
        valkey = service.valkey()
        os.kill(service.keeper(), signal.SIGKILL)
        service.send(signal.SIGTERM)
        assert service.ended() == 0
        eventually(lambda: not lives(valkey))


def test_a_long_path_with_spaces_and_quotes_will_do(tmp_path: Path) -> None:
    place = tmp_path / "a 'long' \"path\"" / ("x" * 120)
    place.mkdir(parents=True)
    with Service(place) as service:
        write(service.ready(), "here")
        service.send(signal.SIGTERM)
        assert service.ended() == 0
    assert (service.data_dir / "appendonlydir").is_dir()


def test_the_development_server_reloads_and_starts_its_store_once(tmp_path: Path) -> None:
    copy = tmp_path / "checkout"
    skipped = shutil.ignore_patterns(".*", "__pycache__", "var", "tests", "bench")
    shutil.copytree(ROOT, copy, ignore=skipped)
    with Service(tmp_path, command=("app.py",), root=copy, CROUPIER_WORKERS="3") as service:
        service.ready()
        valkey, workers = service.valkey(), service.workers()
        assert len(workers) == 1
        assert f"  store  embedded Valkey, data in {service.data_dir}" in service.output

        changed = copy / "api" / "problems.py"
        changed.write_text(f"{changed.read_text()}\nprint('the new code', flush=True)\n")

        def reloaded() -> bool:
            # Touched until it is seen: a change before the first look would not be one.
            changed.touch()
            return "the new code" in service.output

        eventually(reloaded)
        eventually(lambda: service.workers().isdisjoint(workers) and service.answers())
        assert service.valkey() == valkey


def test_the_parent_process_does_not_load_the_application() -> None:
    loads = "import sys, api.config, api.store.embedded; print(*sys.modules)"
    python = subprocess.run(
        [sys.executable, "-c", loads], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # What is imported before gevent patches a worker may block it as a whole.
    assert {"flask", "redis", "marshmallow", "engine"}.isdisjoint(python.stdout.split())
