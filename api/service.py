"""The use cases: create, view, move, delete. Neither HTTP nor Redis is known here."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from api import tokens
from api.errors import Forbidden, NotFound, TooContended, Unauthorized
from api.store.base import Commit, Entry, Outcome, Store
from api.table import Role, Table, log_entry
from engine import Game, Match, Seat

#: How often a commit that lost its race is judged anew before the caller is asked to come again.
TRIES = 10

_MATCH_ID = re.compile("[a-z2-7]{16}")

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Created:
    """A new table, and the tokens that are shown this once: the host's and each own seat's."""

    table: Table
    host_token: str
    seat_tokens: Mapping[int, str]


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A table after a move, and the version before it."""

    table: Table
    seat: int


def now() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


class Service:
    """Deals, referees and remembers matches of some games in a store.

    `clock` gives milliseconds since 1970, `pick(k)` the bots' choices: a number from 0 to k-1, by
    default from the operating system.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        *,
        clock: Callable[[], int] = now,
        pick: Callable[[int], int] | None = None,
    ) -> None:
        self.store = store
        self.games = games
        self._clock = clock
        self._pick = pick or secrets.randbelow

    def create(self, game: Game[Any], request: Mapping[str, Any]) -> Created:
        """Makes a match from a request that the game's schema has passed.

        Raises engine.InvalidSetup, StoreUnavailable.
        """
        seats = [_seat(number, asked) for number, asked in enumerate(request["seats"])]
        held = {n: tokens.new_token() for n, seat in enumerate(seats) if seat.kind == "human"}
        host_token, moment = tokens.new_token(), self._clock()
        seed = request.get("seed")
        match = Match.new(
            game,
            seats=seats,
            seed=secrets.token_hex(32) if seed is None else seed,
            options=request.get("options"),
            host_seeded=seed is not None,
        )
        match.play_bots(self._pick)
        table = Table(
            match_id=tokens.new_match_id(),
            match=match,
            created_at=moment,
            updated_at=moment,
            public=request.get("public", True),
            host_hash=tokens.digest(host_token),
            seat_hashes=[tokens.digest(held[n]) if n in held else None for n in range(len(seats))],
        )
        outcome = self.store.commit(_commit(table, expected=None, base_seq=0))
        assert outcome is Outcome.COMMITTED, f"an id of 80 random bits came twice: {outcome}"
        return Created(table=table, host_token=host_token, seat_tokens=held)

    def watch(self, game: Game[Any], match_id: str, token: str | None) -> tuple[Table, Role]:
        """A match, and who asks for it. Raises NotFound, Unauthorized, Forbidden."""
        table = self._load(game, match_id)
        return table, table.watcher(token)

    def move(
        self, game: Game[Any], match_id: str, token: str | None, body: Mapping[str, Any]
    ) -> Moved:
        """Makes a seat's move and lets due bots play on.

        Raises NotFound, Unauthorized, Forbidden, the refusals of `Match.play`, StoreUnavailable, or
        TooContended; then nothing has changed.
        """

        def play(table: Table) -> Moved:
            role = table.role(token)
            if role.host:
                raise Forbidden("A move needs the token of a seat; this is the host's.")
            if role.seat is None:
                raise Unauthorized
            table.match.play(role.seat, body)
            table.match.play_bots(self._pick)
            return Moved(table=table, seat=role.seat)

        return self._change_until_it_holds(game, match_id, play)

    def delete(self, game: Game[Any], match_id: str, token: str | None) -> None:
        """Ends and removes a match, for its host. Raises NotFound, Unauthorized, Forbidden."""
        role = self._load(game, match_id).role(token)
        if role.seat is not None:
            raise Forbidden("Only the host's token deletes a match.")
        if not role.host:
            raise Unauthorized
        self.store.delete(match_id)

    def _load(self, game: Game[Any], match_id: str) -> Table:
        # An id that nobody could have been given is not looked for.
        loaded = self.store.load(match_id) if _MATCH_ID.fullmatch(match_id) else None
        if loaded is None:
            raise _no_match()
        table = Table.from_bytes(match_id, loaded.state, self.games)
        if table.match.game.id != game.id:
            raise _no_match()
        return table

    def _change_until_it_holds(
        self, game: Game[Any], match_id: str, change: Callable[[Table], T]
    ) -> T:
        """Loads, changes and commits. A lost race is judged afresh on the newer state, so that no
        legal move is lost and none is made twice."""
        for _ in range(TRIES):
            table = self._load(game, match_id)
            version, seq = table.match.version, table.match.seq
            result = change(table)
            table.updated_at = self._clock()
            outcome = self.store.commit(_commit(table, expected=version, base_seq=seq))
            if outcome is Outcome.COMMITTED:
                return result
            if outcome is Outcome.GONE:
                raise _no_match()
        raise TooContended


def _commit(table: Table, *, expected: int | None, base_seq: int) -> Commit:
    """The commit of all that a table's match has logged since it was made or loaded."""
    return Commit(
        match_id=table.match_id,
        expected=expected,
        version=table.match.version,
        state=table.to_bytes(),
        entries=[
            Entry(
                seq=step.first_seq + len(step.events) - 1,
                data=log_entry(step, table.updated_at),
            )
            for step in table.match.log
        ],
        base_seq=base_seq,
    )


def _no_match() -> NotFound:
    return NotFound("There is no such match of this game, or it has expired.")


def _seat(number: int, asked: Mapping[str, Any]) -> Seat:
    if "bot" in asked:
        return Seat(name=f"Player {number + 1}", kind="bot", bot=asked["bot"])
    if "open" in asked:
        return Seat(kind="open")
    return Seat(name=asked.get("name", f"Player {number + 1}"))
