"""What MkDocs does to pages so that they can be read in the checkout and on the site alike.

Pages are plain Markdown with links that work in the checkout. On the site, a paragraph that is only
a link to a section outside docs/ is replaced by that section, and other links out of docs/ become
plain text. A game's page gets its table's picture. Needs nothing but the standard library.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
_SECTION = re.compile(
    r"^\[[^\]]+\]\((?P<file>(?:\.\./)+[\w.-]+\.md)#(?P<anchor>[\w-]+)\)$", re.MULTILINE
)
_LINK = re.compile(r"(?P<mark>!?)\[(?P<words>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_LOADED = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="((?:https?:)?//[^"]+)"""
)
_CELL = re.compile(r"<td\b.*?</td>", re.DOTALL)
_WORD = re.compile(r"(?<=<code>)[^<]+(?=</code>)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Called by MkDocs for each page."""
    return for_site(markdown, page.file.src_uri)


def on_page_content(html: str, *, page: Any, config: Any, files: Any) -> str:
    """Called by MkDocs for each page as HTML."""
    return breakable(html)


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Called by MkDocs for each page when it is written. Material's own way to search without a
    server would load a script from elsewhere; ours stands in for it."""
    base = "../" * page.file.dest_uri.count("/")
    return output.replace(ELSEWHERE, f"{base}assets/frame-worker.js")


def on_post_template(output: str, *, template_name: str, config: Any) -> str:
    """Called by MkDocs for the theme's own pages, such as 404.html."""
    return output.replace(ELSEWHERE, "assets/frame-worker.js")


def on_post_build(*, config: Any) -> None:
    """Called by MkDocs at the end. Raises ValueError where a page loads from elsewhere."""
    for path in sorted(Path(config.site_dir).rglob("*.html")):
        if found := _LOADED.search(path.read_text("utf-8")):
            raise ValueError(f"{path} loads {found[1]}")


def for_site(markdown: str, source: str) -> str:
    """A page as the site has it; `source` is its path from docs/."""
    here = posixpath.join("docs", posixpath.dirname(source))
    markdown = _SECTION.sub(lambda found: _section(found["file"], found["anchor"], here), markdown)
    markdown = _outside_code(markdown, lambda text: _LINK.sub(lambda f: _link(f, here), text))
    if source.startswith("games/"):
        markdown = _with_picture(markdown, posixpath.basename(source).removesuffix(".md"))
    return markdown


def breakable(html: str) -> str:
    """Words of code in tables may break behind `_`, `/`, `.` and `,`, and nowhere else: a phone's
    screen is narrow, and a name that breaks anywhere is hard to read."""

    def words(cell: re.Match[str]) -> str:
        return _WORD.sub(
            lambda found: re.sub(r"(?<=[_/.,])(?=[A-Za-z])", "<wbr>", found[0]), cell[0]
        )

    return _CELL.sub(words, html)


def _section(file: str, anchor: str, here: str) -> str:
    """A section's text without its heading, its links as they are from `here`. Raises KeyError
    where there is none."""
    path = posixpath.normpath(posixpath.join(here, file))
    parts = re.split(r"^## (.+)\n", (ROOT / path).read_text("utf-8"), flags=re.MULTILINE)
    sections = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-"): text
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    there = posixpath.dirname(path)

    def moved(found: re.Match[str]) -> str:
        target = found["target"]
        if ":" not in target and not target.startswith("#"):
            target = posixpath.relpath(posixpath.join(there, target), here)
        return f"{found['mark']}[{found['words']}]({target})"

    return _outside_code(sections[anchor].strip(), lambda text: _LINK.sub(moved, text))


def _link(found: re.Match[str], here: str) -> str:
    target = found["target"]
    if ":" in target or target.startswith("#"):
        return found[0]
    path = posixpath.normpath(posixpath.join(here, target.partition("#")[0]))
    return found[0] if path.startswith("docs/") else found["words"]


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    kept, done = 0, []
    for code in _CODE.finditer(text):
        done += [change(text[kept : code.start()]), code[0]]
        kept = code.end()
    return "".join([*done, change(text[kept:])])


def _with_picture(markdown: str, game: str) -> str:
    """The page with the picture below its title and its first sentence."""
    title, first, rest = markdown.split("\n\n", 2)
    name = title.removeprefix("# ")
    return "\n\n".join([title, first, f"![A table of {name}](../pictures/{game}.svg)", rest])
