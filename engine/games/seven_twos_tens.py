"""Seven, Twos & Tens: be the first to get rid of hand, face-up and face-down cards.

2 to 12 players, one standard deck for each four (ST-1). A card must reach the pile's value; a 2
resets it, a 7 is invisible, a 10 removes the pile, and so do four of a kind. Several rounds may be
played for the lowest score. `docs/games/seven-twos-tens.md` has the rulings in full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar, Final, Literal

from engine import cards
from engine.cards import CODES, NO_CARD, SEVEN, TEN, TWO, rank_of, row_count, slots_held
from engine.chance import Chance
from engine.events import Log
from engine.game import Game, GameState, ranked
from engine.options import Option, Options, turn_limit
from engine.values import Move, Outcome, Refusal

#: Playable at any time.
SPECIAL: Final = (TWO, SEVEN, TEN)
#: The sheet's "special cards first, then highest", best first, by rank index.
BEST_FIRST: Final = tuple(
    cards.RANKS.index(rank)
    for rank in ("10", "7", "2", "A", "K", "Q", "J", "9", "8", "6", "5", "4", "3")
)
ROW: Final = 3
HAND: Final = 3
#: The value of a pile without a card but 7s.
NO_RANK: Final = -1

Zone = Literal["hand", "face_up", "face_down"]


class Lay(Move, frozen=True):
    """Three cards of the first six, to lie face up (ST-2)."""

    cards: tuple[int, ...]


class Play(Move, frozen=True):
    """One or more cards of one rank from the zone in turn."""

    cards: tuple[int, ...]


class PickUp(Move, frozen=True):
    """Take the whole pile into the hand."""


class Flip(Move, frozen=True):
    """Turn over a face-down card, and play it if it may be played."""

    slot: int


PLAYS: Final = tuple(Play((card,)) for card in range(52))
FLIPS: Final = tuple(Flip(slot) for slot in range(ROW))
PICK_UP: Final = PickUp()

LAY_FIRST: Final = Refusal("Three cards are laid face up first.", "ST-2")
LAID_BEFORE: Final = Refusal("Cards are laid face up only before the first turn.", "ST-2")
FLIP_LATER: Final = Refusal("Face-down cards come last, when all others are gone.")
FLIP_NOW: Final = Refusal("Only face-down cards are left: flip one.")
NO_SLOT: Final = Refusal("That slot holds no card.")
NOT_HELD: Final = Refusal("All cards must be in the zone in turn.", "ST-4")
NO_PILE: Final = Refusal("There is no pile to pick up.", "ST-7")
CAN_PLAY: Final = Refusal("You can play, so the pile may not be picked up.", "ST-7")
TOO_LOW: Final = tuple(
    Refusal(f"A card must be equal to or higher than the pile's value, {rank}.")
    for rank in cards.RANKS
)


def held(zone: list[int], named: tuple[int, ...]) -> bool:
    """ST-4: whether all named cards are in one zone, the one in turn."""
    if len(named) == 1:
        return named[0] in zone
    return all(zone.count(card) >= named.count(card) for card in named)


#: By the pile's value, NO_RANK at the end, and rank. Sheet: a 2, 7 or 10 fits always; any other
#: rank when it is not lower than the value, and on a 2 and on nothing.
FITS: Final = tuple(
    tuple(value in (TWO, NO_RANK) or rank >= value or rank in SPECIAL for rank in range(13))
    for value in (*range(13), NO_RANK)
)


class SevenTwosTensOptions(Options, frozen=True):
    decks: int
    face_up: str
    four_of_a_kind: str
    pick_up_freely: bool
    rounds: int


@dataclass(kw_only=True)
class State(GameState):
    """`draw` has its top card last, `pile` its oldest first; `laid` is a seat's choice until all
    have chosen, and empty once they are shown."""

    options: SevenTwosTensOptions
    hands: list[list[int]]
    face_up: list[list[int]]
    face_down: list[list[int]]
    laid: list[list[int]]
    draw: list[int]
    pile: list[int] = field(default_factory=list)
    removed: int = 0
    turn: int = 0
    round: int = 1
    #: The points of all rounds that are over, by round and within it by seat.
    points: list[int] = field(default_factory=list)
    #: The turn does not pass: a lay, or a play that lets the seat act again. For `proceed`.
    turn_stays: bool = False
    #: The move has ended the round and the next deal is still to come; never true between steps.
    round_over: bool = False

    @classmethod
    def bring_up_to_date(cls, kept: dict[str, Any]) -> None:
        """The first format kept a list of points for each round."""
        points = kept["points"]
        if points and isinstance(points[0], list):
            kept["points"] = [number for of_round in points for number in of_round]

    def scores(self) -> list[list[int]]:
        """The points of each round, by seat."""
        players = len(self.hands)
        return [self.points[at : at + players] for at in range(0, len(self.points), players)]

    def total(self, seat: int) -> int:
        """A seat's points of all rounds together."""
        return sum(self.points[seat :: len(self.hands)])

    def zone(self, seat: int) -> Zone:
        """The zone in turn: the hand; then, the draw pile being empty too, the table cards."""
        if self.hands[seat] or self.draw:
            return "hand"
        return "face_up" if self.face_up[seat] else "face_down"

    def playable_from(self, seat: int) -> list[int]:
        """The open cards of the zone in turn; none when it is the face-down one."""
        return self.hands[seat] if self.zone(seat) == "hand" else self.face_up[seat]

    def held(self, seat: int) -> int:
        """How many cards a seat has left: hand, face up and face down."""
        open_cards = len(self.hands[seat]) + len(self.face_up[seat])
        return open_cards + row_count(self.face_down[seat])

    def value(self) -> int:
        """The rank of the topmost card that is not a 7, or NO_RANK."""
        for card in reversed(self.pile):
            if card >> 2 != SEVEN:
                return card >> 2
        return NO_RANK


class SevenTwosTens(Game[State]):
    """The rules of Seven, Twos & Tens."""

    id = "seven-twos-tens"
    title = "Seven, Twos & Tens"
    goal = "Be the first to get rid of all your cards, the blind ones on the table last."
    min_players = 2
    max_players = 12
    codes = CODES
    deck = cards.DECK
    words: ClassVar = {"cards": CODES}
    options = (
        Option(
            name="decks",
            meaning="Decks shuffled together: one for each four players, rounded up, unless "
            "chosen.",
            default=None,
            minimum=1,
            maximum=4,
            ruling="ST-1",
        ),
        Option(
            name="face_up",
            meaning="How the three face-up cards are chosen: by every player, or the best ones by "
            "themselves.",
            default="choose",
            choices=("choose", "best"),
            ruling="ST-2",
        ),
        Option(
            name="four_of_a_kind",
            meaning="What removes the pile: the top four being of one rank, whoever played them, "
            "or only four played together.",
            default="pile_top",
            choices=("pile_top", "one_play"),
            ruling="ST-6",
        ),
        Option(
            name="pick_up_freely",
            meaning="Whether the pile may be picked up by a player who could play.",
            default=False,
            choices=(False, True),
            ruling="ST-7",
        ),
        Option(
            name="rounds",
            meaning="Rounds played; with more than one the lowest total of cards left wins.",
            default=1,
            minimum=1,
            maximum=20,
            ruling="ST-9",
        ),
        turn_limit("Moves after which a round ends without a winner.", ruling="ST-10"),
    )
    options_type = SevenTwosTensOptions
    state_type = State
    moves = (Lay, Play, PickUp, Flip)

    def whole_deck(self, options: SevenTwosTensOptions) -> Sequence[int]:
        return self.deck * options.decks

    def default_options(self, players: int) -> Mapping[str, Any]:
        return {"decks": -(-players // 4)}  # ST-1

    def option_errors(self, options: SevenTwosTensOptions, players: int) -> dict[str, list[str]]:
        if players * 9 + 1 > options.decks * 52:  # ST-1
            return {"decks": [f"Too few cards for {players} players (ST-1)."]}
        return {}

    def move_errors(self, move: Move, options: SevenTwosTensOptions) -> dict[str, list[str]]:
        if not isinstance(move, Lay | Play):
            return {}
        if isinstance(move, Lay) and len(move.cards) != ROW:
            return {"cards": ["Exactly three cards are laid."]}
        if isinstance(move, Play) and len({rank_of(card) for card in move.cards}) > 1:
            return {"cards": ["Cards played together are of one rank."]}
        if any(move.cards.count(card) > options.decks for card in move.cards):
            return {"cards": ["A card is named more often than the decks hold it."]}
        return {}

    def deal(
        self, *, players: int, options: SevenTwosTensOptions, chance: Chance, log: Log
    ) -> State:
        state = State(
            options=options,
            hands=[[] for _ in range(players)],
            face_up=[],
            face_down=[],
            laid=[],
            draw=[],
        )
        self._deal_round(state, chance, log)
        return state

    def to_act(self, state: State) -> Sequence[int]:
        if state.laid:
            return [seat for seat, laid in enumerate(state.laid) if not laid]
        return (state.turn,)

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        if state.laid:
            return self._lays(state.hands[seat])
        if state.zone(seat) == "face_down":
            return [FLIPS[slot] for slot in slots_held(state.face_down[seat])]
        moves: list[Move] = []
        fit = FITS[state.value()]
        alike: tuple[int, ...] = ()
        rank = NO_RANK
        for card in state.playable_from(seat):
            if not fit[card >> 2]:
                continue
            if card >> 2 == rank:
                alike += (card,)
                moves.append(Play(alike))
            else:
                rank, alike = card >> 2, (card,)
                moves.append(PLAYS[card])
        if state.pile and (state.options.pick_up_freely or not moves):  # ST-7
            moves.append(PICK_UP)
        return moves

    def refusal(self, state: State, seat: int, move: Move) -> Refusal | None:
        if state.laid:
            if type(move) is not Lay:
                return LAY_FIRST
            return None if held(state.hands[seat], move.cards) else NOT_HELD
        if type(move) is Lay:
            return LAID_BEFORE
        zone = state.zone(seat)
        if type(move) is Flip:
            if zone != "face_down":
                return FLIP_LATER
            return None if move.slot in slots_held(state.face_down[seat]) else NO_SLOT
        if zone == "face_down":
            return FLIP_NOW
        if type(move) is Play:
            if not held(state.playable_from(seat), move.cards):
                return NOT_HELD
            value = state.value()
            return None if FITS[value][move.cards[0] >> 2] else TOO_LOW[value]
        return self._may_not_pick_up(state, seat)

    def play(self, state: State, seat: int, move: Move, chance: Chance, log: Log) -> None:
        if type(move) is Lay:
            self._lay(state, seat, move.cards, log)
        elif type(move) is Play:
            self._play_cards(state, seat, move.cards, log)
        elif type(move) is Flip:
            self._flip(state, seat, move.slot, log)
        else:
            self._pick_up(state, seat, log)

    def stop(self, state: State, log: Log) -> None:
        if not state.round_over:
            self._end_round(state, None, log)  # ST-10

    def proceed(self, state: State, chance: Chance, log: Log) -> None:
        if state.round_over:
            state.round_over = False
            state.round += 1
            self._deal_round(state, chance, log)
        elif state.turn_stays:
            state.turn_stays = False
        else:
            state.turn = (state.turn + 1) % len(state.hands)

    def table(self, state: State) -> dict[str, Any]:
        return {
            "phase": "lay" if state.laid else "play",
            "round": state.round,
            "draw_count": len(state.draw),
            "pile": [CODES[card] for card in state.pile],
            "value": _rank_word(state.value()),
            "removed_count": state.removed,
            "scores": state.scores(),
        }

    def seat_facts(self, state: State, seat: int) -> dict[str, Any]:
        return {
            "hand_count": len(state.hands[seat]),
            "face_up": [CODES[card] for card in state.face_up[seat]],
            "face_down": slots_held(state.face_down[seat]),
            "points": state.total(seat),
        }

    def hand(self, state: State, seat: int) -> list[int]:
        return state.hands[seat]

    def committed(self, state: State, seat: int) -> Move | None:
        return Lay(tuple(state.laid[seat])) if state.laid and state.laid[seat] else None

    def play_of(self, card: int) -> Move:
        return Play((card,))

    def alike(self, card: int) -> int:
        return rank_of(card)

    def revealed(self, state: State, seat: int) -> dict[str, Any]:
        return {"face_down_cards": cards.row_codes(state.face_down[seat])}

    # The checks

    def _lays(self, hand: list[int]) -> list[Move]:
        """ST-2: once for each choice of ranks, with the first cards that make it."""
        moves: list[Move] = []
        listed: set[int] = set()
        for choice in combinations(hand, ROW):
            first, second, third = choice
            ranks = first >> 2 << 8 | second >> 2 << 4 | third >> 2
            if ranks not in listed:
                listed.add(ranks)
                moves.append(Lay(choice))
        return moves

    def _may_not_pick_up(self, state: State, seat: int) -> Refusal | None:
        """ST-7: only a player with nothing playable in the zone in turn, unless freely."""
        if not state.pile:
            return NO_PILE
        if state.options.pick_up_freely:
            return None
        fit = FITS[state.value()]
        for card in state.playable_from(seat):
            if fit[card >> 2]:
                return CAN_PLAY
        return None

    # The effects

    def _deal_round(self, state: State, chance: Chance, log: Log) -> None:
        """ST-9: a fresh deck, dealt from seat 0 on; chance goes on from where it was."""
        players = len(state.hands)
        deck = list(self.whole_deck(state.options))
        chance.shuffle(deck)
        deck.reverse()
        state.face_down = [[] for _ in range(players)]
        state.hands = [[] for _ in range(players)]
        for _ in range(ROW):
            for row in state.face_down:
                row.append(deck.pop())
        for _ in range(2 * ROW):
            for hand in state.hands:
                hand.append(deck.pop())
        for hand in state.hands:
            hand.sort()
        state.face_up = [[] for _ in range(players)]
        state.laid = [[] for _ in range(players)]
        state.draw, state.pile, state.removed, state.moves = deck, [], 0, 0
        state.turn, state.turn_stays = (state.round - 1) % players, False
        log.add("round_started", state.turn, round=state.round, draw_count=len(deck))
        for seat, hand in enumerate(state.hands):
            log.add("cards_dealt", seat, cards=hand, seen_by=(seat,), face_down=ROW)
        if state.options.face_up == "best":  # ST-2
            state.laid = [
                sorted(sorted(hand, key=lambda c: BEST_FIRST.index(rank_of(c)))[:ROW])
                for hand in state.hands
            ]
            self._show_laid(state, log)

    def _lay(self, state: State, seat: int, chosen: tuple[int, ...], log: Log) -> None:
        """ST-2: a choice stands, and is shown when all have been made."""
        state.laid[seat] = sorted(chosen)
        log.add("choice_made", seat, cards=state.laid[seat], seen_by=(seat,))
        state.turn_stays = True
        if all(state.laid):
            self._show_laid(state, log)

    def _show_laid(self, state: State, log: Log) -> None:
        """The choices leave the hands; then the first player turns over a card to start (ST-3)."""
        state.face_up, state.laid = state.laid, []
        for seat, row in enumerate(state.face_up):
            for card in row:
                state.hands[seat].remove(card)
            log.add("cards_laid", seat, cards=row, out_of=seat)
        card = state.draw.pop()
        ten = rank_of(card) == TEN  # ST-3: a 10 removes itself
        if ten:
            state.removed += 1
        else:
            state.pile.append(card)
        log.add(
            "card_turned",
            state.turn,
            cards=(card,),
            value=_rank_word(state.value()),
            removed=ten,
        )

    def _play_cards(self, state: State, seat: int, played: tuple[int, ...], log: Log) -> None:
        zone = state.zone(seat)
        source = state.hands[seat] if zone == "hand" else state.face_up[seat]
        for card in played:
            source.remove(card)
        self._put_on_pile(state, seat, sorted(played), zone, None, log)  # ST-4

    def _flip(self, state: State, seat: int, slot: int, log: Log) -> None:
        card = state.face_down[seat][slot]
        state.face_down[seat][slot] = NO_CARD
        if FITS[state.value()][rank_of(card)]:
            self._put_on_pile(state, seat, [card], "face_down", slot, log)
            return
        log.add("card_flipped", seat, cards=(card,), slot=slot)
        state.pile.append(card)
        self._pick_up(state, seat, log)

    def _put_on_pile(
        self,
        state: State,
        seat: int,
        played: list[int],
        zone: Zone,
        slot: int | None,
        log: Log,
    ) -> None:
        """ST-8: the pile, what removes it, the win, the filling up; the turn comes after."""
        state.pile += played
        rank = rank_of(played[0])
        removes = rank == TEN or self._four_of_a_kind(state, len(played))
        if log.kept:
            log.add(
                "cards_played",
                seat,
                cards=played,
                out_of=seat if zone == "hand" else None,
                zone=zone,
                slot=slot,
                value=_rank_word(state.value()),
            )
        if removes:
            log.add("pile_removed", seat, count=len(state.pile))
            state.removed += len(state.pile)
            state.pile = []
        state.turn_stays = removes or rank == TWO
        if state.held(seat) == 0:
            self._end_round(state, seat, log)
        else:
            self._fill_up(state, seat, log)

    def _four_of_a_kind(self, state: State, played: int) -> bool:
        """ST-6: the top four of one rank, whoever played them; 7s are a rank of their own here."""
        if state.options.four_of_a_kind == "one_play":
            return played >= 4
        pile = state.pile
        if len(pile) < 4:
            return False
        rank = pile[-1] >> 2
        return pile[-2] >> 2 == pile[-3] >> 2 == pile[-4] >> 2 == rank

    def _fill_up(self, state: State, seat: int, log: Log) -> None:
        """ST-5: up to three, also before another play of the same seat."""
        hand, draw = state.hands[seat], state.draw
        wanted = min(HAND - len(hand), len(draw))
        if wanted > 0:
            drawn = draw[-wanted:]
            del draw[-wanted:]
            hand += drawn
            hand.sort()
            log.add("cards_drawn", seat, cards=sorted(drawn), seen_by=(seat,))

    def _pick_up(self, state: State, seat: int, log: Log) -> None:
        log.add("pile_picked_up", seat, cards=sorted(state.pile), into=seat)
        hand = state.hands[seat]
        hand += state.pile
        hand.sort()
        state.pile = []

    def _end_round(self, state: State, winner: int | None, log: Log) -> None:
        """Every card left counts a point. After the last round the lowest total wins."""
        seats = range(len(state.hands))
        points = [state.held(seat) for seat in seats]
        state.points += points
        log.add("round_ended", winner=winner, round=state.round, points=points)
        if state.round < state.options.rounds:
            state.round_over = True
            return
        totals = {seat: state.total(seat) for seat in seats}
        won = "turn_limit" if winner is None else "no_cards"
        state.outcome = Outcome(
            ranking=ranked(totals),
            reason="lowest_score" if state.options.rounds > 1 else won,
        )


def _rank_word(rank: int) -> str | None:
    return None if rank == NO_RANK else cards.RANKS[rank]
