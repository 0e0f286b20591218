"""Plays a whole match of each game with the client that openapi-python-client makes of the
contract: `python play.py URL`. It prints what happened, as JSON.

All types are the contract's, without a cast: every move is built anew by its action, every event
read by its type, every refusal told apart by its own.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable

from card_keeper import CardKeeper
from croupier_client import models
from even_steven import EvenSteven
from game import Event, Game, Move, Refused, SeatRequest, View
from seven_twos_tens import SevenTwosTens


def refusal(ask: Callable[[], object]) -> object:
    """The refusal of what is asked."""
    try:
        answer = ask()
    except Refused as refused:
        return refused.answer
    raise AssertionError(f"this was to be refused: {answer!r}")


def told(problem: object) -> str:
    """A refusal by its type, with what it has to say besides."""
    match problem:
        case models.NotYourTurnProblem():
            return f"{problem.type_}: {','.join(map(str, problem.to_act))}"
        case (
            models.EvenStevenIllegalMoveProblem()
            | models.CardKeeperIllegalMoveProblem()
            | models.SevenTwosTensIllegalMoveProblem()
        ):
            return f"{problem.type_}: {len(problem.legal_moves)} {problem.rule or 'by no ruling'}"
        case models.VersionMismatchProblem():
            return f"{problem.type_}: {problem.version}"
        case models.ValidationProblem():
            return f"{problem.type_}: {','.join(problem.errors.additional_keys)}"
        case (
            models.UnauthorizedProblem()
            | models.ForbiddenProblem()
            | models.NotFoundProblem()
            | models.MatchNotFinishedProblem()
            | models.MatchFullProblem()
        ):
            return problem.type_
        case _:
            raise AssertionError(f"not to be expected here: {problem!r}")


class Match:
    """A whole match of a game."""

    def __init__(self) -> None:
        self.moves: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.nulls: Counter[str] = Counter()

    def note(self, name: str, value: object) -> None:
        """Counts a member that may be null, by whether it was."""
        self.nulls[f"{name} null" if value is None else name] += 1

    def look(self, view: View[Move]) -> View[Move]:
        """Notes what may be null in a view."""
        self.note("you", view.you)
        if view.you is not None:
            self.note("committed", view.you.committed)
        for name, value in (
            ("table", view.table),
            ("result", view.result),
            ("seed", view.seed),
            ("deadline", view.deadline),
        ):
            self.note(name, value)
        for seat in view.seats:
            self.note("name", seat.name)
        return view

    def rarest(self, legal: list[Move]) -> Move:
        """A move of the action made least often so far."""
        least = min(self.moves[move.action] for move in legal)
        rare = [move for move in legal if self.moves[move.action] == least]
        return rare[self.moves.total() % len(rare)]

    def play(self, game: Game[Move, Event]) -> dict[str, object]:
        """Plays it, with a refusal of each kind before."""
        seats: list[SeatRequest] = [
            models.PlayerSeat(name=f"P{number}") for number in range(game.seats - 1)
        ]
        created = game.create([*seats, models.OpenSeat(open_=True)])
        match_id, host = created.match_id, created.host_token
        self.look(created.view)
        tokens = {ticket.seat: ticket.token for ticket in created.seats}
        joined = game.join(match_id)
        tokens[joined.seat] = joined.token
        view = self.look(joined.view)

        first = tokens[view.to_act[0]]
        problems = [
            refusal(lambda: game.view("a" * 16, host)),
            refusal(lambda: game.move(match_id, "nobody's", game.illegal)),
            refusal(lambda: game.move(match_id, host, game.illegal)),
            refusal(lambda: game.move(match_id, first, game.illegal)),
            refusal(lambda: game.move(match_id, first, game.illegal, '"99-0"')),
            refusal(lambda: game.create([])),
            refusal(lambda: game.replay(match_id, host)),
            refusal(lambda: game.join(match_id)),
        ]
        listed = [game.copy(move) for problem in problems for move in game.listed(problem)]

        while view.status is models.MatchStatus.PLAYING:
            mover = tokens[view.to_act[0]]
            move = self.rarest(list(self.look(game.view(match_id, mover)).legal_moves))
            moved = game.move(match_id, mover, game.copy(move))
            for event in moved.events:
                game.read(event, self.note)
            self.moves[move.action] += 1
            self.look(game.view(match_id, mover))
            view = self.look(moved)

        self.look(game.view(match_id, host))
        after = 0
        while True:
            page = game.events(match_id, host, after)
            for event in page.events:
                game.read(event, self.note)
                self.events[event.type_] += 1
            after += len(page.events)
            if after == page.last_seq:
                break
        assert view.result is not None
        return {
            "moves": self.moves,
            "events": self.events,
            "nulls": self.nulls,
            "listed": len(listed),
            "problems": [told(problem) for problem in problems],
            "replayed": len([game.copy(move) for move in game.replay(match_id, host)]),
            "ranking": view.result.ranking,
        }


def main(url: str) -> None:
    """Plays all three."""
    played = {
        "even-steven": Match().play(EvenSteven(url)),
        "card-keeper": Match().play(CardKeeper(url)),
        "seven-twos-tens": Match().play(SevenTwosTens(url)),
    }
    sys.stdout.write(json.dumps(played))


if __name__ == "__main__":
    main(sys.argv[1])
