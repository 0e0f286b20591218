"""Query parameters. They arrive as texts, so each says exactly which texts it takes."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError

from api.schemas.common import BIG, Status
from api.schemas.fields import Closed, Flag, Text, Whole

#: The longest that a long poll is held back, in seconds.
LONGEST_WAIT = 60


class QueryWhole(Whole):
    """A whole number written in decimal digits."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or re.fullmatch("[0-9]{1,16}", value) is None:
            raise ValidationError(self.wanted)
        return int(value)


class QueryFlag(Flag):
    """`true` or `false`."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ValidationError("Must be true or false.")
        return bool(value == "true")


class EventsQuery(Closed):
    """Which events, and whether to wait for one."""

    after = QueryWhole(
        0, BIG, metadata={"description": "The number of the last event that you have."}
    )
    limit = QueryWhole(
        1, 1000, load_default=100, metadata={"description": "The most events of a page."}
    )
    wait = QueryWhole(
        0,
        LONGEST_WAIT,
        load_default=0,
        metadata={"description": "Seconds to hold back an empty page until something happens."},
    )


class ViewQuery(Closed):
    """What a view is to tell besides."""

    why = QueryFlag(
        load_default=False,
        metadata={"description": "Add `why_not`: which cards of yours cannot be played, and why."},
    )


class MoveQuery(Closed):
    """Whether a move is to be made."""

    dry_run = QueryFlag(
        load_default=False,
        metadata={"description": "Only judge the move: nothing happens, whatever the answer."},
    )


class ListQuery(Closed):
    """Which public matches."""

    status = Status(metadata={"description": "All, without it."})
    limit = QueryWhole(
        1, 100, load_default=20, metadata={"description": "The most matches of a page."}
    )
    cursor = Text(1, 100, metadata={"description": "`next_cursor` of the page before."})
