"""JSON in and out: a strict reader for what clients send, and one encoder for all answers."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from api.errors import MalformedRequest

#: Bodies are shorter than this many bytes, or equal.
MAX_BODY = 16 * 1024

encode = msgspec.json.Encoder().encode


def read_object(body: bytes) -> dict[str, Any]:
    """Reads one JSON object in UTF-8 (RFC 8259) without what JSON readers disagree on.

    Raises MalformedRequest for other encodings, a byte order mark, NaN and Infinity, numbers too
    large for a float, the same name twice in an object, nesting too deep, or another value than an
    object.
    """
    try:
        value = _decoder.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        wrong = f"Send the body as UTF-8: byte {error.start + 1} is none of it."
        raise MalformedRequest(wrong) from None
    except RecursionError:
        raise MalformedRequest("Send a body with less nesting.") from None
    except json.JSONDecodeError as error:
        raise MalformedRequest(_where(error)) from None
    except ValueError as error:
        reason = str(error) if isinstance(error, _Refused) else "Send the body as JSON."
        raise MalformedRequest(reason) from None
    if not isinstance(value, dict):
        raise MalformedRequest("Send the body as a JSON object.")
    return value


class _Refused(ValueError):
    """Read by Python, but not what every reader would read alike."""


def _where(error: json.JSONDecodeError) -> str:
    """Where the body stops being JSON, counted from 1 in characters, and what is wrong there."""
    wrong = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
    return f"Send the body as JSON: line {error.lineno}, column {error.colno}: {wrong}."


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused("Send each name once in an object.")
    return members


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Refused("Send numbers that a float can hold.")
    return number


def _no_constant(text: str) -> Any:
    raise _Refused(f"Send no {text}: it is not JSON.")


_decoder = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
)
