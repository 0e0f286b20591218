"""Writes docs/errors.md from the table of problems: `python -m scripts.errors`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.problems import MEDIA_TYPE, PROBLEMS, Problem

PAGE = Path("docs/errors.md")
HEAD = f"""\
<!-- Made from api/problems.py: python -m scripts.errors -->

# Errors

Every refusal is a problem document (RFC 9457) with the media type `{MEDIA_TYPE}`. Its
`type` is a path that never changes, and answers with an explanation when it is opened at the
service. `title` and `status` go with the type. `detail` is a sentence for people that says what to
do, and may be worded otherwise some day. So let a client look at `type`.

```sh
MATCHES=http://localhost:8000/v1/games/even-steven/matches
curl -sS "$MATCHES" -H 'Content-Type: application/json' -d '{{"seats": "two"}}'
```

```json
{{
  "type": "/problems/validation",
  "title": "Invalid request",
  "status": 422,
  "detail": "Correct the members that `errors` names.",
  "errors": {{"seats": ["Not a valid list."]}}
}}
```

What is wrong whatever the state of the match is `422`. What is wrong now is `409`. All answers,
refusals too, carry an `X-Request-Id`, which the service's log has as well.
"""


def made() -> str:
    """The page."""
    rows = "\n".join(
        f"| {problem.status} | [`{problem.slug}`](#{problem.slug}) | {problem.title} |"
        for problem in PROBLEMS.values()
    )
    parts = [HEAD, f"| Status | Type | Title |\n| --- | --- | --- |\n{rows}\n"]
    return "\n".join([*parts, *map(_section, PROBLEMS.values())])


def _section(problem: Problem) -> str:
    lines = [f"## {problem.slug}", "", f"`{problem.type}`, status {problem.status}. {problem.page}"]
    if problem.members:
        lines += ["", "| Member | What it is |", "| --- | --- |"]
        lines += [f"| `{name}` | {_told(schema)} |" for name, schema in problem.members.items()]
    return "\n".join(lines) + "\n"


def _told(schema: dict[str, Any]) -> str:
    """A member's JSON schema in words."""
    kind = schema["type"]
    if kind == "array":
        words = f"a list of {schema['items']['type']}s"
    elif kind == "object":
        words = "lists of sentences by member"
    else:
        words = " or ".join([kind] if isinstance(kind, str) else kind)
    description = schema.get("description")
    return f"{words}: {description[0].lower()}{description[1:]}" if description else words


if __name__ == "__main__":
    PAGE.write_text(made(), "utf-8")
