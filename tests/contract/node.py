"""The tools that run on node. node itself is a Python package of the development set-up, and
`make node` installs what `package.json` names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.services import ROOT

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
BIN = Path(sys.executable).parent
#: The programs of the development set-up come first, so that no other node is taken.
ENVIRON = {
    "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    "NO_COLOR": "1",
    "REDOCLY_TELEMETRY": "off",
}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Runs a program of these modules or of the development set-up.

    Returns what it printed. Raises AssertionError with that, and with its errors, when it failed.
    """
    name, *arguments = command
    installed = MODULES / ".bin" / name
    done = subprocess.run(
        [installed if installed.exists() else BIN / name, *arguments],
        cwd=cwd,
        env=os.environ | ENVIRON,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
