"""Table: a match as it is kept, with who may sit and watch around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from api import notes, tokens
from api.errors import Forbidden, Unauthorized
from api.times import rfc3339
from engine import Game, Match, Step, Viewer, places

OnTimeout = Literal["random", "leave"]


class Terms(msgspec.Struct, array_like=True, frozen=True, kw_only=True):
    """What the host settled for the table beyond the game's own options.

    `turn_seconds` is how long a decision may take; None: as long as it likes. `on_timeout` is what
    happens when one has taken longer.
    """

    public: bool = True
    turn_seconds: int | None = None
    on_timeout: OnTimeout = "random"


class _Saved(msgspec.Struct, array_like=True, kw_only=True):
    """The bytes of a table. Times are milliseconds since 1970-01-01 UTC."""

    created_at: int
    updated_at: int
    deadline: int | None
    terms: Terms
    host_hash: bytes
    seat_hashes: list[bytes | None]
    unclaimed: list[bool]
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
HOST = Role(host=True)

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Saved)
_log_decoder = msgspec.msgpack.Decoder(Logged)


@dataclass(kw_only=True)
class Table:
    """One match with its tokens' hashes, its times and the terms it is played on.

    `revision` is the store's count of commits, None before the first one; unlike the match's
    version it goes up when a token changes too.
    """

    match_id: str
    match: Match
    created_at: int
    updated_at: int
    terms: Terms
    host_hash: bytes
    #: By seat: None where nobody holds a token (bots, open seats).
    seat_hashes: list[bytes | None]
    #: In a rematch: which places, the host's first, wait for the old token's holder to come.
    unclaimed: list[bool]
    deadline: int | None = None
    revision: int | None = None
    #: The status under which the public lists have it; None before the first commit.
    listed: str | None = None

    def to_bytes(self) -> bytes:
        """What the store keeps."""
        return _encoder.encode(
            _Saved(
                created_at=self.created_at,
                updated_at=self.updated_at,
                deadline=self.deadline,
                terms=self.terms,
                host_hash=self.host_hash,
                seat_hashes=self.seat_hashes,
                unclaimed=self.unclaimed,
                match=self.match.to_bytes(),
            )
        )

    @classmethod
    def from_bytes(
        cls, match_id: str, data: bytes, games: Mapping[str, Game[Any]], revision: int
    ) -> Table:
        """Reads what `to_bytes` wrote. Raises engine.UnknownFormat."""
        saved = _decoder.decode(data)
        match = Match.from_bytes(saved.match, games)
        return cls(
            match_id=match_id,
            match=match,
            created_at=saved.created_at,
            updated_at=saved.updated_at,
            deadline=saved.deadline,
            terms=saved.terms,
            host_hash=saved.host_hash,
            seat_hashes=saved.seat_hashes,
            unclaimed=saved.unclaimed,
            revision=revision,
            listed=match.status,
        )

    def role(self, token: str | None) -> Role:
        """Who a token speaks for; a spectator without one. Raises Unauthorized."""
        if token is None:
            return SPECTATOR
        held = tokens.find(token, [self.host_hash, *self.seat_hashes])
        if held is None:
            raise Unauthorized
        if held == 0:
            return HOST
        notes.note("seat", held - 1)
        return Role(seat=held - 1)

    def holder(self, token: str | None) -> Role:
        """The same for what needs a token. Raises Unauthorized."""
        role = self.role(token)
        if role == SPECTATOR:
            raise Unauthorized
        return role

    def watcher(self, token: str | None) -> Role:
        """Who a token lets watch. Raises Unauthorized, or Forbidden without one where the match is
        not public."""
        role = self.role(token)
        if role == SPECTATOR and not self.terms.public:
            raise Forbidden("This match is not public: send a token of it.")
        return role

    def vacate(self, seat: int) -> None:
        """Lets nobody hold the seat's token, nor come for it from an earlier match."""
        self.seat_hashes[seat] = None
        if self.unclaimed:
            self.unclaimed[seat + 1] = False

    def etag(self, seat: Viewer) -> str:
        """The entity tag of a view: the version, and whose view it is."""
        return f"{self.match.version}-{'spectator' if seat is None else seat}"

    @property
    def awaited(self) -> list[int]:
        """The seats whose players owe a decision. Bots are never late: whoever comes next lets them
        play on."""
        return [seat for seat in self.match.to_act if self.match.seats[seat].bot is None]

    def overdue(self, now: int) -> bool:
        """Whether a decision is owed for longer than the terms allow."""
        return self.deadline is not None and now >= self.deadline

    def touch(self, now: int, *, owed_since: int | None) -> None:
        """Notes a change: when it was made, and by when the decision owed now is to be made. What
        brings no version, like a new token, changes no view and so no time in it.

        `owed_since` is the match's before the change (None for a new table): a decision that was
        owed already, because others of the same choice are still out, keeps its deadline.
        """
        if self.match.log:
            self.updated_at = now
        if not self.awaited or self.terms.turn_seconds is None:
            self.deadline = None
        elif self.match.owed_since != owed_since:
            self.deadline = now + 1000 * self.terms.turn_seconds

    def summary(self) -> dict[str, Any]:
        """What a public list tells of it."""
        match = self.match
        return {
            "match_id": self.match_id,
            "game": match.game.id,
            "status": match.status,
            "version": match.version,
            "options": match.chosen_options(),
            "seats": places(match.seats),
            "turn_seconds": self.terms.turn_seconds,
            "created_at": rfc3339(self.created_at),
            "updated_at": rfc3339(self.updated_at),
        }

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """The view of a seat or a spectator, complete as the contract has it."""
        return {
            "match_id": self.match_id,
            **self.match.view(viewer),
            "created_at": rfc3339(self.created_at),
            "updated_at": rfc3339(self.updated_at),
            "deadline": None if self.deadline is None else rfc3339(self.deadline),
        }


def log_entry(step: Step, at: int) -> bytes:
    """A step as the store keeps it."""
    return _encoder.encode(Logged(at=at, step=step))


def logged(data: bytes) -> Logged:
    """Reads what `log_entry` wrote."""
    return _log_decoder.decode(data)


def record(table: Table, log: Iterable[Logged]) -> dict[str, Any]:
    """The replay of a finished match, as `python -m engine verify` reads it."""
    match = table.match
    view = match.view(None)
    return {
        "match_id": table.match_id,
        **{name: view[name] for name in ("game", "options", "seed_hash", "seed", "host_seeded")},
        "rules_version": match.game.rules_version,
        "seats": places(match.seats),
        "deal": match.scripted_deal(),
        "client_seeds": [seat.client_seed for seat in match.seats],
        "created_at": rfc3339(table.created_at),
        "moves": [
            {
                "version": entry.step.version,
                "at": rfc3339(entry.at),
                "seat": entry.step.seat,
                "move": entry.step.move,
            }
            for entry in log
            if entry.step.move is not None
        ],
        "result": view["result"],
    }
