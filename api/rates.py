"""How much a caller may ask for: the limits, the form in which an operator writes them, and that in
which answers tell them (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple, Self

#: Seconds for which requests are counted together.
WINDOW = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Limits that people, bots and shell scripts do not meet, and that stop one caller from taking
    the service from all others. Each is 1 at least."""

    address: int = 12_000
    """Requests of an address in a minute, whatever they are."""

    token: int = 3_000
    """Requests with a token in a minute, from wherever they come."""

    matches: int = 120
    """Matches that an address makes in a minute, rematches included."""

    streams: int = 500
    """Streams and long polls of an address that are open at the same time."""

    token_streams: int = 50
    """Streams and long polls with a token that are open at the same time."""

    @classmethod
    def names(cls) -> list[str]:
        """The limits as they are named to operators and clients."""
        return [name.replace("_", "-") for name in cls.__dataclass_fields__]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `name=number` pairs with commas; what is not named keeps its default.

        Raises ValueError with what is wrong, to stand after the name of a setting.
        """
        given: dict[str, int] = {}
        for part in text.split(","):
            name, _, number = (word.strip() for word in part.partition("="))
            if name not in cls.names() or not re.fullmatch(r"[1-9][0-9]{0,8}", number):
                raise ValueError(
                    f"must be off, or any of {', '.join(cls.names())} with a whole number from 1 "
                    f"to 999999999, such as address=12000,matches=120, not {part!r}"
                )
            given[name.replace("-", "_")] = int(number)
        return replace(cls(), **given)

    def __str__(self) -> str:
        numbers = asdict(self).values()
        return ",".join(f"{name}={n}" for name, n in zip(self.names(), numbers, strict=True))


class Told(NamedTuple):
    """What an answer tells of some limits, as the values of two headers."""

    policy: str
    """RateLimit-Policy: the limits themselves."""

    left: str
    """RateLimit: what the caller has left of them."""

    def beside(self, other: Told) -> Told:
        """Both together."""
        return Told(f"{self.policy}, {other.policy}", f"{self.left}, {other.left}")
