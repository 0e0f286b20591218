"""What it costs to observe every request: its line in the log, and its trace.

    .venv/bin/python -m bench.observing

Services of one worker each, alike but for what they tell, are asked in turn for short rounds: moves
with a bot's answer, and views. It prints how many requests a worker answers in a second of its
processor time, and that as a ratio to the service that tells nothing of requests: medians of the
rounds' own ratios. Processor time is what other work on the machine changes least. Linux tells it.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.services import PATIENCE, ROOT
from bench.watchers import Player

ROUNDS, STRETCH, PLAYERS = 15, 1.0, 4
#: What is compared: settings by name. The first one is what the others are held against.
MANNERS: dict[str, dict[str, str]] = {
    "silent": {"CROUPIER_LOG_LEVEL": "warning"},
    "a line of JSON for each request": {"CROUPIER_LOG_LEVEL": "info"},
    "a plain line for each request": {"CROUPIER_LOG_FORMAT": "plain"},
    "silent, but traced": {"CROUPIER_LOG_LEVEL": "warning", "OTEL_TRACES_EXPORTER": "otlp"},
}


class Sink(BaseHTTPRequestHandler):
    """A collector that throws all away."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """It says nothing."""


@contextmanager
def service(settings: dict[str, str]) -> Iterator[tuple[int, tuple[str, int]]]:
    """A service of one worker: the worker's process, and its address."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as place:
        log = Path(place, "log")
        environ = {name: text for name, text in os.environ.items() if name != "REDIS_URL"}
        environ |= {"PORT": "0", "CROUPIER_WORKERS": "1", "CROUPIER_DATA_DIR": f"{place}/var"}
        command = [sys.executable, "-m", "gunicorn", "--config", "gunicorn.conf.py"]
        with log.open("wb") as out:
            process = subprocess.Popen(
                command, cwd=ROOT, env={**environ, **settings}, stdout=out, stderr=out
            )
        try:
            until = time.monotonic() + PATIENCE
            while not (found := re.search(r"http://([\d.]+):(\d+)\n", log.read_text())):
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.05)
            yield worker(process.pid), (found[1], int(found[2]))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def worker(parent: int) -> int:
    """The one process that a service has forked; the keeper of its store is another program."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for entry in Path("/proc").glob("[0-9]*"):
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(stat[1]) == parent and b"gunicorn" in (entry / "cmdline").read_bytes():
                return int(entry.name)
        time.sleep(0.05)
    raise AssertionError("no worker")


def processor_time(pid: int) -> float:
    """Seconds for which a process has run."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def rate(pid: int, players: list[Player], *, views: bool) -> float:
    """Requests that a worker answers in a second of its time, from all players at once."""

    def send(player: Player) -> None:
        if views:
            player.connection.send("GET", player.path, token=player.token)
        else:
            player.send()

    selector, made = selectors.DefaultSelector(), 0
    for player in players:
        selector.register(player.connection.socket, selectors.EVENT_READ, player)
        send(player)
    begun, spent = time.perf_counter(), processor_time(pid)
    while (now := time.perf_counter()) < begun + STRETCH:
        for key, _ in selector.select(begun + STRETCH - now):
            key.data.receive()
            send(key.data)
            made += 1
    took = processor_time(pid) - spent
    for player in players:
        player.receive()
    selector.close()
    return made / took


def main() -> None:
    """Measures and prints."""
    sink = ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    threading.Thread(target=sink.serve_forever, daemon=True).start()
    to = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"http://127.0.0.1:{sink.server_port}/v1/traces"}
    found: dict[bool, dict[str, list[float]]] = {True: {}, False: {}}
    with ExitStack() as stack:
        tables = {}
        for name, settings in MANNERS.items():
            traced = to if "OTEL_TRACES_EXPORTER" in settings else {}
            pid, address = stack.enter_context(service(settings | traced))
            tables[name] = pid, [Player(address) for _ in range(PLAYERS)]
        for turn in range(ROUNDS + 1):
            for views, rates in found.items():
                for name, (pid, players) in tables.items():
                    speed = rate(pid, players, views=views)
                    if turn:  # the first round warms up
                        rates.setdefault(name, []).append(speed)
    sink.shutdown()
    for views, rates in found.items():
        print("views" if views else "moves")
        first = rates[next(iter(MANNERS))]
        for name, speeds in rates.items():
            ratios = [speed / base for speed, base in zip(speeds, first, strict=True)]
            middle = statistics.median(speeds)
            print(f"  {name:34}{middle:7.0f} requests   {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
