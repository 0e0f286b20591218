"""What the processes of the race tests run; importable, as a spawned process needs it."""

from threading import Barrier

from api.store import Answer, Answered, Commit, Entry, Outcome
from api.store.redis import RedisStore
from tests.api.store.commits import MATCH, TTL_SECONDS, last_seq, move


def increment(url: str, barrier: Barrier, worker: int, times: int) -> tuple[int, int]:
    """Raise the number in the state so many times, judging afresh after each lost race; (accepted,
    lost).
    """
    store = RedisStore(url, ttl_seconds=TTL_SECONDS)
    accepted = lost = 0
    barrier.wait(timeout=30)
    while accepted < times:
        loaded = store.load(MATCH)
        assert loaded is not None
        seq = last_seq(loaded.version) + 2
        commit = Commit(
            match_id=MATCH,
            expected=loaded.version,
            version=loaded.version + 1,
            state=b"%d" % (int(loaded.state) + 1),
            entries=[Entry(seq, b"%d.%d" % (worker, accepted))],
            base_seq=last_seq(loaded.version),
        )
        match store.commit(commit):
            case Outcome.COMMITTED:
                accepted += 1
            case Outcome.CONFLICT:
                lost += 1
            case outcome:
                raise AssertionError(outcome)
    store.close()
    return accepted, lost


def answer_once(url: str, barrier: Barrier, worker: int, rounds: int) -> list[bytes | None]:
    """In each round, commit a move of the same request; None where it was ours, else the answer
    that was there.
    """
    store = RedisStore(url, ttl_seconds=TTL_SECONDS)
    results: list[bytes | None] = []
    for version in range(rounds):
        commit = move(version, answer=Answer(f"request {version}", b"answer of %d" % worker))
        barrier.wait(timeout=30)
        match store.commit(commit):
            case Outcome.COMMITTED:
                results.append(None)
            case Answered(value):
                results.append(value)
            case outcome:
                raise AssertionError(outcome)
        barrier.wait(timeout=30)
    store.close()
    return results
