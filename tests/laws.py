"""Laws that every match of every game must keep, at any moment. Each is a function that asserts.

A law takes a `Known` (what the rule page says of the game) and a match of its game, and leaves the
match as it was. Those of moves, of steps and of the hidden card are in `move_laws.py`,
`step_laws.py` and `hidden_card.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from engine import Match, Viewer
from engine.chance import seed_hash
from tests.known.base import Body, Known

VIEW_KEYS = frozenset(
    {
        *("game", "version", "last_seq", "status", "options", "seats", "you", "to_act"),
        *("legal_moves", "table", "known", "result", "seed_hash", "seed"),
        *("host_seeded", "scripted"),
    }
)
#: What a seat's view has of its own; all the rest is the spectator's.
OWN_KEYS = frozenset({"you", "legal_moves", "known"})
PLACE_KEYS = frozenset({"seat", "name", "kind"})
YOU_KEYS = frozenset({"seat", "hand", "committed"})
RESULT_KEYS = frozenset({"winners", "ranking", "reason"})


def wire(value: Any) -> str:
    """What goes over the wire, member order included."""
    return json.dumps(value, allow_nan=False)


def assert_json_safe(value: Any) -> None:
    """Nothing that JSON would change: no tuples, numbers as keys, NaN or surrogates."""
    text = wire(value)
    text.encode()
    assert json.loads(text) == value, f"changed by JSON: {value!r}"


def viewers(match: Match) -> list[Viewer]:
    """Everybody who may look: the spectator and every seat."""
    return [None, *range(len(match.seats))]


def copied(known: Known, match: Match) -> Match:
    """The match as whoever loads its bytes gets it."""
    return Match.from_bytes(match.to_bytes(), {known.game.id: known.game})


def listed(match: Match, seat: int) -> list[Body]:
    """The bodies listed for a seat."""
    return [match.game.body(move) for move in match.legal_moves(seat)]


def cards_are_conserved(known: Known, match: Match) -> None:
    """Each card is in exactly one place; those that have left are counted."""
    state = match.state
    present = Counter(card for zone in known.zones(state) for card in zone)
    deck = Counter({card: n * known.decks(state) for card, n in Counter(known.game.deck).items()})
    assert not present - deck, f"cards too many: {dict(present - deck)}"
    missing = deck.total() - present.total()
    assert missing == known.left(state), f"{missing} have left, {known.left(state)} are counted"


def turns_are_sound(known: Known, match: Match) -> None:
    """Every seat to act has a legal move and nobody else has one; the end is a value."""
    to_act, seats = match.to_act, range(len(match.seats))
    assert to_act == sorted(set(to_act))
    assert set(to_act) <= set(seats)
    if match.outcome is None:
        assert match.status == "playing"
        assert to_act, "nobody is to act, and it is not over"
    else:
        assert match.status == "finished"
        assert not to_act
        assert match.outcome.reason
        placed = [seat for group in match.outcome.ranking for seat in group]
        assert sorted(placed) == list(seats)
        assert all(group == sorted(group) and group for group in match.outcome.ranking)
    for seat in seats:
        assert bool(match.legal_moves(seat)) == (seat in to_act), f"legal moves of seat {seat}"


def views_are_as_documented(known: Known, match: Match) -> None:
    """Exactly the documented members, safe for JSON; a seat sees what the spectator (and so the
    host) sees, and beside that only its own hand, choice and moves."""
    spectator = match.view(None)
    assert spectator["you"] is None
    assert spectator["legal_moves"] == []
    assert spectator["seed_hash"] == seed_hash(match.seed)
    assert spectator["seed"] == (match.seed if match.outcome else None)
    for viewer in viewers(match):
        view = match.view(viewer)
        assert_json_safe(view)
        assert view.keys() == VIEW_KEYS
        assert view["options"].keys() == {option.name for option in known.game.options}
        finished = view["status"] == "finished"
        assert (view["result"] is not None) == finished
        assert view["table"].keys() == known.table_keys
        for number, facts in enumerate(view["seats"]):
            more = known.shown_keys if finished else frozenset()
            assert facts.keys() == PLACE_KEYS | known.seat_keys | more
            assert facts["seat"] == number
        if finished:
            assert view["result"].keys() == RESULT_KEYS
            assert view["result"]["winners"] == view["result"]["ranking"][0]
        if viewer is None:
            continue
        you = view["you"]
        assert you.keys() == YOU_KEYS
        assert you["seat"] == viewer
        assert you["hand"] == sorted(you["hand"], key=known.game.codes.index)
        assert view | {key: spectator[key] for key in OWN_KEYS} == spectator
        if you["committed"] is not None:
            assert viewer not in match.to_act
            assert match.game.body(match.read(you["committed"])) == you["committed"]


def knowledge_is_true(known: Known, match: Match) -> None:
    """The cards that a viewer is told to be certain of are in those hands; nobody is told of their
    own, and whoever sees more is never certain of less."""
    codes = known.game.codes
    hands = [Counter(codes[card] for card in hand) for hand in known.hands(match.state)]
    public = [Counter(cards) for cards in match.view(None)["known"]]
    for viewer in viewers(match):
        certain = match.view(viewer)["known"]
        assert len(certain) == len(hands)
        for seat, cards in enumerate(certain):
            if seat == viewer:
                assert cards == []
                continue
            assert cards == sorted(cards, key=codes.index)
            assert public[seat] <= Counter(cards)
            assert Counter(cards) <= hands[seat], f"{viewer} is told {cards} of seat {seat}"


def saving_changes_nothing(known: Known, match: Match) -> None:
    """State → bytes → state is the same match, and plays on the same from either."""
    saved = match.to_bytes()
    twin = copied(known, match)
    assert twin.to_bytes() == saved
    assert twin.state == match.state
    assert all(wire(twin.view(v)) == wire(match.view(v)) for v in viewers(match))
    other = copied(known, twin)
    for seat in match.to_act[:1]:
        move = listed(match, seat)[-1]
        steps = twin.play(seat, move), other.play(seat, move)
        assert steps[0] == steps[1]
        assert twin.to_bytes() == other.to_bytes()


def views_are_values(known: Known, match: Match) -> None:
    """Views and events hold nothing of the state: who changes what they got changes no match, and
    what they got does not change under their eyes as the match goes on."""
    before = match.to_bytes()
    for viewer in viewers(match):
        given = [match.view(viewer), *(match.show(step, viewer) for step in match.log[-1:])]
        given += [] if viewer is None else [match.game.body(m) for m in match.legal_moves(viewer)]
        for value in given:
            _scribble(value)
        assert match.to_bytes() == before, "a view is a window into the state"


def _scribble(value: Any) -> None:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _scribble(inner)
        value.clear()
