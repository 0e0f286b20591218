"""Match: seats, version and log. The one gate through which every move and every view passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from engine import knowledge, views
from engine.bots import BOTS
from engine.bots.base import Bot, Pick
from engine.chance import Chance, chance_seed
from engine.deals import ScriptedChance, settle_deal
from engine.errors import (
    IllegalMove,
    InvalidSetup,
    MatchFinished,
    MatchFull,
    MatchWaiting,
    NobodySits,
    NotYourTurn,
    SeatTaken,
    UnknownFormat,
)
from engine.events import SILENCE, Log
from engine.game import Game, GameState
from engine.knowledge import Hand
from engine.options import Options, settle_options
from engine.records import Saved, Seat, Step, loaded_state, pack, raw, saved_state, unpack
from engine.registry import GAMES
from engine.values import Move, Outcome
from engine.views import Viewer

Status = Literal["waiting", "playing", "finished"]

NOBODY: Final = -1
#: What a match that is not recorded gives back for each move.
UNRECORDED: Final = Step(version=0, seat=None, move=None, first_seq=0, events=[])


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
        owed_since: int = 0,
        words: int = 0,
        state: GameState | None = None,
        known: list[Hand] | None = None,
        deal: list[int] | None = None,
        recorded: bool = True,
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.host_seeded = host_seeded
        self.version = version
        self.seq = seq
        #: The version since which the present decision is owed. Others of the same choice may have
        #: decided since then.
        self.owed_since = owed_since
        self.state = state
        #: The deck in a scripted order, its top card first; None when it was shuffled.
        self.deal = deal
        self.log: list[Step] = []
        #: Whether steps are logged and knowledge is kept. Only simulations do without.
        self.recorded = recorded
        self._known = knowledge.fresh(len(seats)) if known is None else known
        #: Steps that `_known` has not taken in yet.
        self._untold: list[Step] = []
        #: The moves listed last, and for whom: one of these very objects needs no second look.
        self._listed: list[Move] = []
        self._listed_for = NOBODY
        self._turn_limit = options.turn_limit
        self._chance = self._chance_from(words)
        #: The seats that owe a decision now, looked up once for each version.
        self._owing: Sequence[int] = ()
        self._see_who_owes()

    # Making and keeping

    @staticmethod
    def new(
        game: Game[Any],
        *,
        seats: Sequence[Seat | str],
        seed: str,
        options: Mapping[str, Any] | None = None,
        host_seeded: bool = False,
        deal: Sequence[str] | None = None,
        recorded: bool = True,
    ) -> Match:
        """Makes a match, and deals it at once when no seat is open. A text stands for a human's
        name. `deal` is the deck's order in the place of the first shuffle, as codes, the top card
        first. One that is not `recorded` has neither events nor knowledge, but the same rules, and
        is played faster. Raises InvalidSetup (fields `seats`, `options.<name>`, `deal`)."""
        placed = [Seat(name=s) if isinstance(s, str) else s for s in seats]
        filled = settle_options(game, options or {}, players=len(placed))
        match = Match(
            game=game,
            seats=placed,
            options=filled,
            seed=seed,
            host_seeded=host_seeded,
            deal=None if deal is None else settle_deal(game, deal, options=filled),
            recorded=recorded,
        )
        log = match._new_log()
        if log.kept:
            log.add("match_created", seats=views.places(match.seats))
        match._deal_if_full(log)
        match._step(None, None, log)
        return match

    def to_bytes(self) -> bytes:
        """The match without its log: a format number, then MessagePack."""
        return pack(
            Saved(
                game=self.game.id,
                options=raw(self.options),
                seats=self.seats,
                seed=self.seed,
                host_seeded=self.host_seeded,
                version=self.version,
                seq=self.seq,
                owed_since=self.owed_since,
                words=self._chance.position,
                state=saved_state(self.state),
                known=knowledge.packed(self.known),
                deal=self.deal,
            )
        )

    @staticmethod
    def from_bytes(data: bytes, games: Mapping[str, Game[Any]] = GAMES) -> Match:
        """Reads what `to_bytes` wrote. Raises UnknownFormat."""
        saved = unpack(data)
        game = games.get(saved.game)
        if game is None:
            raise UnknownFormat(f"This version does not know the game {saved.game!r}.")
        options = msgspec.msgpack.decode(saved.options, type=game.options_type)
        return Match(
            game=game,
            seats=saved.seats,
            options=options,
            seed=saved.seed,
            host_seeded=saved.host_seeded,
            version=saved.version,
            seq=saved.seq,
            owed_since=saved.owed_since,
            words=saved.words,
            state=loaded_state(game.state_type, saved.state, options),
            known=knowledge.unpacked(saved.known),
            deal=saved.deal,
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
        return list(self._owing)

    def legal_moves(self, seat: int) -> list[Move]:
        """The listed moves of a seat; none when it is not to act."""
        state = self.state
        if state is None or seat not in self._owing:
            return []
        moves = self.game.legal_moves(state, seat)
        self._listed, self._listed_for = moves, seat
        return moves

    def scripted_deal(self) -> list[str] | None:
        """The deck in the order that was set for it, as `Match.new` takes it; None when it was
        shuffled. Not to be told before the end."""
        return None if self.deal is None else views.codes(self.game, self.deal)

    @property
    def known(self) -> list[Hand]:
        """For each seat's hand: who is certain of which cards. Worked out when it is asked for."""
        for step in self._untold:
            for event in step.events:
                knowledge.follow(self._known, event)
        self._untold.clear()
        return self._known

    def chosen_options(self) -> dict[str, Any]:
        """All options of this match as `Match.new` takes them."""
        return msgspec.structs.asdict(self.options)

    # The gate for moves

    def read(self, body: Mapping[str, Any]) -> Move:
        """A move from its body. Raises InvalidMove for what no state of this match would allow."""
        return self.game.read(body, players=len(self.seats), options=self.options)

    def judge(self, seat: int, move: Move | Mapping[str, Any]) -> Move:
        """Looks at a seat's move without making it, in the fixed order: readable, not over, to act,
        legal. Raises InvalidMove, MatchWaiting, MatchFinished, NotYourTurn or IllegalMove.
        """
        if not isinstance(move, Move):
            move = self.read(move)
        state = self.state
        if state is None:
            raise MatchWaiting
        if state.outcome is not None:
            raise MatchFinished
        if seat not in self._owing:
            raise NotYourTurn(self._owing)
        refusal = self.game.refusal(state, seat, move)
        if refusal is not None:
            raise IllegalMove(
                reason=refusal.reason,
                rule=refusal.rule,
                legal_moves=[self.game.body(m) for m in self.legal_moves(seat)],
            )
        return move

    def play(self, seat: int, move: Move | Mapping[str, Any]) -> Step:
        """Makes a seat's move. Raises what `judge` raises, and then nothing has changed."""
        return self._play(seat, move, self._new_log())

    @property
    def bot_due(self) -> int | None:
        """The lowest seat to act that a bot plays."""
        return next((seat for seat in self._owing if self.seats[seat].bot is not None), None)

    def play_bots(self, pick: Pick, *, most: int | None = None) -> None:
        """Lets due bots play on, the lowest seat first, until a human is to act or it is over, or
        `most` moves have been made."""
        moves = 0
        while (seat := self.bot_due) is not None and moves != most:
            bot = BOTS[self.seats[seat].bot or ""]
            self.play(seat, self._choice(bot, seat, pick))
            moves += 1

    def play_for_absent(self, seat: int, pick: Pick) -> Step:
        """Makes the overdue move of a seat that is to act, as the `random` bot chooses it."""
        move = self._choice(BOTS["random"], seat, pick)
        return self._play(seat, move, self._new_log(overdue=seat))

    # Coming and going

    def join(self, *, seat: int | None, name: str | None, client_seed: str | None = None) -> int:
        """Takes an open seat, the first one if none is named, and returns its number; the last
        join deals. Without a name it is `Player N`.

        Raises InvalidSetup (`seat`), MatchFinished, MatchFull or SeatTaken.
        """
        if seat is not None and seat >= len(self.seats):
            last = len(self.seats) - 1
            raise InvalidSetup({"seat": [f"Must be a seat of this match, 0 to {last}."]})
        if self.outcome is not None:
            raise MatchFinished
        if seat is None:
            seat = next((n for n, s in enumerate(self.seats) if s.kind == "open"), None)
            if seat is None:
                raise MatchFull
        elif self.seats[seat].kind != "open":
            raise SeatTaken(seat)
        self.seats[seat] = Seat(name=name or default_name(seat), client_seed=client_seed)
        self._chance = self._chance_from(0)
        log = self._new_log()
        log.add("seat_joined", seat, name=self.seats[seat].name)
        self._deal_if_full(log)
        self.version += 1
        self.owed_since = self.version
        self._step(seat, None, log)
        return seat

    def leave(self, seat: int, *, overdue: bool = False) -> Step:
        """Leaves a seat that a human holds: before the deal it is open again, after it the `random`
        bot plays on. An `overdue` one is left for a player who did not come.

        Raises MatchFinished or NobodySits.
        """
        if self.outcome is not None:
            raise MatchFinished
        left = self.seats[seat]
        if left.kind != "human":
            raise NobodySits(seat)
        waiting = self.state is None
        self.seats[seat] = (
            Seat(kind="open")
            if waiting
            # What the leaver gave to the seed stays in it: it decided the deal.
            else Seat(name=left.name, kind="bot", bot="random", client_seed=left.client_seed)
        )
        log = self._new_log(overdue=seat if overdue else None)
        log.add("seat_left", seat, kind=self.seats[seat].kind)
        self.version += 1
        return self._step(seat, None, log)

    # The gate for views

    def view(self, viewer: Viewer) -> dict[str, Any]:
        """All that a seat, or a spectator, may know now, in the contract's words."""
        return views.view(self, viewer)

    def show(self, step: Step, viewer: Viewer) -> list[dict[str, Any]]:
        """The events of a step as a viewer may see them."""
        return views.events(self, step, viewer)

    def why_not(self, seat: int) -> list[dict[str, Any]]:
        """For each card in a seat's hand that cannot be played now, the rule that forbids it."""
        return views.why_not(self, seat)

    # Inside

    def _chance_from(self, words: int, deal: Sequence[int] | None = None) -> Chance:
        seed = chance_seed(self.seed, [s.client_seed for s in self.seats])
        return Chance(seed, words) if deal is None else ScriptedChance(seed, deal)

    def _play(self, seat: int, move: Move | Mapping[str, Any], log: Log) -> Step:
        move = self._listed_move(seat, move) or self.judge(seat, move)
        game, state = self.game, self.state
        assert state is not None  # nosec B101 # for the type checker
        self._listed_for = NOBODY
        game.play(state, seat, move, self._chance, log)
        state.moves += 1
        if state.outcome is None and state.moves >= self._turn_limit:
            game.stop(state, log)
        if state.outcome is None:
            game.proceed(state, self._chance, log)
        self.version += 1
        owed = self._owing
        self._see_who_owes()
        if len(owed) == 1 or not set(self._owing) < set(owed):
            self.owed_since = self.version
        if log.kept:
            self._tell_turn(log)
        return self._step(seat, move, log)

    def _listed_move(self, seat: int, move: object) -> Move | None:
        if seat == self._listed_for:
            for listed in self._listed:
                if listed is move:
                    return listed
        return None

    def _see_who_owes(self) -> None:
        state = self.state
        over = state is None or state.outcome is not None
        self._owing = () if over else self.game.to_act(state)

    def _choice(self, bot: Bot, seat: int, pick: Pick) -> Mapping[str, Any]:
        since: list[dict[str, Any]] = []
        for step in reversed(self.log):
            since[:0] = self.show(step, seat)
            if step.seat == seat:
                break
        return bot(self.view(seat), since, pick)

    def _deal_if_full(self, log: Log) -> None:
        if all(seat.kind != "open" for seat in self.seats):
            if self.deal is not None:
                self._chance = self._chance_from(0, self.deal)
            self.state = self.game.deal(
                players=len(self.seats),
                options=self.options,
                chance=self._chance,
                log=log,
            )
            self._see_who_owes()
            if log.kept:
                self._tell_turn(log)

    def _new_log(self, *, overdue: int | None = None) -> Log:
        log = Log() if self.recorded else SILENCE
        if overdue is not None:
            log.add("move_overdue", overdue)
        return log

    def _tell_turn(self, log: Log) -> None:
        if self.outcome is None:
            log.add("turn", to_act=self.to_act)
        else:
            log.add("match_finished", result=views.result(self.outcome), seed=self.seed)

    def _step(self, seat: int | None, move: Move | None, log: Log) -> Step:
        """Closes a version; `move` None: a deal, join or leave."""
        if not log.kept:
            return UNRECORDED
        body = None if move is None else self.game.body(move)
        step = Step(
            version=self.version, seat=seat, move=body, first_seq=self.seq + 1, events=log.events
        )
        self.seq += len(log.events)
        self.log.append(step)
        self._untold.append(step)
        return step


def default_name(seat: int) -> str:
    """What a player is called who gave no name."""
    return f"Player {seat + 1}"
