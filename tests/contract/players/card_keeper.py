"""Card Keeper: its paths, its moves by action, its events by type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from croupier_client import models
from croupier_client.api.card_keeper import (
    create_card_keeper_match,
    join_card_keeper_match,
    list_card_keeper_events,
    move_in_card_keeper_match,
    replay_card_keeper_match,
    view_card_keeper_match,
)
from croupier_client.types import UNSET
from game import Game, Note, Refused, SeatRequest

Move: TypeAlias = models.CardKeeperNameColour | models.CardKeeperPlay | models.CardKeeperBurn
Event: TypeAlias = (
    models.CardKeeperFirstCardTurnedEvent
    | models.CardKeeperCardsDealtEvent
    | models.CardKeeperCardPutBackEvent
    | models.CardKeeperCardPlayedEvent
    | models.CardKeeperCardCapturedEvent
    | models.CardKeeperHandSeenEvent
    | models.CardKeeperChoiceMadeEvent
    | models.CardKeeperCardBurnedEvent
    | models.CardKeeperCardsDrawnEvent
    | models.CardKeeperColourNamedEvent
    | models.CardKeeperMatchCreatedEvent
    | models.CardKeeperTurnEvent
    | models.CardKeeperMatchFinishedEvent
    | models.CardKeeperDrawPileMadeEvent
    | models.CardKeeperSeatJoinedEvent
    | models.CardKeeperSeatLeftEvent
    | models.CardKeeperMoveOverdueEvent
    | models.CardKeeperShieldUsedEvent
    | models.CardKeeperHandsSwappedEvent
    | models.CardKeeperKnockedOutEvent
)


class CardKeeper(Game[Move, Event]):
    """Three players, one of whom joins. The first card is a Wild."""

    seats = 3
    seed = "demo-31"
    illegal = models.CardKeeperBurn(action="burn", card=models.CardKeeperCard.SHIELD)

    def create(self, seats: list[SeatRequest]) -> models.CardKeeperCreated:
        options = models.CardKeeperOptionsRequest(turn_limit=300)
        body = models.CardKeeperCreate(
            seats=seats, seed=self.seed, turn_seconds=3600, options=options
        )
        answer = create_card_keeper_match.sync(client=self.anyone, body=body)
        if isinstance(answer, models.CardKeeperCreated):
            return answer
        raise Refused(answer)

    def join(self, match_id: str) -> models.CardKeeperJoined:
        body = models.JoinRequest(name="Zoë")
        answer = join_card_keeper_match.sync(match_id, client=self.anyone, body=body)
        if isinstance(answer, models.CardKeeperJoined):
            return answer
        raise Refused(answer)

    def view(self, match_id: str, token: str) -> models.CardKeeperView:
        answer = view_card_keeper_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.CardKeeperView):
            return answer
        raise Refused(answer)

    def move(
        self, match_id: str, token: str, body: Move, etag: str | None = None
    ) -> models.CardKeeperMoved:
        answer = move_in_card_keeper_match.sync(
            match_id, client=self.holder(token), body=body, if_match=etag or UNSET
        )
        if isinstance(answer, models.CardKeeperMoved):
            return answer
        raise Refused(answer)

    def events(self, match_id: str, token: str, after: int) -> models.CardKeeperEvents:
        answer = list_card_keeper_events.sync(match_id, client=self.holder(token), after=after)
        if isinstance(answer, models.CardKeeperEvents):
            return answer
        raise Refused(answer)

    def replay(self, match_id: str, token: str) -> Sequence[Move]:
        answer = replay_card_keeper_match.sync(match_id, client=self.holder(token))
        if isinstance(answer, models.CardKeeperReplay):
            return [made.move for made in answer.moves]
        raise Refused(answer)

    def copy(self, move: Move) -> Move:
        match move:
            case models.CardKeeperNameColour():
                return models.CardKeeperNameColour(action=move.action, colour=move.colour)
            case models.CardKeeperPlay():
                return models.CardKeeperPlay(
                    action=move.action, card=move.card, targets=move.targets, colour=move.colour
                )
            case models.CardKeeperBurn():
                return models.CardKeeperBurn(action=move.action, card=move.card)
            case _:
                assert_never(move)

    def read(self, event: Event, note: Note) -> None:
        match event:
            case models.CardKeeperFirstCardTurnedEvent():
                note("colour", event.colour)
                note("cards", event.cards)
            case (
                models.CardKeeperCardsDealtEvent()
                | models.CardKeeperCardPutBackEvent()
                | models.CardKeeperCardPlayedEvent()
                | models.CardKeeperCardCapturedEvent()
                | models.CardKeeperHandSeenEvent()
                | models.CardKeeperChoiceMadeEvent()
                | models.CardKeeperCardBurnedEvent()
                | models.CardKeeperCardsDrawnEvent()
            ):
                note("cards", event.cards)
            case models.CardKeeperColourNamedEvent():
                note("colour", event.colour)
            case models.CardKeeperMatchCreatedEvent():
                for seat in event.seats:
                    note("name", seat.name)
            case models.CardKeeperTurnEvent():
                note("to_act", event.to_act)
            case models.CardKeeperMatchFinishedEvent():
                note("result", event.result.reason)
            case models.CardKeeperDrawPileMadeEvent():
                note("draw_count", event.draw_count)
            case (
                models.CardKeeperSeatJoinedEvent()
                | models.CardKeeperSeatLeftEvent()
                | models.CardKeeperMoveOverdueEvent()
                | models.CardKeeperShieldUsedEvent()
                | models.CardKeeperHandsSwappedEvent()
                | models.CardKeeperKnockedOutEvent()
            ):
                note("seat", event.seat)
            case _:
                assert_never(event)

    def listed(self, refusal: object) -> Sequence[Move]:
        if isinstance(refusal, models.CardKeeperIllegalMoveProblem):
            return refusal.legal_moves
        return []
