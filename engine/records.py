"""What is kept of a match besides the game's own state: its seats, its steps, and its bytes."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from engine.errors import UnknownFormat
from engine.events import Event
from engine.knowledge import Hand

#: In front of every saved match; an older number must go on loading.
FORMAT: Final = 1

Kind = Literal["human", "bot", "open"]


class Seat(msgspec.Struct, array_like=True, kw_only=True):
    """A place at the table. An open one has no name yet; `bot` names the bot that plays it, and
    `client_seed` is the player's own part in the seed, if they gave one."""

    name: str | None = None
    kind: Kind = "human"
    bot: str | None = None
    client_seed: str | None = None


class Step(msgspec.Struct, array_like=True, kw_only=True):
    """One version of a match: the move that made it (None: a deal, join or leave), its events, and
    the number of the first of them. Numbers count from 1 without gaps."""

    version: int
    seat: int | None
    move: dict[str, Any] | None
    first_seq: int
    events: list[Event]

    @property
    def last_seq(self) -> int:
        """The number of the last event."""
        return self.first_seq + len(self.events) - 1


class Saved(msgspec.Struct, array_like=True, kw_only=True):
    """A match without its log. Options and state are the game's own, and read by its types."""

    game: str
    options: msgspec.Raw
    seats: list[Seat]
    seed: str
    host_seeded: bool
    version: int
    seq: int
    owed_since: int
    words: int
    state: msgspec.Raw
    known: list[Hand]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Saved)


def pack(saved: Saved) -> bytes:
    """A format number, then MessagePack."""
    return bytes((FORMAT,)) + _encoder.encode(saved)


def unpack(data: bytes) -> Saved:
    """Reads what `pack` wrote. Raises UnknownFormat."""
    if not data or data[0] != FORMAT:
        raise UnknownFormat("This match was saved by a newer version.")
    return _decoder.decode(memoryview(data)[1:])


def raw(value: object) -> msgspec.Raw:
    """A part of a saved match that only its owner reads."""
    return msgspec.Raw(_encoder.encode(value))
