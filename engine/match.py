"""Match: seats, version and log. The one gate through which every move and every view passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from engine.bots import BOTS
from engine.chance import Chance, seed_hash
from engine.errors import (
    IllegalMove,
    InvalidSetup,
    MatchFinished,
    MatchWaiting,
    NotYourTurn,
    UnknownFormat,
)
from engine.events import Event, Log
from engine.game import Game, GameState, Move, Outcome
from engine.options import Options, settle
from engine.registry import GAMES

#: In front of every saved match; an older number must go on loading.
FORMAT: Final = 1

#: Who looks: a seat's number, or None for a spectator.
Viewer = int | None
#: A random choice: `pick(k)` gives a number from 0 to k-1. It is never the match's own chance.
Pick = Callable[[int], int]
Status = Literal["waiting", "playing", "finished"]


class Seat(msgspec.Struct, array_like=True, kw_only=True):
    """A place at the table. An open one has no name yet; `bot` names the bot that plays it."""

    name: str | None = None
    kind: Literal["human", "bot", "open"] = "human"
    bot: str | None = None


class Step(msgspec.Struct, array_like=True, kw_only=True):
    """One version of a match: the move that made it (None: a deal, join or leave), its events, and
    the number of the first of them. Numbers count from 1 without gaps."""

    version: int
    seat: int | None
    move: dict[str, Any] | None
    first_seq: int
    events: list[Event]


class _Saved(msgspec.Struct, array_like=True, kw_only=True):
    """A match as bytes. The options and the state are the game's own, and read by its types."""

    game: str
    options: msgspec.Raw
    seats: list[Seat]
    seed: str
    host_seeded: bool
    version: int
    seq: int
    words: int
    state: msgspec.Raw


_encoder = msgspec.msgpack.Encoder()
_saved_decoder = msgspec.msgpack.Decoder(_Saved)


class Match:
    """One play of a game, from the deal to the result.

    `version` goes up by one with every move, join and leave. `log` holds the steps since the match
    was made or loaded; whoever keeps matches stores them and the bytes together.
    """

    def __init__(
        self,
        *,
        game: Game[Any],
        seats: list[Seat],
        options: Options,
        seed: str,
        host_seeded: bool,
        version: int = 0,
        seq: int = 0,
        words: int = 0,
        state: GameState | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.host_seeded = host_seeded
        self.version = version
        self.seq = seq
        self.state = state
        self.log: list[Step] = []
        self._chance = Chance(seed.encode(), words)

    # Making and keeping

    @classmethod
    def new(
        cls,
        game: Game[Any],
        *,
        seats: Sequence[Seat | str],
        seed: str,
        options: Mapping[str, Any] | None = None,
        host_seeded: bool = False,
    ) -> Match:
        """Makes a match, and deals it at once when no seat is open. A text stands for a human's
        name. Raises InvalidSetup (fields `seats`, `options.<name>`)."""
        placed = [Seat(name=s) if isinstance(s, str) else s for s in seats]
        filled = settle_options(game, options or {}, players=len(placed))
        match = cls(game=game, seats=placed, options=filled, seed=seed, host_seeded=host_seeded)
        log = Log()
        log.add("match_created", seats=match._places())
        match._deal_if_full(log)
        match._step(None, None, log)
        return match

    def to_bytes(self) -> bytes:
        """The match without its log: a format number, then MessagePack."""
        saved = (
            self.game.id,
            self.options,
            self.seats,
            self.seed,
            self.host_seeded,
            self.version,
            self.seq,
            self._chance.position,
            self.state,
        )
        return bytes((FORMAT,)) + _encoder.encode(saved)

    @classmethod
    def from_bytes(cls, data: bytes, games: Mapping[str, Game[Any]] = GAMES) -> Match:
        """Reads what `to_bytes` wrote. Raises UnknownFormat."""
        if not data or data[0] != FORMAT:
            raise UnknownFormat("This match was saved by a newer version.")
        saved = _saved_decoder.decode(memoryview(data)[1:])
        game = games.get(saved.game)
        if game is None:
            raise UnknownFormat(f"This version does not know the game {saved.game!r}.")
        return cls(
            game=game,
            seats=saved.seats,
            options=msgspec.msgpack.decode(saved.options, type=game.options_type),
            seed=saved.seed,
            host_seeded=saved.host_seeded,
            version=saved.version,
            seq=saved.seq,
            words=saved.words,
            state=msgspec.msgpack.decode(saved.state, type=game.state_type | None),
        )

    # What everybody may ask

    @property
    def status(self) -> Status:
        if self.state is None:
            return "waiting"
        return "playing" if self.state.outcome is None else "finished"

    @property
    def outcome(self) -> Outcome | None:
        """None until the match is finished."""
        return None if self.state is None else self.state.outcome

    @property
    def to_act(self) -> list[int]:
        """The seats that owe a decision, by number; none while waiting and after the end."""
        if self.state is None or self.state.outcome is not None:
            return []
        return list(self.game.to_act(self.state))

    def legal_moves(self, seat: int) -> list[Move]:
        """The listed moves of a seat; none when it is not to act."""
        if self.state is None or seat not in self.to_act:
            return []
        return self.game.legal_moves(self.state, seat)

    # The gate for moves

    def read(self, body: Mapping[str, Any]) -> Move:
        """A move from its body. Raises InvalidMove for what no state of this match would allow."""
        return self.game.read(body, players=len(self.seats), options=self.options)

    def play(self, seat: int, move: Move | Mapping[str, Any]) -> Step:
        """Makes a seat's move, in the fixed order: readable, not over, to act, legal.

        Raises InvalidMove, MatchWaiting, MatchFinished, NotYourTurn or IllegalMove, and then
        nothing has changed.
        """
        if not isinstance(move, Move):
            move = self.read(move)
        state = self._playing()
        if seat not in self.game.to_act(state):
            raise NotYourTurn(self.game.to_act(state))
        refusal = self.game.refusal(state, seat, move)
        if refusal is not None:
            raise IllegalMove(
                reason=refusal.reason,
                rule=refusal.rule,
                legal_moves=[self.game.body(m) for m in self.legal_moves(seat)],
            )
        log = Log()
        self.game.play(state, seat, move, self._chance, log)
        state.moves += 1
        if state.outcome is None and state.moves >= self.options.turn_limit:
            self.game.stop(state, log)
        if state.outcome is None:
            self.game.proceed(state, self._chance, log)
        self._tell_turn(log)
        self.version += 1
        return self._step(seat, move, log)

    def play_bots(self, pick: Pick) -> None:
        """Lets due bots play on, the lowest seat first, until a human is to act or it is over."""
        while True:
            seat = next((s for s in self.to_act if self.seats[s].bot is not None), None)
            if seat is None:
                return
            bot = BOTS[self.seats[seat].bot or ""]
            self.play(seat, bot(self.view(seat), pick))

    # The gate for views

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """All that a seat, or a spectator, may know now, in the contract's words."""
        state, game = self.state, self.game
        finished = self.outcome is not None
        seats = self._places()
        if state is not None:
            for number, facts in enumerate(seats):
                facts.update(game.seat_facts(state, number))
                if finished:
                    facts["hand"] = self._codes(game.hand(state, number))
                    facts.update(game.revealed(state, number))
        return {
            "game": game.id,
            "version": self.version,
            "status": self.status,
            "options": msgspec.structs.asdict(self.options),
            "seats": seats,
            "you": None if viewer is None else self._you(viewer),
            "to_act": self.to_act,
            "legal_moves": []
            if viewer is None
            else [game.body(move) for move in self.legal_moves(viewer)],
            "table": None if state is None else game.table(state),
            "result": self._result(),
            "seed_hash": seed_hash(self.seed),
            "seed": self.seed if finished else None,
            "host_seeded": self.host_seeded,
        }

    def show(self, step: Step, viewer: Viewer) -> list[dict[str, Any]]:
        """The events of a step as a viewer may see them: cards that are not theirs to know are
        left out and counted."""
        return [
            self._shown(event, step.first_seq + index, step.version, viewer)
            for index, event in enumerate(step.events)
        ]

    # Inside

    def _shown(self, event: Event, seq: int, version: int, viewer: Viewer) -> dict[str, Any]:
        shown: dict[str, Any] = {"seq": seq, "version": version, "type": event.type}
        if event.seat is not None:
            shown["seat"] = event.seat
        if event.cards is not None:
            visible = event.shows_cards_to(viewer)
            shown["cards"] = self._codes(event.cards) if visible else None
            shown["count"] = len(event.cards)
        return shown | event.facts

    def _codes(self, cards: Sequence[int]) -> list[str]:
        codes = self.game.codes
        return [codes[card] for card in cards]

    def _you(self, viewer: int) -> dict[str, Any]:
        if self.state is None:
            return {"seat": viewer, "hand": [], "committed": None}
        committed = None if self.outcome else self.game.committed(self.state, viewer)
        return {
            "seat": viewer,
            "hand": self._codes(self.game.hand(self.state, viewer)),
            "committed": None if committed is None else self.game.body(committed),
        }

    def _result(self) -> dict[str, Any] | None:
        outcome = self.outcome
        if outcome is None:
            return None
        return {
            "winners": outcome.winners,
            "ranking": outcome.ranking,
            "reason": outcome.reason,
        }

    def _playing(self) -> GameState:
        if self.state is None:
            raise MatchWaiting
        if self.state.outcome is not None:
            raise MatchFinished
        return self.state

    def _places(self) -> list[dict[str, Any]]:
        return [
            {"seat": number, "name": seat.name, "kind": seat.kind}
            for number, seat in enumerate(self.seats)
        ]

    def _deal_if_full(self, log: Log) -> None:
        if all(seat.kind != "open" for seat in self.seats):
            self.state = self.game.deal(
                players=len(self.seats),
                options=self.options,
                chance=self._chance,
                log=log,
            )
            self._tell_turn(log)

    def _tell_turn(self, log: Log) -> None:
        result = self._result()
        if result is None:
            log.add("turn", to_act=self.to_act)
        else:
            log.add("match_finished", result=result, seed=self.seed)

    def _step(self, seat: int | None, move: Move | None, log: Log) -> Step:
        step = Step(
            version=self.version,
            seat=seat,
            move=None if move is None else self.game.body(move),
            first_seq=self.seq + 1,
            events=log,
        )
        self.seq += len(log)
        self.log.append(step)
        return step


def settle_options(game: Game[Any], given: Mapping[str, Any], *, players: int) -> Options:
    """The filled-in options of a match. Raises InvalidSetup (`seats`, `options.<name>`)."""
    if not game.min_players <= players <= game.max_players:
        raise InvalidSetup(
            {"seats": [f"{game.title} is for {game.min_players} to {game.max_players} players."]}
        )
    try:
        filled = settle(game.options, given, game.default_options(players))
        options = game.options_type(**filled)
        if errors := game.option_errors(options, players):
            raise InvalidSetup(errors)
    except InvalidSetup as error:
        raise InvalidSetup({f"options.{k}": v for k, v in error.errors.items()}) from None
    return options
