"""Events: what happened in a match, as a page, a long poll or a stream of either kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response, request, stream_with_context

from api import wire
from api.documents import example, leads_to, problems, takes
from api.links import links
from api.parameters import LAST_EVENT_ID, MATCH_ID_PARAMETER, TOKEN_OR_NONE
from api.schemas import GameSchemas
from api.schemas.queries import EventsQuery
from api.service import Service
from api.throttle import Throttle
from api.watching import Watching
from api.web import Blueprint, View, answer, token
from engine import Game

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"
#: What is answered, in any of the three forms.
PAGE = "A page of events, or a stream of them, as the Accept header asks."
#: Milliseconds after which a browser whose stream ended comes back.
RETRY = 1000
PRIVATE = {"Cache-Control": "private, no-store", "Vary": "Accept, Authorization"}


def add_routes(
    blp: Blueprint,
    game: Game[Any],
    schemas: GameSchemas,
    service: Service,
    watching: Watching,
    throttle: Throttle,
) -> None:
    """Adds a game's events route to its blueprint."""
    slug = game.id.replace("-", "_")

    def stream(media_type: str, name: str) -> Callable[[View], View]:
        """Documents a form of stream, with the recorded example of that name."""
        return blp.alt_response(
            200,
            schema={"type": "string"},
            content_type=media_type,
            description=PAGE,
            examples=example(game, name),
        )

    @blp.route("/matches/<match_id>/events", parameters=[MATCH_ID_PARAMETER], methods=["GET"])
    @blp.arguments(EventsQuery(), location="query")
    @blp.response(200, schemas.events, description=PAGE, examples=example(game, "events"))
    @stream(SSE, "event_stream")
    @stream(NDJSON, "lines")
    @blp.alt_response(204, description="The match is over, and you have all of its events.")
    @problems("unauthorized", "forbidden", "not-found", "validation", "store-unavailable")
    @leads_to(200, links(slug, "view", "more_events", match_id="$request.path.match_id"))
    @takes(LAST_EVENT_ID)
    @blp.doc(operationId=f"list_{slug}_events", security=TOKEN_OR_NONE)
    def list_events(query: dict[str, Any], match_id: str) -> Response:
        """List, await or follow events

        A page of the events after number `after`; with `wait`, an empty page is held back until
        something happens. With `Accept: text/event-stream` the events come as they happen, each
        under its number, so that a reconnect with `Last-Event-ID` goes on without loss or repeat;
        with `Accept: application/x-ndjson` as lines: the whole view first, unless `after` says from
        where to go on. Streams end after the match's last event.
        """
        accepted = request.accept_mimetypes.best_match(["application/json", SSE, NDJSON])
        if accepted == SSE:
            return _event_stream(query, match_id)
        if accepted == NDJSON:
            return _lines(query, match_id)
        end = throttle.stream() if query.get("wait") else None
        try:
            page = watching.page(game, match_id, token(), **{"after": 0, **query})
        finally:
            if end:
                end()
        return answer({"events": page.events, "last_seq": page.last_seq}, headers=PRIVATE)

    def _event_stream(query: dict[str, Any], match_id: str) -> Response:
        table, _ = service.watch(game, match_id, token())
        after = _last_event_id(query.get("after", 0))
        if table.match.status == "finished" and after >= table.match.seq:
            return Response(status=204, headers=PRIVATE)  # tells a browser to stay away

        def frames() -> Iterator[bytes]:
            yield b"retry: %d\n\n" % RETRY
            for events in watching.follow(game, match_id, token(), after=after):
                yield b"".join(map(_frame, events)) or b": still here\n\n"

        return _stream(frames(), SSE, throttle.stream())

    def _lines(query: dict[str, Any], match_id: str) -> Response:
        table, role = service.watch(game, match_id, token())
        after = query.get("after")

        def lines() -> Iterator[bytes]:
            # Something at once, so that the client learns that it is served.
            yield b"\n" if after is not None else wire.encode(table.view(role.seat)) + b"\n"
            start = table.match.seq if after is None else after
            for events in watching.follow(game, match_id, token(), after=start):
                yield b"".join(wire.encode(event) + b"\n" for event in events) or b"\n"

        return _stream(lines(), NDJSON, throttle.stream())


def _stream(chunks: Iterator[bytes], media_type: str, end: Callable[[], None]) -> Response:
    # Proxies must pass each chunk on as it comes.
    headers = {**PRIVATE, "X-Accel-Buffering": "no"}
    response = Response(stream_with_context(chunks), mimetype=media_type, headers=headers)
    response.call_on_close(end)
    return response


def _frame(event: dict[str, Any]) -> bytes:
    kind = event["type"].encode()
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (event["seq"], kind, wire.encode(event))


def _last_event_id(default: int) -> int:
    """Where a reconnecting browser goes on; anything that is no number of ours counts as none."""
    given = request.headers.get("Last-Event-ID", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 16 else default
