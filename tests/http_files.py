"""Files of HTTP requests as editors send them: variables, named requests, references to answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

_REFERENCE = re.compile(r"\{\{([^}]+)\}\}")
_ANSWER = re.compile(r"(\w+)\.response\.(headers\.([\w-]+)|body\.\$((?:\.\w+|\[\d+\])+))")


@dataclass(kw_only=True)
class Request:
    """A request as it is written, with its references."""

    title: str
    name: str | None
    method: str
    url: str
    headers: dict[str, str]
    body: str | None

    @property
    def status(self) -> int | None:
        """The status that its title announces, at the end or before a comma; None where none."""
        found = re.search(r": (\d{3})(?:,|$)", self.title)
        return int(found[1]) if found else None


@dataclass(kw_only=True)
class Sender:
    """Sends requests one after the other, as an editor does."""

    variables: dict[str, str]
    answers: dict[str, requests.Response] = field(default_factory=dict)

    def send(self, request: Request) -> requests.Response:
        """The answer, which later requests may refer to."""
        answer = requests.request(
            request.method,
            self.filled(request.url),
            headers={name: self.filled(value) for name, value in request.headers.items()},
            data=None if request.body is None else self.filled(request.body).encode(),
            timeout=60,
        )
        if request.name is not None:
            self.answers[request.name] = answer
        return answer

    def filled(self, text: str) -> str:
        """A text with its references replaced. Raises KeyError or AssertionError for a bad one."""
        return _REFERENCE.sub(lambda found: self._value(found[1]), text)

    def _value(self, reference: str) -> str:
        if (found := _ANSWER.fullmatch(reference)) is None:
            return self.variables[reference]
        answer = self.answers[found[1]]
        if found[3]:
            return answer.headers[found[3]]
        value: Any = answer.json()
        for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", found[4]):
            value = value[name] if name else value[int(index)]
        # What else than a text or a number becomes of a reference differs between clients.
        assert isinstance(value, str | int), reference
        return str(value)


def read(path: Path) -> tuple[dict[str, str], list[Request]]:
    """A file's variables and its requests, in order."""
    head, *parts = re.split(r"^### ?", path.read_text("utf-8"), flags=re.MULTILINE)
    variables = dict(re.findall(r"^@(\w+) = (.+)$", head, re.MULTILINE))
    return variables, [_request(part) for part in parts]


def _request(part: str) -> Request:
    top, _, body = part.strip("\n").partition("\n\n")
    title, *lines = top.split("\n")
    names = [line.removeprefix("# @name ") for line in lines if line.startswith("# @name ")]
    first, *headers = (line for line in lines if not line.startswith("#"))
    method, url = first.split(" ")
    return Request(
        title=title,
        name=names[0] if names else None,
        method=method,
        url=url,
        headers=dict(re.fullmatch(r"([\w-]+): (.+)", line).groups() for line in headers),
        body=body.strip() or None,
    )
