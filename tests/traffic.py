"""What goes between the service and its store, counted exactly: bytes each way, and commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import redis

T = TypeVar("T")


class Traffic(NamedTuple):
    """Bytes that a server got and sent, and how often it ran which command. What a script calls
    counts too, as the commands that it calls."""

    received: int
    sent: int
    commands: Counter[str]


class Meter:
    """Looks at a server that nobody else talks to. What looking costs is left out."""

    def __init__(self, client: redis.Redis) -> None:
        self._connection: Any = client.connection_pool.get_connection()
        self._asked = len(b"".join(self._connection.pack_command("INFO", "ALL")))

    def of(self, act: Callable[[], T]) -> tuple[Traffic, T]:
        """What an act brings, and what comes of it."""
        before, told = self._info()
        result = act()
        after, _ = self._info()
        commands = Counter(
            {
                name.removeprefix("cmdstat_"): calls - _calls(before.get(name, ""))
                for name, text in after.items()
                if name.startswith("cmdstat_") and (calls := _calls(text))
            }
        )
        commands["info"] -= 1
        received = _grown(before, after, "total_net_input_bytes") - self._asked
        sent = _grown(before, after, "total_net_output_bytes") - told
        return Traffic(received, sent, +commands), result

    def close(self) -> None:
        """Hangs up."""
        self._connection.disconnect()

    def _info(self) -> tuple[dict[str, str], int]:
        """What the server tells of itself, and the bytes that it took to tell."""
        self._connection.send_command("INFO", "ALL")
        told = self._connection.read_response()
        lines = told.decode().splitlines()
        facts = dict(line.split(":", 1) for line in lines if ":" in line)
        return facts, len(f"${len(told)}\r\n\r\n") + len(told)


def _grown(before: dict[str, str], after: dict[str, str], name: str) -> int:
    return int(after[name]) - int(before[name])


def _calls(text: str) -> int:
    return int(text.partition("calls=")[2].partition(",")[0] or 0)
