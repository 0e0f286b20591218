"""The public lists: which matches there are to join, to watch, or to look back at."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice
from typing import Any

from api.errors import NotFound, SavedByNewer
from api.service import Service, list_name
from api.store.base import Place
from api.table import Table
from engine import Game, Invalid

#: In the order in which a match goes through them: lists are read in this order too, so that one
#: that moves on meanwhile is met in its old list or in its new one.
STATUSES = ("waiting", "playing", "finished")
#: Milliseconds after which a place without a match behind it is a leftover for certain.
SETTLED = 60_000
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
    proposals = merge(
        *(_places(service, game, name, before, limit) for name in statuses), reverse=True
    )
    # A match that is moving from one list to the next may stand in both.
    places = (place for place, _ in groupby(proposals))
    for place in islice(places, MOST_LOOKED_AT):
        if len(tables) == limit:
            break
        last = place
        table = _looked_at(service, game, place, statuses)
        if table is not None:
            tables.append(table)
    else:
        if last is None or next(places, None) is None:
            return ListPage(tables=tables, next_cursor=None)
    return ListPage(tables=tables, next_cursor=None if last is None else _cursor(last))


def _places(
    service: Service, game: Game[Any], status: str, before: Place | None, limit: int
) -> Iterator[Place]:
    while places := service.store.listed(list_name(game, status), before, limit + 1):
        yield from places
        before = places[-1]


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
