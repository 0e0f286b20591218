"""The use case that makes a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from api import notes, tokens, wire
from api.retries import Reply, Retry
from api.service import Service
from api.store.base import Answered, Outcome
from api.table import Terms
from engine import Game, Seat, default_name


class Creating:
    """How matches come about among the service's."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def create(
        self, game: Game[Any], request: Mapping[str, Any], key: str | None, caller: str = ""
    ) -> Reply:
        """Makes a match from a request that the game's schema has passed. `caller` tells those
        apart who may have thought of the same key.

        Raises engine.Invalid, MalformedRequest, StoreUnavailable.
        """
        retry = self._service.anonymous_retry(
            key, who=f"create {game.id} {caller}", request=request
        )
        made = self._service.store.load(retry.match_id(), retry.field) if retry.field else None
        if made is not None and made.answer is not None:
            return _with_all_tokens(retry.replay(made.answer), retry)
        seats = [_seat(number, asked) for number, asked in enumerate(request["seats"])]
        table = self._service.new_table(
            game,
            match_id=retry.match_id(),
            seats=seats,
            seed=request.get("seed"),
            options=request.get("options", {}),
            deal=request.get("deal"),
            terms=Terms(**{k: request[k] for k in Terms.__struct_fields__ if k in request}),
        )
        notes.note("match_id", table.match_id)
        table.host_hash = tokens.digest(retry.token("host"))
        for number, seat in enumerate(seats):
            if seat.kind == "human":
                table.seat_hashes[number] = tokens.digest(retry.token(str(number)))
        told = {
            "match_id": table.match_id,
            "seats": [
                {"seat": number, "name": seat.name}
                for number, seat in enumerate(seats)
                if seat.kind == "human"
            ],
            "view": table.view(None),
        }
        reply = Reply(wire.encode(told))
        outcome = self._service.commit(table, retry.keep(reply))
        if isinstance(outcome, Answered):
            reply = retry.replay(outcome.value)
        else:
            assert outcome is Outcome.COMMITTED, outcome  # nosec B101 # 80 random bits, twice
        return _with_all_tokens(reply, retry)


def _with_all_tokens(reply: Reply, retry: Retry) -> Reply:
    told = msgspec.json.decode(reply.body)
    for ticket in told["seats"]:
        ticket["token"] = retry.token(str(ticket["seat"]))
    match_id = told.pop("match_id")
    told = {"match_id": match_id, "host_token": retry.token("host"), **told}
    return Reply(wire.encode(told), match_id=match_id, replayed=reply.replayed)


def _seat(number: int, asked: Mapping[str, Any]) -> Seat:
    if "open" in asked:
        return Seat(kind="open")
    if "bot" in asked:
        return Seat(name=default_name(number), kind="bot", bot=asked["bot"])
    return Seat(name=asked.get("name", default_name(number)), client_seed=asked.get("client_seed"))
