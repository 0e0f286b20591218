"""The use cases around one match: watch, move, replay, delete, and what all use cases share:
loading, committing, and making the moves that are overdue. Neither HTTP nor Redis is known here."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from api import metrics, notes, tokens, tracing, wire
from api.errors import (
    Forbidden,
    MatchNotFinished,
    NotFound,
    SavedByNewer,
    TooContended,
    VersionMismatch,
)
from api.retries import Reply, Retry, checked
from api.store.base import (
    Answer,
    Answered,
    Commit,
    CommitResult,
    Entry,
    Outcome,
    Store,
    StoreUnavailable,
)
from api.table import Logged, Role, Table, Terms, log_entry, logged, record
from engine import Game, Match, Seat, Step, UnknownFormat

#: How often a commit that lost its race is judged anew before the caller is asked to come again.
TRIES = 10

#: Moves that bots make within one request: enough for a whole match of most tables, and little
#: enough that none takes a worker from others for long. The next request lets them play on.
BOT_MOVES = 1000

#: Entries of a match's log that are read at a time.
LOG_PAGE = 500


#: Changes a table, and returns what makes the answer once the table's times are set.
Change: TypeAlias = Callable[[Table], Callable[[], Reply]]


def now() -> int:
    """Milliseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000_000


class Service:
    """Deals, referees and remembers matches of some games in a store.

    `clock` gives milliseconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        *,
        clock: Callable[[], int] = now,
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock

    # Use cases

    def watch(self, game: Game[Any], match_id: str, token: str | None) -> tuple[Table, Role]:
        """A match, and who asks for it. Raises NotFound, Unauthorized, Forbidden."""
        table, _ = self.current(game, match_id)
        return table, table.watcher(token)

    def move(
        self,
        game: Game[Any],
        match_id: str,
        token: str | None,
        body: Mapping[str, Any],
        *,
        key: str | None = None,
        versions: Collection[int] | None = None,
    ) -> Reply:
        """Makes a seat's move and lets due bots play on, if the match is at one of the `versions`.

        Raises NotFound, Unauthorized, Forbidden, MalformedRequest, VersionMismatch, the refusals of
        `Match.play`, StoreUnavailable or TooContended; then nothing has changed.
        """

        def play(table: Table) -> Callable[[], Reply]:
            seat = _mover(table, token, versions)
            match = table.match
            with tracing.engine_span("play"):
                match.play(seat, body)
            self.let_bots_play(match)

            def reply() -> Reply:
                events = [shown for step in match.log for shown in match.show(step, seat)]
                view = {**table.view(seat), "events": events}
                return Reply(wire.encode(view), table.etag(seat))

            return reply

        retry = Retry(key, who=f"move {token}", request=body)
        return self.change(game, match_id, play, retry, admit=lambda table: table.holder(token))

    def judge(
        self,
        game: Game[Any],
        match_id: str,
        token: str | None,
        body: Mapping[str, Any],
        versions: Collection[int] | None = None,
    ) -> Reply:
        """Looks at a move without making it, and answers with the view as it is: what chance or
        hidden cards would decide is not told. Raises what `move` raises, but for the commit."""
        table, _ = self.current(game, match_id)
        seat = _mover(table, token, versions)
        with tracing.engine_span("judge"):
            table.match.judge(seat, body)
        return Reply(wire.encode({**table.view(seat), "events": []}), table.etag(seat))

    def replay(self, game: Game[Any], match_id: str, token: str | None) -> dict[str, Any]:
        """The record of a finished match. Raises NotFound, Unauthorized, Forbidden,
        MatchNotFinished."""
        table, _ = self.watch(game, match_id, token)
        if table.match.status != "finished":
            raise MatchNotFinished
        return record(table, self._log(table))

    def delete(self, game: Game[Any], match_id: str, token: str | None) -> None:
        """Ends and removes a match, for its host. Raises NotFound, Unauthorized, Forbidden."""
        table, _ = self.load(game, match_id)
        if not table.holder(token).host:
            raise Forbidden("Only the host's token deletes a match.")
        self.store.delete(match_id)
        self._unlist(list_name(game, table.match.status), table)

    # What the use cases share

    def anonymous_retry(self, key: str | None, *, who: str, request: Mapping[str, Any]) -> Retry:
        """A request of somebody who holds no token yet, and whose key alone is all there is."""
        secret = b"" if checked(key) is None else self.store.secret()
        return Retry(key, who=who, request=request, secret=secret)

    def let_bots_play(self, match: Match) -> None:
        """Lets due bots play on as far as one request goes."""
        if match.bot_due is not None:
            with tracing.engine_span("bots"):
                match.play_bots(secrets.randbelow, most=BOT_MOVES)

    def new_table(
        self,
        game: Game[Any],
        *,
        match_id: str,
        seats: Sequence[Seat],
        seed: str | None,
        options: Mapping[str, Any],
        terms: Terms,
        deal: Sequence[str] | None = None,
    ) -> Table:
        """A table that nobody holds a token of yet, dealt and played on by its bots as far as that
        goes. Raises engine.InvalidSetup."""
        chosen = secrets.token_hex(32) if seed is None else seed
        _keep_secret(chosen, seats)
        with tracing.engine_span("deal"):
            match = Match.new(
                game,
                seats=seats,
                seed=chosen,
                options=options,
                host_seeded=seed is not None,
                deal=deal,
            )
        self.let_bots_play(match)
        moment = self.clock()
        table = Table(
            match_id=match_id,
            match=match,
            created_at=moment,
            updated_at=moment,
            terms=terms,
            host_hash=secrets.token_bytes(32),
            seat_hashes=[None] * len(seats),
            unclaimed=[],
        )
        table.touch(moment, owed_since=None)
        return table

    def load(
        self, game: Game[Any], match_id: str, field: str | None = None
    ) -> tuple[Table, bytes | None]:
        """A match as it is kept, and the answer kept under `field`. Raises NotFound,
        SavedByNewer."""
        # An id that nobody could have been given is not looked for.
        known = tokens.is_match_id(match_id)
        loaded = self.store.load(match_id, field) if known else None
        if loaded is None:
            raise _no_match()
        try:
            table = Table.from_bytes(match_id, loaded.state, self.games, loaded.version)
        except UnknownFormat:
            raise SavedByNewer from None
        _keep_secret(table.match.seed, table.match.seats)
        if table.match.game.id != game.id:
            raise _no_match()
        return table, loaded.answer

    def steps(self, match_id: str, after: int, limit: int) -> list[Step]:
        """Up to `limit` steps with events after number `after`, oldest first."""
        entries = self.store.entries(match_id, after, limit)
        return [logged(entry.data).step for entry in entries]

    def _log(self, table: Table) -> Iterator[Logged]:
        seq = 0
        while entries := self.store.entries(table.match_id, seq, LOG_PAGE):
            yield from (logged(entry.data) for entry in entries)
            seq = entries[-1].seq
        if seq != table.match.seq:  # it was deleted or expired meanwhile
            raise _no_match()

    def current(
        self, game: Game[Any], match_id: str, field: str | None = None
    ) -> tuple[Table, bytes | None]:
        """What `load` gives, with every overdue move made and the bots a stretch further where they
        had not come to their end: whoever comes first brings it about, exactly once."""
        bots_have_played = False
        for _ in range(TRIES):
            table, kept = self.load(game, match_id, field)
            overdue = table.overdue(self.clock())
            if not overdue and (bots_have_played or table.match.bot_due is None):
                return table, kept
            owed_since = table.match.owed_since
            if overdue:
                self._make_overdue(table)
            self.let_bots_play(table.match)
            table.touch(self.clock(), owed_since=owed_since)
            bots_have_played = self.commit(table) is Outcome.COMMITTED
        raise TooContended

    def change(
        self,
        game: Game[Any],
        match_id: str,
        change: Change,
        retry: Retry,
        admit: Callable[[Table], object] = lambda table: None,
    ) -> Reply:
        """Loads, changes and commits. A lost race is judged afresh on the newer state, so that no
        legal move is lost and none is made twice. A retried request gets its first answer, if
        `admit` raises nothing."""
        for _ in range(TRIES):
            table, kept = self.current(game, match_id, retry.field)
            if kept is not None:
                admit(table)
                return retry.replay(kept)
            owed_since = table.match.owed_since
            make_reply = change(table)
            table.touch(self.clock(), owed_since=owed_since)
            reply = make_reply()
            outcome = self.commit(table, retry.keep(reply))
            if outcome is Outcome.COMMITTED:
                return reply
            if isinstance(outcome, Answered):
                return retry.replay(outcome.value)
            if outcome is Outcome.GONE:
                raise _no_match()
        raise TooContended

    def commit(self, table: Table, answer: Answer | None = None) -> CommitResult:
        """Writes a table with all that its match has logged, and keeps the public lists true.

        A list may hold too much for a moment, never too little: who reads it looks at the match.
        """
        match, revision = table.match, table.revision
        before, after = table.listed, match.status
        moved = table.terms.public and before != after
        if moved:
            self.store.enlist(list_name(match.game, after), table.match_id, table.created_at)
        outcome = self.store.commit(
            Commit(
                match_id=table.match_id,
                expected=revision,
                version=0 if revision is None else revision + 1,
                state=table.to_bytes(),
                entries=[
                    Entry(seq=step.last_seq, data=log_entry(step, table.updated_at))
                    for step in match.log
                ],
                base_seq=match.log[0].first_seq - 1 if match.log else match.seq,
                answer=answer,
            )
        )
        _count(match, outcome, came_to=after if before != after else None)
        if moved and before is not None and outcome is Outcome.COMMITTED:
            self._unlist(list_name(match.game, before), table)
        return outcome

    def _unlist(self, name: str, table: Table) -> None:
        # What counts is done by now, and a leftover in a list misleads nobody.
        with suppress(StoreUnavailable):
            self.store.unlist(name, table.match_id, table.created_at)

    def _make_overdue(self, table: Table) -> None:
        match = table.match
        for seat in table.awaited:
            if match.outcome is not None:
                return  # the turn limit came before all of a simultaneous choice had chosen
            if table.terms.on_timeout == "leave":
                match.leave(seat, overdue=True)
                table.vacate(seat)
            else:
                match.play_for_absent(seat, secrets.randbelow)


def _keep_secret(seed: str, seats: Sequence[Seat]) -> None:
    notes.secret(seed)
    for seat in seats:
        if seat.client_seed:
            notes.secret(seat.client_seed)


def _count(match: Match, outcome: CommitResult, *, came_to: str | None) -> None:
    if outcome is Outcome.CONFLICT:
        metrics.CONFLICTS.inc()
    if outcome is not Outcome.COMMITTED:
        return
    game = match.game.id
    for step in match.log:
        if step.move is not None and step.seat is not None:
            metrics.moves(game, match.seats[step.seat].kind).inc()
    if came_to is not None:
        metrics.MATCHES.labels(game, came_to).inc()


def _mover(table: Table, token: str | None, versions: Collection[int] | None) -> int:
    """The seat that a token moves for, if the match is at one of the versions.

    Raises Unauthorized, Forbidden, VersionMismatch.
    """
    role = table.holder(token)
    if role.seat is None:
        raise Forbidden("A move needs the token of a seat; this is the host's.")
    if versions is not None and table.match.version not in versions:
        raise VersionMismatch(table.match.version)
    return role.seat


def list_name(game: Game[Any], status: str) -> str:
    """The name of the public list of a game's matches of one status."""
    return f"{game.id}:{status}"


def _no_match() -> NotFound:
    return NotFound("There is no such match of this game, or it has expired.")
