"""The documentation's site: made files are up to date, every page is in its contents, every link
and section leads somewhere, and every command with curl answers as is shown."""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts import errors, pictures
from scripts.site_hooks import breakable, for_site
from tests.markdown import Block, blocks, page
from tests.services import ROOT, Service

DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
COMMANDS = {
    name: found
    for name in PAGES
    if (found := [b for b in blocks(page(f"docs/{name}"), "sh") if "curl " in b.code])
}
ADDRESSES = ("http://localhost:8000", "http://127.0.0.1:8000")
MARK = "@@@"
#: A stream that does not end by itself (-N) is left after some seconds.
PRELUDE = f"""
curl() {{
  case " $* " in
    *" -N "*) command curl --max-time 3 "$@" || [ $? -eq 28 ] ;;
    *) command curl --max-time 30 "$@" ;;
  esac
}}
mark() {{ printf '\\n{MARK}\\n'; }}
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for the commands of all pages."""
    settings = {"CROUPIER_ALLOW_SCRIPTED_DEALS": "1", "CROUPIER_RATE_LIMIT": None}
    with Service(tmp_path_factory.mktemp("service"), **settings) as service:
        yield service.ready()


# Files that are made from the code


def test_the_page_of_errors_is_made_from_the_table_of_problems() -> None:
    renew = "renew it with: python -m scripts.errors"
    assert (ROOT / errors.PAGE).read_text("utf-8") == errors.made(), renew


def test_the_pictures_are_made_from_the_cards_and_the_games() -> None:
    drawn = {path.name: path.read_text("utf-8") for path in (ROOT / pictures.PICTURES).iterdir()}
    assert drawn == pictures.made(), "renew them with: python -m scripts.pictures"


def test_site_and_service_have_the_same_logo() -> None:
    assert page("docs/assets/logo.svg") == page("api/static/logo.svg")


# The site as a whole


def config() -> dict[str, Any]:
    """What mkdocs.yml says."""
    found: dict[str, Any] = yaml.safe_load(page("mkdocs.yml"))
    return found


def listed(contents: list[Any]) -> Iterator[str]:
    """Every page in the contents."""
    for item in contents:
        (target,) = item.values()
        yield from listed(target) if isinstance(target, list) else [target]


def test_every_page_is_in_the_contents_once() -> None:
    assert sorted(listed(config()["nav"])) == PAGES


def sections(text: str) -> set[str]:
    """The addresses of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", t).strip().lower()) for t in titles}


@pytest.mark.parametrize("name", PAGES)
def test_every_link_on_the_site_leads_to_a_page_and_its_section(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", for_site(page(f"docs/{name}"), name)):
        if ":" in target:
            continue
        path, _, section = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        assert (DOCS / there).is_file(), target
        if section:
            assert section in sections(for_site(page(f"docs/{there}"), there)), target


def test_a_link_to_a_section_elsewhere_becomes_that_section_on_the_site() -> None:
    running = for_site(page("docs/running.md"), "running.md")
    assert "| `REDIS_URL` | not set |" in running
    assert "README.md" not in running
    adding = for_site(page("docs/adding-a-game.md"), "adding-a-game.md")
    assert "`tests/tiny_game.py` is a whole small game" in adding
    with pytest.raises(KeyError):
        for_site("[Nothing](../README.md#nothing)", "index.md")


def test_names_in_tables_break_at_their_parts_alone() -> None:
    words = ("CORS_ORIGINS", "examples/play.py", "a=1,b=2")
    cell = '<td style="x"><code>{}</code> and <code>{}</code>, <code>{}</code></td>'.format(*words)
    assert breakable(f"<p><code>a_b</code></p>{cell}") == (
        '<p><code>a_b</code></p><td style="x"><code>CORS_<wbr>ORIGINS</code> and '
        "<code>examples/<wbr>play.<wbr>py</code>, <code>a=1,<wbr>b=2</code></td>"
    )


@pytest.mark.parametrize("game", ["even-steven", "card-keeper", "seven-twos-tens"])
def test_a_games_page_shows_its_table(game: str) -> None:
    name = f"games/{game}.md"
    title, first, picture, *rest = for_site(page(f"docs/{name}"), name).split("\n\n")
    assert picture == f"![A table of {title.removeprefix('# ')}](../pictures/{game}.svg)"
    assert [title, first, *rest] == page(f"docs/{name}").split("\n\n")


def test_nothing_on_the_site_comes_from_elsewhere() -> None:
    assert config()["theme"]["font"] is False
    assert "extra_javascript" not in config()
    for path in [*DOCS.rglob("*.css"), *DOCS.rglob("*.svg"), *DOCS.rglob("*.js")]:
        found = set(re.findall(r"https?://[^\s\"')]+", path.read_text("utf-8")))
        assert found <= {"http://www.w3.org/2000/svg"}, path


# Commands


def holds(value: Any, shown: Any) -> bool:
    """Whether a value has all that is shown of it; members may be left out, items may not."""
    if isinstance(shown, dict):
        return isinstance(value, dict) and all(
            name in value and holds(value[name], inner) for name, inner in shown.items()
        )
    if isinstance(shown, list):
        return (
            isinstance(value, list) and len(value) == len(shown) and all(map(holds, value, shown))
        )
    return bool(value == shown)


def told(text: str, block: Block) -> None:
    """Asserts that a block printed what is shown below it."""
    if block.kind == "json":
        assert block.output is not None
        value, shown = json.loads(text), json.loads(block.output)
        assert holds(value, shown), json.dumps(value, indent=1)
    elif block.kind == "text":
        assert text.replace("\r", "").strip() == (block.output or "").strip()


def test_some_pages_have_commands() -> None:
    assert COMMANDS.keys() >= {"first-match.md", "hidden-information.md", "retries.md"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_curl_does_what_is_shown(
    service: Service, tmp_path: Path, name: str
) -> None:
    code = PRELUDE + "".join(f"{block.code}\nmark\n" for block in COMMANDS[name])
    for address in ADDRESSES:
        code = code.replace(address, service.url)
    ran = subprocess.run(
        ["bash", "-euo", "pipefail"],
        input=code,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    outputs = ran.stdout.split(f"\n{MARK}\n")[:-1]
    assert len(outputs) == len(COMMANDS[name])
    for text, block in zip(outputs, COMMANDS[name], strict=True):
        told(text, block)
