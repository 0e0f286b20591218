"""Log lines: JSON for machines or plain text for people, one line each, and no secret in either.

The service's own lines, gunicorn's and those of libraries take the same form. gunicorn's parent
process loads this too, so it needs nothing but the standard library and msgspec.
"""

from __future__ import annotations

import logging
import os
import re
import time
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from api.config import LogFormat
from api.times import rfc3339

STDERR = 2
#: What stands where a secret was.
HIDDEN = "***"
#: What looks like a token: 43 URL-safe characters.
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
#: The password in a URL.
_PASSWORD = re.compile(r"(?<=://)([^:/@\s]*):[^@\s]*(?=@)")

_encode = msgspec.json.Encoder().encode
log = logging.getLogger("croupier")
#: What all records of the service's own have alike. To make each from this takes a tenth of what
#: the logger takes, which looks for the line of code that tells it, its thread and its module.
_RECORD = logging.LogRecord(log.name, 0, "", 0, "", None, None).__dict__


def tell(level: int, message: str, facts: Mapping[str, Any]) -> None:
    """Writes a line of the service's own, with facts that become members of it."""
    if not log.isEnabledFor(level):
        return
    record = logging.LogRecord.__new__(logging.LogRecord)
    record.__dict__ |= {
        **_RECORD,
        "created": time.time(),
        "process": os.getpid(),
        "levelno": level,
        "levelname": logging.getLevelName(level),
        "msg": message,
        "facts": facts,
    }
    log.handle(record)


def traced(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """An exception with its trace, as a text without tokens, passwords of URLs and `secrets`."""
    text = "".join(traceback.format_exception(error))
    for secret in secrets:
        if secret:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, text)
    return _encodable(_TOKEN.sub(HIDDEN, _PASSWORD.sub(rf"\1:{HIDDEN}", text)))


class Lines(logging.Formatter):
    """What a record tells, as members in order: `time` (RFC 3339, UTC), `level`, `message`, the
    facts given with it, `pid`, and `trace` where there is an exception."""

    def members(self, record: logging.LogRecord) -> dict[str, Any]:
        """The members of a record's line."""
        facts: Mapping[str, Any] | None = getattr(record, "facts", None)
        members = {"time": rfc3339(int(record.created * 1000)), "level": record.levelname.lower()}
        if facts is not None:
            return {**members, "message": record.msg, **facts, "pid": record.process}
        # What others tell may quote anything.
        members["message"] = _encodable(_TOKEN.sub(HIDDEN, record.getMessage()))
        if record.exc_info and record.exc_info[1] is not None:
            members["trace"] = traced(record.exc_info[1])
        return {**members, "pid": record.process}

    def line(self, record: logging.LogRecord) -> bytes:
        """The line, with its end."""
        return self.format(record).encode() + b"\n"


class JsonLines(Lines):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter.format."""
        return _encode(self.members(record)).decode()

    def line(self, record: logging.LogRecord) -> bytes:
        """See Lines.line."""
        return _encode(self.members(record)) + b"\n"


class PlainLines(Lines):
    """For people: time, level and message, then `name=value` for the rest, and a trace below."""

    def format(self, record: logging.LogRecord) -> str:
        """See logging.Formatter.format."""
        members = self.members(record)
        del members["pid"]
        trace = members.pop("trace", "")
        head = [members.pop("time"), f"{members.pop('level'):7}", members.pop("message")]
        line = " ".join([*head, *(f"{name}={value}" for name, value in members.items())])
        return f"{line}\n{trace}".rstrip("\n")


FORMS: Mapping[LogFormat, type[Lines]] = {"json": JsonLines, "plain": PlainLines}


class Output(logging.Handler):
    """Writes each line to standard error at once, with one call, without a lock: every request has
    its line, so this is to take no time. In a pipe that workers share, lines of up to 4,096 bytes
    stay whole (PIPE_BUF); long traces of two workers may mix."""

    def handle(self, record: logging.LogRecord) -> bool:
        """See logging.Handler.handle."""
        assert isinstance(self.formatter, Lines)  # nosec B101 # for the type checker
        # Whoever was to read it may be gone; the service serves on.
        with suppress(OSError):
            os.write(STDERR, self.formatter.line(record))
        return True


def settings(level: str, form: LogFormat) -> dict[str, Any]:
    """The configuration of Python's logging, all of it to standard error."""
    # At its own levels below this gunicorn tells of every request, with the path as it was sent.
    gunicorn = {"debug": "INFO", "info": "WARNING"}.get(level, level.upper())
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": FORMS[form]}},
        "handlers": {"stderr": {"()": Output, "formatter": "lines"}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "croupier": {"level": level.upper(), "handlers": ["stderr"], "propagate": False},
            "gunicorn.error": {"level": gunicorn, "handlers": ["stderr"], "propagate": False},
        },
    }


def _encodable(text: str) -> str:
    """The text without halves of surrogate pairs, which UTF-8 has no place for."""
    return text.encode("utf-8", "backslashreplace").decode()
