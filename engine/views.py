"""The one gate for all that leaves a match: views, events, and why a card cannot be played.

Everything is built from listed facts. Nothing starts as a copy of the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine import knowledge
from engine.chance import seed_hash
from engine.game import Game, distinct
from engine.records import Seat, Step
from engine.values import Event, Outcome

if TYPE_CHECKING:
    from engine.match import Match

#: Who looks: a seat's number, or None for a spectator.
Viewer = int | None


def view(match: Match, viewer: Viewer) -> dict[str, Any]:
    """All that a seat, or a spectator, may know now, in the contract's words."""
    game, state, finished = match.game, match.state, match.outcome is not None
    seats = places(match.seats)
    if state is not None:
        for number, facts in enumerate(seats):
            facts.update(game.seat_facts(state, number))
            if finished:
                facts["hand"] = codes(game, game.hand(state, number))
                facts.update(game.revealed(state, number))
    moves = [] if viewer is None else match.legal_moves(viewer)
    return {
        "game": game.id,
        "version": match.version,
        "last_seq": match.seq,
        "status": match.status,
        "options": match.chosen_options(),
        "seats": seats,
        "you": None if viewer is None else _you(match, viewer),
        "to_act": match.to_act,
        "legal_moves": [game.body(move) for move in moves],
        "table": None if state is None else game.table(state),
        "known": _known(match, viewer),
        "result": result(match.outcome),
        "seed_hash": seed_hash(match.seed),
        "seed": match.seed if finished else None,
        "host_seeded": match.host_seeded,
        "scripted": match.deal is not None,
    }


def events(match: Match, step: Step, viewer: Viewer) -> list[dict[str, Any]]:
    """The events of a step as a viewer may see them: cards that are not theirs to know are left
    out and counted."""
    return [
        {"seq": seq, "version": step.version, **_shown(match.game, event, viewer)}
        for seq, event in enumerate(step.events, step.first_seq)
    ]


def why_not(match: Match, seat: int) -> list[dict[str, Any]]:
    """For each card in a seat's hand that cannot be played now, the rule that forbids it: `card`,
    `rule` (a ruling's id or None) and `reason`. Empty when the seat is not to act."""
    game, state = match.game, match.state
    if state is None or seat not in match.to_act:
        return []
    moves = game.legal_moves(state, seat)
    playable = {game.alike(card) for move in moves for card in game.uses(move)}
    found = []
    for card in distinct(game.hand(state, seat)):
        if game.alike(card) not in playable:
            refusal = game.refusal(state, seat, game.play_of(card))
            assert refusal is not None  # nosec B101 # for the type checker
            found.append({"card": game.codes[card], "rule": refusal.rule, "reason": refusal.reason})
    return found


def places(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {"seat": number, "name": seat.name, "kind": seat.kind} for number, seat in enumerate(seats)
    ]


def result(outcome: Outcome | None) -> dict[str, Any] | None:
    """How a match ended, or None before the end."""
    if outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "ranking": [list(place) for place in outcome.ranking],
        "reason": outcome.reason,
    }


def codes(game: Game[Any], cards: Sequence[int]) -> list[str]:
    """Cards as they are on the wire."""
    words = game.codes
    return [words[card] for card in cards]


def _shown(game: Game[Any], event: Event, viewer: Viewer) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": event.type}
    if event.seat is not None:
        shown["seat"] = event.seat
    if event.cards is not None:
        shown["cards"] = codes(game, event.cards) if event.shows_cards_to(viewer) else None
        shown["count"] = len(event.cards)
    return shown | event.facts


def _you(match: Match, viewer: int) -> dict[str, Any]:
    game, state = match.game, match.state
    if state is None:
        return {"seat": viewer, "hand": [], "committed": None}
    committed = None if match.outcome else game.committed(state, viewer)
    return {
        "seat": viewer,
        "hand": codes(game, game.hand(state, viewer)),
        "committed": None if committed is None else game.body(committed),
    }


def _known(match: Match, viewer: Viewer) -> list[list[str]]:
    bit = knowledge.bit_of(viewer, len(match.seats))
    return [
        codes(match.game, knowledge.known_to(hand, bit)) if hand else [] for hand in match.known
    ]
