"""What it costs to have each move on disk before it is answered.

    .venv/bin/python -m bench.durability [DIRECTORY]

Two services with their embedded stores, one with `CROUPIER_APPENDFSYNC=always` and one with
`everysec`, take turns in short rounds. It prints moves a second and how long an answer takes as
ratios of the two, for one player, for some and for many at the same time; for how long an answered
move is not yet on disk, by the account of Linux, which is what a power cut takes; what is lost when
Valkey is killed under many writes; and how long the disk under DIRECTORY (by default the system's
for temporary files) takes to confirm a write, since the cost follows that.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import redis

from api.store.embedded import EmbeddedStore
from bench.services import service
from bench.watchers import Player
from tests.disk import on_disk, tells

#: How many players move at the same time.
CROWDS = (1, 4, 32)
#: Seconds of a round, and rounds of each service for each crowd.
ROUND, ROUNDS = 1.0, 10
POLICIES = ("everysec", "always")
#: Writes whose time is taken, and bytes of each: about what a move appends.
WRITES, SIZE = 200, 2048
#: How often Valkey is killed, and by how many it is written to meanwhile.
KILLS, WRITERS = 10, 4
#: Moves of which it is asked when they are on disk, and seconds after which they never will be.
ASKED, PATIENCE = 40, 60.0


def disk(directory: Path) -> list[float]:
    """Seconds that each of some writes takes until the disk has it, in order."""
    found = []
    with tempfile.TemporaryFile(dir=directory) as file:
        for _ in range(WRITES):
            begun = time.perf_counter()
            file.write(os.urandom(SIZE))
            file.flush()
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - begun)
    return sorted(found)


def play(players: list[Player]) -> list[float]:
    """Seconds until the answer of each move that the players make in a round, in order."""
    selector, found = selectors.DefaultSelector(), []
    sent: dict[int, float] = {}
    begun = time.perf_counter()
    for player in players:
        key = selector.register(player.connection.socket, selectors.EVENT_READ, player)
        player.send()
        sent[key.fd] = begun
    while (now := time.perf_counter()) < begun + ROUND:
        for key, _ in selector.select(begun + ROUND - now):
            found.append(time.perf_counter() - sent[key.fd])
            key.data.receive()
            key.data.send()
            sent[key.fd] = time.perf_counter()
    for player in players:
        player.receive()
    selector.close()
    return sorted(found)


def exposed(player: Player, data: Path) -> list[float]:
    """Seconds from each of some answers until the move is on disk, in order."""
    found = []
    (file,) = (data / "appendonlydir").glob("*.incr.aof")
    for number in range(ASKED):
        # At all parts of a second, since the one before was written at the beginning of one.
        time.sleep(0.37 * (number % 4))
        size = file.stat().st_size
        player.send()
        player.receive()
        begun = time.perf_counter()
        # While the disk is busy Valkey may hold back what it is to write.
        while file.stat().st_size == size or not on_disk(file):
            assert time.perf_counter() < begun + PATIENCE
            time.sleep(0.001)
        found.append(time.perf_counter() - begun)
    return sorted(found)


def killed(policy: str) -> tuple[int, int, int]:
    """How many writes were acknowledged before Valkey was killed, so many times; how many of them
    were not there when it had come back; and after how many of the kills."""
    acknowledged, lost, kills = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as place:
        store = EmbeddedStore.start(Path(place, "var"), appendfsync=policy)
        try:
            for _ in range(KILLS):
                told = _write_until_killed(store.url)
                with _when_back(store.url) as client:
                    kept = [int(client.get(f"writer {n}") or 0) for n in range(WRITERS)]
                missing = sum(max(0, t - k) for t, k in zip(told, kept, strict=True))
                acknowledged, lost, kills = (
                    acknowledged + sum(told),
                    lost + missing,
                    kills + bool(missing),
                )
        finally:
            store.stop()
    return acknowledged, lost, kills


def _write_until_killed(url: str) -> list[int]:
    told = [0] * WRITERS

    def write(writer: int) -> None:
        with redis.Redis.from_url(url) as client, contextlib.suppress(redis.RedisError):
            while True:
                number = told[writer] + 1
                client.mset({f"writer {writer}": number, f"ballast {writer}": "x" * SIZE})
                told[writer] = number

    with redis.Redis.from_url(url) as client:
        client.flushall()
        process = client.info("server")["process_id"]
    writers = [threading.Thread(target=write, args=(n,)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    time.sleep(1.5)
    os.kill(process, signal.SIGKILL)
    for writer in writers:
        writer.join()
    return told


def _when_back(url: str) -> redis.Redis:
    until = time.monotonic() + 60
    while True:
        client = redis.Redis.from_url(url)
        try:
            client.ping()
            return client
        except redis.RedisError:
            assert time.monotonic() < until
            time.sleep(0.05)


def share(times: list[float], part: float) -> float:
    """The time within which that part of all is done."""
    return times[min(len(times) - 1, int(len(times) * part))]


def main() -> None:
    """Measures and prints."""
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.gettempdir())
    tempfile.tempdir = str(directory)
    written = disk(directory)
    print(f"a write of {SIZE} bytes is on disk after {1000 * statistics.median(written):.2f} ms,")
    print(f"  99 of 100 after {1000 * share(written, 0.99):.2f} ms")
    with ExitStack() as stack:
        addresses, places = [], []
        for policy in POLICIES:
            os.environ["CROUPIER_APPENDFSYNC"] = policy
            _, address, data = stack.enter_context(service())
            addresses.append(address)
            places.append(data)
        print("always beside everysec        moves/s    half within    99 of 100 within")
        for crowd in CROWDS:
            tables = [[Player(address) for _ in range(crowd)] for address in addresses]
            for players in tables:
                play(players)  # warms up
            rounds = [[play(players) for players in tables] for _ in range(ROUNDS)]
            speed = statistics.median(len(strict) / len(lax) for lax, strict in rounds)
            ratios = [
                statistics.median(share(strict, part) / share(lax, part) for lax, strict in rounds)
                for part in (0.5, 0.99)
            ]
            strict = sorted(taken for _, times in rounds for taken in times)
            print(
                f"  {crowd:3d} players at once       {speed:6.2f} x      {ratios[0]:6.2f} x"
                f"         {ratios[1]:6.2f} x   (with always: "
                f"{1000 * share(strict, 0.5):.1f} and {1000 * share(strict, 0.99):.1f} ms)"
            )
        for policy, address, data in zip(POLICIES, addresses, places, strict=True):
            if not tells(data):
                print("this system does not tell what is on disk: that takes Linux 6.5 or newer")
                break
            waited = exposed(Player(address), data)
            print(
                f"with {policy} an answered move is on disk after "
                f"{1000 * statistics.median(waited):.1f} ms, {1000 * waited[-1]:.1f} ms at most"
            )
    for policy in POLICIES:
        acknowledged, lost, kills = killed(policy)
        print(
            f"with {policy}, Valkey killed {KILLS} times under {WRITERS} writers: {lost} of "
            f"{acknowledged} acknowledged writes lost, by {kills} of the kills"
        )


if __name__ == "__main__":
    main()
