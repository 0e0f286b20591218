"""Requests that nobody should send, made by chance from a seed: every part of a request is now and
then wrong, and what goes in between requests too."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.contract.live import STATES, Live, Match
from tests.hostile.words import (
    ACCEPTS,
    CHUNKS,
    FRAMES,
    GAMES,
    GREETINGS,
    HEADERS,
    METHODS,
    NAMES,
    NUMBERS,
    ODD_METHODS,
    PATHS,
    QUERIES,
    RAW_BODIES,
    SEATS,
    SMUGGLED,
    TAGS,
    TEXTS,
    TYPES,
    VERSIONS,
    WORDS,
)


@dataclass
class Shape:
    """Bytes to send, and what is known of what must come back.

    `kind` says in a word what is wrong with it. At most `answers` answers may come. With `last`
    the connection is of no use afterwards.
    """

    kind: str
    data: bytes
    method: str = "GET"
    answers: int = 1
    last: bool = False


class Shapes:
    """An endless supply of requests, aimed at the matches of a running service."""

    def __init__(self, seed: str, live: Live) -> None:
        self.random = Random(seed)
        self.live = live
        self._kinds: tuple[tuple[int, Callable[[], Shape]], ...] = (
            (30, self._body),
            (20, self._headers),
            (15, self._target),
            (10, self._method),
            (8, self._framing),
            (6, self._chunks),
            (5, self._cut),
            (4, self._noise),
            (2, self._pipelined),
        )

    def next(self) -> Shape:
        """The next one."""
        make = self.random.choices([k for _, k in self._kinds], [n for n, _ in self._kinds])[0]
        return make()

    # By what is wrong

    def _body(self) -> Shape:
        match = self._match()
        path = self._one_of(
            f"/v1/games/{match.game}/matches",
            f"{match.path}/moves",
            f"{match.path}/moves?dry_run=true",
            f"{match.path}/seats",
            f"{match.path}/rematch",
            f"{match.path}/seats/0/token",
        )
        if self._rarely():
            body = self.random.choice(RAW_BODIES)
        else:
            text = json.dumps(self._object(match), ensure_ascii=self._often())
            body = text.encode("utf-8", "surrogatepass")
        if self._rarely():
            body = self._bitten(body)
        return Shape("body", self._written("POST", path, self._token(match), body=body), "POST")

    def _headers(self) -> Shape:
        match = self._match()
        extra = [self.random.choice(HEADERS) for _ in range(self.random.randrange(1, 4))]
        extra += [f"Accept: {self.random.choice(ACCEPTS)}"] if self._rarely() else []
        extra += [f"If-Match: {self.random.choice(TAGS)}"] if self._rarely() else []
        extra += [f"If-None-Match: {self.random.choice(TAGS)}"] if self._rarely() else []
        extra += [f"Content-Type: {self.random.choice(TYPES)}"] if self._rarely() else []
        if self._seldom():
            extra = [f"X-{n}: {n}" for n in range(self.random.choice((60, 64, 65, 300)))]
        method, path = self.random.choice(METHODS), self._path(match)
        data = self._written(method, path, self._token(match), *extra)
        # What such a header says of the body may be anything; and so may be what follows.
        return Shape("headers", data, method, answers=2, last=True)

    def _target(self) -> Shape:
        match = self._match()
        path = self.random.choice(PATHS) if self._often() else self._path(match)
        path += self.random.choice(QUERIES) if self._often() else ""
        if self._rarely():
            path = self._bitten(path.encode("utf-8", "surrogatepass")).decode("latin-1")
        method = self.random.choice(METHODS)
        return Shape("target", self._written(method, path, self._token(match)), method, last=True)

    def _method(self) -> Shape:
        match = self._match()
        method = self.random.choice(ODD_METHODS if self._often() else METHODS)
        data = self._written(method, self._path(match), self._token(match))
        version = self.random.choice(VERSIONS)
        data = data.replace(b"HTTP/1.1", version.encode("utf-8"), 1)
        return Shape("method", data, method, last=True)

    def _framing(self) -> Shape:
        head = self._head("POST", f"{self._match().path}/moves")
        data = head + self.random.choice(FRAMES) + (SMUGGLED if self._often() else b"")
        # Where the frame is sound after all, what follows is a request of its own.
        return Shape("framing", data, "POST", answers=2, last=True)

    def _chunks(self) -> Shape:
        head = self._head("POST", f"{self._match().path}/moves")
        chunks = self.random.choice(CHUNKS)
        if self._rarely():
            chunks = self._bitten(chunks)
        data = head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks
        return Shape("chunks", data, "POST", answers=2, last=True)

    def _cut(self) -> Shape:
        data = self._body().data
        return Shape("cut", data[: self.random.randrange(len(data))], "POST", last=True)

    def _noise(self) -> Shape:
        if self._often():
            data = self.random.choice(GREETINGS)
        else:
            data = self.random.randbytes(self.random.choice((1, 10, 200, 5000)))
        return Shape("noise", data + (SMUGGLED if self._rarely() else b""), answers=2, last=True)

    def _pipelined(self) -> Shape:
        shapes = [self._body() for _ in range(self.random.randrange(2, 6))]
        data = b"".join(shape.data for shape in shapes)
        return Shape("pipelined", data, "POST", answers=len(shapes), last=True)

    # Parts

    def _match(self) -> Match:
        return self.live.match(self.random.choice(GAMES), self.random.choice(STATES))

    def _path(self, match: Match) -> str:
        seat = self.random.choice(SEATS)
        path = self._one_of(
            match.path,
            f"{match.path}/events{self.random.choice(QUERIES)}",
            f"{match.path}/replay",
            f"{match.path}/moves",
            f"{match.path}/seats/{seat}",
            f"{match.path}/seats/{seat}/token",
            f"/v1/games/{match.game}/matches{self.random.choice(QUERIES)}",
            f"/v1/games/{match.game}",
            self.random.choice(PATHS),
        )
        return path.replace(match.match_id, self._id(match)) if self._rarely() else path

    def _id(self, match: Match) -> str:
        known = match.match_id
        return self._one_of(
            known.upper(), known[:-1], known + "a", "a" * 16, "%00" * 16, known.replace("a", "%61"),
            "*", "{" + known + "}", known + ":events", "1" * 16, "é" * 16, "a" * 3000,
        )  # fmt: skip

    def _token(self, match: Match) -> str | None:
        seat = match.seats[self.random.choice(list(match.seats))]
        other = self._match()
        return self._one_of(
            None, None, seat, seat, match.seats[match.acting], match.host, other.host, seat[:-1],
            seat + "a", seat.swapcase(), seat + "\x00", " " + seat, seat + " ",
            f"{seat},{match.host}", "x" * 43, "é" * 43, "",
        )  # fmt: skip

    def _object(self, match: Match) -> Any:
        """A body that is right, a little wrong, or anything at all."""
        body: Any = self._one_of(
            {"seats": [{"name": "Ada"}, {"bot": "random"}]},
            {"seats": [{}, {"open": True}], "public": False, "seed": "x"},
            {"seats": [{} for _ in range(self.random.randrange(14))]},
            {"action": self.random.choice(WORDS), "card": self.random.choice(WORDS)},
            {"action": "play", "cards": ["4C"]},
            {"name": "Ben"},
            {},
        )
        for _ in range(self.random.randrange(3)):
            body[self.random.choice(NAMES)] = self._value(match, 0)
        return self._value(match, 0) if self._seldom() else body

    def _value(self, match: Match, depth: int) -> Any:
        if depth < 4 and self._rarely():
            return [self._value(match, depth + 1) for _ in range(self.random.randrange(5))]
        if depth < 4 and self._rarely():
            return {
                self.random.choice(NAMES): self._value(match, depth + 1)
                for _ in range(self.random.randrange(4))
            }
        return self._one_of(
            self.random.choice(TEXTS), self.random.choice(NUMBERS), self.random.choice(WORDS),
            None, True, False, [], {}, ["4C"] * self.random.choice((0, 1, 53, 2000)),
            match.match_id, self._match().host,
        )  # fmt: skip

    def _head(self, method: str, path: str) -> bytes:
        match = self._match()
        lines = f"{method} {path} HTTP/1.1\r\nHost: croupier\r\nContent-Type: application/json\r\n"
        return (lines + f"Authorization: Bearer {match.seats[0]}\r\n").encode()

    def _written(
        self, method: str, path: str, token: str | None, *extra: str, body: bytes | None = None
    ) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", "Host: croupier"]
        lines += [] if token is None else [f"Authorization: Bearer {token}"]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        head = "\r\n".join([*lines, *extra, "", ""])
        coding = "latin-1" if all(ord(c) < 256 for c in head) and self._often() else "utf-8"
        return head.encode(coding, "surrogatepass" if coding == "utf-8" else "strict") + (
            body or b""
        )

    def _bitten(self, data: bytes) -> bytes:
        """With some bytes changed, lost or put in."""
        changed = bytearray(data)
        for _ in range(self.random.randrange(1, 4)):
            where = self.random.randrange(len(changed) + 1)
            new = bytes([self.random.choice((0, 10, 13, 32, 34, 37, 92, 127, 128, 255))])
            changed[where : where + self.random.randrange(2)] = new
        return bytes(changed)

    def _one_of(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def _often(self) -> bool:
        return self.random.random() < 0.7

    def _rarely(self) -> bool:
        return self.random.random() < 0.25

    def _seldom(self) -> bool:
        return self.random.random() < 0.05
