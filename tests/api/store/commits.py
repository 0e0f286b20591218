"""Short ways to make commits and to look at all that a server holds."""

import redis

from api.store import Answer, Commit, Entry

TTL_SECONDS = 60
MATCH = "m1"


def creation(
    match_id: str = MATCH, *, state: bytes = b"dealt", answer: Answer | None = None
) -> Commit:
    """A new match: version 0, one entry whose last event is 2."""
    entries = [Entry(seq=2, data=b"e0")]
    return Commit(
        match_id=match_id,
        expected=None,
        version=0,
        state=state,
        entries=entries,
        base_seq=0,
        answer=answer,
    )


def move(
    expected: int,
    match_id: str = MATCH,
    *,
    state: bytes | None = None,
    answer: Answer | None = None,
) -> Commit:
    """The move that leads from version `expected` to the next, with two events in one entry."""
    version = expected + 1
    return Commit(
        match_id=match_id,
        expected=expected,
        version=version,
        state=b"state %d" % version if state is None else state,
        entries=[Entry(seq=last_seq(version), data=b"e%d" % version)],
        base_seq=last_seq(expected),
        answer=answer,
    )


def last_seq(version: int) -> int:
    """The last event's number at a version, where `creation` and `move` made all versions."""
    return 2 * (version + 1)


def everything(client: redis.Redis) -> dict[bytes, tuple[bytes, int]]:
    """Every key that the server holds of matches, with its content as bytes and the millisecond at
    which it expires. Others may be left by a thread that counts requests of an earlier test."""
    found = client.scan_iter("croupier:{*")
    return {key: (client.dump(key), client.pexpiretime(key)) for key in found}
