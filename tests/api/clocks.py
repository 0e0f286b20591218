"""A clock that tests set, and matches in which somebody has to decide in time."""

from __future__ import annotations

from datetime import datetime

from api.store.base import Commit, Outcome, Store
from api.table import OnTimeout, Table, Terms
from engine import GAMES, Match
from tests.api.tables import placed
from tests.conformance import CheckedClient
from tests.seats import Seats

#: Where every such clock starts, in milliseconds since 1970.
START = 1_800_000_000_000


class Clock:
    """Stands still until it is told to go on. Called, it gives milliseconds since 1970."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def go_on(self, seconds: float) -> None:
        """Lets so many seconds pass."""
        self.now += round(1000 * seconds)


def milliseconds(time: str) -> int:
    """A time of an answer, in milliseconds since 1970."""
    return round(1000 * datetime.fromisoformat(time).timestamp())


def on_terms(
    client: CheckedClient,
    store: Store,
    match: Match,
    *,
    deadline: int,
    on_timeout: OnTimeout = "random",
    turn_seconds: int = 10,
) -> Seats:
    """The seats of a match put into the store as it stands, whose present decision is due at
    `deadline`, in milliseconds since 1970."""
    seats = placed(client, store, match)
    loaded = store.load(seats.match_id)
    assert loaded is not None
    table = Table.from_bytes(seats.match_id, loaded.state, GAMES, loaded.version)
    table.terms = Terms(turn_seconds=turn_seconds, on_timeout=on_timeout)
    table.deadline = deadline
    commit = Commit(
        match_id=seats.match_id,
        expected=loaded.version,
        version=loaded.version + 1,
        state=table.to_bytes(),
        entries=[],
        base_seq=table.match.seq,
    )
    assert store.commit(commit) is Outcome.COMMITTED
    return seats
