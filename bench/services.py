"""Services for the benchmarks: real workers on a free port with a Valkey of their own, and a bare
connection to them."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import redis

from bench import processor
from scripts import fast

ROOT = Path(__file__).parents[1]
WORKERS = 2
#: Seconds after which something that should have happened long ago never will.
PATIENCE = 60.0
_LENGTH = re.compile(rb"(?i)content-length: (\d+)")


def request(method: str, path: str, body: Any = None, token: str = "") -> bytes:
    """A request as it goes over the wire."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: croupier"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"] if data else []
    lines += [f"Authorization: Bearer {token}"] if token else []
    return "\r\n".join([*lines, "", ""]).encode() + data


class Connection:
    """One HTTP connection, without a library's share in what is measured."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, method: str, path: str, body: Any = None, token: str = "") -> None:
        """Sends a request."""
        self.socket.sendall(request(method, path, body, token))

    def read(self) -> bytes:
        """The body of the answer to the last request."""
        data = self._more(b"")
        while (end := data.find(b"\r\n\r\n")) < 0:
            data = self._more(data)
        found = _LENGTH.search(data, 0, end)
        assert found is not None, data
        assert data[9:11] == b"20", data
        whole = end + 4 + int(found[1])
        while len(data) < whole:
            data = self._more(data)
        return data[end + 4 :]

    def receive(self) -> Any:
        """The same, as what it says."""
        return json.loads(self.read())

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """The answer to a request."""
        self.send(method, path, body, token)
        return self.receive()

    def close(self) -> None:
        """Hangs up."""
        self.socket.close()

    def _more(self, data: bytes) -> bytes:
        more = self.socket.recv(1 << 20)
        assert more, "the service has hung up"
        return data + more


class Running(NamedTuple):
    """A running service: its parent process, its address and its data directory."""

    pid: int
    address: tuple[str, int]
    data: Path

    def store(self) -> redis.Redis:
        """A client of its Valkey."""
        path = (self.data / "valkey.socket").read_text()
        return redis.Redis(unix_socket_path=path, protocol=2)

    def workers(self) -> list[Path]:
        """Where the system tells of its worker processes; nothing where it does not."""
        return processor.workers(self.pid)

    def worker_seconds(self) -> float:
        """Processor time that the workers have used so far."""
        return processor.seconds(self.workers())


@contextmanager
def service(app: str = "app:app", *, workers: int = WORKERS, **settings: str) -> Iterator[Running]:
    """A service of its own, with the compiled engine where `make run` would use it, and without
    limits unless told otherwise. `app` takes the place of ours under the same settings of gunicorn;
    `settings` are environment variables."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as place:
        data, output = Path(place, "var"), Path(place, "output")
        environ = {name: text for name, text in os.environ.items() if name != "REDIS_URL"}
        environ |= {"PORT": "0", "CROUPIER_WORKERS": str(workers)}
        environ |= {"CROUPIER_DATA_DIR": str(data), "CROUPIER_RATE_LIMIT": "off"}
        command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py", app]
        command += ["--pythonpath", str(fast.found() or "")]
        with output.open("wb") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env={**environ, **settings}, stdout=out, stderr=out
            )
        try:
            until = time.monotonic() + PATIENCE
            while "docs" not in output.read_text():
                assert time.monotonic() < until, output.read_text()
                assert process.poll() is None, output.read_text()
                time.sleep(0.05)
            host, port = re.findall(r"http://([^:]+):(\d+)\n", output.read_text())[0]
            yield Running(process.pid, (host, int(port)), data)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
