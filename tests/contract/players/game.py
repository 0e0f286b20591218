"""What is the same for all games: how each is asked, and what their answers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from croupier_client import AuthenticatedClient, Client
from croupier_client.models import BotSeat, MatchStatus, OpenSeat, PlayerSeat, SeatTicket

SeatRequest: TypeAlias = BotSeat | OpenSeat | PlayerSeat
#: Counts a member that may be null, by whether it was.
Note: TypeAlias = Callable[[str, object], None]


class Acting(Protocol):
    """A move."""

    @property
    def action(self) -> str: ...


class Happening(Protocol):
    """An event."""

    @property
    def type_(self) -> str: ...


Move = TypeVar("Move", bound=Acting)
Event = TypeVar("Event", bound=Happening)
Move_co = TypeVar("Move_co", bound=Acting, covariant=True)
Event_co = TypeVar("Event_co", bound=Happening, covariant=True)


class Named(Protocol):
    """A seat as everybody sees it."""

    @property
    def name(self) -> str | None: ...


class You(Protocol[Move_co]):
    """What only a seat may know."""

    @property
    def committed(self) -> Move_co | None: ...


class Result(Protocol):
    """How a match ended."""

    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def ranking(self) -> Sequence[Sequence[int]]: ...


class View(Protocol[Move_co]):
    """What the views of all games share."""

    @property
    def status(self) -> MatchStatus: ...
    @property
    def seats(self) -> Sequence[Named]: ...
    @property
    def you(self) -> You[Move_co] | None: ...
    @property
    def to_act(self) -> Sequence[int]: ...
    @property
    def legal_moves(self) -> Sequence[Move_co]: ...
    @property
    def table(self) -> object | None: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def seed(self) -> str | None: ...
    @property
    def deadline(self) -> object | None: ...


class Moved(View[Move_co], Protocol[Move_co, Event_co]):
    """A view after a move, with what happened."""

    @property
    def events(self) -> Sequence[Event_co]: ...


class Created(Protocol[Move_co]):
    """A new match."""

    @property
    def match_id(self) -> str: ...
    @property
    def host_token(self) -> str: ...
    @property
    def seats(self) -> Sequence[SeatTicket]: ...
    @property
    def view(self) -> View[Move_co]: ...


class Joined(Protocol[Move_co]):
    """A seat taken."""

    @property
    def seat(self) -> int: ...
    @property
    def token(self) -> str: ...
    @property
    def view(self) -> View[Move_co]: ...


class Page(Protocol[Event_co]):
    """Some events."""

    @property
    def events(self) -> Sequence[Event_co]: ...
    @property
    def last_seq(self) -> int: ...


class Refused(Exception):
    """Another answer than the one asked for."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        super().__init__(repr(answer))


class Game(ABC, Generic[Move, Event]):
    """What one game is asked over its own paths, and how its moves and events are read.

    What asks raises Refused.
    """

    #: How many play, and the seed of the match.
    seats: int
    seed: str
    #: A move that reads well but is against the rules at the start.
    illegal: Move

    def __init__(self, url: str) -> None:
        self._url = url
        self._holders: dict[str, AuthenticatedClient] = {}
        self.anyone = Client(base_url=url)

    def holder(self, token: str) -> AuthenticatedClient:
        """The client of a token's holder."""
        if token not in self._holders:
            self._holders[token] = AuthenticatedClient(base_url=self._url, token=token)
        return self._holders[token]

    @abstractmethod
    def create(self, seats: list[SeatRequest]) -> Created[Move]: ...
    @abstractmethod
    def join(self, match_id: str) -> Joined[Move]: ...
    @abstractmethod
    def view(self, match_id: str, token: str) -> View[Move]: ...
    @abstractmethod
    def move(
        self, match_id: str, token: str, body: Move, etag: str | None = None
    ) -> Moved[Move, Event]:
        """Makes a move, if the match is still at the view with that ETag, where one is given."""

    @abstractmethod
    def events(self, match_id: str, token: str, after: int) -> Page[Event]: ...
    @abstractmethod
    def replay(self, match_id: str, token: str) -> Sequence[Move]: ...
    @abstractmethod
    def copy(self, move: Move) -> Move:
        """The same move, built anew by its action."""

    @abstractmethod
    def read(self, event: Event, note: Note) -> None:
        """Reads an event by its type."""

    @abstractmethod
    def listed(self, refusal: object) -> Sequence[Move]:
        """The moves that a refusal lists instead of an illegal one."""
