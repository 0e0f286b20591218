"""A watcher of the load: reads server-sent events as a browser's EventSource does, and comes back
with the number of the last one."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Callable, Sequence

from tests.faults.history import StreamPart, Watch, Who
from tests.faults.line import CUT_OFF, connect

#: Seconds before the watcher comes back. A browser would wait for the second that `retry` names.
PAUSE = 0.05
#: Seconds of silence after which the connection counts as dead; a sign of life comes every 15.
SILENCE = 20.0


def follow(
    urls: Sequence[str],
    path: str,
    *,
    who: Who,
    token: str | None,
    given_up: Callable[[], bool],
    into: list[Watch],
) -> bool:
    """Follows a match to its last event. False when the service refuses it for good."""
    watch = Watch(who)
    into.append(watch)
    after = 0
    while not given_up():
        part = StreamPart(after, time.monotonic())
        watch.parts.append(part)
        try:
            _read(random.choice(urls), path, token, part, given_up)
        except CUT_OFF:
            pass
        finally:
            part.ended = time.monotonic()
        if part.events:
            after = part.events[-1]["seq"]
        if part.status == 204 or (part.events and part.events[-1]["type"] == "match_finished"):
            return True
        if part.status in (401, 403, 404):
            return False
        time.sleep(PAUSE)
    return True


def _read(
    url: str, path: str, token: str | None, part: StreamPart, given_up: Callable[[], bool]
) -> None:
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(part.after)}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    connection = connect(url, SILENCE)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        part.status = response.status
        if response.status == 200:
            _take(response, part, given_up)
    finally:
        connection.close()


def _take(
    response: http.client.HTTPResponse, part: StreamPart, given_up: Callable[[], bool]
) -> None:
    rest = b""
    # Unlike reading lines this tells an end in good order from one in the middle, which raises.
    while chunk := response.read1(65536):
        *frames, rest = (rest + chunk).split(b"\n\n")
        for frame in frames:
            data = frame.partition(b"\ndata: ")[2]
            if data:
                part.events.append(json.loads(data))
                part.times.append(time.monotonic())
        if given_up():
            return
    part.ended_well = rest == b""
