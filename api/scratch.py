"""Scratch directories: each is one running service's own, and gone when the service is.

A service that is killed leaves its directory behind. Where services are killed again and again, as
a container is that takes too much memory, they would fill the disk: so each one that starts clears
away what those before it left.

A service holds a lock (flock) on its directory for as long as any process of it lives: workers
inherit it, and may outlive their parent for a moment. It also keeps systemd-tmpfiles away.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


class Scratch:
    """A new directory for temporary files, closed to other users. Raises OSError."""

    def __init__(self, prefix: str) -> None:
        _clear(prefix)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=prefix))
            # Another one that starts at this very moment may take it for left behind.
            with suppress(FileNotFoundError):
                self._lock = _opened(self.path)
                fcntl.flock(self._lock, fcntl.LOCK_EX)
                if self.path.exists():
                    return
                os.close(self._lock)

    def remove(self) -> None:
        """Removes the directory with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _clear(prefix: str) -> None:
    """Removes the directories of this user's services that are gone."""
    for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        try:
            lock = _opened(path)
        except OSError:  # no directory, not ours to read, or gone by now
            continue
        try:
            if os.fstat(lock).st_uid == os.getuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        except OSError:  # in use
            pass
        finally:
            os.close(lock)


def _opened(directory: Path) -> int:
    """A directory to be locked. A link is none: it may lead anywhere."""
    return os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
