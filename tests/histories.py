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


#: Moves between the places that `long_history` goes back to, and how many places it goes back.
STRIDE, BACK = 10, (1, 1, 2, 4)
#: By game: the action without which no match is long, and how often it is chosen where it can be.
LINGERING = {"card-keeper": ("burn", 0.95)}


def long_history(game: str, *, moves: int, players: int = 4, seed: str = "c") -> Match:
    """A match after so many moves, still being played, with its whole log.

    Random matches are over sooner than that in most games. Where one ends, it is taken back some
    moves and goes on another way.
    """
    rng = Random(f"{game} {seed}")
    names = [f"P{number}" for number in range(players)]
    most = {o.name: o.maximum for o in GAMES[game].options if o.name in ("turn_limit", "rounds")}
    match = Match.new(GAMES[game], seats=names, seed=seed, options=most)
    action, often = LINGERING.get(game, ("", 0.0))
    log, saved = match.log, [match.to_bytes()]
    while (match := Match.from_bytes(saved[-1])).version < moves:
        for _ in range(STRIDE):
            if match.outcome is None:
                seat = rng.choice(match.to_act)
                legal = match.legal_moves(seat)
                if rng.random() < often:
                    legal = [m for m in legal if match.game.body(m)["action"] == action] or legal
                match.play(seat, rng.choice(legal))
        if match.outcome is None:
            log += match.log
            saved.append(match.to_bytes())
        else:
            del saved[max(1, len(saved) - rng.choice(BACK)) :]
            del log[1 + STRIDE * (len(saved) - 1) :]
    match.log = log
    return match
