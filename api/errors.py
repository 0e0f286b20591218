"""What the service refuses beyond the engine: who may ask, and what is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from api.rates import Told


class ServiceError(Exception):
    """The root of the service's refusals. Its text is one sentence saying what to do."""


class NotFound(ServiceError):
    """No such game, match or seat; a match of another game counts as none."""


class Unauthorized(ServiceError):
    """No token where one is needed, or one that is not of this match.

    The text is the same whatever was wrong, so that it tells nothing about tokens.
    """

    def __init__(self) -> None:
        super().__init__("Send a token of this match as `Authorization: Bearer <token>`.")


class Forbidden(ServiceError):
    """A right token for the wrong thing, or none for a match that is not public."""


class MalformedRequest(ServiceError):
    """A body that is not one JSON object in UTF-8."""


class RequestTimeout(ServiceError):
    """A request whose head or body does not arrive in time."""

    def __init__(self) -> None:
        super().__init__("Send the whole request without a pause.")


class VersionMismatch(ServiceError):
    """`If-Match` names another version than the match is at; `version` is the one it is at."""

    def __init__(self, version: int) -> None:
        self.version = version
        super().__init__("Look at the match again and decide on its present version.")


class MatchNotFinished(ServiceError):
    """What is told only once a match is over was asked for before."""

    def __init__(self) -> None:
        super().__init__("Ask again when the match is finished.")


class UnsupportedMediaType(ServiceError):
    """A body that does not say it is JSON, or that is compressed."""

    def __init__(self) -> None:
        super().__init__(
            "Send the body with `Content-Type: application/json` and without Content-Encoding."
        )


class TooContended(ServiceError):
    """A commit lost the race for the match as often as is tried."""

    def __init__(self) -> None:
        super().__init__("Many moves arrived at this match at once; send the request again.")


class SavedByNewer(ServiceError):
    """A newer version, which is being rolled out beside this one, has saved the match."""

    def __init__(self) -> None:
        super().__init__("A newer version saved this match, and serves it; send the request again.")


class Leaving(ServiceError):
    """The service is to stop, and is not to be sent anything new."""

    def __init__(self) -> None:
        super().__init__("Send requests to another instance; this one is about to stop.")


class TooManyRequests(ServiceError):
    """A caller has had all that it may have for now of the `limit` of that name. `told` is what the
    answer tells of it, `retry_after` for how many seconds it holds."""

    def __init__(self, limit: str, *, told: Told, retry_after: int) -> None:
        self.limit = limit
        self.told = told
        self.retry_after = retry_after
        super().__init__(f"Wait {retry_after} seconds, then send the request again.")
