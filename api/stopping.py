"""How a worker stops, or makes room for another, without losing a request.

On a reload gunicorn tells the old workers to stop before the new ones have loaded the service, and
whoever came in between would wait for seconds: so a worker stays until its successors serve. Then
it takes no new connection, and says in every answer that it hangs up after it. Those who hold a
connection and ask nothing are given a moment to ask once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import gevent
from gunicorn.workers.ggevent import GeventWorker

if TYPE_CHECKING:
    from api.board import Board

#: Seconds that a worker waits for its successors; as many as gunicorn lets one take to load.
SUCCESSION = 30.0
#: Seconds for which a connection is kept on which nothing is asked.
LAST_CHANCE = 1.5


class Wait(gevent.Timeout):
    """The wait of a connection for its next request, for so many seconds. It is in `waiting` for as
    long as it lasts."""

    def __init__(self, waiting: set[Wait], seconds: float) -> None:
        super().__init__(seconds, False)
        self._waiting = waiting
        self._greenlet = gevent.getcurrent()

    def __enter__(self) -> Wait:
        self._waiting.add(self)
        super().__enter__()
        return self

    def __exit__(self, *raised: Any) -> bool | None:
        self._waiting.discard(self)
        ended: bool | None = super().__exit__(*raised)
        return ended

    def end(self) -> None:
        """Ends it as if its time were over, from the event loop."""
        # A request may have come since this was asked for.
        if self in self._waiting:
            self._greenlet.throw(self)


class StoppingWorker(GeventWorker):
    """The gevent worker, with manners. `board` is given to it after the fork."""

    board: Board
    alive: bool
    wsgi: Callable[..., Iterable[bytes]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting: set[Wait] = set()
        self._told_to_go: float | None = None
        self._went: float | None = None
        self._quitting = False
        #: What else is to be done every second, and at the end.
        self.each_second: Callable[[], None] = lambda: None

    @property
    def leaving(self) -> bool:
        """Whether whoever is answered should ask somewhere else the next time."""
        return not self.alive or self.board.leaving

    def begin(self) -> None:
        """The service is loaded."""
        self.wsgi = self._hanging_up(self.wsgi)
        self.board.begin(self.age)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Told to stop: by a reload, if the service as a whole is not to stop."""
        self._told_to_go = self._told_to_go or time.monotonic()
        self._go_if_free()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Told to stop at once. After Ctrl-C that comes twice, from the terminal and from the
        parent, and the second time would interrupt the end with a traceback."""
        if not self._quitting:
            self._quitting = True
            super().handle_quit(sig, frame)

    def notify(self) -> None:
        """Called every second."""
        super().notify()
        self.each_second()
        self._go_if_free()
        if self._went is not None and time.monotonic() - self._went > LAST_CHANCE:
            for wait in self._waiting:
                gevent.get_hub().loop.run_callback(wait.end)

    def timeout_ctx(self) -> Wait:
        """Around the wait for a request on a connection."""
        return Wait(self._waiting, self.cfg.keepalive)

    def _go_if_free(self) -> None:
        if self._told_to_go is None or not self.alive:
            return
        waited = time.monotonic() - self._told_to_go > SUCCESSION
        if waited or self.board.leaving or self.board.younger_than(self.age) >= self.cfg.workers:
            self._went = time.monotonic()
            self.alive = False

    def _hanging_up(self, application: Callable[..., Iterable[bytes]]) -> Callable[..., Any]:
        """The application, whose answers say when their connection is closed after them. gunicorn
        settles that before it asks, and a long poll's answer may come a minute later."""

        def answering(environ: Any, start_response: Any) -> Iterable[bytes]:
            def start(*answer: Any) -> Any:
                if self.leaving:
                    start_response.__self__.force_close()
                return start_response(*answer)

            return application(environ, start)

        return answering
