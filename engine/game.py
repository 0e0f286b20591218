"""Game: the few questions that a set of rules answers. A newcomer starts here.

A game owns its state and its plain rules and nothing else. What is refused before the rules are
asked, when a match is over, what leaves the table and to whom: `match.py` decides that once for
every game.

A step runs `play` (the move and all its effects, wins included), then either `stop` (the turn limit
is reached) or `proceed` (what follows by itself: draws at the end of a round, the next deal).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from engine.chance import Chance
from engine.errors import InvalidMove
from engine.events import Log
from engine.options import Option, Options
from engine.values import Move, Outcome, Refusal


@dataclass(kw_only=True)
class GameState:
    """What every game's state has. `moves` is counted by the match and compared with `turn_limit`;
    a game that counts a round on its own (ST-10) sets it back.

    A game's own state is a dataclass too, with `options` among its fields. It is kept as its fields
    in order, numbers, texts and lists, so that new ones go at the end and have a default.
    """

    moves: int = 0
    outcome: Outcome | None = None

    @classmethod
    def bring_up_to_date(cls, kept: dict[str, Any]) -> None:
        """Brings fields, by name, that an earlier format kept in another form into the present one.
        A game overrides this that has such fields."""


S = TypeVar("S", bound=GameState)


class Game(ABC, Generic[S]):
    """One set of rules. Instances hold no state; everything about a match is in its `S`."""

    id: ClassVar[str]
    title: ClassVar[str]
    goal: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    #: Goes up when the same seed and moves would give another match.
    rules_version: ClassVar[int] = 1

    #: Wire codes of all cards, indexed by the engine's card number, which is sorting order.
    codes: ClassVar[tuple[str, ...]]
    #: One unshuffled deck, as card numbers.
    deck: ClassVar[tuple[int, ...]]
    #: The texts of a move's fields, indexed by the number that the engine uses for them.
    words: ClassVar[Mapping[str, tuple[str, ...]]]

    options: ClassVar[tuple[Option, ...]]
    options_type: ClassVar[type[Options]]
    state_type: ClassVar[type[GameState]]
    moves: ClassVar[tuple[type[Move], ...]]

    # The rules

    def whole_deck(self, options: Any) -> Sequence[int]:
        """All cards of a match with these options, unshuffled; one deck unless a game says more."""
        return self.deck

    def default_options(self, players: int) -> Mapping[str, Any]:
        """Defaults that depend on the number of players."""
        return {}

    def option_errors(self, options: Any, players: int) -> dict[str, list[str]]:
        """What is wrong with options that are each in range, but not together or at this table."""
        return {}

    @abstractmethod
    def deal(self, *, players: int, options: Any, chance: Chance, log: Log) -> S:
        """A new match's state, dealt and ready for its first decision.

        The first thing asked of chance is the shuffle of `whole_deck`: a scripted deal stands in
        for it.
        """

    @abstractmethod
    def to_act(self, state: S) -> Sequence[int]:
        """The seats that owe a decision, by number. Asked only while there is no outcome."""

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> list[Move]:
        """The moves of a seat to act in the listing's fixed order, of equal ones the first.

        A game asks the same rule functions here and in `refusal`; the laws hold the two together:
        what is listed is accepted, and nothing else but its equals.
        """

    @abstractmethod
    def refusal(self, state: S, seat: int, move: Move) -> Refusal | None:
        """The check: None when the move is legal for this seat, which is to act."""

    @abstractmethod
    def play(self, state: S, seat: int, move: Move, chance: Chance, log: Log) -> None:
        """Makes a legal move with all its effects, and sets `outcome` when it ends the match."""

    @abstractmethod
    def stop(self, state: S, log: Log) -> None:
        """The turn limit is reached: ends the match, or the round where the limit is a round's."""

    @abstractmethod
    def proceed(self, state: S, chance: Chance, log: Log) -> None:
        """What follows by itself before the next decision."""

    # What may be seen: listed facts, never a copy of the state

    @abstractmethod
    def table(self, state: S) -> dict[str, Any]:
        """The table's public facts."""

    @abstractmethod
    def seat_facts(self, state: S, seat: int) -> dict[str, Any]:
        """A seat's public facts."""

    @abstractmethod
    def hand(self, state: S, seat: int) -> list[int]:
        """A seat's hand in sorting order: for its owner, and for all once the match is over."""

    def committed(self, state: S, seat: int) -> Move | None:
        """A simultaneous choice that the seat has made and others may not see yet."""
        return None

    def revealed(self, state: S, seat: int) -> dict[str, Any]:
        """What is shown of a seat once the match is over, beside its hand."""
        return {}

    @abstractmethod
    def play_of(self, card: int) -> Move:
        """A move that plays this card, to be asked why it cannot be played now."""

    def uses(self, move: Move) -> tuple[int, ...]:
        """The cards of the hand that a move plays; none for a move that only gets rid of one."""
        card: int | None = getattr(move, "card", None)
        cards: tuple[int, ...] = getattr(move, "cards", ()) if card is None else (card,)
        return cards

    def alike(self, card: int) -> int:
        """What a card counts as: its equals are listed once, by the first of them."""
        return card

    # Moves as bodies

    def body(self, move: Move) -> dict[str, Any]:
        """A move as it is on the wire."""
        body: dict[str, Any] = {"action": action_of(type(move))}
        for field in move.__struct_fields__:
            value = getattr(move, field)
            if value is None:
                continue
            words = self.words.get(field)
            if isinstance(value, tuple):
                body[field] = [words[v] for v in value] if words else list(value)
            else:
                body[field] = words[value] if words else value
        return body

    def read(self, body: Mapping[str, Any], *, players: int, options: Any) -> Move:
        """A move from its body. A game adds here what is wrong whatever the state of the match.

        Raises InvalidMove, naming every bad field.
        """
        kind = next(
            (k for k in self.moves if action_of(k) == body.get("action")),
            None,
        )
        if kind is None:
            actions = ", ".join(map(action_of, self.moves))
            raise InvalidMove({"action": [f"Must be one of: {actions}."]})
        errors: dict[str, list[str]] = {}
        values: dict[str, Any] = {}
        for field in _fields_of(kind):
            if field.name in body:
                try:
                    values[field.name] = self._value(field.name, body[field.name], players)
                except ValueError as error:
                    errors[field.name] = [str(error)]
            elif field.required:
                errors[field.name] = ["Missing data for required field."]
        for name in body:
            if name != "action" and name not in kind.__struct_fields__:
                errors[name] = ["Unknown field."]
        if errors:
            raise InvalidMove(errors)
        move = kind(**values)
        if errors := self.move_errors(move, options):
            raise InvalidMove(errors)
        return move

    def move_errors(self, move: Move, options: Any) -> dict[str, list[str]]:
        """What is wrong with a move, field by field, whatever the state of the match."""
        return {}

    def _value(self, field: str, value: Any, players: int) -> Any:
        if field in ("cards", "targets"):
            if not isinstance(value, list | tuple) or not value:
                raise ValueError("Must be a list with at least one item.")
            return tuple(self._item(field, item, players) for item in value)
        return self._item(field, value, players)

    def _item(self, field: str, value: Any, players: int) -> int:
        words = self.words.get(field)
        if words is not None:
            if not isinstance(value, str) or value not in words:
                raise ValueError("Not a word of this game.")
            return words.index(value)
        if type(value) is not int or value < 0:
            raise ValueError("Must be a whole number from 0.")
        if field in ("target", "targets") and value >= players:
            raise ValueError(f"Must be a seat of this match, 0 to {players - 1}.")
        return value


@cache
def _fields_of(kind: type[Move]) -> tuple[msgspec.structs.FieldInfo, ...]:
    # msgspec works them out from the annotations on every call, and every move is read.
    return msgspec.structs.fields(kind)


@cache
def action_of(kind: type[Move]) -> str:
    """The action that a kind of move stands for on the wire."""
    return str(kind.__struct_config__.tag)


def distinct(cards: Iterable[int]) -> Iterator[int]:
    """Each card of a sorted hand once, since cards that look the same are listed once."""
    last = None
    for card in cards:
        if card != last:
            yield card
        last = card


def ranked(scores: Mapping[int, int]) -> list[list[int]]:
    """Seats grouped by score, lowest first; those who share a place stand by seat number."""
    places: dict[int, list[int]] = {}
    for seat in sorted(scores):
        places.setdefault(scores[seat], []).append(seat)
    return [places[score] for score in sorted(places)]
