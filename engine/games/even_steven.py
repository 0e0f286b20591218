"""Even Steven: a shedding game in which even cards climb and odd cards do tricks.

2 to 8 players, one standard deck. Seven cards in hand and three face down (ES-1, ES-2). An even
card must reach the pile's value; 3 skips, 5 adds one, 7 steals, 9 resets to 2, A burns the pile.
Whoever has no cards wins. `docs/games/even-steven.md` has the rulings in full.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Final

from engine import cards
from engine.cards import (
    ACE,
    CODES,
    FIVE,
    NINE,
    NO_CARD,
    SEVEN,
    THREE,
    rank_of,
    row_count,
    slots_held,
)
from engine.chance import Chance
from engine.events import Log
from engine.game import Game, GameState, ranked
from engine.options import Option, Options, turn_limit
from engine.values import Move, Outcome, Refusal

#: The number of each even rank, J, Q and K included; the odd ranks have none.
NUMBERS: Final = {"2": 2, "4": 4, "6": 6, "8": 8, "10": 10, "J": 11, "Q": 12, "K": 13}
#: By card: its number, or 0 for an odd card.
EVEN: Final = tuple(NUMBERS.get(cards.RANKS[rank_of(card)], 0) for card in range(52))
#: The same for whoever looks for the lowest even card (ES-9): an odd one is higher than all.
EVENS_FIRST: Final = tuple(number or 99 for number in EVEN)

NO_VALUE: Final = 0

NOT_HELD: Final = Refusal("You do not hold that card.")
NO_SLOT: Final = Refusal("That slot holds no card.")
FLIP_LATER: Final = Refusal("Face-down cards are for an empty hand.")
FLIP_NOW: Final = Refusal("With an empty hand a face-down card is flipped instead.", "ES-4")
CAN_PLAY: Final = Refusal("You hold an even card that may be played.", "ES-4")
DECK_EMPTY: Final = Refusal("The deck is empty.", "ES-5")
DECK_LEFT: Final = Refusal("The pile is picked up only when the deck is empty.", "ES-5")
NO_PILE: Final = Refusal("There is no pile to pick up.", "ES-5")
NOTHING_TO_STEAL: Final = Refusal("There is nothing to steal before a 7 is played.", "ES-6")


class Play(Move, frozen=True):
    """A card from the hand."""

    card: int


class Draw(Move, frozen=True):
    """Turn over the deck's top card and play it blindly."""


class PickUp(Move, frozen=True):
    """Take the pile, where one would draw but the deck is empty (ES-5)."""


class Flip(Move, frozen=True):
    """Turn over and play one of one's own face-down cards."""

    slot: int


class Steal(Move, frozen=True):
    """Take a card of another seat: a random one of its hand, or the one in `slot`."""

    target: int
    slot: int | None = None


class Decline(Move, frozen=True):
    """Leave the steal that a 7 allows (ES-6)."""


PLAYS: Final = tuple(Play(card) for card in range(52))
FLIPS: Final = tuple(Flip(slot) for slot in range(3))
DRAW: Final = Draw()
PICK_UP: Final = PickUp()
DECLINE: Final = Decline()
MAX_PLAYERS: Final = 8
#: A random card of a hand, by the seat that it is taken from.
STEALS: Final = tuple(Steal(target) for target in range(MAX_PLAYERS))

#: By the pile's value (a K and four 5s make 17) and card. Sheet: an even card must reach the value;
#: an odd one is always allowed.
FITS: Final = tuple(tuple(not 0 < number < value for number in EVEN) for value in range(18))


class EvenStevenOptions(Options, frozen=True):
    hand_size: int
    face_down: int
    round_starter: str


@dataclass(kw_only=True)
class State(GameState):
    """`deck` has its top card last, `pile` its oldest first; `value` is 0 for none."""

    options: EvenStevenOptions
    deck: list[int]
    hands: list[list[int]]
    face_down: list[list[int]]
    turn: int
    pile: list[int] = field(default_factory=list)
    value: int = NO_VALUE
    round: int = 1
    stealing: bool = False
    #: The move has ended the round, and what follows is still to come; between steps only where
    #: nothing follows, as the match is over.
    round_over: bool = False

    def held(self, seat: int) -> int:
        """How many cards a seat has, hand and face down."""
        return len(self.hands[seat]) + row_count(self.face_down[seat])


class EvenSteven(Game[State]):
    """The rules of Even Steven."""

    id = "even-steven"
    title = "Even Steven"
    goal = "Be the first without cards: climb with even cards, and let the odd ones do tricks."
    min_players = 2
    max_players = MAX_PLAYERS
    codes = CODES
    deck = cards.DECK
    words: ClassVar = {"card": CODES}
    options = (
        Option(
            name="hand_size",
            meaning="Cards dealt to each hand: 7 for 2 to 4 players, 4 for more, unless chosen.",
            default=None,
            choices=(4, 7),
            ruling="ES-1",
        ),
        Option(
            name="face_down",
            meaning="Face-down cards of a seat: 3 for 2 to 4 players, 0 for more, unless chosen.",
            default=None,
            minimum=0,
            maximum=3,
            ruling="ES-2",
        ),
        Option(
            name="round_starter",
            meaning="Who starts a round: the seat with the most cards, or the left neighbour of "
            "the one who ended the last.",
            default="most_cards",
            choices=("most_cards", "next_player"),
            ruling="ES-9",
        ),
        turn_limit("Moves after which the match ends and the fewest cards win."),
    )
    options_type = EvenStevenOptions
    state_type = State
    moves = (Play, Draw, PickUp, Flip, Steal, Decline)

    def default_options(self, players: int) -> Mapping[str, Any]:
        small = players <= 4
        return {
            "hand_size": 7 if small else 4,
            "face_down": 3 if small else 0,
        }  # ES-1, ES-2

    def option_errors(self, options: EvenStevenOptions, players: int) -> dict[str, list[str]]:
        errors: dict[str, list[str]] = {}
        if options.hand_size == 7 and players > 4:  # ES-1
            errors["hand_size"] = ["7 is for 2 to 4 players (ES-1)."]
        if 52 - players * (options.hand_size + options.face_down) < 8:  # ES-2
            errors["face_down"] = ["Too few cards would be left in the deck (ES-2)."]
        return errors

    def deal(self, *, players: int, options: EvenStevenOptions, chance: Chance, log: Log) -> State:
        deck = list(self.deck)
        chance.shuffle(deck)
        deck.reverse()
        face_down: list[list[int]] = [[] for _ in range(players)]
        hands: list[list[int]] = [[] for _ in range(players)]
        for _ in range(options.face_down):
            for row in face_down:
                row.append(deck.pop())
        for _ in range(options.hand_size):
            for hand in hands:
                hand.append(deck.pop())
        for hand in hands:
            hand.sort()
        state = State(options=options, deck=deck, hands=hands, face_down=face_down, turn=0)
        if log.kept:
            for seat, hand in enumerate(hands):
                log.add(
                    "cards_dealt",
                    seat,
                    cards=hand,
                    seen_by=(seat,),
                    face_down=options.face_down,
                )
        state.turn = self._starter(state, last=players - 1)
        log.add("round_started", state.turn, round=1, deck_count=len(deck))
        return state

    def to_act(self, state: State) -> Sequence[int]:
        return (state.turn,)

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        if state.stealing:
            return self._steals(state, seat)
        hand, value = state.hands[seat], state.value
        if not hand:
            return [FLIPS[slot] for slot in slots_held(state.face_down[seat])]
        # One deck: no card of a hand looks like another.
        fit = FITS[value]
        moves: list[Move] = [PLAYS[card] for card in hand if fit[card]]
        if not _evens_reach(hand, value):  # ES-4
            if state.deck:
                moves.append(DRAW)
            elif state.pile:
                moves.append(PICK_UP)
        return moves

    def refusal(self, state: State, seat: int, move: Move) -> Refusal | None:
        if state.stealing:
            return self._steal_refusal(state, seat, move)
        hand = state.hands[seat]
        if type(move) is Play:
            if move.card not in hand:
                return NOT_HELD
            return None if FITS[state.value][move.card] else _too_low(state.value)
        if type(move) is Draw:
            return self._not_blindly(state, hand) or (None if state.deck else DECK_EMPTY)  # ES-5
        if type(move) is PickUp:
            return self._not_blindly(state, hand) or self._no_pile(state)
        if type(move) is Flip:
            if hand:
                return FLIP_LATER
            return None if move.slot in slots_held(state.face_down[seat]) else NO_SLOT
        return NOTHING_TO_STEAL

    def play(self, state: State, seat: int, move: Move, chance: Chance, log: Log) -> None:
        if type(move) is Play:
            state.hands[seat].remove(move.card)
            self._turn_up(state, seat, move.card, "hand", None, log)
        elif type(move) is Draw:
            self._turn_up(state, seat, state.deck.pop(), "deck", None, log)
        elif type(move) is PickUp:
            self._pick_up(state, seat, log)
        elif type(move) is Flip:
            card = state.face_down[seat][move.slot]
            state.face_down[seat][move.slot] = NO_CARD
            self._turn_up(state, seat, card, "face_down", move.slot, log)
        elif type(move) is Steal:
            self._steal(state, seat, move, chance, log)
            self._check_win(state, move.target)  # ES-10
        else:
            state.stealing = False
            log.add("steal_declined", seat)
        self._check_win(state, seat)

    def stop(self, state: State, log: Log) -> None:
        # An open steal counts as declined, so that a 7 as the last card wins.
        state.stealing = False
        self._check_win(state, state.turn)
        if state.outcome is None:
            state.outcome = self._outcome(state, "turn_limit")

    def proceed(self, state: State, chance: Chance, log: Log) -> None:
        if state.stealing:
            return
        ender, players = state.turn, len(state.hands)
        state.turn = (ender + 1) % players
        if not state.round_over:
            return
        state.round_over = False
        target = max(0, state.options.hand_size - state.round)  # ES-8
        for step in range(1, players):
            self._refill(state, (ender + step) % players, target, log)
        state.round += 1
        if state.options.round_starter == "most_cards":
            state.turn = self._starter(state, last=ender)
        if log.kept:
            log.add("round_started", state.turn, round=state.round, deck_count=len(state.deck))

    def table(self, state: State) -> dict[str, Any]:
        return {
            "phase": "steal" if state.stealing else "play",
            "round": state.round,
            "deck_count": len(state.deck),
            "pile": [CODES[card] for card in state.pile],
            "value": state.value or None,
        }

    def seat_facts(self, state: State, seat: int) -> dict[str, Any]:
        return {
            "hand_count": len(state.hands[seat]),
            "face_down": slots_held(state.face_down[seat]),
        }

    def hand(self, state: State, seat: int) -> list[int]:
        return state.hands[seat]

    def play_of(self, card: int) -> Move:
        return Play(card)

    def revealed(self, state: State, seat: int) -> dict[str, Any]:
        return {"face_down_cards": cards.row_codes(state.face_down[seat])}

    # The checks

    def _not_blindly(self, state: State, hand: list[int]) -> Refusal | None:
        """ES-4: who may neither draw nor, where the deck is empty, pick up."""
        if not hand:
            return FLIP_NOW
        return CAN_PLAY if _evens_reach(hand, state.value) else None

    def _no_pile(self, state: State) -> Refusal | None:
        """ES-5: the pile is for an empty deck."""
        if state.deck:
            return DECK_LEFT
        return None if state.pile else NO_PILE

    def _steals(self, state: State, seat: int) -> list[Move]:
        """ES-6: from a hand at random, from face-down cards by slot; or nothing."""
        moves: list[Move] = []
        for target, hand in enumerate(state.hands):
            if target == seat:
                continue
            if hand:
                moves.append(STEALS[target])
            else:
                moves += [Steal(target, slot) for slot in slots_held(state.face_down[target])]
        return [*moves, DECLINE]

    def _steal_refusal(self, state: State, seat: int, move: Move) -> Refusal | None:
        if type(move) is Decline:
            return None
        if type(move) is not Steal:  # ES-6
            return Refusal("After a 7 you steal a card or decline.", "ES-6")
        if move.target == seat:
            return Refusal("A card is stolen from another player.", "ES-6")
        if state.hands[move.target]:
            if move.slot is not None:
                return Refusal("The target has cards in hand, so no slot is named.", "ES-6")
            return None
        if move.slot is None:
            return Refusal("The target's hand is empty, so a slot must be named.", "ES-6")
        if move.slot not in slots_held(state.face_down[move.target]):
            return Refusal("That slot holds no card.", "ES-6")
        return None

    # The effects

    def _turn_up(
        self, state: State, seat: int, card: int, zone: str, slot: int | None, log: Log
    ) -> None:
        """Puts a card on the pile and lets it do what it does."""
        state.pile.append(card)
        rank, fit = rank_of(card), FITS[state.value][card]
        if EVEN[card]:
            if fit:
                state.value = EVEN[card]
        elif rank == FIVE:
            if state.value != NO_VALUE:
                state.value += 1  # ES-3: whatever lies below; none stays none
        elif rank == NINE:
            state.value = 2
        elif rank == SEVEN:
            state.stealing = True  # ES-6
        elif rank == ACE:
            state.value = NO_VALUE
        else:
            # Sheet: the turn is used, nothing changes.
            assert rank == THREE  # nosec B101 # the only one left
        if log.kept:
            log.add(
                "card_played",
                seat,
                cards=(card,),
                out_of=seat if zone == "hand" else None,
                zone=zone,
                slot=slot,
                fits=fit,
                value=state.value or None,
            )
        if rank == ACE:
            # ES-7: under the deck in the order played, the first played to come up first.
            state.deck[:0] = state.pile[::-1]
            if log.kept:
                log.add("pile_burned", seat, count=len(state.pile))
            state.pile = []
            state.round_over = True
        elif not fit:
            self._pick_up(state, seat, log)

    def _pick_up(self, state: State, seat: int, log: Log) -> None:
        if log.kept:
            log.add("pile_picked_up", seat, cards=sorted(state.pile), into=seat)
        hand = state.hands[seat]
        hand += state.pile
        hand.sort()
        state.pile = []
        state.value = NO_VALUE
        state.round_over = True

    def _steal(self, state: State, seat: int, move: Steal, chance: Chance, log: Log) -> None:
        state.stealing = False
        if move.slot is None:
            card = chance.pick(state.hands[move.target])
            seen_by: tuple[int, ...] = (seat, move.target)
        else:
            row = state.face_down[move.target]
            card, row[move.slot], seen_by = row[move.slot], NO_CARD, (seat,)
        insort(state.hands[seat], card)
        if log.kept:
            log.add(
                "card_stolen",
                seat,
                cards=(card,),
                seen_by=seen_by,
                out_of=move.target if move.slot is None else None,
                into=seat,
                target=move.target,
                slot=move.slot,
            )

    def _refill(self, state: State, seat: int, target: int, log: Log) -> None:
        hand, deck = state.hands[seat], state.deck
        wanted = min(target - len(hand), len(deck))
        if wanted > 0:
            drawn = deck[-wanted:]
            del deck[-wanted:]
            hand += drawn
            hand.sort()
            if log.kept:
                log.add("cards_drawn", seat, cards=sorted(drawn), seen_by=(seat,))

    def _starter(self, state: State, *, last: int) -> int:
        """ES-9: the most cards; then the lowest even card in hand; then first going left from the
        seat `last`, which itself comes last."""
        players = len(state.hands)
        held = [state.held(seat) for seat in range(players)]
        most = max(held)
        going_left = [(last + step) % players for step in range(1, players + 1)]
        tied = [seat for seat in going_left if held[seat] == most]
        lowest = [_lowest_even(state.hands[seat]) for seat in tied]
        return tied[lowest.index(min(lowest))]

    def _check_win(self, state: State, seat: int) -> None:
        """Whoever has no cards wins; while a steal is open nobody does. Asked about a seat that may
        have lost its last card."""
        if not state.stealing and state.held(seat) == 0:
            state.outcome = self._outcome(state, "no_cards")

    def _outcome(self, state: State, reason: str) -> Outcome:
        held = {seat: state.held(seat) for seat in range(len(state.hands))}
        return Outcome(ranking=ranked(held), reason=reason)


def _evens_reach(hand: list[int], value: int) -> bool:
    """Whether an even card of a hand may be played; the hand being sorted, the last is highest."""
    for card in reversed(hand):
        if EVEN[card]:
            return EVEN[card] >= value
    return False


def _lowest_even(hand: list[int]) -> int:
    """The number of a hand's lowest even card, or one above all numbers where it has none. It is
    the same work for any cards, so that the time it takes tells others nothing of them."""
    lowest = 99
    for card in hand:
        lowest = min(lowest, EVENS_FIRST[card])
    return lowest


@cache
def _too_low(value: int) -> Refusal:
    return Refusal(f"An even card must reach the pile's value, {value}.")
