"""Keeps account of a service's secrets: every token that it gives and every key that it is sent, to
whom they were given, and whether they turn up anywhere else."""

from __future__ import annotations

import base64
import json
import re
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import requests

Json = dict[str, Any]
TOKEN = re.compile("[A-Za-z0-9_-]{43}")
#: The members of answers in which tokens are given.
TOKENS = ("token", "host_token")
#: How data begins that zlib has compressed, by level.
ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


class Account:
    """A client of a service that remembers all that it was answered. Threads may share it."""

    def __init__(self, url: str) -> None:
        self.url = url
        #: By secret: what it is, and the request that it belongs to. A token belongs to the one
        #: request that it was given to, however often that one comes.
        self.secrets: dict[str, str] = {}
        #: What was answered: to which request, and all of it but the tokens that it gives.
        self.answers: list[tuple[str, bytes]] = []
        self._lock = threading.Lock()

    def call(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        token: str | None = None,
        key: str | None = None,
        data: bytes | None = None,
        **headers: str,
    ) -> requests.Response:
        """Sends a request, with underscores in the names of headers for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            named["Authorization"] = f"Bearer {token}"
        if key is not None:
            named["Idempotency-Key"] = key
            self._note(key, "an idempotency key")
        answer = requests.request(
            method, self.url + path, json=body, data=data, headers=named, timeout=30
        )
        request = f"{method} {path} {token} {key} {body}"
        self._take(request, answer.headers, answer.content)
        return answer

    def follow(self, path: str, *, accept: str, token: str | None = None) -> threading.Thread:
        """Takes a stream to its end, in a thread that is under way."""

        def take() -> None:
            headers = {"Accept": accept}
            if token is not None:
                headers["Authorization"] = f"Bearer {token}"
            url = self.url + path
            with requests.get(url, headers=headers, stream=True, timeout=60) as answer:
                told = b"".join(answer.iter_content(None))
            assert answer.headers["Content-Type"].startswith(accept)
            assert told.count(b'"seq"') > 10
            self._take(f"GET {path} {token} {accept}", answer.headers, told)

        thread = threading.Thread(target=take)
        thread.start()
        return thread

    def found_in(self, data: bytes) -> set[str]:
        """What the secrets are that show up in some data, compressed or not."""
        whole = b"\n".join([data, *inflated(data)])
        return {
            f"{what}: {secret}"
            for secret, what in self.secrets.items()
            if any(form in whole for form in forms(secret))
        }

    def _note(self, secret: str, what: str) -> None:
        with self._lock:
            kept = self.secrets.setdefault(secret, what)
        assert kept == what, f"{secret} is {kept}, and now {what}"

    def _take(self, request: str, headers: Any, content: bytes) -> None:
        rest = content
        if headers.get("Content-Type") == "application/json":
            for token in given(json.loads(content)):
                self._note(token, f"a token given to {request}")
                rest = rest.replace(b'token":"%b"' % token.encode(), b"")
        with self._lock:
            self.answers.append((request, str(dict(headers)).encode() + b"\n\n" + rest))


def given(value: Any) -> Iterator[str]:
    """The tokens that an answer gives."""
    if isinstance(value, dict):
        yield from (value[name] for name in TOKENS if name in value)
        yield from (ticket["token"] for ticket in value.get("seats", ()) if "token" in ticket)


def forms(secret: str) -> Iterator[bytes]:
    """A secret as it may be written down: as it is, and a token as the bytes that it stands for."""
    yield secret.encode()
    if TOKEN.fullmatch(secret):
        yield base64.urlsafe_b64decode(f"{secret}=")


def inflated(data: bytes) -> Iterator[bytes]:
    """Whatever in some data may have been compressed by zlib."""
    for mark in ZLIB:
        start = data.find(mark)
        while start >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(data[start:])
            start = data.find(mark, start + 1)
