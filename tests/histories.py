"""Matches with a past, put straight into the store with the log of their events."""

from __future__ import annotations

from random import Random
from typing import Any

from api import tokens
from api.store.base import Commit, Entry, Outcome, Store
from api.table import Table, Terms, log_entry
from engine import GAMES, Match
from tests.api.tables import CREATED_AT


def history(
    game: str, *, moves: int = 10_000, players: int = 3, seed: str = "history", **options: Any
) -> Match:
    """A match after so many moves at random, or at its end, with its whole log."""
    rng = Random(f"{game} {seed}")
    names = [f"P{number}" for number in range(players)]
    match = Match.new(GAMES[game], seats=names, seed=seed, options=options)
    for _ in range(moves):
        if match.outcome is not None:
            break
        seat = rng.choice(match.to_act)
        match.play(seat, rng.choice(match.legal_moves(seat)))
    return match


def store_with_log(
    store: Store,
    match: Match,
    *,
    match_id: str | None = None,
    host: str | None = None,
    seats: list[str] | None = None,
    terms: Terms | None = None,
    deadline: int | None = None,
) -> dict[str, Any]:
    """Stores a match with its log, and a token for each seat; the answer of its creation."""
    match_id, host = match_id or tokens.new_match_id(), host or tokens.new_token()
    held = seats or [tokens.new_token() for _ in match.seats]
    table = Table(
        match_id=match_id,
        match=match,
        created_at=CREATED_AT,
        updated_at=CREATED_AT,
        terms=terms or Terms(),
        deadline=deadline,
        unclaimed=[],
        host_hash=tokens.digest(host),
        seat_hashes=[tokens.digest(token) for token in held],
    )
    commit = Commit(
        match_id=match_id,
        expected=None,
        version=match.version,
        state=table.to_bytes(),
        entries=[Entry(seq=step.last_seq, data=log_entry(step, CREATED_AT)) for step in match.log],
        base_seq=match.log[0].first_seq - 1 if match.log else match.seq,
    )
    assert store.commit(commit) is Outcome.COMMITTED
    tickets = [{"seat": seat, "token": token} for seat, token in enumerate(held)]
    return {"match_id": match_id, "host_token": host, "seats": tickets}
