"""Table: a match as it is kept, with who may sit and watch around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from api import tokens
from api.errors import Forbidden, Unauthorized
from engine import Game, Match, Step, Viewer


class _Saved(msgspec.Struct, array_like=True, kw_only=True):
    """The bytes of a table. Times are milliseconds since 1970-01-01 UTC."""

    created_at: int
    updated_at: int
    public: bool
    host_hash: bytes
    seat_hashes: list[bytes | None]
    match: bytes


class Logged(msgspec.Struct, array_like=True, kw_only=True):
    """An entry of a match's log: a step, and when it was made."""

    at: int
    step: Step


@dataclass(frozen=True)
class Role:
    """Who asks: a seat, the host, or (with neither) a spectator."""

    seat: Viewer = None
    host: bool = False


SPECTATOR = Role()

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Saved)


@dataclass(kw_only=True)
class Table:
    """One match with its tokens' hashes and times."""

    match_id: str
    match: Match
    created_at: int
    updated_at: int
    public: bool
    host_hash: bytes
    #: By seat: None where nobody holds a token (bots, open seats).
    seat_hashes: list[bytes | None]

    def to_bytes(self) -> bytes:
        """What the store keeps."""
        return _encoder.encode(
            _Saved(
                created_at=self.created_at,
                updated_at=self.updated_at,
                public=self.public,
                host_hash=self.host_hash,
                seat_hashes=self.seat_hashes,
                match=self.match.to_bytes(),
            )
        )

    @classmethod
    def from_bytes(cls, match_id: str, data: bytes, games: Mapping[str, Game[Any]]) -> Table:
        """Reads what `to_bytes` wrote. Raises engine.UnknownFormat."""
        saved = _decoder.decode(data)
        return cls(
            match_id=match_id,
            match=Match.from_bytes(saved.match, games),
            created_at=saved.created_at,
            updated_at=saved.updated_at,
            public=saved.public,
            host_hash=saved.host_hash,
            seat_hashes=saved.seat_hashes,
        )

    def role(self, token: str | None) -> Role:
        """Who a token speaks for; a spectator without one. Raises Unauthorized."""
        if token is None:
            return SPECTATOR
        held = tokens.find(token, [self.host_hash, *self.seat_hashes])
        if held is None:
            raise Unauthorized
        return Role(host=True) if held == 0 else Role(seat=held - 1)

    def watcher(self, token: str | None) -> Role:
        """Who a token lets watch. Raises Unauthorized, or Forbidden without one where the match is
        not public."""
        role = self.role(token)
        if role == SPECTATOR and not self.public:
            raise Forbidden("This match is not public: send a token of it.")
        return role

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """The view of a seat or a spectator, complete as the contract has it."""
        return {
            "match_id": self.match_id,
            **self.match.view(viewer),
            "created_at": rfc3339(self.created_at),
            "updated_at": rfc3339(self.updated_at),
            "deadline": None,
        }


def log_entry(step: Step, at: int) -> bytes:
    """A step as the store keeps it."""
    return _encoder.encode(Logged(at=at, step=step))


def rfc3339(milliseconds: int) -> str:
    """A time in UTC, to the millisecond (RFC 3339)."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
