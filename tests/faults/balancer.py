"""A load balancer as operators put before several instances: it passes connections on, byte for
byte, and sends new ones only to instances whose /readyz says so. It never tries anything again."""

from __future__ import annotations

import itertools
import select
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from urllib.parse import urlsplit

from tests.listening import Listening

#: Seconds between two looks at an instance, as HAProxy's `inter`.
INTERVAL = 0.2


class Balancer(Listening):
    """Spreads connections over `instances`, a list of URLs that may change while it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.instances: list[str] = []
        #: Those of them that may be sent new connections.
        self.ready: list[str] = []
        #: New connections for which there was no instance, or that it refused.
        self.refused = 0
        self._turn = itertools.count()
        self.url = f"http://127.0.0.1:{self.port}"
        self._threads.append(threading.Thread(target=self._look))

    def _look(self) -> None:
        while not self._closing.wait(INTERVAL):
            self.ready = [url for url in list(self.instances) if _is_ready(url)]

    def _serve(self, client: socket.socket) -> None:
        ready = self.ready
        with client:
            if not ready:
                self.refused += 1
                return
            where = urlsplit(ready[next(self._turn) % len(ready)])
            try:
                server = socket.create_connection((where.hostname, where.port), timeout=5)
            except OSError:
                self.refused += 1
                return
            with server, suppress(OSError):
                self._pump(client, server)

    def _pump(self, client: socket.socket, server: socket.socket) -> None:
        open_sides = {client: server, server: client}
        while open_sides and not self._closing.is_set():
            for source in select.select(list(open_sides), [], [], 0.05)[0]:
                target = open_sides[source]
                if data := source.recv(1 << 16):
                    target.sendall(data)
                else:
                    target.shutdown(socket.SHUT_WR)
                    del open_sides[source]


def _is_ready(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{url}/readyz", timeout=2) as answer:
        return bool(answer.status == 200)
    return False


def wait_until(balancer: Balancer, count: int, within: float = 60.0) -> None:
    """Waits until so many instances are ready."""
    deadline = time.monotonic() + within
    while len(balancer.ready) != count:
        assert time.monotonic() < deadline, balancer.ready
        time.sleep(0.02)
