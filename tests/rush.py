"""Requests at the same moment to a service in processes of its own, spoken through `Seats`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

import requests

from tests.conformance import Contract

PATIENCE = 30
T = TypeVar("T")


class Answer:
    """An answer with the names that answers of a test client have."""

    def __init__(self, response: requests.Response) -> None:
        self.status_code = response.status_code
        self.headers = response.headers
        self.data = response.content
        self.text = response.text
        self.get_json = response.json

    @property
    def kind(self) -> tuple[int, str]:
        """The status, and of a problem the last part of its type."""
        problem = self.status_code >= 400
        return self.status_code, self.get_json()["type"].rpartition("/")[2] if problem else ""


class Remote:
    """A client for `Seats`. Each request has a connection of its own, so that any worker may be the
    one that answers, and each answer is held against the contract."""

    def __init__(self, url: str, contract: Contract) -> None:
        self._url = url
        self._contract = contract

    def get(self, path: str, **request: Any) -> Answer:
        return self._send("GET", path, request)

    def post(self, path: str, **request: Any) -> Answer:
        return self._send("POST", path, request)

    def delete(self, path: str, **request: Any) -> Answer:
        return self._send("DELETE", path, request)

    def _send(self, method: str, path: str, request: dict[str, Any]) -> Answer:
        response = requests.request(method, self._url + path, timeout=PATIENCE, **request)
        media_type = response.headers.get("Content-Type", "").partition(";")[0]
        where = path.partition("?")[0]
        self._contract.check(method, where, response.status_code, media_type, response.content)
        return Answer(response)


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """What the calls return, each made by a thread of its own at the same moment."""
    barrier = Barrier(len(calls))

    def wait_and(call: Callable[[], T]) -> T:
        barrier.wait(timeout=PATIENCE)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(wait_and, calls))
