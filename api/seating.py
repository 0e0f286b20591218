"""The use cases around seats: join, leave, a new token for a lost phone, and the rematch."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from typing import Any

from api import notes, tokens, wire
from api.errors import Forbidden, MatchNotFinished, NotFound, TooContended
from api.retries import Reply, Retry, with_tokens
from api.service import TRIES, Service
from api.store.base import Outcome
from api.table import Role, Table
from engine import Game, NobodySits, Seat


class Seating:
    """Who sits where, over the service's matches."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def join(
        self,
        game: Game[Any],
        match_id: str,
        request: Mapping[str, Any],
        key: str | None,
        caller: str = "",
    ) -> Reply:
        """Takes an open seat; the last join deals. `caller` as in `Creating.create`.

        Raises NotFound, MalformedRequest, the refusals of `Match.join`, StoreUnavailable.
        """
        who = f"join {match_id} {caller}"
        retry = self._service.anonymous_retry(key, who=who, request=request)
        notes.secret(request.get("client_seed") or "")

        def join(table: Table) -> Callable[[], Reply]:
            match = table.match
            seat = match.join(
                seat=request.get("seat"),
                name=request.get("name"),
                client_seed=request.get("client_seed"),
            )
            notes.note("seat", seat)
            table.seat_hashes[seat] = tokens.digest(retry.token("seat"))
            self._service.let_bots_play(match)
            place = {"match_id": match_id, "seat": seat, "name": match.seats[seat].name}
            return lambda: Reply(wire.encode({**place, "view": table.view(seat)}))

        reply = self._service.change(game, match_id, join, retry)
        return with_tokens(reply, {"token": retry.token("seat")})

    def leave(self, game: Game[Any], match_id: str, seat: int, token: str | None) -> None:
        """Leaves a seat, in its own name or the host's: before the deal it is open again, after it
        a bot plays on. The seat's token is dead.

        Raises NotFound, Unauthorized, Forbidden, MatchFinished, StoreUnavailable.
        """

        def leave(table: Table) -> Callable[[], Reply]:
            _own_or_host(table, seat, token)
            try:
                table.match.leave(seat)
            except NobodySits as error:
                raise NotFound(str(error)) from None
            table.vacate(seat)
            self._service.let_bots_play(table.match)
            return lambda: Reply(b"")

        self._service.change(game, match_id, leave, Retry(None, who="", request={}))

    def renew(
        self,
        game: Game[Any],
        match_id: str,
        seat: int,
        token: str | None,
        key: str | None,
        caller: str = "",
    ) -> Reply:
        """Gives a seat a new token, in its own name or the host's; the old one is dead. `caller` as
        in `Service.create`: the old token may be somebody else's by now, who tries easy keys.

        Raises NotFound, Unauthorized, Forbidden, MalformedRequest, StoreUnavailable.
        """
        retry = Retry(key, who=f"renew {token} {caller}", request={"seat": seat})

        def renew(table: Table) -> Callable[[], Reply]:
            new_token = retry.token("seat")
            # It is there already when the commit was delivered twice: no event tells of it.
            if tokens.find(new_token, table.seat_hashes) is None:
                _own_or_host(table, seat, token)
                if table.match.seats[seat].kind != "human":
                    raise NotFound(f"No player sits at seat {seat}.")
                table.vacate(seat)
                table.seat_hashes[seat] = tokens.digest(new_token)
            holder = table.match.seats[seat]
            told = {"match_id": match_id, "seat": seat, "name": holder.name}
            return lambda: Reply(wire.encode(told))

        reply = self._service.change(game, match_id, renew, retry)
        return with_tokens(reply, {"token": retry.token("seat")})

    def rematch(self, game: Game[Any], match_id: str, token: str | None) -> Reply:
        """The same game, options and seats in a new match, made once; each holder of a token of
        the old one is given theirs of the new one, the same each time.

        Raises NotFound, Unauthorized, Forbidden, MatchNotFinished, StoreUnavailable.
        """
        old, _ = self._service.current(game, match_id)
        role = old.holder(token)
        if old.match.status != "finished":
            raise MatchNotFinished
        assert token is not None  # nosec B101 # for the type checker
        # An id that only the old one gives, so that all who ask meet in one match.
        secret = self._service.store.secret()
        made = hmac.digest(secret, f"rematch {match_id}".encode(), "sha256")
        new_id = tokens.match_id_from(made)
        heir = hmac.digest(token.encode(), f"rematch {new_id}".encode(), "sha256")
        new_token = tokens.as_token(heir)
        for _ in range(TRIES):
            try:
                table, _ = self._service.current(game, new_id)
            except NotFound:
                table = self._again(old, new_id)
            changed = _claim(table, role, new_token)
            if not changed or self._service.commit(table) is Outcome.COMMITTED:
                told = {
                    "match_id": new_id,
                    "seat": role.seat,
                    "token": new_token,
                    "view": table.view(role.seat),
                }
                return Reply(wire.encode(told), match_id=new_id)
        raise TooContended

    def _again(self, old: Table, new_id: str) -> Table:
        match = old.match
        table = self._service.new_table(
            match.game,
            match_id=new_id,
            seats=[Seat(name=seat.name, kind=seat.kind, bot=seat.bot) for seat in match.seats],
            seed=None,
            options=match.chosen_options(),
            terms=old.terms,
        )
        table.unclaimed = [True, *(seat_hash is not None for seat_hash in old.seat_hashes)]
        return table


def _own_or_host(table: Table, seat: int, token: str | None) -> None:
    role = table.holder(token)
    if seat >= len(table.match.seats):
        raise NotFound(f"There is no seat {seat} in this match.")
    if not role.host and role.seat != seat:
        raise Forbidden("This needs the token of that seat, or the host's.")


def _claim(table: Table, role: Role, new_token: str) -> bool:
    """Lets the holder of an old token hold the new one. False when they do already; Forbidden when
    the place has been left or given another token since."""
    place = 0 if role.seat is None else role.seat + 1
    held = table.host_hash if role.seat is None else table.seat_hashes[role.seat]
    if tokens.find(new_token, [held]) is not None:
        return False
    if not table.unclaimed[place]:
        raise Forbidden("The place in the rematch has been left, or given a new token, since.")
    table.unclaimed[place] = False
    if role.seat is None:
        table.host_hash = tokens.digest(new_token)
    else:
        table.seat_hashes[role.seat] = tokens.digest(new_token)
    return True
