"""What of a file is on disk, by the account of the system that keeps it there.

Valkey's own account, WAITAOF, is of no use with `appendfsync everysec`: it says that all is on disk
whenever nothing is on its way there just then (redis/redis#13793, and Valkey 9.1 does the same).
"""

from __future__ import annotations

import ctypes
import os
import platform
import tempfile
from functools import cache
from pathlib import Path

#: The number of cachestat(2), which is the same on all processors; Linux 6.5 and newer have it.
CACHESTAT = 451


@cache
def tells(directory: Path) -> bool:
    """Whether `on_disk` can be asked about files there: on Linux 6.5 or newer, unless the directory
    is one that is kept in memory."""
    if platform.system() != "Linux":
        return False
    with tempfile.NamedTemporaryFile(dir=directory) as file:
        file.write(b"not yet on disk")
        file.flush()
        try:
            before = on_disk(Path(file.name))
            os.fsync(file.fileno())
            return not before and on_disk(Path(file.name))
        except OSError:
            return False


def on_disk(path: Path) -> bool:
    """Whether all that was written to a file is on disk. Raises OSError."""
    everything = (ctypes.c_uint64 * 2)(0, 0)
    # Pages of the file: in memory, not yet written, being written, and two that do not matter.
    pages = (ctypes.c_uint64 * 5)()
    system = ctypes.CDLL(None, use_errno=True)
    with path.open("r+b") as file:
        if system.syscall(CACHESTAT, file.fileno(), everything, pages, 0):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(path))
    _, unwritten, being_written, *_ = pages
    return not unwritten and not being_written
