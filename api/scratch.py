"""Scratch directories: each is one running service's own, and gone when the service is.

A service that is killed leaves its directory behind. Where services are killed again and again, as
a container is that takes too much memory, they would fill the disk: so each one that starts clears
away what those before it left.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

#: In each directory: locked by the service that it belongs to, for as long as any process of it
#: lives. Workers inherit the lock, and may outlive their parent for a moment.
LOCK = "lock"


class Scratch:
    """A new directory for temporary files, closed to other users. Raises OSError."""

    def __init__(self, prefix: str) -> None:
        _clear(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        # It gets its name when it is locked, so that nobody finds it free before.
        unlocked = self.path / "unlocked"
        self._lock = os.open(unlocked, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        unlocked.rename(self.path / LOCK)

    def remove(self) -> None:
        """Removes the directory with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _clear(prefix: str) -> None:
    """Removes the directories of this user's services that are gone."""
    for directory in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        try:
            # Others may write here too, and a link of theirs leads to wherever they like.
            if directory.lstat().st_uid != os.getuid():
                continue
            lock = os.open(directory / LOCK, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:  # it is being made, or being removed
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(directory, ignore_errors=True)
        except OSError:  # in use
            pass
        finally:
            os.close(lock)
