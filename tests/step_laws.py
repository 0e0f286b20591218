"""The laws of steps: numbers without gaps, events as documented, replays equal to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine import Match, Step
from tests.known.base import Body, Known
from tests.laws import assert_json_safe, copied, viewers

#: What may happen in a match of any game.
COMMON_EVENTS = frozenset({"match_created", "turn", "match_finished"})


def played(known: Known, match: Match, seat: int, body: Body) -> Step:
    """Makes a move, and holds the step against the laws of steps: numbers without gaps, the right
    record, events that are as documented, cards that have left gone for good."""
    version, seq, steps = match.version, match.seq, len(match.log)
    before = copied(known, match).state
    step = match.play(seat, body)
    assert match.version == step.version == version + 1
    assert step.first_seq == seq + 1
    assert match.seq == seq + len(step.events)
    assert match.log[steps:] == [step]
    assert (step.seat, step.move) == (seat, body)
    events_are_as_documented(known, match, step)
    if known.dealing(before) == known.dealing(match.state):
        then, now = (
            Counter(card for zone in known.zones(state) for card in zone)
            for state in (before, match.state)
        )
        assert not now - then, "cards that had left are back"
    return step


def events_are_as_documented(known: Known, match: Match, step: Step) -> None:
    """Known types only, numbered one by one, each card shown to exactly those who may see it and
    counted for the rest, in sorting order; the last event tells whose turn it is or the end."""
    shown = {viewer: match.show(step, viewer) for viewer in viewers(match)}
    for index, event in enumerate(shown[None]):
        kind = event["type"]
        assert (event["seq"], event["version"]) == (step.first_seq + index, step.version)
        assert ("cards" in event) == (kind in known.audience), f"{kind}: cards or no cards"
        assert kind in known.audience or kind in known.bare_events | COMMON_EVENTS
        if "cards" not in event:
            continue
        allowed = known.audience[kind](event, shown[None])
        actual = match.game.codes
        cards = [actual[card] for card in step.events[index].cards or ()]
        assert cards == sorted(cards, key=actual.index), f"{kind}: an order tells something"
        for viewer, events in shown.items():
            may = allowed is None or viewer in allowed
            assert events[index] == event | {
                "cards": cards if may else None,
                "count": len(cards),
            }, f"{kind} as {viewer} sees it"
    for events in shown.values():
        assert_json_safe(events)
        assert all(
            {k: v for k, v in event.items() if k != "cards"}
            == {k: v for k, v in public.items() if k != "cards"}
            for event, public in zip(events, shown[None], strict=True)
        ), "beside cards an event is the same for all"
    last = shown[None][-1]
    if match.outcome is None:
        assert last["type"] == "turn"
        assert last["to_act"] == match.to_act
    else:
        assert last["type"] == "match_finished"
        assert last["result"] == match.view(None)["result"]
        assert last["seed"] == match.seed


def record_replays(known: Known, match: Match, steps: Sequence[Step]) -> None:
    """Seed, options, seats and moves make the same match again, to the byte, events included."""
    again = Match.new(
        known.game,
        seats=match.seats,
        seed=match.seed,
        options=match.chosen_options(),
        host_seeded=match.host_seeded,
        deal=match.scripted_deal(),
    )
    for step in steps:
        if step.move is not None:
            assert step.seat is not None
            again.play(step.seat, step.move)
    assert again.log == list(steps)
    assert again.to_bytes() == match.to_bytes()
