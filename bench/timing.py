"""Whether the time of an answer tells hidden cards: a stopwatch beside the count of `test_work.py`.

    .venv/bin/python -m bench.timing [REQUESTS]

For each game two tables that a viewer may not tell apart, and a third in which the viewer holds
other cards, are looked at in turns: by a client over HTTP with one real worker, and in this
process, where no network blurs anything. The third shows what the measurement can see. Then a bot
whose hidden hand is small or large answers a move.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from math import ceil, sqrt
from pathlib import Path
from urllib.parse import urlsplit

from api import tokens
from api.store.redis import RedisStore
from bench.services import Connection
from engine import Match, Seat
from tests.engine.positions import es
from tests.hidden_card import varied
from tests.histories import history, store_with_log
from tests.known import KNOWN
from tests.services import Service
from tests.valkey import Server

#: Requests for each table over HTTP, and so many times as many looks in this process.
REQUESTS, LOOKS = 2000, 5
#: Copies of each table under ids of their own, so that no id's luck is taken for the cards'.
COPIES = 20
#: The slowest share of all is left out: whatever else the machine did then.
TAIL = 0.1
#: Looks before those that count.
WARM = 50
#: How far apart, in standard errors, means have to be for 80 % to tell them at the 5 % level.
POWER = 2.8
#: |t| above which two tables are told apart; with nothing to tell, once in 100,000 runs.
TOLD = 4.5

Samples = list[list[float]]


def welch(one: Sequence[float], two: Sequence[float]) -> float:
    """Welch's t of two samples."""
    spread = statistics.variance(one) / len(one) + statistics.variance(two) / len(two)
    return (statistics.fmean(one) - statistics.fmean(two)) / sqrt(spread)


def in_turns(looks: Sequence[Callable[[], object]], times: int) -> Samples:
    """Microseconds of each look, taken in a new order each time, without the slowest of all."""
    samples: Samples = [[] for _ in looks]
    order = list(range(len(looks)))
    for _ in range(times):
        random.shuffle(order)
        for number in order:
            began = time.perf_counter_ns()
            looks[number]()
            samples[number].append((time.perf_counter_ns() - began) / 1000)
    limit = sorted(chain.from_iterable(samples))[int((1 - TAIL) * len(looks) * times)]
    return [[sample for sample in each if sample < limit] for each in samples]


def tables(game: str) -> list[Match]:
    """Two that seat 0 may not tell apart, and one in which it holds other cards."""
    moves = next(n for n in range(30, 90) if history(game, moves=n, seed="time").to_act == [0])
    match = history(game, moves=moves, seed="time")
    match.log.clear()
    other = varied(KNOWN[game], match, [0], random.Random(game), new_seed=False)
    control = Match.from_bytes(match.to_bytes())
    control.play(0, control.legal_moves(0)[0])
    control.log.clear()
    return [match, other, control]


def told(what: str, samples: Samples) -> float:
    """Prints a line on two tables that should look alike, and on a third that should not; the
    spread of a look."""
    hidden, own = welch(samples[0], samples[1]), welch(samples[0], samples[2])
    middle, spread = statistics.fmean(samples[0]), statistics.stdev(samples[0])
    apart = statistics.fmean(samples[1]) - middle
    word = "TOLD APART" if abs(hidden) > TOLD else "not told apart"
    print(
        f"{what:<28}{middle:>9.1f}{spread:>9.1f}{apart:>+9.2f}{hidden:>+7.1f}  {word}{own:>+9.1f}"
    )
    return spread


def over_http(requests: int) -> float:
    """Views of seat 0, from one worker; the median spread."""
    spreads = []
    with (
        tempfile.TemporaryDirectory() as place,
        Server() as server,
        Service(Path(place), REDIS_URL=server.url) as service,
    ):
        store = RedisStore(server.url, ttl_seconds=3600)
        address = urlsplit(service.ready().url)
        connection = Connection((str(address.hostname), address.port or 80))

        def look(paths: Sequence[str], token: str) -> None:
            connection.ask("GET", random.choice(paths), token=token)

        for game in KNOWN:
            looks = []
            for match in tables(game):
                held = [tokens.new_token() for _ in match.seats]
                made = [store_with_log(store, match, seats=held) for _ in range(COPIES)]
                paths = [f"/v1/games/{game}/matches/{one['match_id']}" for one in made]
                looks.append(partial(look, paths, held[0]))
            in_turns(looks, WARM)
            spreads.append(told(f"{game}, HTTP", in_turns(looks, requests)))
        store.close()
    return statistics.median(spreads)


def in_process(times: int) -> None:
    """The same without a network: from bytes to the view."""

    def look(data: bytes) -> None:
        Match.from_bytes(data).view(0)

    for game in KNOWN:
        looks = [partial(look, match.to_bytes()) for match in tables(game)]
        in_turns(looks, WARM)
        told(f"{game}, in process", in_turns(looks, times))


def bots(times: int) -> float:
    """How much longer a bot takes with thirteen cards to choose from than with one."""
    hands = ["KC", "KC KD KH KS QC QD QH QS JC JD JH JS 8C"]
    tables = [es(f"0: 3C 3D 3H 3S; 1: {hand}; pile 6C; value 6") for hand in hands]
    for table in tables:
        table.seats[1] = Seat(name="Player 2", kind="bot", bot="greedy")

    def answered(data: bytes) -> None:
        match = Match.from_bytes(data)
        match.play(0, {"action": "play", "card": "3C"})
        match.play_bots(random.randrange, most=1)

    looks = [partial(answered, table.to_bytes()) for table in tables]
    in_turns(looks, WARM)
    small, large = in_turns(looks, times)
    return statistics.fmean(large) - statistics.fmean(small)


def main() -> None:
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    print(f"Time of a view in microseconds, {requests} over HTTP and {LOOKS * requests} in process")
    heads = f"{'mean':>9}{'spread':>9}{'apart':>9}{'t':>7}"
    print(f"{'':<28}{heads}  hidden cards  t, own cards")
    spread = over_http(requests)
    in_process(LOOKS * requests)
    apart = bots(LOOKS * requests)
    needed = ceil(2 * (POWER * spread / apart) ** 2)
    print(
        f"\nA bot takes {apart:.1f} us longer with thirteen cards to choose from than with one.\n"
        f"Over HTTP it takes some {needed} moves of each kind to tell; nobody moves twice."
    )


if __name__ == "__main__":
    main()
