"""Every name that a match has in Redis: the only place that spells one.

    croupier:{id}:match    hash     version, state, seq (the last event's number), created (the
                                    creation's nonce), and an answer:FIELD for each kept answer
    croupier:{id}:events   stream   an entry per version, id "SEQ-0": data, and before it the nonce
                                    in the first entry of each commit
    croupier:{id}:wake     channel  the last event's number, published after each commit

    croupier:list:NAME     sorted   "CREATED:ID" of the matches in a public list, all of score 0,
                           set      so that they stand by age; some may have left it since

    croupier:limits:N      hash     what callers asked for in the minute N since 1970, by counter;
                                    gone two minutes later

    croupier:secret        string   the service's own secret, which stays

The braces are a hash tag: Redis Cluster keeps all that belongs to a match in one slot, as a script
needs. Answers are fields of the match's own hash, so that they are read with the state in one
command and expire with it.
"""

PREFIX = "croupier:"


def match(match_id: str) -> str:
    """The hash that holds the match."""
    return f"{PREFIX}{{{match_id}}}:match"


def events(match_id: str) -> str:
    """The stream that holds the match's log."""
    return f"{PREFIX}{{{match_id}}}:events"


def channel(match_id: str) -> str:
    """The channel that wakes those who watch the match."""
    return f"{PREFIX}{{{match_id}}}:wake"


def match_of_channel(channel: bytes) -> str:
    """The match whose watchers a channel wakes."""
    return channel.decode().partition("{")[2].partition("}")[0]


def answer(field: str) -> str:
    """The field of the match's hash that holds the answer kept under `field`."""
    return f"answer:{field}"


def secret() -> str:
    """The service's own secret."""
    return f"{PREFIX}secret"


def listing(name: str) -> str:
    """The sorted set that holds a public list."""
    return f"{PREFIX}list:{name}"


def counts(window: int) -> str:
    """What was counted in a minute."""
    return f"{PREFIX}limits:{window}"
