"""Which way the arrows run: who may import what, read from the source of the whole service."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent

#: Of the standard library, what the engine does without: clock, files, network, chance, processes.
IMPURE = frozenset(
    {
        *("time", "datetime", "calendar", "zoneinfo", "sched"),
        *("os", "io", "pathlib", "shutil", "tempfile", "glob", "fileinput", "sqlite3"),
        *("random", "secrets", "uuid"),
        *("socket", "ssl", "http", "urllib", "asyncio", "select", "selectors"),
        *("subprocess", "multiprocessing", "threading", "concurrent", "signal"),
        *("importlib", "ctypes", "logging", "pickle", "shelve"),
    }
)
#: Builtins that reach outside, or import by a name that this test cannot read.
OUTWARD = frozenset({"open", "input", "print", "eval", "exec", "__import__", "breakpoint"})
#: `python -m engine` is a program around the engine, so it may read files.
PROGRAMS = ("engine.__main__",)

BLUEPRINTS = (
    *("api.catalogue", "api.events", "api.matches", "api.moves", "api.operations"),
    *("api.pictures", "api.replay", "api.seats"),
)
REDIS = tuple(
    f"api.store.redis_{part}"
    for part in ("calls", "cluster", "sentinel", "server", "servers", "set_up", "trouble")
)
#: By library: the modules that may import it. Every one of them must really do so.
ONLY = {
    "flask": (
        *BLUEPRINTS,
        *("api.web", "api.browsers", "api.documents", "api.factory", "api.observing"),
        *("api.problems", "api.throttle", "api.worker"),
    ),
    "flask_cors": ("api.browsers",),
    "flask_smorest": ("api.documents", "api.web"),
    "werkzeug": ("api.problems", "api.web"),
    "marshmallow": ("api.schemas", "api.converter", "api.documents", "api.web"),
    "redis": REDIS,
    "gunicorn": ("api.connections", "api.stopping", "api.worker", "gunicorn.conf"),
    "opentelemetry": ("api.tracing",),
    "prometheus_client": ("api.metrics", "gunicorn.conf"),
}


class Import(NamedTuple):
    """One thing that a module imports, by its full name: `engine.match.Match`."""

    module: str
    line: int
    name: str


def imports(module: str, source: str) -> Iterator[Import]:
    """All imports of a module, wherever they stand, those for types alone included."""
    package = module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(module, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                start = ".".join([*parents, *([start] if start else [])])
            yield from (Import(module, node.lineno, f"{start}.{a.name}") for a in node.names)


def within(name: str, *packages: str) -> bool:
    """Whether a name is one of the packages or of something in them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


# The rules: each says what is wrong with an import, or None


def engine_is_pure(i: Import) -> str | None:
    top = i.name.partition(".")[0]
    if not within(i.module, "engine") or top == "engine":
        return None
    if top not in sys.stdlib_module_names and top != "msgspec":
        return "the engine imports the standard library and msgspec alone"
    if top in IMPURE and i.module not in PROGRAMS:
        return "the engine has no clock, files, network or chance but the seed's"
    return None


def games_stand_alone(i: Import) -> str | None:
    if within(i.module, "engine.games") and within(i.name, "engine"):
        base = ("cards", "chance", "errors", "events", "game", "options", "values")
        if not within(i.name, *(f"engine.{name}" for name in base)):
            return "a game imports what games share, and neither another game nor the match"
    elif within(i.name, "engine.games") and within(i.module, "engine"):
        return None if i.module == "engine.registry" else "only the registry imports games"
    return None


def bots_see_no_state(i: Import) -> str | None:
    if not within(i.module, "engine.bots") or not within(i.name, "engine"):
        return None
    if within(i.name, "engine.bots", "engine.cards"):
        return None
    return "a bot knows views and cards, and neither games nor matches"


def api_asks_the_public_engine(i: Import) -> str | None:
    """Schemas describe the games' words, so they may ask for those."""
    if not within(i.module, "api") or not within(i.name, "engine"):
        return None
    if within(i.module, "api.store"):
        return "the store keeps bytes and does not look inside"
    inner = i.name.split(".")[1:2] if i.name.count(".") > 1 else []
    if inner and not within(i.module, "api.schemas"):
        return "the service imports the engine's public names alone"
    if inner and inner[0] not in ("cards", "games"):
        return "a schema asks for words of games and cards alone"
    return None


def schemas_stand_alone(i: Import) -> str | None:
    if not within(i.module, "api.schemas") or not within(i.name, "api"):
        return None
    return None if within(i.name, "api.schemas") else "a schema asks no store and no service"


def store_stands_alone(i: Import) -> str | None:
    if within(i.module, "api.store"):
        outside = within(i.name, "api") and not within(i.name, "api.store")
        return "the store imports nothing of the service" if outside else None
    if within(i.name, "api.store.redis") and i.module != "api.factory":
        return "only create_app chooses the store"
    return None


def blueprints_are_leaves(i: Import) -> str | None:
    if within(i.module, "api") and i.module != "api.factory" and within(i.name, *BLUEPRINTS):
        return "only create_app imports blueprints"
    return None


def libraries_are_kept_in(i: Import) -> str | None:
    allowed = ONLY.get(i.name.partition(".")[0])
    if allowed is not None and not within(i.module, *allowed):
        return f"only {', '.join(allowed)} import it"
    return None


RULES: tuple[Callable[[Import], str | None], ...] = (
    engine_is_pure,
    games_stand_alone,
    bots_see_no_state,
    api_asks_the_public_engine,
    schemas_stand_alone,
    store_stands_alone,
    blueprints_are_leaves,
    libraries_are_kept_in,
)


def faults(module: str, source: str) -> list[str]:
    """Every wrong import of a module, told in a sentence."""
    return [
        f"{i.module}, line {i.line} imports {i.name}: {fault}"
        for i in imports(module, source)
        for rule in RULES
        if (fault := rule(i)) is not None
    ]


def outward_calls(module: str, source: str) -> list[str]:
    """Where a module of the engine calls what reaches outside of it."""
    if not within(module, "engine") or module in PROGRAMS:
        return []
    return [
        f"{module}, line {node.lineno} calls {node.func.id}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in OUTWARD
    ]


def environment_faults(module: str, source: str) -> list[str]:
    """Where a module looks at the environment. To hand the whole of it to `Config` is no look; and
    the server's configuration may set what its workers are to find, and read that back."""
    nodes = list(ast.walk(ast.parse(source)))
    handed = {
        id(argument)
        for node in nodes
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("Config.from_environ", "Config.misspelt")
        for argument in node.args
    }
    items = [node for node in nodes if isinstance(node, ast.Subscript)]
    own = {ast.unparse(item.slice) for item in items if isinstance(item.ctx, ast.Store)}
    handed |= {id(item.value) for item in items if ast.unparse(item.slice) in own}
    looks = ("os.environ", "os.environb", "os.getenv", "os.getenvb")
    lines = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Attribute) and ast.unparse(node) in looks and id(node) not in handed
    ]
    lines += [i.line for i in imports(module, source) if i.name in looks]
    return [f"{module}, line {line}: only Config reads the environment" for line in lines]


def modules() -> dict[str, str]:
    """The source of every module of the service, by name."""
    paths = [*ROOT.glob("*.py"), *ROOT.glob("engine/**/*.py"), *ROOT.glob("api/**/*.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): (
            path.read_text(encoding="utf-8")
        )
        for path in paths
    }


def test_imports_run_the_right_way() -> None:
    assert not [fault for name, source in modules().items() for fault in faults(name, source)]


def test_the_engine_calls_nothing_that_reaches_outside() -> None:
    assert not [call for name, source in modules().items() for call in outward_calls(name, source)]
    assert outward_calls("engine.match", "def f():\n    return open('/etc/hosts')")


def test_only_the_config_reads_the_environment() -> None:
    found = {name: environment_faults(name, source) for name, source in modules().items()}
    assert not [fault for name, wrong in found.items() if name != "api.config" for fault in wrong]


def test_whoever_may_import_a_library_does() -> None:
    tops = {
        name: {i.name.partition(".")[0] for i in imports(name, source)}
        for name, source in modules().items()
    }
    for library, allowed in ONLY.items():
        for package in allowed:
            assert any(library in tops[name] for name in tops if within(name, package)), package


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine.match", "import api.service"),
        ("engine.match", "from api import tokens"),
        ("engine.views", "import flask"),
        ("engine.chance", "import random"),
        ("engine.chance", "def f():\n    from time import time"),
        ("engine.match", "from os import environ"),
        ("engine.records", "import io"),
        ("engine.games.even_steven", "from engine.games import card_keeper"),
        ("engine.games.even_steven", "from engine.games.card_keeper import State"),
        ("engine.games.even_steven", "from .card_keeper import State"),
        ("engine.games.even_steven", "from ..match import Match"),
        ("engine.match", "from engine.games.even_steven import EvenSteven"),
        ("engine.bots.greedy", "from engine.games.even_steven import State"),
        ("engine.bots.greedy", "import engine"),
        ("engine.bots.greedy", "from engine.match import Match"),
        ("api.service", "from engine.games.even_steven import State"),
        ("api.service", "from engine.match import Match"),
        ("api.service", "import redis"),
        ("api.store.redis_url", "import redis"),
        ("api.service", "from flask import request"),
        ("api.service", "from api.store.redis import RedisStore"),
        ("api.service", "from api import moves"),
        ("api.table", "if TYPE_CHECKING:\n    from marshmallow import Schema"),
        ("api.schemas.common", "from api.store.base import Store"),
        ("api.schemas.common", "from engine.match import Match"),
        ("api.store.redis", "from engine import Match"),
        ("api.store.base", "import redis"),
        ("api.tokens", "from werkzeug.http import dump_cookie"),
    ],
)
def test_a_wrong_import_is_caught(module: str, source: str) -> None:
    assert faults(module, source)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nurl = os.environ['REDIS_URL']",
        "import os\nurl = os.environ.get('REDIS_URL')",
        "import os\nurl = os.getenv('REDIS_URL')",
        "from os import environ",
        "import os\nsettings = dict(os.environ)",
        "import os\nos.environ['A'] = os.environ['B']",
    ],
)
def test_a_look_at_the_environment_is_caught(source: str) -> None:
    assert environment_faults("api.service", source)
