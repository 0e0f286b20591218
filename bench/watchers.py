"""What idle watchers cost, and how soon a move reaches those who watch.

    .venv/bin/python -m bench.watchers

Real workers, over the loopback. It prints memory for each watcher, connections to the store, the
speed of moves with watchers beside that without, and how long an event takes from a move's answer
to all who watch the match.
"""

from __future__ import annotations

import re
import resource
import selectors
import socket
import statistics
import time
from pathlib import Path

import redis

from bench import processor
from bench.services import PATIENCE, WORKERS, Connection, service

IDLE = 2000
#: Watchers of each idle match, as if all seats of a table of four were looking on.
AT_A_TABLE = 4
CROWD = 500
#: Seconds for which moves are made, and how many players make them at the same time.
STRETCH, PLAYERS = 5.0, 4
#: Moves whose events are timed.
TIMED = 60
#: A person and a bot, long enough for every measurement: one request is one move and the bot's.
MATCH = {"seats": [{"name": "Ada"}, {"bot": "random"}], "options": {"rounds": 20}}


class Player:
    """Somebody who plays against a bot, a move a request."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.connection = Connection(address)
        self.game = "/v1/games/seven-twos-tens/matches"
        self.begin()

    def begin(self) -> None:
        """Begins a new match."""
        made = self.connection.ask("POST", self.game, MATCH)
        self.path, self.token = f"{self.game}/{made['match_id']}", made["seats"][0]["token"]
        self.view = self.connection.ask("GET", self.path, token=self.token)

    def send(self) -> None:
        """Sends a move."""
        body = self.view["legal_moves"][0]
        self.connection.send("POST", f"{self.path}/moves", body, self.token)

    def receive(self) -> None:
        """Takes its answer."""
        self.view = self.connection.receive()
        if not self.view["legal_moves"]:
            self.begin()


class Watchers:
    """Open event streams of the matches of some players, so many of each, from now on."""

    def __init__(self, address: tuple[str, int], players: list[Player], each: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.sockets = []
        for player in players:
            for _ in range(each):
                watcher = socket.create_connection(address, timeout=PATIENCE)
                path = f"{player.path}/events?after={player.view['last_seq']}"
                request = f"GET {path} HTTP/1.1\r\nHost: croupier\r\n"
                watcher.sendall(f"{request}Accept: text/event-stream\r\n\r\n".encode())
                self.sockets.append(watcher)
        for watcher in self.sockets:
            assert b"retry" in _until(watcher, b"retry"), "no stream"
            watcher.setblocking(False)
            self.selector.register(watcher, selectors.EVENT_READ)

    def close(self) -> None:
        """Hangs up."""
        self.selector.close()
        for watcher in self.sockets:
            watcher.close()


def _until(watcher: socket.socket, word: bytes) -> bytes:
    data = b""
    while word not in data and (more := watcher.recv(4096)):
        data += more
    return data


def memory(parent: int) -> int | None:
    """Bytes that belong to the workers alone; None where the system does not tell."""
    found = 0
    for place in processor.workers(parent) if Path("/proc/self/smaps_rollup").exists() else []:
        text = (place / "smaps_rollup").read_text()
        found += 1024 * sum(map(int, re.findall(r"Private_\w+: +(\d+)", text)))
    return found or None


def speed(players: list[Player], stretch: float = STRETCH) -> float:
    """Requests that move, a second, made by all players at the same time."""
    selector, made = selectors.DefaultSelector(), 0
    for player in players:
        selector.register(player.connection.socket, selectors.EVENT_READ, player)
        player.send()
    begun = time.perf_counter()
    while (now := time.perf_counter()) < begun + stretch:
        for key, _ in selector.select(begun + stretch - now):
            key.data.receive()
            key.data.send()
            made += 1
    took = time.perf_counter() - begun
    for player in players:
        player.receive()
    selector.close()
    return made / took


def delays(player: Player, watchers: Watchers) -> list[float]:
    """For each timed move and each watcher: seconds from the move's answer to its last event."""
    found = []
    for _ in range(TIMED):
        player.connection.socket.setblocking(True)
        watchers.selector.register(player.connection.socket, selectors.EVENT_READ, player)
        answered, came = 0.0, dict[int, float]()
        player.send()
        while not answered or len(came) < len(watchers.sockets):
            ready = watchers.selector.select(PATIENCE)
            assert ready, "an event did not come"
            # The answer first, since nobody's clock starts before it.
            for key, _ in sorted(ready, key=lambda pair: pair[0].data is None):
                if key.data is player:
                    answered = time.perf_counter()
                    watchers.selector.unregister(player.connection.socket)
                    player.receive()
                elif b"event: " in key.fileobj.recv(1 << 16):  # type: ignore[union-attr]
                    came[key.fd] = time.perf_counter()
        found += [moment - answered for moment in came.values()]
        time.sleep(0.02)
    return found


def connections(data: Path) -> tuple[int, int]:
    """Connections to the store, and how many of them hear of matches."""
    path = (data / "valkey.socket").read_text()
    with redis.Redis(unix_socket_path=path, decode_responses=True) as client:
        clients = client.client_list()
    return len(clients) - 1, sum(int(one["sub"]) > 0 for one in clients)


def main() -> None:
    """Measures and prints."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with service() as (parent, address, data):
        players = [Player(address) for _ in range(PLAYERS)]
        idle = [Player(address) for _ in range(IDLE // AT_A_TABLE)]
        speed(players)  # warms up
        before, alone = memory(parent), [speed(players)]
        watchers = Watchers(address, idle, AT_A_TABLE)
        after, watched = memory(parent), [speed(players), speed(players)]
        opened, hearing = connections(data)
        watchers.close()
        time.sleep(1)  # for the workers to take notice
        alone.append(speed(players))
        print(f"{IDLE} idle watchers of {len(idle)} matches, {WORKERS} workers")
        if before is not None and after is not None:
            print(f"  memory for a watcher     {(after - before) / IDLE / 1024:6.1f} KiB")
        print(f"  connections to the store {opened:6d}, of which {hearing} hear of matches")
        ratio = statistics.mean(watched) / statistics.mean(alone)
        print(f"  speed of moves           {ratio:6.2f} of that without watchers")
        found = []
        for _ in range(3):
            player = Player(address)
            crowd = Watchers(address, [player], CROWD)
            found += delays(player, crowd)
            crowd.close()
    found.sort()
    print(f"{CROWD} watchers of one match, {WORKERS} workers, {len(found)} events timed")
    print(f"  from a move's answer to the event: median {1000 * statistics.median(found):.1f} ms,")
    print(f"  99 of 100 within {1000 * found[len(found) * 99 // 100]:.1f} ms")


if __name__ == "__main__":
    main()
