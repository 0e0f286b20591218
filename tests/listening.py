"""A server of the tests' own that stands between two others: it accepts until it is closed."""

from __future__ import annotations

import socket
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Listening(ABC):
    """Listens on a free `port` from its making on, and serves each connection in a thread. As a
    context it serves until it is left; then `_closing` is set, and all threads have to end."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._closing = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]

    def __enter__(self) -> Self:
        for thread in list(self._threads):  # the first one may add others
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    @abstractmethod
    def _serve(self, client: socket.socket) -> None:
        """Serves a connection, until it ends or this is closed."""

    def _accept(self) -> None:
        self._listener.settimeout(0.05)
        while not self._closing.is_set():
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                continue
            thread = threading.Thread(target=self._serve, args=(client,))
            self._threads.append(thread)
            thread.start()
