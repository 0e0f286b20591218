"""Even Steven: its paths, its moves by action, its events by type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from croupier_client import models
from croupier_client.api.even_steven import (
    create_even_steven_match,
    join_even_steven_match,
    list_even_steven_events,
    move_in_even_steven_match,
    replay_even_steven_match,
    view_even_steven_match,
)
from croupier_client.types import UNSET
from game import Game, Note, Refused, SeatRequest

Move: TypeAlias = (
    models.EvenStevenPlay
    | models.EvenStevenDraw
    | models.EvenStevenPickUp
    | models.EvenStevenFlip
    | models.EvenStevenSteal
    | models.EvenStevenDecline
)
Event: TypeAlias = (
    models.EvenStevenMatchCreatedEvent
    | models.EvenStevenSeatJoinedEvent
    | models.EvenStevenSeatLeftEvent
    | models.EvenStevenMoveOverdueEvent
    | models.EvenStevenCardsDealtEvent
    | models.EvenStevenRoundStartedEvent
    | models.EvenStevenCardPlayedEvent
    | models.EvenStevenPileBurnedEvent
    | models.EvenStevenPilePickedUpEvent
    | models.EvenStevenCardsDrawnEvent
    | models.EvenStevenCardStolenEvent
    | models.EvenStevenStealDeclinedEvent
    | models.EvenStevenTurnEvent
    | models.EvenStevenMatchFinishedEvent
)


class EvenSteven(Game[Move, Event]):
    """Four players, one of whom joins."""

    seats = 4
    seed = "demo-17"
    illegal = models.EvenStevenDecline(action="decline")

    def create(self, seats: list[SeatRequest]) -> models.EvenStevenCreated:
        options = models.EvenStevenOptionsRequest(turn_limit=300)
        body = models.EvenStevenCreate(
            seats=seats, seed=self.seed, turn_seconds=3600, options=options
        )
        answer = create_even_steven_match.sync(client=self.anyone, body=body)
        if isinstance(answer, models.EvenStevenCreated):
            return answer
        raise Refused(answer)

    def join(self, match_id: str) -> models.EvenStevenJoined:
        body = models.JoinRequest(name="Zoë")
        answer = join_even_steven_match.sync(match_id, client=self.anyone, body=body)
        if isinstance(answer, models.EvenStevenJoined):
            return answer
        raise Refused(answer)

    def view(self, match_id: str, token: str) -> models.EvenStevenView:
        answer = view_even_steven_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.EvenStevenView):
            return answer
        raise Refused(answer)

    def move(
        self, match_id: str, token: str, body: Move, etag: str | None = None
    ) -> models.EvenStevenMoved:
        answer = move_in_even_steven_match.sync(
            match_id, client=self.holder(token), body=body, if_match=etag or UNSET
        )
        if isinstance(answer, models.EvenStevenMoved):
            return answer
        raise Refused(answer)

    def events(self, match_id: str, token: str, after: int) -> models.EvenStevenEvents:
        answer = list_even_steven_events.sync(match_id, client=self.holder(token), after=after)
        if isinstance(answer, models.EvenStevenEvents):
            return answer
        raise Refused(answer)

    def replay(self, match_id: str, token: str) -> Sequence[Move]:
        answer = replay_even_steven_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.EvenStevenReplay):
            return [made.move for made in answer.moves]
        raise Refused(answer)

    def copy(self, move: Move) -> Move:
        match move:
            case models.EvenStevenPlay():
                return models.EvenStevenPlay(action=move.action, card=move.card)
            case models.EvenStevenDraw():
                return models.EvenStevenDraw(action=move.action)
            case models.EvenStevenPickUp():
                return models.EvenStevenPickUp(action=move.action)
            case models.EvenStevenFlip():
                return models.EvenStevenFlip(action=move.action, slot=move.slot)
            case models.EvenStevenSteal():
                return models.EvenStevenSteal(
                    action=move.action, target=move.target, slot=move.slot
                )
            case models.EvenStevenDecline():
                return models.EvenStevenDecline(action=move.action)
            case _:
                assert_never(move)

    def read(self, event: Event, note: Note) -> None:
        match event:
            case models.EvenStevenCardPlayedEvent():
                note("value", event.value)
                note("slot", event.slot)
                note("cards", event.cards)
            case models.EvenStevenCardStolenEvent():
                note("slot", event.slot)
                note("cards", event.cards)
            case (
                models.EvenStevenCardsDealtEvent()
                | models.EvenStevenPilePickedUpEvent()
                | models.EvenStevenCardsDrawnEvent()
            ):
                note("cards", event.cards)
            case models.EvenStevenMatchCreatedEvent():
                for seat in event.seats:
                    note("name", seat.name)
            case models.EvenStevenTurnEvent():
                note("to_act", event.to_act)
            case models.EvenStevenMatchFinishedEvent():
                note("result", event.result.reason)
            case (
                models.EvenStevenSeatJoinedEvent()
                | models.EvenStevenSeatLeftEvent()
                | models.EvenStevenMoveOverdueEvent()
                | models.EvenStevenRoundStartedEvent()
                | models.EvenStevenPileBurnedEvent()
                | models.EvenStevenStealDeclinedEvent()
            ):
                note("seat", event.seat)
            case _:
                assert_never(event)

    def listed(self, refusal: object) -> Sequence[Move]:
        if isinstance(refusal, models.EvenStevenIllegalMoveProblem):
            return refusal.legal_moves
        return []
