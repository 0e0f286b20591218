"""Tokens: 256 random bits each, shown once; only their SHA-256 is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence

from api.errors import Unauthorized
from api.schemas.common import MATCH_ID

#: `Bearer` in any case (RFC 9110, 11.1), one space, and what `new_token` makes.
_BEARER = re.compile(r"bearer ([A-Za-z0-9_-]{43})", re.IGNORECASE | re.ASCII)

_MATCH_ID = re.compile(MATCH_ID[1:-1])


def new_token() -> str:
    """A new token: 43 URL-safe characters."""
    return secrets.token_urlsafe(32)


def new_match_id() -> str:
    """A new random match id."""
    return as_match_id(secrets.randbits(80))


def is_match_id(text: str) -> bool:
    """Whether a match could have this id."""
    return _MATCH_ID.fullmatch(text) is not None


def as_token(digest: bytes) -> str:
    """The token that 32 derived bytes stand for, in the form of a random one."""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def match_id_from(digest: bytes) -> str:
    """The match id that derived bytes stand for: their first 80 bits."""
    return as_match_id(int.from_bytes(digest[:10], "big"))


def as_match_id(bits: int) -> str:
    """The match id of 80 bits: 16 lower-case letters and digits."""
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    return "".join(alphabet[bits >> shift & 31] for shift in range(0, 80, 5))


def digest(token: str) -> bytes:
    """What is kept of a token. A random text of 256 bits needs no slow hash."""
    return hashlib.sha256(token.encode("ascii")).digest()


def from_header(authorization: str | None) -> str | None:
    """The token of an Authorization header, or None without one.

    Raises Unauthorized for a header that holds anything else.
    """
    if authorization is None:
        return None
    match = _BEARER.fullmatch(authorization)
    if match is None:
        raise Unauthorized
    return match[1]


def find(token: str, hashes: Sequence[bytes | None]) -> int | None:
    """Which of the hashes is the token's. Takes as long whichever it is."""
    sought, found = digest(token), None
    for index, kept in enumerate(hashes):
        if hmac.compare_digest(sought, kept or b""):
            found = index
    return found
