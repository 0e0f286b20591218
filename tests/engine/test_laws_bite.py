"""The laws can fail: each broken game here must be caught by the law that is meant for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine import Match
from tests import broken_games as games
from tests import hidden_card, laws, move_laws, step_laws, styles
from tests.broken_games import broken
from tests.known import KNOWN
from tests.known.base import Known
from tests.tiny_game import KnownHighCard
from tests.wrong_moves import all_moves, some_bodies

TINY = KnownHighCard()
STEVEN, KEEPER, TENS = (KNOWN[name] for name in ("even-steven", "card-keeper", "seven-twos-tens"))
Law = Callable[[Known, Match, Random], Any]


def found_by(law: Law, known: Known, *, matches: int = 40, moves: int = 60) -> None:
    """Holds matches of all sizes against one law, at every step."""
    rng = Random(f"bite {known.game.id}")
    for players, options in islice(styles.set_ups(known, rng), matches):
        match = Match.new(
            known.game, seats=["A"] * players, seed=f"{rng.random()}", options=options
        )
        table = [rng.choice(styles.pure(known, rng))] * players
        while True:
            law(known, match, rng)
            if not match.to_act or match.version > moves:
                break
            match.play(*styles.play_on(match, table, rng))


# The laws, each as it is asked here


def a_view(known: Known, match: Match, rng: Random) -> None:
    viewer = rng.choice(laws.viewers(match))
    wrong = [] if viewer is None else some_bodies(match, viewer, rng, most=20)
    hidden_card.a_view_hides_cards(known, match, viewer, rng, wrong)


def a_step(known: Known, match: Match, rng: Random) -> None:
    if match.to_act:
        seat, viewer = rng.choice(match.to_act), rng.choice(laws.viewers(match))
        body = rng.choice(laws.listed(match, seat))
        hidden_card.a_step_hides_cards(known, match, viewer, seat, body, rng)


def a_choice(known: Known, match: Match, rng: Random) -> None:
    if match.to_act:
        seat = rng.choice(match.to_act)
        secret = [b for b in laws.listed(match, seat) if b["action"] in known.secret_actions]
        if len(secret) > 1:
            a, b = rng.sample(secret, 2)
            hidden_card.a_choice_hides_cards(known, match, None, seat, (a, b))


def a_deal(known: Known, match: Match, rng: Random) -> None:
    hidden_card.a_deal_hides_cards(known, match, rng)


def playing(known: Known, match: Match, rng: Random) -> None:
    if match.to_act:
        seat = rng.choice(match.to_act)
        body = rng.choice(laws.listed(match, seat))
        step_laws.played(known, laws.copied(known, match), seat, body)


def refusing(known: Known, match: Match, rng: Random) -> None:
    move_laws.others_are_refused(known, match, lambda seat: some_bodies(match, seat, rng, most=10))


def listing(known: Known, match: Match, rng: Random) -> None:
    move_laws.listing_is_complete(known, match, lambda seat: all_moves(match, seat, rng))


def replaying(known: Known, match: Match, rng: Random) -> None:
    step_laws.record_replays(known, match, match.log)


def alone(law: Callable[[Known, Match], None]) -> Law:
    return lambda known, match, rng: law(known, match)


HIDING: Mapping[str, tuple[Law, Known, str | None]] = {
    "a count tells a card": (
        a_view,
        broken(STEVEN, table=games.deck_count_tells_a_card),
        "view of",
    ),
    "an order tells cards": (
        a_view,
        broken(STEVEN, seat_facts=games.slots_tell_their_order),
        "view of",
    ),
    "a sum tells a card": (
        a_view,
        broken(KEEPER, table=games.burn_count_tells_a_card),
        "view of",
    ),
    "choices show at once": (
        a_view,
        broken(TENS, seat_facts=games.choices_are_face_up_at_once),
        "view of",
    ),
    "a listing tells cards": (
        a_view,
        broken(STEVEN, legal_moves=games.only_the_best_flip),
        "view of",
    ),
    "a check looks at cards": (
        a_view,
        broken(STEVEN, refusal=games.names_the_blind_card),
        "refused",
    ),
    "a refusal tells cards": (
        a_view,
        broken(KEEPER, refusal=games.says_who_has_it),
        "refused",
    ),
    "a fact of an event": (
        a_step,
        broken(KEEPER, **games.told("cards_drawn", games.with_fact, KEEPER)),
        "events tell",
    ),
    "a fact of a choice": (
        a_choice,
        broken(TENS, **games.told("choice_made", games.with_fact, TENS)),
        "events tell",
    ),
    "the order of a deal": (
        a_deal,
        broken(TINY, deal=games.deals_in_order_of_cards),
        "deal tells",
    ),
    "a draw shown to all": (
        playing,
        broken(STEVEN, **games.told("cards_drawn", games.openly, STEVEN)),
        "cards_drawn as",
    ),
}

SOUND: Mapping[str, tuple[Law, Known, str | None]] = {
    "a card is lost": (
        alone(laws.cards_are_conserved),
        broken(TINY, play=games.loses_a_card),
        "have left",
    ),
    "a card is doubled": (
        alone(laws.cards_are_conserved),
        broken(TINY, play=games.doubles_a_card),
        "too many",
    ),
    "a card comes back": (
        playing,
        broken(TENS, proceed=games.returns_removed_cards),
        "are back",
    ),
    "nothing to do": (
        alone(laws.turns_are_sound),
        broken(TINY, legal_moves=games.nothing_to_do),
        "legal moves of seat",
    ),
    "a look-alike": (
        alone(move_laws.listing_is_sound),
        broken(TINY, legal_moves=games.twice),
        "choose",
    ),
    "an unlisted move": (
        refusing,
        broken(TINY, legal_moves=games.all_but_the_last),
        "no listed move",
    ),
    "a listed move": (
        alone(move_laws.listed_moves_are_accepted),
        broken(TINY, legal_moves=games.not_only_own_cards),
        "listed but refused",
    ),
    "an unlisted target": (
        listing,
        broken(KEEPER, refusal=games.any_targets),
        "is listed: False",
    ),
    "a refusal changes": (
        refusing,
        broken(TINY, refusal=games.thinks_with_the_state),
        "has changed",
    ),
    "a refusal says nothing": (
        refusing,
        broken(TINY, refusal=games.bare_refusal),
        None,
    ),
    "state outside the state": (
        alone(laws.saving_changes_nothing),
        broken(TINY, play=games.remembers_in_itself),
        None,
    ),
    "other chance": (replaying, broken(TINY, play=games.throws_dice), None),
    "a tuple": (
        alone(laws.views_are_as_documented),
        broken(TINY, table=games.tuple_in_table),
        "JSON",
    ),
    "a key": (
        alone(laws.views_are_as_documented),
        broken(TINY, table=games.more_in_table),
        None,
    ),
    "a window": (
        alone(laws.views_are_values),
        broken(TINY, table=games.window_in_table),
        "window into",
    ),
    "an unsorted hand": (
        alone(laws.views_are_as_documented),
        broken(TINY, hand=games.unsorted_hand),
        None,
    ),
    "a choice before it is made": (
        alone(laws.views_are_as_documented),
        broken(TINY, committed=games.tells_no_own_choice),
        None,
    ),
    "false knowledge": (
        alone(laws.knowledge_is_true),
        broken(STEVEN, **games.told("card_played", games.as_if_still_there, STEVEN)),
        "is told",
    ),
}


@pytest.mark.parametrize("case", HIDING)
def test_the_law_of_the_hidden_card_catches(case: str) -> None:
    law, known, words = HIDING[case]
    with pytest.raises(AssertionError, match=words):
        found_by(law, known)


@pytest.mark.parametrize("case", SOUND)
def test_the_other_laws_catch(case: str) -> None:
    law, known, words = SOUND[case]
    with pytest.raises(AssertionError, match=words):
        found_by(law, known)


@pytest.mark.parametrize("known", [STEVEN, KEEPER, TENS, TINY], ids=lambda known: known.game.id)
def test_an_honest_game_passes_the_same_way(known: Known) -> None:
    for law in {law for law, _, _ in (*HIDING.values(), *SOUND.values())}:
        found_by(law, broken(known), matches=3, moves=15)
