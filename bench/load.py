"""A load: many HTTP connections, each with one request under way, and nothing else to do.

Which requests are sent is settled beforehand, since the engine says how a match with a known seed
goes. While time is taken the client only writes bytes, waits, and reads an answer to its end, so
that what is measured is the service and not its client.
"""

from __future__ import annotations

import itertools
import random
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, NamedTuple, Self

from bench.services import Connection, request
from engine import Game, Match

#: Different matches of a game; then the same ones come again.
PLAYS = 200


class Play(NamedTuple):
    """A whole match of random moves: its seed, and by move the seat and the body."""

    seed: str
    moves: list[tuple[int, dict[str, Any]]]


def random_play(game: Game[Any], players: int, seed: str) -> Play:
    """What one match with that seed comes to, the same each time."""
    match = Match.new(game, seats=names(players), seed=seed)
    rng, moves = random.Random(seed), []
    while match.outcome is None:
        seat = match.to_act[0]
        step = match.play(seat, rng.choice(match.legal_moves(seat)))
        assert step.move is not None
        moves.append((seat, step.move))
    return Play(seed, moves)


def random_plays(game: Game[Any], players: int) -> Iterator[Play]:
    """Random matches without end, the same each time."""
    return itertools.cycle([random_play(game, players, f"load {n}") for n in range(PLAYS)])


def names(players: int) -> list[str]:
    """What those at a table are called."""
    return [f"Player {number}" for number in range(1, players + 1)]


class Replayed:
    """A play made at a service, move by move: each item is the request of the next one."""

    def __init__(self, connection: Connection, game: Game[Any], players: int, play: Play) -> None:
        path = f"/v1/games/{game.id}/matches"
        body = {"seats": [{"name": name} for name in names(players)], "seed": play.seed}
        made = connection.ask("POST", path, body)
        self.match_id: str = made["match_id"]
        self.made = 0
        self._path = f"{path}/{self.match_id}"
        self._tokens = [seat["token"] for seat in made["seats"]]
        self._moves = play.moves

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self.made == len(self._moves):
            raise StopIteration
        seat, body = self._moves[self.made]
        self.made += 1
        return request("POST", f"{self._path}/moves", body, self._tokens[seat])

    def look(self) -> bytes:
        """The request of a view, by the seat that moved last."""
        seat, _ = self._moves[max(0, self.made - 1)]
        return request("GET", self._path, token=self._tokens[seat])


class Stretch(NamedTuple):
    """What came of a stretch of time: answers a second, and every answer's seconds, in order."""

    rate: float
    delays: list[float]

    def within(self, part: float) -> float:
        """The seconds within which that part of the answers came."""
        return self.delays[min(len(self.delays) - 1, int(len(self.delays) * part))]


class Load:
    """So many connections, each of which goes through one source of requests after another.

    `begin` makes a source. That happens before a stretch, never while time is taken; and a source
    goes on from stretch to stretch, so that all parts of a match are measured.
    """

    def __init__(
        self,
        address: tuple[str, int],
        connections: int,
        begin: Callable[[Connection], Replayed],
    ) -> None:
        self._address = address
        self._begin = begin
        with closing(Connection(address)) as connection:
            self._sources = [begin(connection) for _ in range(connections)]
        self._spare: deque[Replayed] = deque()

    @classmethod
    def of_random_plays(
        cls, address: tuple[str, int], connections: int, game: Game[Any], players: int
    ) -> Self:
        """A load of random matches of a game, the same each time."""
        plays = random_plays(game, players)

        def begin(connection: Connection) -> Replayed:
            return Replayed(connection, game, players, next(plays))

        return cls(address, connections, begin)

    def move(self, seconds: float, spare: int) -> Stretch:
        """Makes moves for so long. `spare` matches stand by for those that end."""
        with closing(Connection(self._address)) as connection:
            while len(self._spare) < spare:
                self._spare.append(self._begin(connection))
        return self._stretch(seconds, self._next_move)

    def look(self, seconds: float) -> Stretch:
        """Looks for so long at the matches as they are."""
        looks = [source.look() for source in self._sources]
        return self._stretch(seconds, looks.__getitem__)

    def _next_move(self, number: int) -> bytes:
        while (data := next(self._sources[number], None)) is None:
            self._sources[number] = self._spare.popleft()
        return data

    def _stretch(self, seconds: float, data: Callable[[int], bytes]) -> Stretch:
        # New connections each time: which worker takes how many is chance, and evens out.
        connections = [Connection(self._address) for _ in self._sources]
        selector, sent, delays = selectors.DefaultSelector(), list[float](), list[float]()
        began = time.perf_counter()
        for number, connection in enumerate(connections):
            selector.register(connection.socket, selectors.EVENT_READ, number)
            sent.append(time.perf_counter())
            connection.socket.sendall(data(number))
        while (now := time.perf_counter()) < began + seconds:
            for key, _ in selector.select(began + seconds - now):
                number = key.data
                connections[number].read()
                now = time.perf_counter()
                delays.append(now - sent[number])
                sent[number] = now
                connections[number].socket.sendall(data(number))
        rate = len(delays) / (time.perf_counter() - began)
        for connection in connections:
            connection.read()
            connection.close()
        selector.close()
        return Stretch(rate, sorted(delays))
