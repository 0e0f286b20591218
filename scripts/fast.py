"""Compiles the engine into `build/fast`: the same results, about three times as fast.

    .venv/bin/python -m scripts.fast            compiles; `make fast`
    .venv/bin/python -m scripts.fast --found    prints the folder, if it is of the present sources

The folder holds a copy of the whole engine, with the modules where the time goes compiled by mypyc
for the Python that runs this. Whoever puts it in front of the path imports that engine.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FAST: Final = ROOT / "build" / "fast"
#: What is compiled. The rest is little asked for while matches are played, or has classes with
#: options in their heads (`frozen=True`), which mypyc leaves out: see `engine/values.py`.
COMPILED: Final = (
    *("cards.py", "chance.py", "deals.py", "events.py", "game.py"),
    *("knowledge.py", "match.py", "views.py"),
    "games/*.py",
)
#: mypyc makes one C file of all modules. Hidden names let the compiler call straight within it.
CFLAGS: Final = "-fvisibility=hidden"
#: Optimised as far as the compiler goes.
FULLY: Final = 3


class CannotCompile(Exception):
    """The text says what is missing, or what the compiler said last."""


def lacking() -> str | None:
    """What a machine needs for compiling and this one does not have."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        return f"There is no C compiler ({compiler.split()[0]})."
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are missing (Debian, Ubuntu: python3-dev)."
    return None


def build(folder: Path, *, optimised: int = FULLY) -> None:
    """Compiles the engine into a folder, whose earlier contents go. `optimised` is from 0 to 3: the
    less, the sooner it is done. Raises CannotCompile."""
    if missing := lacking():
        raise CannotCompile(missing)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = [path for name in COMPILED for path in sorted((folder / "engine").glob(name))]
    done = subprocess.run(
        [Path(sys.executable).parent / "mypyc", *(path.relative_to(folder) for path in files)],
        cwd=folder,
        env={
            **os.environ,
            "CFLAGS": f"{os.environ.get('CFLAGS', '')} {CFLAGS}",
            "MYPYC_OPT_LEVEL": str(optimised),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotCompile("\n".join(done.stdout.splitlines()[-20:]))
    for leftover in ("build", ".mypy_cache"):
        shutil.rmtree(folder / leftover, ignore_errors=True)
    # Written last: a build that was broken off has none, and counts as none.
    made_of(folder).write_text(sources(), "ascii")


def found() -> Path | None:
    """The folder of the compiled engine, if it was made of the present sources for this Python."""
    stamp = made_of(FAST)
    return FAST if stamp.exists() and stamp.read_text("ascii") == sources() else None


def made_of(folder: Path) -> Path:
    """Where it stands what a compiled engine was made of."""
    return folder / "made-of"


def sources() -> str:
    """A hash of all that a compiled engine is made of: this Python, this script and the engine."""
    digest = hashlib.sha256(f"{sys.version} {sysconfig.get_platform()}".encode())
    for path in (Path(__file__), *sorted((ROOT / "engine").rglob("*.py"))):
        digest.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    if sys.argv[1:] == ["--found"]:
        if folder := found():
            sys.stderr.write("The engine is compiled.\n")
            sys.stdout.write(f"{folder.relative_to(ROOT)}\n")
        elif FAST.exists():
            sys.stderr.write(
                f"{FAST.relative_to(ROOT)} is of other sources, so the engine runs in Python. "
                "To compile it again: make fast\n"
            )
        return
    try:
        build(FAST)
    except CannotCompile as error:
        sys.exit(f"{error}\nThe engine stays as it is, in Python, which plays the same.")
    sys.stdout.write(f"The compiled engine is in {FAST.relative_to(ROOT)}.\n")


if __name__ == "__main__":
    main()
