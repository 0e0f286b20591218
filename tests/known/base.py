"""Known: what the laws must be told about a game, from its rule page and not from its code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engine.game import Game

Body = dict[str, Any]
View = Mapping[str, Any]
#: A row of cards and an index in it: where one card lies.
Place = tuple[list[int], int]
Shown = Mapping[str, Any]
#: By an event as a spectator sees it, and all such events of its step: the seats that may know its
#: cards, or None for everyone.
Audience = Callable[[Shown, Sequence[Shown]], set[int] | None]


def everyone(event: Shown, step: Sequence[Shown]) -> None:
    """All see the cards, spectators too."""


def its_seat(event: Shown, step: Sequence[Shown]) -> set[int]:
    """Only the seat that the event is about."""
    return {event["seat"]}


def both(event: Shown, step: Sequence[Shown]) -> set[int]:
    """The seat that the event is about and its target."""
    return {event["seat"], event["target"]}


class Known(ABC):
    """One game as the laws see it. Everything here is a second source beside the engine's."""

    game: ClassVar[Game[Any]]
    #: The keys of a view's `table`, of each seat beside seat, name and kind, and of each seat more
    #: once the match is finished.
    table_keys: ClassVar[frozenset[str]]
    seat_keys: ClassVar[frozenset[str]]
    shown_keys: ClassVar[frozenset[str]] = frozenset({"hand"})
    #: Every type of event with cards, and who may see them.
    audience: ClassVar[Mapping[str, Audience]]
    #: Every type of event without cards, beside those that every game has.
    bare_events: ClassVar[frozenset[str]] = frozenset()
    #: The actions whose cards others are not shown: which of the cards it is must change nothing.
    secret_actions: ClassVar[frozenset[str]] = frozenset()
    #: Every kind of move that a long run of matches must have made (see `kind`), and every reason
    #: for which one must have ended.
    kinds: ClassVar[frozenset[str]]
    reasons: ClassVar[frozenset[str]]

    def hands(self, state: Any) -> list[list[int]]:
        """The hands by seat."""
        hands: list[list[int]] = state.hands
        return hands

    @abstractmethod
    def zones(self, state: Any) -> Iterator[list[int]]:
        """Every row of cards there is, those that have left but are known included."""

    def left(self, state: Any) -> int:
        """How many cards have left play without a trace of which."""
        return 0

    def decks(self, state: Any) -> int:
        """How many decks are in play."""
        return 1

    def dealing(self, state: Any) -> int:
        """Goes up when all cards are gathered and dealt anew."""
        return 0

    @abstractmethod
    def hidden(self, state: Any, viewer: int | None) -> Iterator[Place]:
        """Where the cards lie that a view does not tell this viewer, the match being played."""

    @abstractmethod
    def hidden_after_the_end(self, state: Any) -> Iterator[Place]:
        """Where the cards lie that no view tells once the match is finished."""

    @abstractmethod
    def rechoose(self, state: Any, knowing: Collection[int], rng: Random) -> None:
        """After hidden cards have changed places: sorts what is kept sorted, and makes hidden
        choices anew, but for those of the seats that know their cards."""

    @abstractmethod
    def kind(self, body: Body, view: View) -> str:
        """A finer word for a move than its action, as in `kinds`."""

    @abstractmethod
    def order(self, body: Body) -> Any:
        """What the contract orders listed moves by; strictly rising in every list."""

    def canonical(self, body: Body, view: View, seat: int) -> Body:
        """The listed move that stands for a readable one: equal cards in any order are the same.
        A move that no listed one stands for comes back as it is."""
        return body

    def look(self, card: str) -> str:
        """What of a card's code matters when it is played: of cards that look alike the first ones
        are listed."""
        return card

    def told_by_rule(self, before: Any, after: Any) -> Any:
        """What a step tells all because a rule compares hidden cards openly; mostly nothing.
        `before` is None for a deal."""
        return ()


def row_places(row: list[int]) -> Iterator[Place]:
    """All places of a row that hold a card."""
    return ((row, index) for index, card in enumerate(row) if card >= 0)


def held(row: list[int]) -> list[int]:
    """The cards of a row with emptied slots."""
    return [card for card in row if card >= 0]


def not_own(rows: list[list[int]], viewer: int | None) -> Iterator[Place]:
    """The places of everybody's rows but the viewer's."""
    for seat, row in enumerate(rows):
        if seat != viewer:
            yield from row_places(row)


def sort_all(rows: list[list[int]]) -> None:
    """Puts every row into sorting order again."""
    for row in rows:
        row.sort()
