"""Seven, Twos & Tens: its paths, its moves by action, its events by type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from croupier_client import models
from croupier_client.api.seven_twos_tens import (
    create_seven_twos_tens_match,
    join_seven_twos_tens_match,
    list_seven_twos_tens_events,
    move_in_seven_twos_tens_match,
    replay_seven_twos_tens_match,
    view_seven_twos_tens_match,
)
from croupier_client.types import UNSET
from game import Game, Note, Refused, SeatRequest

Move: TypeAlias = (
    models.SevenTwosTensLay
    | models.SevenTwosTensPlay
    | models.SevenTwosTensPickUp
    | models.SevenTwosTensFlip
)
Event: TypeAlias = (
    models.SevenTwosTensCardsPlayedEvent
    | models.SevenTwosTensCardTurnedEvent
    | models.SevenTwosTensCardsDealtEvent
    | models.SevenTwosTensChoiceMadeEvent
    | models.SevenTwosTensCardsLaidEvent
    | models.SevenTwosTensCardFlippedEvent
    | models.SevenTwosTensPilePickedUpEvent
    | models.SevenTwosTensCardsDrawnEvent
    | models.SevenTwosTensRoundEndedEvent
    | models.SevenTwosTensMatchCreatedEvent
    | models.SevenTwosTensTurnEvent
    | models.SevenTwosTensMatchFinishedEvent
    | models.SevenTwosTensSeatJoinedEvent
    | models.SevenTwosTensSeatLeftEvent
    | models.SevenTwosTensMoveOverdueEvent
    | models.SevenTwosTensRoundStartedEvent
    | models.SevenTwosTensPileRemovedEvent
)


class SevenTwosTens(Game[Move, Event]):
    """Three players, one of whom joins."""

    seats = 3
    seed = "demo-28"
    illegal = models.SevenTwosTensPickUp(action="pick_up")

    def create(self, seats: list[SeatRequest]) -> models.SevenTwosTensCreated:
        options = models.SevenTwosTensOptionsRequest(turn_limit=300)
        body = models.SevenTwosTensCreate(
            seats=seats, seed=self.seed, turn_seconds=3600, options=options
        )
        answer = create_seven_twos_tens_match.sync(client=self.anyone, body=body)
        if isinstance(answer, models.SevenTwosTensCreated):
            return answer
        raise Refused(answer)

    def join(self, match_id: str) -> models.SevenTwosTensJoined:
        body = models.JoinRequest(name="Zoë")
        answer = join_seven_twos_tens_match.sync(match_id, client=self.anyone, body=body)
        if isinstance(answer, models.SevenTwosTensJoined):
            return answer
        raise Refused(answer)

    def view(self, match_id: str, token: str) -> models.SevenTwosTensView:
        answer = view_seven_twos_tens_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.SevenTwosTensView):
            return answer
        raise Refused(answer)

    def move(
        self, match_id: str, token: str, body: Move, etag: str | None = None
    ) -> models.SevenTwosTensMoved:
        answer = move_in_seven_twos_tens_match.sync(
            match_id, client=self.holder(token), body=body, if_match=etag or UNSET
        )
        if isinstance(answer, models.SevenTwosTensMoved):
            return answer
        raise Refused(answer)

    def events(self, match_id: str, token: str, after: int) -> models.SevenTwosTensEvents:
        answer = list_seven_twos_tens_events.sync(match_id, client=self.holder(token), after=after)
        if isinstance(answer, models.SevenTwosTensEvents):
            return answer
        raise Refused(answer)

    def replay(self, match_id: str, token: str) -> Sequence[Move]:
        answer = replay_seven_twos_tens_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.SevenTwosTensReplay):
            return [made.move for made in answer.moves]
        raise Refused(answer)

    def copy(self, move: Move) -> Move:
        match move:
            case models.SevenTwosTensLay():
                return models.SevenTwosTensLay(action=move.action, cards=move.cards)
            case models.SevenTwosTensPlay():
                return models.SevenTwosTensPlay(action=move.action, cards=move.cards)
            case models.SevenTwosTensPickUp():
                return models.SevenTwosTensPickUp(action=move.action)
            case models.SevenTwosTensFlip():
                return models.SevenTwosTensFlip(action=move.action, slot=move.slot)
            case _:
                assert_never(move)

    def read(self, event: Event, note: Note) -> None:
        match event:
            case models.SevenTwosTensCardsPlayedEvent():
                note("slot", event.slot)
                note("value", event.value)
                note("cards", event.cards)
            case models.SevenTwosTensCardTurnedEvent():
                note("value", event.value)
                note("cards", event.cards)
            case (
                models.SevenTwosTensCardsDealtEvent()
                | models.SevenTwosTensChoiceMadeEvent()
                | models.SevenTwosTensCardsLaidEvent()
                | models.SevenTwosTensCardFlippedEvent()
                | models.SevenTwosTensPilePickedUpEvent()
                | models.SevenTwosTensCardsDrawnEvent()
            ):
                note("cards", event.cards)
            case models.SevenTwosTensRoundEndedEvent():
                note("winner", event.winner)
            case models.SevenTwosTensMatchCreatedEvent():
                for seat in event.seats:
                    note("name", seat.name)
            case models.SevenTwosTensTurnEvent():
                note("to_act", event.to_act)
            case models.SevenTwosTensMatchFinishedEvent():
                note("result", event.result.reason)
            case (
                models.SevenTwosTensSeatJoinedEvent()
                | models.SevenTwosTensSeatLeftEvent()
                | models.SevenTwosTensMoveOverdueEvent()
                | models.SevenTwosTensRoundStartedEvent()
                | models.SevenTwosTensPileRemovedEvent()
            ):
                note("seat", event.seat)
            case _:
                assert_never(event)

    def listed(self, refusal: object) -> Sequence[Move]:
        if isinstance(refusal, models.SevenTwosTensIllegalMoveProblem):
            return refusal.legal_moves
        return []
