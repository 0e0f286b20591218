"""Positions: any moment of any of the three games from a short text, so that a test begins in the
middle of play.

    es("0: 4C 7H | 2D . 9S; 1: KC; pile 8C; value 8; turn 1", round_starter="next_player")

Clauses are parted by `;` or a new line. Cards are wire codes, hands may be named in any order.

- `0: …` is seat 0; every seat has one, in order. Its zones are parted by `|`, a `.` is an empty
  slot, and a zone that is left out is empty. Even Steven: hand | face-down. Card Keeper: hand |
  Shields in front. Seven, Twos & Tens: hand | face-up | face-down.
- Draw piles (`deck`, `draw`) are named top first; `pile`, `discard` and `burned` oldest first.
- `*` stands, in one place of the text, for all the cards that it does not name, in deck order.
  Without a `*` they lie beneath the named cards of the draw pile: no card is ever lost.
- A choice that others may not see yet is `seat=card,card`; a seat alone still owes its own:
  `chaos 1 2=red-5`, `lay 0 1=3C,4C,5C`.
- Every game takes `turn` and `moves`. Even Steven: `deck pile value round`, and `steal` while a
  steal is open. Card Keeper: `draw discard burned gone colour direction chaos out`; `colour` is the
  top card's unless named (`none`: a first Wild's), `out 3 / 1 2` lists groups in the order of going
  out. Seven, Twos & Tens: `draw pile removed round lay`, and `scores 3 0 / 1 2`, a row a round.

Options of the match are keyword arguments. `dealt` gives a match from the deal of a stacked deck.
"""

from __future__ import annotations

import re
from typing import Any

from engine import GAMES, Match, Seat
from engine.cards import NO_CARD
from engine.chance import Chance
from engine.events import Log
from engine.game import Game, GameState
from engine.games import card_keeper, even_steven, seven_twos_tens
from engine.match import settle_options
from engine.options import Options

ES, CK, ST = GAMES["even-steven"], GAMES["card-keeper"], GAMES["seven-twos-tens"]


def es(text: str, *, seed: str = "position", **options: Any) -> Match:
    """An Even Steven match in play."""
    read = _Reader(ES, text, options, draw="deck")
    state = even_steven.State(
        options=read.options,
        deck=read.cards("deck")[::-1],
        hands=read.hands(),
        face_down=read.rows(1, read.options.face_down),
        turn=read.number("turn"),
        pile=read.cards("pile"),
        value=read.number("value"),
        round=read.number("round", 1),
        stealing=read.flag("steal"),
        moves=read.number("moves"),
    )
    return read.match(state, seed)


def ck(text: str, *, seed: str = "position", **options: Any) -> Match:
    """A Card Keeper match in play."""
    read = _Reader(CK, text, options, draw="draw")
    hands, discard, chaos = read.hands(), read.cards("discard"), read.choices("chaos")
    colours = {"": card_keeper.colour_of(discard[-1]), "none": card_keeper.NO_COLOUR}
    colours |= {name: number for number, name in enumerate(card_keeper.COLOURS)}
    choices = [card_keeper.NOT_ASKED] * len(hands) if chaos else []
    for seat, cards in chaos.items():
        choices[seat] = cards[0] if cards else card_keeper.OWES
    state = card_keeper.State(
        options=read.options,
        hands=hands,
        shields=[len(row) for row in read.zone(1)],
        draw=read.cards("draw")[::-1],
        discard=discard,
        burned=read.cards("burned"),
        gone=len(read.cards("gone")),
        colour=colours[read.word("colour")],
        direction=card_keeper.RIGHT if read.word("direction") == "right" else card_keeper.LEFT,
        turn=read.number("turn"),
        choices=choices,
        out=read.groups("out"),
        moves=read.number("moves"),
    )
    return read.match(state, seed)


def st(text: str, *, seed: str = "position", **options: Any) -> Match:
    """A match of Seven, Twos & Tens in play."""
    read = _Reader(ST, text, options, draw="draw")
    hands, lay = read.hands(), read.choices("lay")
    state = seven_twos_tens.State(
        options=read.options,
        hands=hands,
        face_up=[sorted(row) for row in read.zone(1)],
        face_down=read.rows(2, seven_twos_tens.ROW),
        laid=[sorted(lay.get(seat, [])) for seat in range(len(hands))] if lay else [],
        draw=read.cards("draw")[::-1],
        pile=read.cards("pile"),
        removed=len(read.cards("removed")),
        turn=read.number("turn"),
        round=read.number("round", 1),
        points=[points for row in read.groups("scores") for points in row],
        moves=read.number("moves"),
    )
    return read.match(state, seed)


def dealt(game: Game[Any], players: int, *tops: str, **options: Any) -> Match:
    """A match from its deal, each shuffle of which brings the cards of one of `tops` to the top.

    The rest of the deck follows in the order it had, as does the whole deck when `tops` run out.
    """
    settled = settle_options(game, options, players=players)
    chance = Stacked([[game.codes.index(code) for code in top.split()] for top in tops])
    state = game.deal(players=players, options=settled, chance=chance, log=Log())
    return _match(game, settled, state, players, "position")


class Stacked(Chance):
    """Chance whose shuffles bring given cards to the top, first to last; `shuffled` keeps what each
    was given to shuffle."""

    __slots__ = ("shuffled", "tops")

    def __init__(self, tops: list[list[int]]) -> None:
        super().__init__(b"stacked")
        self.tops = tops
        self.shuffled: list[list[int]] = []

    def shuffle(self, items: list[int]) -> None:
        self.shuffled.append(list(items))
        top = self.tops.pop(0) if self.tops else []
        for card in top:
            items.remove(card)
        items[:0] = top


def _match(game: Game[Any], options: Options, state: GameState, players: int, seed: str) -> Match:
    seats = [Seat(name=f"Player {number}") for number in range(1, players + 1)]
    return Match(game=game, seats=seats, options=options, seed=seed, host_seeded=True, state=state)


class _Reader:
    """The clauses of a text. Raises ValueError for what does not read and for a card too many."""

    def __init__(self, game: Game[Any], text: str, options: dict[str, Any], *, draw: str) -> None:
        self._game = game
        self._seats: list[list[str]] = []
        self._clauses: dict[str, str] = {}
        for clause in re.split(r"[;\n]", text):
            key, _, words = clause.strip().partition(" ")
            if key == f"{len(self._seats)}:":
                self._seats.append(words.split("|"))
            elif key:
                self._clauses[key] = words
        self.options: Any = settle_options(game, options, players=len(self._seats))
        if "*" not in text:
            self._clauses[draw] = f"{self._clauses.get(draw, '')} *"
        self._rest = list(game.deck) * getattr(self.options, "decks", 1)
        for word in text.replace(";", " ").split():
            if word in game.codes:
                self._rest.remove(game.codes.index(word))

    def match(self, state: GameState, seed: str) -> Match:
        """The match, once every clause has been read."""
        if self._clauses:
            raise ValueError(f"Unknown clauses: {', '.join(self._clauses)}.")
        return _match(self._game, self.options, state, len(self._seats), seed)

    def hands(self) -> list[list[int]]:
        return [sorted(hand) for hand in self.zone(0)]

    def zone(self, index: int) -> list[list[int]]:
        """Each seat's cards of one zone, as they stand in the text."""
        return [self._cards(zones[index]) if index < len(zones) else [] for zones in self._seats]

    def rows(self, index: int, slots: int) -> list[list[int]]:
        """Each seat's face-down row; all slots are empty where the text has none."""
        return [row or [NO_CARD] * slots for row in self.zone(index)]

    def cards(self, key: str) -> list[int]:
        return self._cards(self.word(key))

    def number(self, key: str, default: int = 0) -> int:
        return int(self._clauses.pop(key, default))

    def word(self, key: str) -> str:
        return self._clauses.pop(key, "")

    def flag(self, key: str) -> bool:
        return self._clauses.pop(key, None) is not None

    def groups(self, key: str) -> list[list[int]]:
        groups = self.word(key).split("/")
        return [[int(number) for number in group.split()] for group in groups if group]

    def choices(self, key: str) -> dict[int, list[int]]:
        """By seat: the cards chosen, none where the seat still owes its choice."""
        pairs = (word.partition("=") for word in self.word(key).split())
        return {int(seat): self._cards(cards.replace(",", " ")) for seat, _, cards in pairs}

    def _cards(self, words: str) -> list[int]:
        cards: list[int] = []
        for word in words.split():
            if word == "*":
                cards += self._rest
            else:
                cards.append(NO_CARD if word == "." else self._game.codes.index(word))
        return cards
