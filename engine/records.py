"""What is kept of a match besides the game's own state: its seats, its steps, and its bytes."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeVar

import msgspec

from engine.errors import UnknownFormat
from engine.game import GameState
from engine.knowledge import Hand, KeptHand
from engine.options import Options
from engine.values import Event, Outcome

#: In front of every saved match; an older number must go on loading.
FORMAT: Final = 2

S = TypeVar("S", bound=GameState)

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
    """A match without its log. Options and state are the game's own, and read by its types; a state
    is its fields in order."""

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
    known: list[KeptHand | Hand]
    #: Not in what earlier releases have saved.
    deal: list[int] | None = None


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Saved)


def pack(saved: Saved) -> bytes:
    """A format number, then MessagePack."""
    return bytes((FORMAT,)) + _encoder.encode(saved)


def unpack(data: bytes) -> Saved:
    """Reads what `pack` wrote. Raises UnknownFormat."""
    if not data or not 1 <= data[0] <= FORMAT:
        raise UnknownFormat("This match was saved by a newer version.")
    return _decoder.decode(memoryview(data)[1:])


def raw(value: object) -> msgspec.Raw:
    """A part of a saved match that only its owner reads."""
    return msgspec.Raw(_encoder.encode(value))


def saved_state(state: GameState | None) -> msgspec.Raw:
    """A state, or None for a match that is not dealt yet, as it is kept."""
    if state is None:
        return raw(None)
    return raw([getattr(state, name) for name in state.__dataclass_fields__])


def loaded_state(kind: type[S], data: msgspec.Raw, options: Options) -> S | None:
    """Reads what `saved_state` wrote. The options of a state are those of its match."""
    values = msgspec.msgpack.decode(data)
    if values is None:
        return None
    named = dict(zip(kind.__dataclass_fields__, values, strict=False))
    named["options"] = options
    if named["outcome"] is not None:
        named["outcome"] = msgspec.convert(named["outcome"], Outcome)
    kind.bring_up_to_date(named)
    return kind(**named)
