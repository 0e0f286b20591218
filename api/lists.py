"""The public lists: which matches there are to join, to watch, or to look back at."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from api.errors import NotFound, SavedByNewer
from api.service import Service, list_name
from api.store.base import SETTLED, Place
from api.table import Table
from engine import Game, Invalid

#: In the order in which a match goes through them: lists are read in this order too, so that one
#: that moves on meanwhile is met in its old list or in its new one.
STATUSES = ("waiting", "playing", "finished")
#: Places looked at for one page at the most, so that leftovers cannot make it endless.
MOST_LOOKED_AT = 1000


@dataclass(frozen=True, kw_only=True)
class ListPage:
    """Some public matches, newest first, and where the next page begins (None: nothing follows)."""

    tables: list[Table]
    next_cursor: str | None


def list_public(
    service: Service, game: Game[Any], *, status: str | None, limit: int, cursor: str | None
) -> ListPage:
    """A page of a game's public matches, newest first.

    Places never change, so a cursor neither skips nor repeats what was there all the while. The
    lists only propose: what counts is each match itself. Raises engine.Invalid (`cursor`).
    """
    before = None if cursor is None else _place(cursor)
    statuses = STATUSES if status is None else (status,)
    tables: list[Table] = []
    last: Place | None = None
    places = _places(service, game, statuses, before, at_a_time=limit + 1)
    for looked_at, place in enumerate(places):
        if last is not None and (len(tables) == limit or looked_at == MOST_LOOKED_AT):
            return ListPage(tables=tables, next_cursor=_cursor(last))
        last = place
        table = _looked_at(service, game, place, statuses)
        if table is not None:
            tables.append(table)
    return ListPage(tables=tables, next_cursor=None)


def _places(
    service: Service,
    game: Game[Any],
    statuses: Sequence[str],
    before: Place | None,
    *,
    at_a_time: int,
) -> Iterator[Place]:
    """The places in these lists, newest first, each of them once.

    All lists are read over the same stretch, one right after the other, before any is read further:
    a match that moves on meanwhile is met in its old list or in its new one, if not in both.
    """
    while True:
        lists = [
            service.store.listed(list_name(game, status), before, at_a_time) for status in statuses
        ]
        # What lies beyond the end of one that was read in part belongs to the next stretch.
        ends = [places[-1] for places in lists if len(places) == at_a_time]
        before = max(ends, default=None)
        found = {place for places in lists for place in places}
        yield from sorted((p for p in found if before is None or p >= before), reverse=True)
        if before is None:
            return


def _looked_at(
    service: Service, game: Game[Any], place: Place, statuses: Collection[str]
) -> Table | None:
    try:
        table, _ = service.load(game, place.match_id)
    except NotFound:
        # Made this moment, perhaps, and not there yet; else it is a leftover.
        if place.created_at < service.clock() - SETTLED:
            for status in statuses:
                name = list_name(game, status)
                service.store.unlist(name, place.match_id, place.created_at)
        return None
    except SavedByNewer:
        return None  # saved by a newer version, whose own workers show it
    # A creation that came twice at the same moment has left a place of its own time.
    stands = table.created_at == place.created_at and table.match.status in statuses
    return table if stands and table.terms.public else None


def _cursor(place: Place) -> str:
    text = f"{place.created_at}:{place.match_id}"
    return base64.urlsafe_b64encode(text.encode()).decode()


def _place(cursor: str) -> Place:
    try:
        created_at, _, match_id = base64.urlsafe_b64decode(cursor).decode("ascii").partition(":")
        return Place(int(created_at), match_id)
    except (binascii.Error, ValueError):
        raise Invalid({"cursor": ["Must be the next_cursor of a page before."]}) from None
