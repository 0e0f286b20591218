"""High Card: a tiny game that lives in the tests and shows all that adding a game takes.

2 to 4 players, three of the cards 1 to 12 each. Three times everybody chooses a card at the same
time, unseen; when all have chosen the cards are shown, and the highest takes a point. Most points
win. The engine asks for nothing more than the class below; the laws for the `Known` after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from engine.chance import Chance
from engine.events import Log
from engine.game import Game, GameState, ranked
from engine.options import Option, Options, turn_limit
from engine.values import Move, Outcome, Refusal
from tests.known.base import Body, Known, Place, View, everyone, its_seat, not_own, row_places

CODES = tuple(str(number) for number in range(1, 13))
HAND = 3
NO_CHOICE = -1


class Choose(Move, frozen=True):
    """The card to be shown when all have chosen."""

    card: int


class HighCardOptions(Options, frozen=True):
    lowest_wins: bool


@dataclass(kw_only=True)
class State(GameState):
    options: HighCardOptions
    hands: list[list[int]]
    stock: list[int]
    shown: list[int]
    choices: list[int]
    points: list[int]


class HighCard(Game[State]):
    """The rules of High Card."""

    id = "high-card"
    title = "High Card"
    goal = "Show the highest card of all, three times."
    min_players = 2
    max_players = 4
    codes = CODES
    deck = tuple(range(len(CODES)))
    words: ClassVar = {"card": CODES}
    options = (
        Option(
            name="lowest_wins",
            meaning="Whether the lowest card takes the point instead.",
            default=False,
            choices=(False, True),
        ),
        turn_limit("Moves after which the match ends; never reached."),
    )
    options_type = HighCardOptions
    state_type = State
    moves = (Choose,)

    def deal(self, *, players: int, options: HighCardOptions, chance: Chance, log: Log) -> State:
        stock = list(self.deck)
        chance.shuffle(stock)
        hands = [sorted(stock[seat : HAND * players : players]) for seat in range(players)]
        for seat, hand in enumerate(hands):
            log.add("cards_dealt", seat, cards=hand, seen_by=(seat,))
        return State(
            options=options,
            hands=hands,
            stock=stock[HAND * players :],
            shown=[],
            choices=[NO_CHOICE] * players,
            points=[0] * players,
        )

    def to_act(self, state: State) -> Sequence[int]:
        return [seat for seat, choice in enumerate(state.choices) if choice == NO_CHOICE]

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        return [Choose(card) for card in state.hands[seat]]

    def refusal(self, state: State, seat: int, move: Move) -> Refusal | None:
        assert isinstance(move, Choose)
        return None if move.card in state.hands[seat] else Refusal("You do not hold that card.")

    def play(self, state: State, seat: int, move: Move, chance: Chance, log: Log) -> None:
        assert isinstance(move, Choose)
        state.choices[seat] = move.card
        log.add("choice_made", seat, cards=(move.card,), seen_by=(seat,))
        if NO_CHOICE in state.choices:
            return
        choices, state.choices = state.choices, [NO_CHOICE] * len(state.choices)
        for chooser, card in enumerate(choices):
            state.hands[chooser].remove(card)
            state.shown.append(card)
            log.add("card_shown", chooser, cards=(card,), out_of=chooser)
        best = min(choices) if state.options.lowest_wins else max(choices)
        state.points[choices.index(best)] += 1
        if not any(state.hands):
            state.outcome = self._outcome(state, "points")

    def stop(self, state: State, log: Log) -> None:
        state.outcome = self._outcome(state, "turn_limit")

    def proceed(self, state: State, chance: Chance, log: Log) -> None:
        pass

    def table(self, state: State) -> dict[str, Any]:
        return {"shown": self._codes(state.shown), "stock_count": len(state.stock)}

    def seat_facts(self, state: State, seat: int) -> dict[str, Any]:
        return {"hand_count": len(state.hands[seat]), "points": state.points[seat]}

    def hand(self, state: State, seat: int) -> list[int]:
        return state.hands[seat]

    def committed(self, state: State, seat: int) -> Move | None:
        choice = state.choices[seat]
        return None if choice == NO_CHOICE else Choose(choice)

    def play_of(self, card: int) -> Move:
        return Choose(card)

    def _codes(self, cards: list[int]) -> list[str]:
        return [self.codes[card] for card in cards]

    def _outcome(self, state: State, reason: str) -> Outcome:
        points = {seat: -points for seat, points in enumerate(state.points)}
        return Outcome(ranking=ranked(points), reason=reason)


class KnownHighCard(Known):
    """High Card as the laws see it."""

    game = HighCard()
    table_keys = frozenset({"shown", "stock_count"})
    seat_keys = frozenset({"hand_count", "points"})
    audience: ClassVar = {"cards_dealt": its_seat, "choice_made": its_seat, "card_shown": everyone}
    secret_actions = frozenset({"choose"})
    kinds = frozenset({"choose"})
    reasons = frozenset({"points"})

    def zones(self, state: State) -> Iterator[list[int]]:
        yield from (state.stock, state.shown, *state.hands)

    def hidden(self, state: State, viewer: int | None) -> Iterator[Place]:
        yield from row_places(state.stock)
        yield from not_own(state.hands, viewer)

    def hidden_after_the_end(self, state: State) -> Iterator[Place]:
        return row_places(state.stock)

    def rechoose(self, state: State, knowing: Collection[int], rng: Random) -> None:
        for seat, hand in enumerate(state.hands):
            hand.sort()
            if state.choices[seat] != NO_CHOICE and seat not in knowing:
                state.choices[seat] = rng.choice(hand)

    def kind(self, body: Body, view: View) -> str:
        return str(body["action"])

    def order(self, body: Body) -> Any:
        return CODES.index(body["card"])
