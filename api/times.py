"""Times as they are told: RFC 3339, in UTC, to the millisecond."""

from __future__ import annotations

import time
from functools import lru_cache


def rfc3339(milliseconds: int) -> str:
    """A time, given in milliseconds since 1970."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_second(seconds)}.{rest:03d}Z"


# Most times that are told in a second are of that second, or of a match that is told of again.
@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
