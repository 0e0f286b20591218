"""Every law over every game, in many seeded matches of all styles, and where hypothesis looks.

`CROUPIER_SOAK=1` makes the long form of it: thousands of matches a game, and new examples each run.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from engine import GAMES, InvalidSetup, Match, MatchWaiting, Seat, settle_options
from tests import hidden_card, laws, move_laws, step_laws, styles
from tests.known import KNOWN
from tests.known.base import Body, Known
from tests.tiny_game import KnownHighCard
from tests.wrong_moves import all_moves, nonsense, some_bodies

SOAK = os.environ.get("CROUPIER_SOAK") == "1"
MATCHES = 2000 if SOAK else 22
#: A match of a long run is left when it has had so many moves; that it ends is another test.
MOVES = 400 if SOAK else 80
EXAMPLES = 2000 if SOAK else 20

#: The laws that need nothing but a match, cheap enough for every step of a long run.
CHEAP = (laws.cards_are_conserved, laws.turns_are_sound)
#: Those for a sample of the steps.
THOROUGH = (
    laws.views_are_as_documented,
    laws.knowledge_is_true,
    laws.saving_changes_nothing,
    move_laws.listing_is_sound,
    move_laws.listed_moves_are_accepted,
    move_laws.reasons_are_given,
)

every_game = pytest.mark.parametrize(
    "known", [*KNOWN.values(), KnownHighCard()], ids=lambda known: known.game.id
)


def test_every_registered_game_is_known_to_the_laws() -> None:
    assert KNOWN.keys() == GAMES.keys()
    assert all(known.game.id == name for name, known in KNOWN.items())
    assert all(type(KNOWN[name].game) is type(game) for name, game in GAMES.items())


@dataclass
class Tally:
    """What really happened in a run, so that no law holds for want of a case."""

    kinds: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    options: set[tuple[str, Any]] = field(default_factory=set)
    players: set[int] = field(default_factory=set)
    deals_compared: int = 0
    steps_compared: int = 0
    choices_compared: int = 0

    def missing(self, known: Known) -> set[Any]:
        """What a run must have had and this one has not."""
        game = known.game
        types = known.audience.keys() | known.bare_events | step_laws.COMMON_EVENTS
        options = {(o.name, value) for o in game.options for value in styles.values(o)}
        refusals = {"accepted", "illegal-move", "not-your-turn", "match-finished"}
        return (
            (known.kinds - self.kinds.keys())
            | (types - self.events.keys())
            | (refusals - self.refused.keys())
            | (options - self.options)
            | (set(range(game.min_players, game.max_players + 1)) - self.players)
        )


@every_game
def test_laws_hold_in_seeded_matches(known: Known) -> None:
    """A number of matches, and then one for each kind of move that has not been made in them."""
    rng, tally = Random(f"laws of {known.game.id}"), Tally()
    curious = styles.Curious(known, rng, tally.kinds)
    for players, options in islice(styles.set_ups(known, rng), MATCHES):
        match = curious.dealt(seats=[f"P{n}" for n in range(players)], options=options)
        tally.players.add(players)
        tally.options |= set(match.chosen_options().items())
        step_laws.events_are_as_documented(known, match, match.log[0])
        tally.deals_compared += hidden_card.a_deal_hides_cards(known, match, rng)
        table = styles.a_table(known, curious, rng, players)
        keep_the_laws(known, match, table, rng, tally)
    for kind in sorted(known.kinds):
        if not tally.kinds[kind]:
            match = styles.led_to(known, kind, rng)
            keep_the_laws(known, match, [curious] * len(match.seats), rng, tally)
    assert tally.missing(known) == set()
    assert tally.deals_compared >= MATCHES
    assert tally.steps_compared >= MATCHES
    assert (tally.choices_compared > 0) == bool(known.secret_actions)


def keep_the_laws(
    known: Known, match: Match, table: list[styles.Style], rng: Random, tally: Tally
) -> None:
    """Plays a match on, the cheap laws at every step, the others at some."""
    first = match.version
    while True:
        over = match.outcome is not None or match.version == first + MOVES
        for law in CHEAP:
            law(known, match)
        if over or rng.random() < 2 / (10 + match.version - first):
            tally.refused += keep_the_thorough_laws(known, match, rng)
        if over:
            break
        seat, body = styles.play_on(match, table, rng)
        if rng.random() < 10 / (40 + match.version - first):
            compare_steps(known, match, seat, body, rng, tally)
        tally.kinds[known.kind(body, match.view(seat))] += 1
        step_laws.played(known, match, seat, body)
    step_laws.record_replays(known, match, match.log)
    tally.events.update(e.type for step in match.log for e in step.events)


def compare_steps(
    known: Known, match: Match, seat: int, body: Body, rng: Random, tally: Tally
) -> None:
    """The law of the hidden card over the step to come, for one of the viewers."""
    viewer = rng.choice(laws.viewers(match))
    tally.steps_compared += hidden_card.a_step_hides_cards(known, match, viewer, seat, body, rng)
    secret = [b for b in laws.listed(match, seat) if b["action"] in known.secret_actions]
    if viewer != seat and len(secret) > 1:
        a, b = rng.sample(secret, 2)
        same = hidden_card.a_choice_hides_cards(known, match, viewer, seat, (a, b))
        tally.choices_compared += same


def keep_the_thorough_laws(known: Known, match: Match, rng: Random) -> Counter[str]:
    """The laws that need nothing but the match, the hidden card's for every viewer included."""
    for law in THOROUGH:
        law(known, match)
    for viewer in laws.viewers(match):
        wrong = [] if viewer is None else some_bodies(match, viewer, rng, most=10)
        hidden_card.a_view_hides_cards(known, match, viewer, rng, wrong)
    move_laws.listing_is_complete(known, match, lambda seat: all_moves(match, seat, rng))
    return move_laws.others_are_refused(
        known,
        match,
        lambda seat: some_bodies(match, seat, rng, most=20 if seat in match.to_act else 2),
    )


@every_game
def test_laws_hold_where_hypothesis_looks(known: Known) -> None:
    """A match is a set-up, some moves at random, then chosen ones: it shrinks to few of both."""

    @settings(
        max_examples=EXAMPLES,
        derandomize=not SOAK,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        match=matches(known),
        skipped=st.integers(0, 120),
        choices=st.lists(st.integers(0, 99), max_size=6),
        chance=st.integers(0, 2**32),
    )
    def search(match: Match, skipped: int, choices: list[int], chance: int) -> None:
        rng = Random(chance)
        while match.to_act and match.version < skipped:
            seat = rng.choice(match.to_act)
            match.play(seat, rng.choice(match.legal_moves(seat)))
        for choice in choices:
            keep_the_thorough_laws(known, match, rng)
            if not match.to_act:
                break
            seat = match.to_act[choice % len(match.to_act)]
            bodies = laws.listed(match, seat)
            body = bodies[choice % len(bodies)]
            event(f"{known.kind(body, match.view(seat))}")
            compare_steps(known, match, seat, body, rng, Tally())
            step_laws.played(known, match, seat, body)
            for law in CHEAP:
                law(known, match)
        step_laws.record_replays(known, match, match.log)

    search()


@st.composite
def matches(draw: st.DrawFn, known: Known) -> Match:
    """A dealt match of any number of players and any allowed options."""
    game = known.game
    players = draw(st.integers(game.min_players, game.max_players))
    options: dict[str, Any] = {}
    for option in draw(st.lists(st.sampled_from(game.options), unique_by=lambda o: o.name)):
        if option.choices is not None:
            options[option.name] = draw(st.sampled_from(option.choices))
        else:
            options[option.name] = draw(st.integers(option.minimum, option.maximum))
        try:
            settle_options(game, options, players=players)
        except InvalidSetup:
            del options[option.name]
    seed = draw(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8))
    return Match.new(game, seats=[f"P{n}" for n in range(players)], seed=seed, options=options)


@every_game
def test_nonsense_is_refused_and_changes_nothing(known: Known) -> None:
    rng = Random(f"nonsense for {known.game.id}")
    for players, options in islice(styles.set_ups(known, rng), 12):
        match = Match.new(known.game, seats=["A"] * players, seed=str(players), options=options)
        for _ in range(rng.randrange(30)):
            if match.to_act:
                seat = rng.choice(match.to_act)
                match.play(seat, rng.choice(match.legal_moves(seat)))
        bodies = {seat: list(nonsense(match, seat, rng)) for seat in range(-1, players + 1)}
        tally = move_laws.others_are_refused(known, match, bodies.__getitem__)
        assert tally["validation"] > 50


@every_game
def test_views_and_events_are_values(known: Known) -> None:
    rng = Random(f"values of {known.game.id}")
    for players, options in islice(styles.set_ups(known, rng), 2 * known.game.max_players):
        match = Match.new(known.game, seats=["A"] * players, seed=str(players), options=options)
        while match.to_act and match.version < 400:
            seat = rng.choice(match.to_act)
            match.play(seat, rng.choice(match.legal_moves(seat)))
            if not match.to_act or rng.random() < 0.2:
                laws.views_are_values(known, match)


@every_game
def test_matches_end(known: Known, record_property: Any) -> None:
    """Every match ends within its turn limit, for each of the reasons; its end keeps the laws. One
    that is not recorded comes to the same end."""
    rng, longest, reasons = Random(f"ends of {known.game.id}"), 0, set()
    for players, chosen in islice(styles.set_ups(known, rng), MATCHES):
        options = {name: min(v, 2) if name == "rounds" else v for name, v in chosen.items()}
        made = {"seats": ["A"] * players, "seed": f"{rng.random()}", "options": options}
        match = Match.new(known.game, **made)
        fast = Match.new(known.game, **made, recorded=False)
        most = options.get("rounds", 1) * match.options.turn_limit
        while match.to_act:
            seat = rng.choice(match.to_act)
            move = rng.choice(match.legal_moves(seat))
            match.play(seat, move)
            fast.play(seat, move)
            assert match.version <= most
        assert match.outcome is not None
        assert fast.state == match.state
        for law in CHEAP:
            law(known, match)
        step_laws.events_are_as_documented(known, match, match.log[-1])
        keep_the_thorough_laws(known, match, rng)
        longest = max(longest, match.version)
        reasons.add(match.outcome.reason)
    assert reasons == known.reasons
    record_property("longest", longest)


@every_game
def test_a_waiting_match_shows_seats_only(known: Known) -> None:
    for players in range(known.game.min_players, known.game.max_players + 1):
        seats = [Seat(kind="open"), *(Seat(name=f"P{n}") for n in range(1, players))]
        match = Match.new(known.game, seats=seats, seed="waiting")
        assert match.status == "waiting"
        assert match.outcome is None
        for viewer in laws.viewers(match):
            view = match.view(viewer)
            laws.assert_json_safe(view)
            assert view.keys() == laws.VIEW_KEYS
            assert view["table"] is None
            assert all(facts.keys() == laws.PLACE_KEYS for facts in view["seats"])
            assert view["legal_moves"] == view["to_act"] == []
            if viewer is not None:
                assert view["you"] == {"seat": viewer, "hand": [], "committed": None}
        twin = laws.copied(known, match)
        assert twin.to_bytes() == match.to_bytes()
        dealt = Match.new(known.game, seats=["A"] * players, seed="waiting")
        for seat in dealt.to_act:
            with pytest.raises(MatchWaiting):
                match.play(seat, laws.listed(dealt, seat)[0])
