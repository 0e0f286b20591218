"""What it costs to observe every request: its line in the log, and its trace.

    .venv/bin/python -m bench.observing

Services of one worker each, alike but for what they tell, are asked in turn for short rounds: moves
with a bot's answer, and views. It prints how many requests a worker answers in a second of its
processor time, and that as a ratio to the service that tells nothing of requests: medians of the
rounds' own ratios. Processor time is what other work on the machine changes least. Linux tells it.
"""

from __future__ import annotations

import selectors
import statistics
import threading
import time
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.services import Running, service
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


def rate(running: Running, players: list[Player], *, views: bool) -> float:
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
    begun, spent = time.perf_counter(), running.worker_seconds()
    while (now := time.perf_counter()) < begun + STRETCH:
        for key, _ in selector.select(begun + STRETCH - now):
            key.data.receive()
            send(key.data)
            made += 1
    took = running.worker_seconds() - spent
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
            running = stack.enter_context(service(workers=1, **settings, **traced))
            tables[name] = running, [Player(running.address) for _ in range(PLAYERS)]
        for turn in range(ROUNDS + 1):
            for views, rates in found.items():
                for name, (running, players) in tables.items():
                    speed = rate(running, players, views=views)
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
