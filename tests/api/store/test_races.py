"""Real processes that commit to one match at the same time (case 42: the lost update)."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from threading import Barrier
from typing import TypeVar

from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, creation, last_seq
from tests.api.store.workers import answer_once, increment

T = TypeVar("T")


def together(
    work: Callable[[str, Barrier, int, int], T], url: str, *, processes: int, times: int
) -> Sequence[T]:
    """Run the work in so many processes that begin at the same time."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        barrier = manager.Barrier(processes)
        futures = [pool.submit(work, url, barrier, worker, times) for worker in range(processes)]
        return [future.result(timeout=50) for future in futures]


def test_case_42_no_move_of_four_processes_is_lost_or_made_twice(
    store: RedisStore, redis_url: str
) -> None:
    store.commit(creation(state=b"0"))
    results = together(increment, redis_url, processes=4, times=200)

    assert sum(accepted for accepted, _ in results) == 800
    assert sum(lost for _, lost in results) > 0, (
        "the processes never met, so that nothing was tested"
    )
    loaded = store.load(MATCH)
    assert loaded is not None
    assert (loaded.version, loaded.state) == (800, b"800")
    entries = store.entries(MATCH, after=last_seq(0), limit=1000)
    assert [entry.seq for entry in entries] == [last_seq(version) for version in range(1, 801)]
    assert {entry.data for entry in entries} == {
        b"%d.%d" % (w, n) for w in range(4) for n in range(200)
    }


def test_one_request_sent_to_two_processes_is_made_by_one_and_answered_by_both(
    store: RedisStore, redis_url: str
) -> None:
    store.commit(creation())
    rounds = 100
    first, second = together(answer_once, redis_url, processes=2, times=rounds)

    for of_first, of_second in zip(first, second, strict=True):
        assert (of_first, of_second) in [(None, b"answer of 0"), (b"answer of 1", None)]
    loaded = store.load(MATCH)
    assert loaded is not None
    assert loaded.version == rounds
    assert len(store.entries(MATCH, after=last_seq(0), limit=1000)) == rounds
