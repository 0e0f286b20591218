"""Safe retries: what is kept of the first answer to a request with an `Idempotency-Key`.

The answer is written in the commit that makes the change, so that there is never one without the
other. Tokens are never in it: where an answer holds some, they are made from the caller's own key
and a random salt, and made again for the retry. The store holds the salt, never the key.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from api import tokens, wire
from api.errors import MalformedRequest
from api.store.base import Answer
from engine import Invalid

_KEY = re.compile(r"[!-~]{1,128}")
_sorted = msgspec.json.Encoder(order="sorted").encode


class _Kept(msgspec.Struct, array_like=True):
    """An answer as the store keeps it: the request's digest, what its tokens are made from, and
    the answer itself, compressed."""

    request: bytes
    salt: bytes
    etag: str
    body: bytes


@dataclass(frozen=True)
class Reply:
    """The answer to a change, encoded once. `replayed` tells that it was given before."""

    body: bytes
    etag: str = ""
    match_id: str = ""
    replayed: bool = False


def checked(key: str | None) -> str | None:
    """The key, which if given must be 1 to 128 visible ASCII characters. Raises
    MalformedRequest."""
    if key is not None and _KEY.fullmatch(key) is None:
        raise MalformedRequest("Send an Idempotency-Key of 1 to 128 visible ASCII characters.")
    return key


class Retry:
    """One request that may come again: its key, who asks, and what it asks for."""

    def __init__(
        self, key: str | None, *, who: str, request: Mapping[str, Any], secret: bytes = b""
    ) -> None:
        """`who` scopes the key: a token, or the use case where nobody has one yet. `secret` is
        the service's own: without it nobody finds a weak key by trying against a public id.

        Raises what `checked` raises.
        """
        self.key = checked(key)
        self._who = who
        self._secret = secret
        self._request = request
        self._salt = b"" if key is None else secrets.token_bytes(16)
        self._random: dict[str, str] = {}
        #: The name under which the store keeps the answer; None without a key.
        self.field = None if self.key is None else self._mac(b"field", "").hex()[:32]

    def token(self, label: str) -> str:
        """A token for this answer: random, or the one that this key and salt always give."""
        if self.key is None:
            return self._random.setdefault(label, tokens.new_token())
        return tokens.as_token(self._mac(self._salt, label))

    def match_id(self) -> str:
        """An id for a new match: random, or the one that this key always gives, so that two
        simultaneous copies of a request meet in one match."""
        if self.key is None:
            return tokens.new_match_id()
        return tokens.match_id_from(self._mac(b"match", ""))

    def keep(self, reply: Reply) -> Answer | None:
        """What goes into the commit; None without a key. The reply's tokens must not be in it."""
        if self.field is None:
            return None
        kept = _Kept(self._digest(), self._salt, reply.etag, zlib.compress(reply.body, 1))
        return Answer(self.field, msgspec.msgpack.encode(kept))

    def replay(self, kept: bytes) -> Reply:
        """The first answer again, without its tokens; `token` now gives those of the first time.

        Raises Invalid (`Idempotency-Key`) when the request was another.
        """
        first = msgspec.msgpack.decode(kept, type=_Kept)
        if not hmac.compare_digest(first.request, self._digest()):
            raise Invalid({"Idempotency-Key": ["Was sent before with another request."]})
        self._salt = first.salt
        return Reply(zlib.decompress(first.body), first.etag, replayed=True)

    def _digest(self) -> bytes:
        return hashlib.sha256(_sorted(self._request)).digest()

    def _mac(self, key: bytes, label: str) -> bytes:
        text = f"{self._who}\0{self.key}\0{label}"
        return hmac.digest(self._secret + key, text.encode(), "sha256")


def with_tokens(reply: Reply, given: Mapping[str, Any]) -> Reply:
    """A reply with its tokens put in front."""
    body = wire.encode({**given, **msgspec.json.decode(reply.body)})
    return Reply(body, reply.etag, replayed=reply.replayed)
