"""Counting in a worker: exact on its own, shared with the others soon, and never in the way."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from api import counting
from api.counting import Counters, Exhausted
from api.store.base import StoreUnavailable
from tests.api.clocks import Clock
from tests.services import eventually

MINUTE = 60


class Board:
    """Where counters are shared: a store's part, which may be away."""

    def __init__(self) -> None:
        self.totals: dict[int, Counter[str]] = {}
        self.calls: list[Mapping[str, int]] = []
        self.away = False

    def __call__(self, window: int, added: Mapping[str, int]) -> list[int]:
        self.calls.append(dict(added))
        if self.away:
            raise StoreUnavailable("away")
        totals = self.totals.setdefault(window, Counter())
        totals.update(added)
        return [totals[name] for name in added]

    def total(self, name: str) -> int:
        """What a counter has come to in the newest minute."""
        return self.totals[max(self.totals)][name] if self.totals else 0


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers talk to the store more often than they do."""
    monkeypatch.setattr(counting, "SHARE", 0.05)


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    clock.now -= clock.now % 60_000  # a minute begins
    return clock


@pytest.fixture
def counters(board: Board, clock: Clock) -> Iterator[Counters]:
    counters = Counters(board, clock)
    yield counters
    # Its thread ends by itself when all is told and nothing is open.
    assert eventually(lambda: counters._thread is None)


def taken(counters: Counters, name: str, limit: int, times: int = 1) -> int:
    """How often one may be taken of a counter, when so many times it is asked."""
    for n in range(times):
        try:
            counters.take([name], [limit])
        except Exhausted:
            return n
    return times


def test_so_many_as_the_limit_and_not_one_more(counters: Counters) -> None:
    assert [counters.take(["a"], [3]) for _ in range(3)] == [([2], 60), ([1], 60), ([0], 60)]
    with pytest.raises(Exhausted) as exhausted:
        counters.take(["a"], [3])
    assert (exhausted.value.which, exhausted.value.seconds) == (0, 60)
    assert taken(counters, "b", limit=3) == 1, "another counter is another's"


def test_where_one_of_several_is_at_its_limit_none_is_added_to(counters: Counters) -> None:
    counters.take(["a", "b"], [10, 1])
    for _ in range(5):
        with pytest.raises(Exhausted) as exhausted:
            counters.take(["a", "b"], [10, 1])
        assert exhausted.value.which == 1
    assert counters.take(["a"], [10])[0] == [8]


def test_a_new_minute_begins_at_zero_and_not_before(counters: Counters, clock: Clock) -> None:
    assert taken(counters, "a", limit=2, times=3) == 2
    clock.go_on(MINUTE - 1)
    with pytest.raises(Exhausted) as exhausted:
        counters.take(["a"], [2])
    assert exhausted.value.seconds == 1
    clock.go_on(1)
    assert taken(counters, "a", limit=2, times=3) == 2


def test_what_one_worker_counts_the_others_know_soon(
    board: Board, clock: Clock, counters: Counters
) -> None:
    other = Counters(board, clock)
    assert taken(counters, "a", limit=100, times=60) == 60
    assert taken(other, "a", limit=100) == 1
    assert eventually(lambda: board.total("a") == 61)
    assert eventually(lambda: other.take(["b"], [1000]) and other._counters["a"].known == 61)
    assert taken(other, "a", limit=100, times=100) == 39


def test_many_workers_together_let_little_more_pass_than_the_limit(
    board: Board, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even when no second passes: whoever counts a sixteenth asks what the others have."""
    monkeypatch.setattr(counting, "SHARE", 30.0)
    workers = [Counters(board, clock) for _ in range(4)]
    passed = 0
    for n in range(1600):
        passed += taken(workers[n % 4], "a", limit=160)
        time.sleep(0.0005)
    assert 160 <= passed <= 160 + 4 * 11

    def ended(worker: Counters) -> bool:
        worker._urgent.set()
        return worker._thread is None

    assert eventually(lambda: all(map(ended, workers)))


def test_nothing_is_told_twice_and_nothing_is_lost(board: Board, counters: Counters) -> None:
    def take_many() -> None:
        assert taken(counters, "a", limit=10**9, times=5000) == 5000

    threads = [threading.Thread(target=take_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert eventually(lambda: board.total("a") == 20_000)
    time.sleep(0.2)
    assert board.total("a") == 20_000


def test_a_request_waits_for_no_store_and_what_it_missed_is_told_later(
    board: Board, counters: Counters
) -> None:
    board.away = True
    assert taken(counters, "a", limit=5, times=9) == 5
    assert eventually(lambda: len(board.calls) > 2)
    calls = len(board.calls)
    time.sleep(0.3)
    assert len(board.calls) - calls <= 7, "a store that is away is not asked without a pause"
    board.away = False
    assert eventually(lambda: board.total("a") == 5)


def test_a_mistake_of_the_store_is_logged_and_ends_nothing(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    board = Board()
    replies = iter([ValueError("odd")])

    def share(window: int, added: Mapping[str, int]) -> list[int]:
        for error in replies:
            raise error
        return board(window, added)

    counters = Counters(share, clock)
    counters.take(["a"], [5])
    assert eventually(lambda: board.total("a") == 1)
    assert "counts cannot be shared" in caplog.text
    assert eventually(lambda: counters._thread is None)


def test_many_counters_are_told_in_portions(board: Board, counters: Counters) -> None:
    for n in range(2500):
        counters.take([str(n)], [10_000])
    assert eventually(lambda: sum(map(len, board.calls)) >= 2500)
    assert max(map(len, board.calls)) <= 1000


# What is open


def opened(counters: Counters, name: str, limit: int) -> None:
    counters.take([name], [limit], still_open=True)


def test_what_is_open_counts_until_it_is_given_back(counters: Counters, clock: Clock) -> None:
    opened(counters, "s", 2)
    opened(counters, "s", 2)
    for _ in range(3):
        with pytest.raises(Exhausted):
            opened(counters, "s", 2)
        clock.go_on(MINUTE)
    counters.give_back(["s"])
    opened(counters, "s", 2)
    with pytest.raises(Exhausted):
        opened(counters, "s", 2)
    counters.give_back(["s"])
    counters.give_back(["s"])


def test_what_is_open_is_told_anew_in_each_minute(
    board: Board, counters: Counters, clock: Clock
) -> None:
    other = Counters(board, clock)
    opened(counters, "s", 2)
    for _ in range(3):
        clock.go_on(MINUTE)
        assert eventually(lambda: board.totals.get(clock.now // 60_000, {}).get("s") == 1)
    opened(other, "s", 2)
    assert eventually(lambda: board.total("s") == 2)
    with pytest.raises(Exhausted):
        opened(other, "s", 2)
    other.give_back(["s"])
    counters.give_back(["s"])
    assert eventually(lambda: board.total("s") == 0)
    assert eventually(lambda: other._thread is None)


def test_what_a_killed_worker_had_open_is_forgotten_with_the_minute(
    board: Board, counters: Counters, clock: Clock
) -> None:
    killed = Counters(board, clock)
    opened(killed, "s", 8)
    assert eventually(lambda: board.total("s") == 1)
    killed._clock = lambda: 0  # it takes no part any more
    clock.go_on(MINUTE)
    opened(counters, "s", 1)
    counters.give_back(["s"])
    killed.give_back(["s"])
    assert eventually(lambda: killed._thread is None)


def test_a_store_that_lost_its_counts_opens_no_more_than_the_limit(
    board: Board, counters: Counters
) -> None:
    opened(counters, "s", 2)
    assert eventually(lambda: board.total("s") == 1)
    board.totals.clear()
    opened(counters, "s", 2)
    assert eventually(lambda: board.total("s") == 1)
    with pytest.raises(Exhausted):
        opened(counters, "s", 2)
    counters.give_back(["s"])
    counters.give_back(["s"])
