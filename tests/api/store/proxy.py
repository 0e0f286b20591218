"""A TCP proxy before a server's Unix socket: counts round trips, cuts and answers as told."""

import select
import socket
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from tests.listening import Listening


class Cut(Enum):
    """When the proxy closes both connections instead of passing a request or its reply."""

    BEFORE_REQUEST = auto()
    BEFORE_REPLY = auto()


@dataclass(frozen=True)
class Say:
    """Answer the request with this line, as the server might in a state that is hard to bring
    about.
    """

    line: str


class Proxy(Listening):
    """Each request takes the next of `faults`; without one it passes. `round_trips` counts the
    requests.

    Replies are held back for `delay` seconds. A request is all that the client sends until the
    server's side speaks, however many commands and packets that is.
    """

    def __init__(self, target: Path) -> None:
        super().__init__()
        self.round_trips = 0
        self.faults: deque[Cut | Say] = deque()
        self.delay = 0.0
        self._target = target
        self.url = f"redis://127.0.0.1:{self.port}"

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        # Nobody may listen there just now, and either side may go away at any time.
        with client, server, suppress(ConnectionError, FileNotFoundError):
            server.connect(str(self._target))
            client_speaks = False
            fault: Cut | Say | None = None
            while not self._closing.is_set():
                for source in select.select([client, server], [], [], 0.05)[0]:
                    data = source.recv(1 << 20)
                    if source is client and data and not client_speaks:
                        self.round_trips += 1
                        fault = self.faults.popleft() if self.faults else None
                    client_speaks = source is client
                    if (
                        not data
                        or fault is Cut.BEFORE_REQUEST
                        or (source is server and fault is Cut.BEFORE_REPLY)
                    ):
                        return
                    if isinstance(fault, Say):
                        client.sendall(f"-{fault.line}\r\n".encode())
                        fault, client_speaks = None, False
                    else:
                        if source is server:
                            time.sleep(self.delay)
                        (server if source is client else client).sendall(data)
