"""A pseudo-terminal with a program on it, for tests that type as a person does."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tests.services import ROOT

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ROWS, COLUMNS = 50, 110
#: Seconds that a program may be silent; the machine may be busy.
PATIENCE = 60.0


class Terminal:
    """A Python program of this project at a terminal of its own, ended at the end of `with`."""

    def __init__(self, *arguments: str) -> None:
        self._screen, keyboard = pty.openpty()
        fcntl.ioctl(keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=keyboard,
            stdout=keyboard,
            stderr=keyboard,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "PAGER": "cat"},
            start_new_session=True,
        )
        os.close(keyboard)
        self._bytes = b""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._screen)

    @property
    def text(self) -> str:
        """All that was shown so far, without colours, echoes included."""
        return _plain(self._bytes)

    @property
    def echoes(self) -> bool:
        """Whether what is typed is shown."""
        return bool(termios.tcgetattr(self._screen)[3] & termios.ECHO)

    def until(self, shown: Callable[[str], bool]) -> str:
        """Reads on until what is new passes `shown`, or the program has ended; what is new."""
        deadline = time.monotonic() + PATIENCE
        while True:
            new = _plain(self._bytes[self._read :])
            if shown(new):
                break
            assert time.monotonic() < deadline, f"waited too long; at last: {self.text[-2000:]}"
            if select.select([self._screen], [], [], 0.2)[0]:
                try:
                    chunk = os.read(self._screen, 65536)
                except OSError:  # Linux: the program has closed its side
                    chunk = b""
                if not chunk:
                    break
                self._bytes += chunk
        self._read = len(self._bytes)
        return new

    def question(self) -> str:
        """Reads on to the next question; what is new, the question last. Empty at the end."""
        new = self.until(lambda text: text.endswith("> "))
        return new if new.endswith("> ") else ""

    def type(self, line: str) -> None:
        """Types a line."""
        os.write(self._screen, f"{line}\n".encode())

    def interrupt(self) -> None:
        """Does what Ctrl-C does at a terminal that the program was started from."""
        self._process.send_signal(signal.SIGINT)

    def status(self) -> int:
        """Waits until the program has ended; its exit status."""
        self.until(lambda _: False)
        return self._process.wait(PATIENCE)


def _plain(data: bytes) -> str:
    return ESCAPE.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
