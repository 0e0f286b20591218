"""Traces: the spans of a request, whose trace they join, what they never tell, and that all this is
neither loaded nor begun where nobody asks for it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from werkzeug.test import Client

from api import create_app, tracing
from api.config import Config
from api.store.redis import RedisStore
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import ROOT, Service, eventually

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE_ID}-{PARENT}-01"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """What is traced while a test runs."""
    exporter = InMemorySpanExporter()
    tracing.begin_with(SimpleSpanProcessor(exporter))
    yield exporter
    tracing.stop()


def told(spans: Sequence[ReadableSpan]) -> list[str]:
    """The names of spans in the order in which they began."""
    return [span.name for span in sorted(spans, key=lambda span: span.start_time or 0)]


def tree(spans: Sequence[ReadableSpan]) -> tuple[ReadableSpan, list[ReadableSpan]]:
    """The span of the one request among these, and its parts."""
    (root,) = (span for span in spans if span.kind is SpanKind.SERVER)
    for part in spans:
        if part is not root:
            assert part.parent is not None
            assert part.parent.span_id == root.context.span_id
    return root, [span for span in spans if span is not root]


def test_a_move_is_a_span_with_its_round_trips_and_the_engines_part(
    client: CheckedClient, spans: InMemorySpanExporter
) -> None:
    seats = Seats.create(client, seats=[{}, {"bot": "random"}], seed="demo")
    seat_0 = seats.view(0)
    spans.clear()
    body = seat_0["legal_moves"][0]
    moved = seats.move(0, body, traceparent=TRACEPARENT, **{"X-Request-Id": "mine"})
    assert moved.status_code == 200
    root, parts = tree(spans.get_finished_spans())
    route = "/v1/games/even-steven/matches/<match_id>/moves"
    assert root.name == f"POST {route}"
    assert root.attributes == {
        "http.request.method": "POST",
        "http.route": route,
        "http.response.status_code": 200,
        "croupier.request_id": "mine",
        "croupier.game": "even-steven",
        "croupier.match_id": seats.match_id,
        "croupier.seat": 0,
    }
    assert told(parts) == ["store load", "engine play", "engine bots", "store commit"]
    for part in parts:
        outward = part.name.startswith("store")
        assert part.kind is (SpanKind.CLIENT if outward else SpanKind.INTERNAL)
        if outward:
            operation = part.name.removeprefix("store ")
            assert part.attributes == {
                "db.system.name": "redis",
                "db.operation.name": operation,
            }
    assert root.status.status_code is StatusCode.UNSET


def test_a_request_joins_the_trace_that_it_names(
    client: CheckedClient, spans: InMemorySpanExporter
) -> None:
    client.get("/v1/games", headers={"traceparent": TRACEPARENT})
    client.get("/v1/games")
    joined, alone = spans.get_finished_spans()
    assert f"{joined.context.trace_id:032x}" == TRACE_ID
    assert joined.parent is not None
    assert f"{joined.parent.span_id:016x}" == PARENT
    # The first request's context is no part of the next one's.
    assert alone.parent is None
    assert f"{alone.context.trace_id:032x}" != TRACE_ID


def test_a_request_that_its_trace_leaves_out_is_left_out(
    client: CheckedClient, spans: InMemorySpanExporter
) -> None:
    left_out = {"traceparent": TRACEPARENT.removesuffix("01") + "00"}
    assert client.get("/v1/games/even-steven/matches", headers=left_out).status_code == 200
    assert not spans.get_finished_spans()


def test_probes_are_not_traced(client: CheckedClient, spans: InMemorySpanExporter) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        client.get(path, headers={"traceparent": TRACEPARENT})
    assert not spans.get_finished_spans()


def test_the_log_names_the_trace(
    client: CheckedClient, spans: InMemorySpanExporter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="croupier")
    client.get("/v1/games", headers={"traceparent": TRACEPARENT})
    facts: Any = caplog.records[-1].__dict__["facts"]
    assert facts["trace_id"] == TRACE_ID


def test_a_refused_move_is_no_error_of_the_service(
    client: CheckedClient, spans: InMemorySpanExporter
) -> None:
    seats = Seats.create(client)
    to_act = seats.view()["to_act"][0]
    spans.clear()
    assert seats.move(to_act, {"action": "flip", "slot": 0}).status_code == 409
    root, parts = tree(spans.get_finished_spans())
    assert root.status.status_code is StatusCode.UNSET
    assert root.attributes is not None
    assert root.attributes["error.type"] == "illegal-move"
    (engine,) = (part for part in parts if part.name == "engine play")
    assert engine.attributes == {"error.type": "IllegalMove"}
    assert not engine.events
    assert engine.status.status_code is StatusCode.UNSET


def test_a_store_that_is_away_is_an_error(spans: InMemorySpanExporter) -> None:
    nowhere = RedisStore("redis://localhost:1", ttl_seconds=60)
    client = create_app(Config(rate_limit=None), store=nowhere).test_client()
    assert client.get("/v1/games/even-steven/matches").status_code == 503
    root, (listed,) = tree(spans.get_finished_spans())
    assert root.status.status_code is StatusCode.ERROR
    assert listed.status.status_code is StatusCode.ERROR
    assert listed.attributes is not None
    assert listed.attributes["error.type"] == "StoreUnavailable"


def test_a_stream_is_one_span_until_its_end(
    app: Flask, client: CheckedClient, spans: InMemorySpanExporter
) -> None:
    seats = Seats.create(client)
    seats.play_on()
    spans.clear()
    asked = {"Accept": "text/event-stream"}
    answer = Client(app).get(f"{seats.path}/events", headers=asked, buffered=False)
    assert len(list(answer.iter_encoded())) > 1
    assert told(spans.get_finished_spans()) == ["store load"]
    answer.close()
    root, parts = tree(spans.get_finished_spans())
    assert root.name.endswith("/events")
    # What it looks at later is looked at for all who watch.
    assert told(parts) == ["store load"]


# Where nobody asks for traces

SERVE = "from app import app\nassert app.test_client().get('/readyz').status_code == 503"
PARENT_PROCESS = "import runpy; runpy.run_path('gunicorn.conf.py')"
MISSING = "import sys; sys.modules['opentelemetry'] = None\n"


def python(program: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in the project's folder."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "REDIS_URL": "redis://localhost:1", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def loaded(program: str, **environ: str) -> set[str]:
    """What a program has loaded of OpenTelemetry when it ends."""
    tell = "import sys; print(*(n for n in sys.modules if n.startswith('opentelemetry')))"
    ran = python(f"{program}\n{tell}", **environ)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.splitlines()[-1].split())


def test_nothing_of_it_is_loaded_unless_asked_for() -> None:
    # redis-py itself loads what measures, wherever that is installed.
    assert loaded(SERVE) == loaded("import redis")
    asked = {"OTEL_TRACES_EXPORTER": "console", "OTEL_BSP_SCHEDULE_DELAY": "60000"}
    assert "opentelemetry.sdk.trace.export" in loaded(SERVE, **asked) - loaded("import redis")


def test_without_its_packages_all_else_works() -> None:
    assert loaded(MISSING + SERVE) == {"opentelemetry"}


def test_the_parent_process_loads_none_of_it_in_any_case() -> None:
    found = loaded(PARENT_PROCESS, OTEL_TRACES_EXPORTER="otlp")
    # To look whether it is there names the folders that it lies in.
    assert not [name for name in found if "trace" in name or "sdk" in name]


def test_missing_packages_are_told_in_a_line() -> None:
    for to in ("otlp", "console"):
        ran = python(MISSING + PARENT_PROCESS, OTEL_TRACES_EXPORTER=to)
        install = f"{sys.executable} -m pip install -r requirements-otel.txt"
        assert ran.stderr == f"croupier: to trace, first: {install}\n"
    assert python(MISSING + PARENT_PROCESS, OTEL_TRACES_EXPORTER="none").returncode == 0


# Real workers and a real collector


class Collector(ThreadingHTTPServer):
    """Takes spans as OTLP over HTTP."""

    def __init__(self) -> None:
        self.taken: list[ExportTraceServiceRequest] = []
        self.raw = b""
        super().__init__(("127.0.0.1", 0), _Take)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def spans(self) -> list[Any]:
        """All spans so far."""
        return [
            span
            for request in list(self.taken)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class _Take(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert self.path == "/v1/traces"
        self.server.raw += body
        self.server.taken.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Tests print nothing."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector of the test's own."""
    with Collector() as collector:
        yield collector
        collector.shutdown()


def test_workers_send_what_they_trace_and_the_rest_when_they_end(
    tmp_path: Path, collector: Collector
) -> None:
    settings = {
        "CROUPIER_WORKERS": "2",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_SERVICE_NAME": "the-table",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
    }
    with Service(tmp_path, **settings) as service:
        service.ready()
        matches = f"{service.url}/v1/games/card-keeper/matches"
        request = {"seats": [{"client_seed": "a part"}, {}], "seed": "a secret seed"}
        key = {"Idempotency-Key": "a-secret-key", "traceparent": TRACEPARENT}
        made = requests.post(matches, json=request, headers=key, timeout=10).json()
        token = made["seats"][0]["token"]
        auth = {"Authorization": f"Bearer {token}", "traceparent": TRACEPARENT}
        for _ in range(10):
            requests.get(f"{matches}/{made['match_id']}", headers=auth, timeout=10)

        def ours() -> list[Any]:
            return [span for span in collector.spans() if span.trace_id.hex() == TRACE_ID]

        roots = eventually(lambda: [s for s in ours() if s.parent_span_id.hex() == PARENT][10:])
        assert len(roots) == 1
        # This one is still to be sent.
        requests.get(f"{matches}?limit=1", headers=auth, timeout=10)
        service.send(signal.SIGTERM)
        assert service.ended() == 0
    assert "GET /v1/games/card-keeper/matches" in {span.name for span in ours()}
    names = {span.name for span in ours()}
    assert {"store load", "store commit", "store enlist", "engine deal"} <= names
    resources = [r.resource for request in collector.taken for r in request.resource_spans]
    for resource in resources:
        told = {pair.key: pair.value.string_value for pair in resource.attributes}
        assert (told["service.name"], told["service.version"]) == ("the-table", "0.1.0")
    for secret in (token, made["host_token"], "a secret seed", "a part", "a-secret-key"):
        assert secret.encode() not in collector.raw


def test_a_collector_that_is_away_holds_nothing_up(tmp_path: Path) -> None:
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    with Service(tmp_path, **settings) as service:
        service.ready()
        began = time.monotonic()
        assert requests.get(f"{service.url}/v1/games", timeout=10).status_code == 200
        assert time.monotonic() - began < 5
        service.send(signal.SIGTERM)
        assert service.ended() == 0
