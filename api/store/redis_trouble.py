"""What the driver's errors mean: whether a command was carried out, and what may be told of it."""

from __future__ import annotations

import ssl

from redis.exceptions import (
    ConnectionError,
    InvalidResponse,
    RedisError,
    ResponseError,
    TimeoutError,
)

# Replies that mean a mistake of ours and no trouble of the server's.
MISTAKES = frozenset({"ERR", "WRONGTYPE", "CROSSSLOT"})

# What a script may not do is told as any error in it is; the second form is that of Redis 7.0.
DENIED = ("ACL failure in script", "The user executing the script can't run")


class NotConfirmed(RedisError):
    """A command was carried out, and too few replicas have said in time that they have it."""


class Trouble(Exception):
    """A command that was not answered as it should be. `error` is what the driver raised, `sent`
    tells whether the command had gone out by then."""

    def __init__(self, error: BaseException, *, sent: bool) -> None:
        super().__init__(reason(error))
        self.error = error
        self.sent = sent

    @property
    def code(self) -> str | None:
        """The code in front of an error reply, such as OOM; None when there was no such reply."""
        return _code(self.error)

    @property
    def is_mistake(self) -> bool:
        """Whether the command itself is wrong, so that there is nothing to wait for."""
        return self.sent and isinstance(self.error, ResponseError) and self.code in MISTAKES

    @property
    def is_refusal(self) -> bool:
        """Whether a server answers, and does not serve."""
        return self.sent and not self.is_lost and not self.is_mistake

    @property
    def is_lost(self) -> bool:
        """Whether no reply came, so that nobody knows if the command was carried out."""
        lost = (ConnectionError, TimeoutError, InvalidResponse)
        return self.sent and self.code is None and isinstance(self.error, lost)

    @property
    def may_be_done(self) -> bool:
        """Whether what the command was to change may have been changed."""
        return self.is_lost or isinstance(self.error, NotConfirmed)

    @property
    def broke_off(self) -> bool:
        """Whether the connection broke, which a new one may mend, and not just fell silent."""
        return self.is_lost and isinstance(self.error, ConnectionError)


def reason(error: BaseException) -> str:
    """What is wrong, without the address that the driver's texts hold."""
    if isinstance(error, Trouble):
        return reason(error.error)
    if isinstance(error, TimeoutError):
        return "Redis does not answer in time"
    if isinstance(error, NotConfirmed):
        return "too few replicas of Redis confirm in time"
    code = _code(error)
    if code is not None:
        return f"Redis refuses to serve: {code}"
    # A certificate that is not accepted is told by a word of OpenSSL's.
    below = error.__context__
    word = below.reason if isinstance(below, ssl.SSLError) else None
    return f"Redis cannot be reached: {word or type(error).__name__}"


def _code(error: BaseException) -> str | None:
    if not isinstance(error, RedisError):
        return None
    if str(error).startswith(DENIED):
        return "NOPERM"
    # What a server that wants a password says to a command too long for a stranger.
    if str(error).startswith("Protocol error: unauthenticated"):
        return "NOAUTH"
    if error.status_code is None and isinstance(error, ResponseError):
        word = str(error).partition(" ")[0]
        return word if word.isupper() else None
    return error.status_code
