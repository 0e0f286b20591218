"""A whole service for tests, started in processes of its own as a user starts it."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import redis

ROOT = Path(__file__).parents[1]
GUNICORN = ("-m", "gunicorn", "--config", "gunicorn.conf.py")
PATIENCE = 60.0
"""Seconds to wait for what takes one or two, as the machine may be busy."""
_OPEN = re.compile(r'Croupier is open at (\S+)\n.*\n  docs |"message":"open","url":"([^"]+)"')

T = TypeVar("T")


def eventually(what: Callable[[], T], *, within: float = PATIENCE) -> T:
    """What `what` returns, as soon as that is true and no OSError or RedisError."""
    deadline = time.monotonic() + within
    while True:
        trouble: Exception | None = None
        try:
            if result := what():
                return result
        except (OSError, redis.RedisError) as error:
            trouble = error
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within:g} s") from trouble
        time.sleep(0.02)


def lives(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    return bool(re.search("^[^Z]", _ps("stat=", "-p", str(pid)).strip()))


def children(pid: int) -> set[int]:
    """The numbers of that process's children."""
    rows = (line.split() for line in _ps("pid=,ppid=,comm=", "-A").splitlines())
    return {int(row[0]) for row in rows if int(row[1]) == pid and row[2] != "ps"}


def memory(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return 1024 * int(_ps("rss=", "-p", str(pid)))


def _ps(columns: str, *which: str) -> str:
    ps = subprocess.run(["ps", *which, "-o", columns], capture_output=True, text=True, check=False)
    return ps.stdout


class Service:
    """A service on a free port, with its data under `place`; killed at the end of `with`.

    There are no limits on requests unless a test sets some. More settings are keywords, named as
    their environment variables; None takes one away.
    """

    def __init__(
        self,
        place: Path,
        *,
        command: tuple[str, ...] = GUNICORN,
        root: Path = ROOT,
        **settings: str | None,
    ) -> None:
        self.data_dir = place / "var"
        self._output = place / f"output-{time.monotonic_ns()}"
        environ = {name: text for name, text in os.environ.items() if name != "REDIS_URL"}
        environ |= {"PORT": "0", "CROUPIER_WORKERS": "1", "CROUPIER_DATA_DIR": str(self.data_dir)}
        environ |= {"CROUPIER_LOG_FORMAT": "plain", "CROUPIER_RATE_LIMIT": "off"}
        for name, text in settings.items():
            if text is None:
                del environ[name]
            else:
                environ[name] = text
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, *command], cwd=root, env=environ, stdout=output, stderr=output
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        left = self.pids() if self._process.poll() is None else set()
        self.kill()
        for pid in left:
            eventually(lambda pid=pid: not lives(pid))

    @property
    def pid(self) -> int:
        """The parent process."""
        return self._process.pid

    @property
    def output(self) -> str:
        """All that was printed so far, standard output and standard error."""
        return self._output.read_text()

    @property
    def url(self) -> str:
        """Where it is open, as its first line says in either form."""
        found = _OPEN.search(self.output)
        assert found is not None, self.output
        return found[1] or found[2]

    def ready(self) -> Self:
        """Wait until it answers."""
        eventually(lambda: _OPEN.search(self.output) or self._process.poll() is not None)
        assert self._process.poll() is None, self.output
        eventually(self.answers)
        return self

    def answers(self) -> bool:
        """Whether it says that it is alive; OSError when it says nothing."""
        with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)

    def ended(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        return self._process.wait(PATIENCE)

    def send(self, number: signal.Signals) -> None:
        """Send its parent process a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End its parent process at once."""
        self._process.kill()
        self._process.wait()

    def store(self) -> redis.Redis:
        """A client of its embedded store. Close it after use."""
        socket = (self.data_dir / "valkey.socket").read_text()
        return redis.Redis(unix_socket_path=socket, decode_responses=True)

    def valkey(self) -> int:
        """The process of its embedded Valkey."""
        with self.store() as store:
            return int(store.info("server")["process_id"])

    def keeper(self) -> int:
        """The process that keeps its embedded Valkey."""
        # Without -ww it cuts what is longer than the terminal, as pytest tells of it, is wide.
        (found,) = (
            pid for pid in children(self.pid) if "keeper.py" in _ps("args=", "-wwp", str(pid))
        )
        return found

    def workers(self) -> set[int]:
        """Its worker processes."""
        return children(self.pid) - {self.keeper()}

    def pids(self) -> set[int]:
        """All its processes."""
        return {self.pid} | children(self.pid) | set().union(*map(children, children(self.pid)))
