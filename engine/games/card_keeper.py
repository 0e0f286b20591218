"""Card Keeper: keep your hand, for the last player still holding cards wins.

2 to 10 players (CK-1), a deck of its own of 108 cards. Each turn a card is played or burned;
captures, Chaos and Swaps empty the others' hands. `docs/games/card-keeper.md` has the rulings.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from engine.chance import Chance
from engine.events import Log
from engine.game import Game, GameState, ranked
from engine.options import Option, Options, turn_limit
from engine.values import Move, Outcome, Refusal

COLOURS: Final = ("red", "blue", "green", "yellow")
VALUES: Final = (*(str(n) for n in range(1, 10)), "reverse", "capture-1")
COLOURED: Final = len(COLOURS) * len(VALUES)

#: Wire codes in deck order, which is sorting order too: 44 coloured kinds, then the grey ones.
CODES: Final = (
    *(f"{colour}-{value}" for colour in COLOURS for value in VALUES),
    "wild",
    "capture-2",
    "chaos",
    "draw-3",
    "shield",
    "swap-red-yellow",
    "swap-blue-green",
)
WILD: Final = CODES.index("wild")
CAPTURE_2: Final = CODES.index("capture-2")
CHAOS: Final = CODES.index("chaos")
DRAW_3: Final = CODES.index("draw-3")
SHIELD: Final = CODES.index("shield")
SWAP_RED_YELLOW: Final = CODES.index("swap-red-yellow")
SWAP_BLUE_GREEN: Final = CODES.index("swap-blue-green")
COPIES = {WILD: 4, CAPTURE_2: 4, CHAOS: 2, DRAW_3: 4, SHIELD: 4}
COPIES |= {SWAP_RED_YELLOW: 1, SWAP_BLUE_GREEN: 1}
DECK: Final = tuple(card for card in range(51) for _ in range(COPIES.get(card, 2)))

REVERSE: Final = VALUES.index("reverse")
CAPTURE_1: Final = VALUES.index("capture-1")
#: The colours on which a Swap may be played.
SWAPS: Final = {SWAP_RED_YELLOW: (0, 3), SWAP_BLUE_GREEN: (1, 2)}
#: Cards that go back into the draw pile when turned over to start.
NO_START: Final = frozenset(range(COLOURED, 51)) - {WILD}

NO_COLOUR: Final = -1
OWES: Final = -1
NOT_ASKED: Final = -2
LEFT: Final = 1
RIGHT: Final = -1


def colour_of(card: int) -> int:
    """The colour's number, or NO_COLOUR for a grey card."""
    return card // len(VALUES) if card < COLOURED else NO_COLOUR


def value_of(card: int) -> int | None:
    """The number or action that coloured cards match by; None for a grey card."""
    return card % len(VALUES) if card < COLOURED else None


def targets_of(card: int) -> int:
    """How many targets a card takes from or trades with."""
    if card == CAPTURE_2:
        return 2
    return int(value_of(card) == CAPTURE_1 or card in SWAPS)


class NameColour(Move, frozen=True):
    """Name the colour of a Wild that was turned over to start."""

    colour: int


class Play(Move, frozen=True):
    """A card that fits, with its targets or its colour where it has them."""

    card: int
    targets: tuple[int, ...] | None = None
    colour: int | None = None


class Burn(Move, frozen=True):
    """A card to the burn pile, face down: a turn's other choice, and what a Chaos asks for."""

    card: int


#: The moves that need no more than a card, by card.
PLAYS: Final = tuple(Play(card) for card in range(len(CODES)))
BURNS: Final = tuple(Burn(card) for card in range(len(CODES)))
WILDS: Final = tuple(Play(WILD, colour=colour) for colour in range(len(COLOURS)))
NAMINGS: Final = tuple(NameColour(colour) for colour in range(len(COLOURS)))

MAX_PLAYERS: Final = 10  # CK-1
#: The number of a card's targets, and its plays with one and with two targets, by card.
TARGETS: Final = tuple(targets_of(card) for card in range(len(CODES)))
AT_ONE: Final = tuple(
    tuple(Play(card, targets=(target,)) for target in range(MAX_PLAYERS))
    for card in range(len(CODES))
)
AT_TWO: Final = tuple(
    tuple(Play(CAPTURE_2, targets=(first, second)) for second in range(MAX_PLAYERS))
    for first in range(MAX_PLAYERS)
)

NAME_FIRST: Final = Refusal("The colour of the first Wild is named before the first turn.")
NO_NAMING: Final = Refusal("A colour is named only for a Wild turned over to start.")
BURN_NOW: Final = Refusal("A Chaos asks for a card to burn.")
NOT_HELD: Final = Refusal("You do not hold that card.")
NOT_ITS_COLOURS: Final = Refusal("A Swap is played on one of its two colours only.", "CK-4")
OFF_TARGET: Final = Refusal("Targets must be other players still in.", "CK-5")
NO_MATCH: Final = tuple(
    Refusal(f"A coloured card must be {colour}, or match the top card's value.")
    for colour in COLOURS
)


def unfit(card: int, colour: int, top: int) -> Refusal | None:
    """Sheet: why a card may not be played on the active colour and the discard's top card."""
    if card >= COLOURED:
        if card in SWAPS and colour not in SWAPS[card]:
            return NOT_ITS_COLOURS  # CK-4: not on another Swap either
        return None
    # CK-3: a first Reverse or Capture +1 is matched like any other card; a grey top by none.
    if card // len(VALUES) == colour or (top < COLOURED and (card - top) % len(VALUES) == 0):
        return None
    return NO_MATCH[colour]


#: By active colour, top card and card: what `unfit` says.
UNFIT: Final = tuple(
    tuple(
        tuple(unfit(card, colour, top) for card in range(len(CODES))) for top in range(len(CODES))
    )
    for colour in range(len(COLOURS))
)


class CardKeeperOptions(Options, frozen=True):
    first_wild: str
    used_shields: str
    last_together: str


@dataclass(kw_only=True)
class State(GameState):
    """`draw` has its top card last, `discard` and `burned` their oldest first."""

    options: CardKeeperOptions
    hands: list[list[int]]
    shields: list[int]
    draw: list[int]
    discard: list[int] = field(default_factory=list)
    burned: list[int] = field(default_factory=list)
    #: Used Shields and those of seats that are out: cards that have left the match.
    gone: int = 0
    colour: int = NO_COLOUR
    direction: int = LEFT
    turn: int = 0
    #: During a Chaos, by seat: the card chosen, OWES or NOT_ASKED. Else empty.
    choices: list[int] = field(default_factory=list)
    #: Seats in the order of going out; those out by the same move together.
    out: list[list[int]] = field(default_factory=list)

    @property
    def naming(self) -> bool:
        """Whether the colour of a first Wild is still to be named."""
        return self.colour == NO_COLOUR

    def owing(self) -> list[int]:
        """The seats that owe a Chaos choice."""
        return [seat for seat, choice in enumerate(self.choices) if choice == OWES]

    def is_out(self, seat: int) -> bool:
        """Whether a seat is knocked out."""
        return any(seat in group for group in self.out)

    def still_in(self) -> list[int]:
        """The seats not knocked out, by number."""
        gone = [seat for group in self.out for seat in group]
        return [seat for seat in range(len(self.hands)) if seat not in gone]

    def count_in(self) -> int:
        """How many seats are not knocked out."""
        players = len(self.hands)
        for group in self.out:
            players -= len(group)
        return players


class CardKeeper(Game[State]):
    """The rules of Card Keeper."""

    id = "card-keeper"
    title = "Card Keeper"
    goal = "Keep your hand: the last player still holding cards wins."
    min_players = 2
    max_players = MAX_PLAYERS
    codes = CODES
    deck = DECK
    words: ClassVar = {"card": CODES, "colour": COLOURS}
    options = (
        Option(
            name="first_wild",
            meaning="Who names the colour of a Wild turned over to start: the first player, or "
            "chance.",
            default="first_player",
            choices=("first_player", "random"),
        ),
        Option(
            name="used_shields",
            meaning="Where used Shields go: out of the match, or face down on the burn pile.",
            default="leave",
            choices=("leave", "burn_pile"),
        ),
        Option(
            name="last_together",
            meaning="Who wins when the last players go out together: the one who played the card, "
            "or all of them.",
            default="player",
            choices=("player", "draw"),
        ),
        turn_limit("Moves after which the match ends and the most cards in hand win."),
    )
    options_type = CardKeeperOptions
    state_type = State
    moves = (NameColour, Play, Burn)

    def deal(self, *, players: int, options: CardKeeperOptions, chance: Chance, log: Log) -> State:
        deck: list[int] = []
        hands: list[list[int]] = []
        while NO_START.issuperset(deck):  # CK-9: none left could start; deal anew
            deck = list(self.deck)
            chance.shuffle(deck)
            hands = [sorted(deck[seat : 10 * players : players]) for seat in range(players)]
            del deck[: 10 * players]
        state = State(options=options, hands=hands, shields=[0] * players, draw=deck)
        for seat, hand in enumerate(hands):
            log.add("cards_dealt", seat, cards=hand, seen_by=(seat,))
        while deck[0] in NO_START:  # Sheet: put back on top, shuffle the whole draw pile
            log.add("card_put_back", cards=deck[:1])
            chance.shuffle(deck)
        first = deck.pop(0)
        deck.reverse()
        state.discard.append(first)
        self._start_with(state, first, chance)
        log.add(
            "first_card_turned",
            cards=(first,),
            draw_count=len(deck),
            colour=_colour_word(state.colour),
            direction=_direction_word(state.direction),
        )
        return state

    def to_act(self, state: State) -> Sequence[int]:
        return state.owing() if state.choices else (state.turn,)

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        if state.naming:
            return list(NAMINGS)
        moves: list[Move] = []
        burns: list[Move] = []
        others: list[int] = []
        choosing = bool(state.choices)
        unfit_now = UNFIT[state.colour][state.discard[-1]]
        last = -1
        for card in state.hands[seat]:
            if card == last:
                continue
            last = card
            burns.append(BURNS[card])
            if choosing or unfit_now[card] is not None:
                continue
            if TARGETS[card]:
                others = others or [other for other in state.still_in() if other != seat]
                moves += self._aimed(card, others)
            elif card == WILD:
                moves += WILDS
            else:
                moves.append(PLAYS[card])
        moves += burns
        return moves

    def refusal(self, state: State, seat: int, move: Move) -> Refusal | None:
        if state.naming:
            return None if type(move) is NameColour else NAME_FIRST
        if type(move) is NameColour:
            return NO_NAMING
        if type(move) is Burn:  # Sheet: any card may be burned, one that could be played too
            return None if move.card in state.hands[seat] else NOT_HELD
        assert type(move) is Play  # nosec B101 # for the type checker
        if state.choices:
            return BURN_NOW
        if move.card not in state.hands[seat]:
            return NOT_HELD
        return UNFIT[state.colour][state.discard[-1]][move.card] or self._off_target(
            state, seat, move.targets or ()
        )

    def play(self, state: State, seat: int, move: Move, chance: Chance, log: Log) -> None:
        if type(move) is Burn:
            self._burn(state, seat, move.card, log)
        elif type(move) is Play:
            self._play_card(state, seat, move, chance, log)
        else:
            assert type(move) is NameColour  # nosec B101 # for the type checker
            state.colour = move.colour
            # The first turn is still to come: the next seat from this one's right is this one.
            state.turn = (seat - state.direction) % len(state.hands)
            log.add("colour_named", seat, colour=COLOURS[move.colour])
            return
        if not state.choices:
            self._knock_out(state, log)

    def stop(self, state: State, log: Log) -> None:
        # Those still in by most cards; an unfinished Chaos is left as it is.
        most_first = ranked({seat: -len(state.hands[seat]) for seat in state.still_in()})
        state.outcome = Outcome(ranking=most_first + state.out[::-1], reason="turn_limit")

    def proceed(self, state: State, chance: Chance, log: Log) -> None:
        if state.choices:
            return
        state.turn = _next_seat(state)
        # Sheet: catch up by one card; with two players left only from exactly one card.
        held = len(state.hands[state.turn])
        if held <= 3 and (held == 1 or state.count_in() != 2):
            self._draw(state, state.turn, 1, chance, log)

    def table(self, state: State) -> dict[str, Any]:
        phase = "name_colour" if state.naming else "chaos" if state.choices else "play"
        return {
            "phase": phase,
            "draw_count": len(state.draw),
            "discard_top": CODES[state.discard[-1]],
            "discard_count": len(state.discard),
            "burn_count": len(state.burned),
            "colour": _colour_word(state.colour),
            "direction": _direction_word(state.direction),
        }

    def seat_facts(self, state: State, seat: int) -> dict[str, Any]:
        return {
            "hand_count": len(state.hands[seat]),
            "shields": state.shields[seat],
            "out": state.is_out(seat),
        }

    def hand(self, state: State, seat: int) -> list[int]:
        return state.hands[seat]

    def committed(self, state: State, seat: int) -> Move | None:
        choice = state.choices[seat] if state.choices else NOT_ASKED
        return Burn(choice) if choice >= 0 else None

    def play_of(self, card: int) -> Move:
        return Play(card)

    def uses(self, move: Move) -> tuple[int, ...]:
        return () if isinstance(move, Burn) else super().uses(move)

    def move_errors(self, move: Move, options: CardKeeperOptions) -> dict[str, list[str]]:
        if not isinstance(move, Play):
            return {}
        errors: dict[str, list[str]] = {}
        wanted, named = TARGETS[move.card], len(move.targets or ())
        if named != wanted:
            errors["targets"] = [f"This card takes {wanted or 'no'} target{'s'[: wanted != 1]}."]
        if (move.colour is None) == (move.card == WILD):
            errors["colour"] = [
                "A Wild names a colour." if move.card == WILD else "Only a Wild names a colour."
            ]
        return errors

    # The checks

    def _off_target(self, state: State, seat: int, targets: tuple[int, ...]) -> Refusal | None:
        """CK-5: a target may run out of cards between two takes; being still in is enough."""
        for target in targets:
            if target == seat or state.is_out(target):
                return OFF_TARGET
        return None

    def _aimed(self, card: int, others: list[int]) -> list[Play]:
        """A card that needs targets, for each choice of them, the lower seat first."""
        if TARGETS[card] == 1:
            at_one = AT_ONE[card]
            return [at_one[target] for target in others]
        return [AT_TWO[first][second] for first in others for second in others if first <= second]

    # The effects

    def _start_with(self, state: State, first: int, chance: Chance) -> None:
        """Sheet: what the card turned over to start does."""
        if first != WILD:
            state.colour = colour_of(first)
            if value_of(first) == REVERSE:  # CK-2: the player at the dealer's right starts
                state.direction = RIGHT
                state.turn = len(state.hands) - 2
        elif state.options.first_wild == "random":
            state.colour = chance.below(len(COLOURS))

    def _play_card(self, state: State, seat: int, move: Play, chance: Chance, log: Log) -> None:
        """A card leaves the hand, goes where it belongs, and then does what it does."""
        card = move.card
        state.hands[seat].remove(card)
        if card == SHIELD:
            state.shields[seat] += 1
        else:
            state.discard.append(card)
        if card == WILD:
            assert move.colour is not None  # nosec B101 # for the type checker
            state.colour = move.colour
        elif card < COLOURED:
            state.colour = colour_of(card)
        if value_of(card) == REVERSE and state.count_in() > 2:
            state.direction = -state.direction
        targets = move.targets or ()
        if log.kept:
            log.add(
                "card_played",
                seat,
                cards=(card,),
                out_of=seat,
                targets=list(targets),
                colour=COLOURS[state.colour],
                direction=_direction_word(state.direction),
            )
        if card in SWAPS:
            self._swap(state, seat, targets[0], log)
        elif card == DRAW_3:
            self._draw(state, seat, 3, chance, log)
        elif card == CHAOS:
            self._chaos(state, seat, log)
        else:
            for target in targets:
                self._capture(state, seat, target, chance, log)

    def _capture(self, state: State, seat: int, target: int, chance: Chance, log: Log) -> None:
        """One take of a Capture; blocked or from an empty hand (CK-5) it uses no chance."""
        if state.shields[target]:
            self._use_shield(state, target, log)
        elif state.hands[target]:
            card = chance.pick(state.hands[target])
            insort(state.hands[seat], card)
            if log.kept:
                log.add(
                    "card_captured",
                    seat,
                    cards=(card,),
                    seen_by=(seat, target),
                    out_of=target,
                    into=seat,
                    target=target,
                )

    def _use_shield(self, state: State, seat: int, log: Log) -> None:
        state.shields[seat] -= 1
        burned = state.options.used_shields == "burn_pile"
        if burned:
            state.burned.append(SHIELD)
        else:
            state.gone += 1
        log.add("shield_used", seat, burned=burned)

    def _chaos(self, state: State, seat: int, log: Log) -> None:
        state.choices = [NOT_ASKED] * len(state.hands)
        for other in state.still_in():
            if other == seat:
                continue
            if state.shields[other]:
                self._use_shield(state, other, log)
            else:
                state.choices[other] = OWES
        if not state.owing():
            state.choices = []

    def _swap(self, state: State, seat: int, target: int, log: Log) -> None:
        hands = state.hands
        hands[seat], hands[target] = hands[target], hands[seat]
        both = (seat, target)
        log.add("hands_swapped", seat, target=target)
        for holder in both:
            log.add("hand_seen", holder, cards=hands[holder], seen_by=both)

    def _burn(self, state: State, seat: int, card: int, log: Log) -> None:
        if not state.choices:
            self._put_on_burn_pile(state, seat, card, log)
            return
        state.choices[seat] = card
        log.add("choice_made", seat, cards=(card,), seen_by=(seat,))
        if state.owing():
            return
        # CK-6: together, by seat number, so that the order in which they came changes nothing.
        choices, state.choices = state.choices, []
        for chooser, choice in enumerate(choices):
            if choice != NOT_ASKED:
                self._put_on_burn_pile(state, chooser, choice, log)

    def _put_on_burn_pile(self, state: State, seat: int, card: int, log: Log) -> None:
        state.hands[seat].remove(card)
        state.burned.append(card)
        if log.kept:
            log.add("card_burned", seat, cards=(card,), seen_by=(seat,), out_of=seat)

    def _draw(self, state: State, seat: int, count: int, chance: Chance, log: Log) -> None:
        """Draws one by one. CK-7: an empty draw pile is made new at the moment a card must come."""
        drawn: list[int] = []
        for _ in range(count):
            if not state.draw:
                if drawn:  # told before the new pile, so that who follows can count along
                    log.add("cards_drawn", seat, cards=sorted(drawn), seen_by=(seat,))
                    drawn = []
                self._remake_draw_pile(state, chance, log)
                if not state.draw:
                    break
            card = state.draw.pop()
            drawn.append(card)
            insort(state.hands[seat], card)
        if drawn and log.kept:
            log.add("cards_drawn", seat, cards=sorted(drawn), seen_by=(seat,))

    def _remake_draw_pile(self, state: State, chance: Chance, log: Log) -> None:
        pile = state.discard[:-1] + state.burned
        if not pile:
            return
        chance.shuffle(pile)
        state.draw = pile[::-1]
        del state.discard[:-1]
        state.burned = []
        log.add("draw_pile_made", draw_count=len(pile))

    def _knock_out(self, state: State, log: Log) -> None:
        """CK-8: looked at when a move and all it causes is over."""
        holding = 0
        for hand in state.hands:
            holding += len(hand) > 0
        if holding == state.count_in():
            return
        going = [seat for seat in state.still_in() if not state.hands[seat]]
        state.out.append(going)
        for seat in going:
            log.add("knocked_out", seat, shields=state.shields[seat])
            state.gone += state.shields[seat]
            state.shields[seat] = 0
        left = state.still_in()
        if len(left) == 1:
            state.outcome = Outcome(ranking=[left, *state.out[::-1]], reason="last_holding_cards")
        elif not left:
            first = [going]
            if state.options.last_together == "player":
                first = [[state.turn], [seat for seat in going if seat != state.turn]]
            state.outcome = Outcome(ranking=first + state.out[-2::-1], reason="last_together")


def _next_seat(state: State) -> int:
    """The next seat still in, in the present direction, from the one that had the turn."""
    players, seat = len(state.hands), state.turn
    while True:
        seat = (seat + state.direction) % players
        if state.hands[seat] or not state.is_out(seat):
            return seat


def _colour_word(colour: int) -> str | None:
    return None if colour == NO_COLOUR else COLOURS[colour]


def _direction_word(direction: int) -> str:
    return "left" if direction == LEFT else "right"
