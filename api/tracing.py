"""Traces by OpenTelemetry, where its environment variables ask for them (`Config.traces`).

Otherwise nothing of it is loaded, and a span costs a function call. The SDK begins a thread of its
own, so it starts in each worker and never in the process that forks them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from api.config import ConfigError
from api.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

#: Seconds that a worker that ends takes at most to send its last spans.
FAREWELL = 2.0
#: What a span tells of the request's facts, under OpenTelemetry's names or the service's own.
ATTRIBUTES = {
    "method": "http.request.method",
    "route": "http.route",
    "status": "http.response.status_code",
    "request_id": "croupier.request_id",
    "game": "croupier.game",
    "match_id": "croupier.match_id",
    "seat": "croupier.seat",
    "problem": "error.type",
}

_OTLP = "opentelemetry.exporter.otlp.proto.http"
_NOTHING = nullcontext()


class _Sdk:
    """OpenTelemetry in this process, once it is started."""

    provider: TracerProvider | None = None
    tracer: Tracer | None = None


_sdk = _Sdk()


class RequestSpan:
    """The span of a request that is not traced."""

    #: The trace's id as 32 hexadecimal digits.
    trace_id: str | None = None

    def leave(self) -> None:
        """Lets what comes next be no part of the request."""

    def end(self, facts: Mapping[str, str | int | float]) -> None:
        """Ends the span with what is known of the request."""


_NO_SPAN = RequestSpan()


def require(to: str) -> None:
    """Raises ConfigError where the packages are missing that `start` will load. Loads none."""
    needed = {"none": None, "console": "opentelemetry.sdk"}.get(to, f"{_OTLP}.trace_exporter")
    with suppress(ModuleNotFoundError):
        if needed is None or find_spec(needed) is not None:
            return
    raise ConfigError(f"to trace, first: {sys.executable} -m pip install -r requirements-otel.txt")


def start(to: str) -> None:
    """Begins to trace in this process: `to` is `otlp` or `console`. The SDK's own variables say
    the rest."""
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    exporter: SpanExporter
    if to == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter()
    else:
        exporter = ConsoleSpanExporter(formatter=lambda span: f"{span.to_json(indent=None)}\n")
    begin_with(BatchSpanProcessor(exporter))


def begin_with(processor: Any) -> None:
    """Begins to trace in this process, and hands every span to the processor."""
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider

    ours = Resource({"service.name": "croupier", "service.version": VERSION})
    # What the environment says of the service counts more.
    resource = Resource.create(ours.merge(OTELResourceDetector().detect()).attributes)
    _sdk.provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    _sdk.provider.add_span_processor(processor)
    _sdk.tracer = _sdk.provider.get_tracer("croupier", VERSION)


def stop() -> None:
    """Sends what is still to be sent, for a moment at the most, and traces no more."""
    provider, _sdk.provider, _sdk.tracer = _sdk.provider, None, None
    if provider is not None:
        # A collector that is away would hold up the end of the worker.
        farewell = threading.Thread(target=provider.shutdown, daemon=True)
        farewell.start()
        farewell.join(FAREWELL)


def begin(name: str | None, headers: Any) -> RequestSpan:
    """The span of a request that comes with these headers, `traceparent` perhaps among them. One
    without a name is not traced."""
    if _sdk.tracer is None or name is None:
        return _NO_SPAN
    return _Traced(_sdk.tracer, name, headers)


def store_span(operation: str) -> AbstractContextManager[Any]:
    """A span around a round trip to the store, part of the request that makes it."""
    if _sdk.tracer is None:
        return _NOTHING
    attributes = {"db.system.name": "redis", "db.operation.name": operation}
    return _part(_sdk.tracer, f"store {operation}", attributes, outward=True)


def engine_span(name: str) -> AbstractContextManager[Any]:
    """A span around what the engine does for a request."""
    if _sdk.tracer is None:
        return _NOTHING
    return _part(_sdk.tracer, f"engine {name}", {}, outward=False)


class _Traced(RequestSpan):
    def __init__(self, tracer: Tracer, name: str, headers: Any) -> None:
        from opentelemetry import context, propagate, trace

        self._detach = context.detach
        self._error = trace.Status(trace.StatusCode.ERROR)
        before = propagate.extract(headers)
        self._span = tracer.start_span(name, before, kind=trace.SpanKind.SERVER)
        self.trace_id = trace.format_trace_id(self._span.get_span_context().trace_id)
        self._token = context.attach(trace.set_span_in_context(self._span, before))

    def leave(self) -> None:
        self._detach(self._token)

    def end(self, facts: Mapping[str, str | int | float]) -> None:
        told = {name: facts[fact] for fact, name in ATTRIBUTES.items() if fact in facts}
        self._span.set_attributes(told)
        if int(facts["status"]) >= 500:
            self._span.set_status(self._error)
        self._span.end()


@contextmanager
def _part(
    tracer: Tracer, name: str, attributes: Mapping[str, str], *, outward: bool
) -> Iterator[None]:
    from opentelemetry import trace

    # What no request makes, like the look at a match that many watch, would be a trace of its own.
    if not trace.get_current_span().is_recording():
        yield
        return
    kind = trace.SpanKind.CLIENT if outward else trace.SpanKind.INTERNAL
    # An exception's text may hold what this caller alone may know; its name says enough.
    with tracer.start_as_current_span(
        name,
        kind=kind,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except Exception as error:
            span.set_attribute("error.type", type(error).__name__)
            if outward:
                span.set_status(trace.StatusCode.ERROR)
            raise
