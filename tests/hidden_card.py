"""The law of the hidden card: what a viewer gets never depends on what they may not know.

Two matches are made that differ only in what the viewer may not know (cards change places among
the hidden ones, hidden choices are made anew, the seed is another), and every byte must be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any

from engine import Match, Step, Viewer
from engine.chance import Chance, seed_hash
from engine.events import Log
from engine.records import pack, saved_state, unpack
from tests.known.base import Body, Known, Place
from tests.laws import copied, listed, viewers, wire
from tests.move_laws import refusal


def varied(
    known: Known,
    match: Match,
    knowing: Collection[Viewer],
    rng: Random,
    *,
    fixed: float = 0.0,
    new_seed: bool = True,
) -> Match:
    """Another match that none of those who know can tell from the first. Each hidden place keeps
    its card with the probability `fixed`."""
    twin = copied(known, match)
    state, finished = twin.state, match.outcome is not None
    if finished:
        places = list(known.hidden_after_the_end(state))
    else:
        places = _hidden_from_all(known, twin, knowing)
    places = [place for place in places if rng.random() >= fixed]
    cards = [row[index] for row, index in places]
    rng.shuffle(cards)
    for (row, index), card in zip(places, cards, strict=True):
        row[index] = card
    owners = () if finished else [seat for seat in knowing if seat is not None]
    known.rechoose(state, owners, rng)
    saved = unpack(match.to_bytes())
    saved.state = saved_state(state)
    saved.words = rng.randrange(1000)
    if new_seed and not finished:  # after the end the seed is public
        saved.seed = f"another seed {rng.random()}"
    return Match.from_bytes(pack(saved), {known.game.id: known.game})


def _hidden_from_all(known: Known, match: Match, knowing: Collection[Viewer]) -> list[Place]:
    each = [
        {(id(row), index): (row, index) for row, index in _hidden_from(known, match, viewer)}
        for viewer in knowing
    ]
    return [place for key, place in each[0].items() if all(key in places for places in each)]


def _hidden_from(known: Known, match: Match, viewer: Viewer) -> Iterator[Place]:
    """What the rules hide, but for cards of other hands that a viewer saw go there."""
    codes = match.game.codes
    seen = {
        id(hand): Counter(cards)
        for hand, cards in zip(known.hands(match.state), match.view(viewer)["known"], strict=True)
    }
    for row, index in known.hidden(match.state, viewer):
        certain, code = seen.get(id(row), Counter()), codes[row[index]]
        if certain[code]:
            certain[code] -= 1
        else:
            yield row, index


def received(match: Match, viewer: Viewer) -> str:
    """Every byte of a view but for the seed's hash, which must differ and be right."""
    view = match.view(viewer)
    assert view.pop("seed_hash") == seed_hash(match.seed)
    more = [] if viewer is None else [listed(match, viewer), match.why_not(viewer)]
    return wire([view, more, match.to_act, match.status])


def a_view_hides_cards(
    known: Known, match: Match, viewer: Viewer, rng: Random, bodies: Iterable[Body] = ()
) -> None:
    """View, listed moves and every refusal of the given bodies are the same in a varied match."""
    other = varied(known, match, [viewer], rng)
    assert received(other, viewer) == received(match, viewer), f"the view of {viewer} tells more"
    if viewer is None:
        return
    moves = {wire(body) for body in match.view(viewer)["legal_moves"]}
    for body in bodies:
        if wire(body) in moves:
            continue
        a, b = copied(known, match), copied(known, other)
        assert refusal(a, viewer, body) == refusal(b, viewer, body), f"refused {body} tells more"


def a_step_hides_cards(
    known: Known, match: Match, viewer: Viewer, seat: int, body: Body, rng: Random
) -> bool:
    """A move is made in two matches that neither viewer nor mover can tell apart. Unless other
    cards are shown to the viewer openly, all that they are shown is the same; then this is True."""
    other = varied(
        known,
        match,
        [viewer, seat],
        rng,
        fixed=rng.choice((0, 0.5, 0.9)),
        new_seed=rng.random() < 0.5,
    )
    return _shows_the_same(known, (match, body), (other, body), viewer, seat)


def a_choice_hides_cards(
    known: Known, match: Match, viewer: Viewer, seat: int, bodies: tuple[Body, Body]
) -> bool:
    """Of two moves whose cards the viewer is not shown they cannot tell which is made. Unless the
    moves lead to other cards being shown openly; then this is False."""
    a, b = bodies
    return _shows_the_same(known, (match, a), (match, b), viewer, seat)


def _shows_the_same(
    known: Known,
    one: tuple[Match, Body],
    two: tuple[Match, Body],
    viewer: Viewer,
    seat: int,
) -> bool:
    before = one[0].state
    results = []
    for match, body in (one, two):
        twin = copied(known, match)
        shown = twin.show(twin.play(seat, body), viewer)
        if twin.outcome is not None:
            return False  # after the end the hands are shown, and the seed
        told = known.told_by_rule(before, twin.state)
        openly = [event["cards"] for event in shown if event.get("cards") is not None]
        results.append((twin, shown, (told, openly)))
    (twin, shown, openly), (other, others, others_openly) = results
    if openly != others_openly:
        return False
    assert wire(shown) == wire(others), f"events tell {viewer} more than their cards"
    assert received(twin, viewer) == received(other, viewer), f"a view tells {viewer} more"
    return True


def _cards(events: list[dict[str, Any]]) -> list[Any]:
    return [event["cards"] for event in events if event.get("cards") is not None]


class _SwappedChance(Chance):
    """Chance whose first shuffle is followed by the given swaps."""

    __slots__ = ("swaps",)
    swaps: list[tuple[int, int]]

    def shuffle(self, items: list[Any]) -> None:
        super().shuffle(items)
        for i, j in self.swaps:
            items[i % len(items)], items[j % len(items)] = (
                items[j % len(items)],
                items[i % len(items)],
            )
        self.swaps = []


def a_deal_hides_cards(known: Known, match: Match, rng: Random) -> int:
    """A deal with some cards of the deck in other places shows each viewer the same, unless it
    shows them other cards openly. Tells how many could be compared."""
    swaps = [(rng.randrange(1000), rng.randrange(1000)) for _ in range(rng.randint(1, 3))]
    dealt = [_deal(match, []), _deal(match, swaps)]
    compared = 0
    for viewer in viewers(match):
        shown = [match.show(step, viewer) for _, step in dealt]
        told = [known.told_by_rule(None, state) for state, _ in dealt]
        if told[0] == told[1] and _cards(shown[0]) == _cards(shown[1]):
            assert wire(shown[0]) == wire(shown[1]), f"the deal tells {viewer} more"
            compared += 1
    return compared


def _deal(match: Match, swaps: list[tuple[int, int]]) -> tuple[Any, Step]:
    chance, log = _SwappedChance(match.seed.encode()), Log()
    chance.swaps = swaps
    state = match.game.deal(players=len(match.seats), options=match.options, chance=chance, log=log)
    return state, Step(version=0, seat=None, move=None, first_seq=1, events=log.events)
