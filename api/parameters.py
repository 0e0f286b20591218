"""What operations take and answer beside bodies, for the contract: parameters, headers, tokens."""

from __future__ import annotations

from typing import Any

from api.schemas.common import MATCH_ID

MATCH_ID_PARAMETER: dict[str, Any] = {
    "in": "path",
    "name": "match_id",
    "required": True,
    "description": "The match, as its creation answered.",
    "schema": {"type": "string", "pattern": MATCH_ID},
}
SEAT_PARAMETER: dict[str, Any] = {
    "in": "path",
    "name": "seat",
    "required": True,
    "description": "The seat's number, from 0.",
    "schema": {"type": "integer", "minimum": 0},
}
SLUG_PARAMETER: dict[str, Any] = {
    "in": "path",
    "name": "slug",
    "required": True,
    "description": "The last part of a problem's `type`.",
    "example": "illegal-move",
    "schema": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"},
}
IF_NONE_MATCH: dict[str, Any] = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The ETag of an answer that you have; 304 when it is still the current one.",
    "schema": {"type": "string"},
}
LAST_EVENT_ID: dict[str, Any] = {
    "in": "header",
    "name": "Last-Event-ID",
    "required": False,
    "description": "For an event stream, the number of the last event that you have.",
    "schema": {"type": "string"},
}
IF_MATCH: dict[str, Any] = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "The ETag of a view: the move is made only if the match is still at that one.",
    "schema": {"type": "string"},
}
IDEMPOTENCY_KEY: dict[str, Any] = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "1 to 128 visible ASCII characters, best a new UUID for each request. The same "
    "key with the same body gets the first answer again, and nothing is done twice. Where nobody "
    "has a token yet, and for a new token, a key under 16 characters counts for one address and "
    "user agent only.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]*$"},
}

REPLAYED: dict[str, Any] = {
    "Idempotent-Replayed": {
        "description": "`true` when this is the first answer to the same key, given again.",
        "schema": {"type": "string"},
    }
}
ETAG: dict[str, Any] = {
    "ETag": {
        "description": 'The version and whose view it is, such as `"12-0"`.',
        "schema": {"type": "string"},
    }
}
LOCATION: dict[str, Any] = {
    "Location": {"description": "The path of the new match.", "schema": {"type": "string"}}
}
#: By status: what a refusal carries beside its body.
OF_REFUSALS: dict[int, dict[str, Any]] = {
    401: {
        "WWW-Authenticate": {"description": "Always `Bearer`.", "schema": {"type": "string"}},
    },
    429: {
        "Retry-After": {
            "description": "Seconds after which the request may be sent again.",
            "schema": {"type": "integer", "minimum": 1},
        },
        "RateLimit-Policy": {
            "description": 'The limits that were asked of, such as `"address";q=12000;w=60`.',
            "schema": {"type": "string"},
        },
        "RateLimit": {
            "description": 'What is left of each, such as `"address";r=0;t=21`.',
            "schema": {"type": "string"},
        },
    },
    503: {
        "Retry-After": {
            "description": "Seconds after which it is worth asking again.",
            "schema": {"type": "integer", "minimum": 1},
        },
    },
}

#: Whose token an operation takes.
TOKEN_OR_NONE: list[dict[str, list[str]]] = [{}, {"token": []}]
TOKEN: list[dict[str, list[str]]] = [{"token": []}]
