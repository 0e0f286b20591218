"""The checker: holds what clients were told in a run against what is there at the end.

    verdict = check(load.stop())
    assert not verdict.problems, str(verdict)

Each kind of problem is a word, so that a test of a store that may lose something can say what it
lost: `verdict.kinds()`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.faults import states
from tests.faults.history import NOT_FOR_GOOD, History, Json, MatchHistory, Request

#: What each kind of problem means.
KINDS = {
    "client": "a client could not go on",
    "status": "an answer that must never be given: a 5xx but 503 store-unavailable",
    "unanswered": "a request was never answered for good",
    "lost": "what was acknowledged is not there at the end, or not as it was told",
    "twice": "more was done than was acknowledged or in doubt",
    "answer": "the same request was answered differently the second time",
    "gap": "versions or numbers of events do not follow each other",
    "stream": "a stream has a gap, a repeat, or other events than the pages",
    "replay": "the record does not verify",
    "order": "the order of versions is not the order of what happened",
    "stale": "a view is older than what was acknowledged before it was asked for",
    "early": "a view shows what nobody had asked for yet",
    "state": "an answer is not what the engine says of its version",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `kind` is one of KINDS."""

    kind: str
    match: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.match}: {self.text}"


@dataclass(slots=True)
class Verdict:
    """All that is wrong with a run, and how much of everything there was."""

    problems: list[Problem] = field(default_factory=list)
    #: `matches`, acknowledged `moves`, `attempts`, those `unanswered` and those `cut` off by the
    #: client, `503`, `replayed` answers, `streams` (connections of watchers) and their `events`.
    counts: Counter[str] = field(default_factory=Counter)

    def kinds(self) -> set[str]:
        """The kinds of problems that there are."""
        return {problem.kind for problem in self.problems}

    def __str__(self) -> str:
        shown = "\n".join(str(problem) for problem in self.problems[:20])
        more = len(self.problems) - 20
        return f"{dict(self.counts)}\n{shown}" + (f"\nand {more} more" if more > 0 else "")


def check(history: History) -> Verdict:
    """Looks at a whole run. Nothing is raised."""
    verdict = Verdict()
    for match in history.matches:
        name = match.path or f"a match of {match.game} without an id"
        for part in CHECKS:
            for kind, text in part(match):
                assert kind in KINDS, kind
                verdict.problems.append(Problem(kind, name, text))
        verdict.counts += _counts(match)
    return verdict


#: A kind of problem, and what is wrong.
Found = Iterator[tuple[str, str]]


def clients(match: MatchHistory) -> Found:
    """Every client came to its end, and found what it must."""
    for trouble in match.troubles:
        yield "client", trouble
    if match.path and match.final is None:
        yield "lost", "the match, or who may see it"
    if match.final is not None and match.final.view["status"] != "finished":
        yield "client", "the match was not played to its end"


def answers(match: MatchHistory) -> Found:
    """No answer is one that must never be given, and a repeated request is answered alike."""
    for request in match.requests:
        for attempt in request.attempts:
            if attempt.status is None or attempt.status < 500:
                continue
            if attempt.status != 503 or b"/problems/store-unavailable" not in attempt.body:
                yield "status", f"{request.operation}: {attempt.status} {attempt.body!r}"
        if request.attempts and request.answer is None:
            yield "unanswered", f"{request.operation} of {request.who}: {request.attempts[-1]}"
        if request.key is None or not request.acknowledged:
            continue
        first, *later = (attempt for attempt in request.attempts if attempt.for_good)
        for attempt in later:
            if (attempt.status, attempt.body) != (first.status, first.body):
                yield "answer", f"{request.operation}: {first}, then {attempt}"
            if not attempt.replayed:
                yield "answer", f"{request.operation}: not told as a replay: {attempt}"


def versions(match: MatchHistory) -> Found:
    """Versions and numbers of events follow each other without gaps, and each version is there."""
    if match.final is None:
        return
    view = match.final.view
    for who, events in match.final.events.items():
        if [event["seq"] for event in events] != list(range(1, view["last_seq"] + 1)):
            yield "gap", f"numbers of events as {who} sees them"
        seen = [event["version"] for event in events]
        if sorted(set(seen)) != list(range(view["version"] + 1)) or sorted(seen) != seen:
            yield "gap", f"versions of events as {who} sees them: {seen}"


def moves(match: MatchHistory) -> Found:
    """Each acknowledged move is in the record, at the version that was told and with the events
    that were told, and nothing else is, but for what is in doubt."""
    if match.final is None:
        return
    record = {move["version"]: move for move in match.final.record.get("moves", ())}
    left = {version for version, move in record.items() if move["seat"] in match.seats}
    doubtful = [request for request in match.moves() if request.in_doubt]
    for request in match.moves():
        if not request.acknowledged:
            continue
        version, told = made_version(request), told_events(request)
        made = record.get(version)
        if made is None or (made["seat"], made["move"]) != (request.who, request.body):
            yield "lost", f"the move of {request.who} at version {version}: {request.body}; {made}"
            continue
        if version not in left:
            yield "lost", f"version {version} was told to two moves"
        left.discard(version)
        kept = _between(match.final.events[request.who], told)
        if kept != told:
            yield "lost", f"the events that were told with version {version}: {told}, now {kept}"
    for version in sorted(left):
        made = record[version]
        possible = next(
            (r for r in doubtful if (r.who, r.body) == (made["seat"], made["move"])), None
        )
        if possible is None:
            yield "twice", f"version {version} is nobody's: {made}"
        else:
            doubtful.remove(possible)


def seating(match: MatchHistory) -> Found:
    """The match was made once, and each seat was taken once, by whom it was told to."""
    if match.final is None:
        return
    joined = [event for event in match.final.events[None] if event["type"] == "seat_joined"]
    told = [r for r in match.requests if r.operation == "join" and r.acknowledged]
    if len(joined) != len(told):
        yield "twice" if len(joined) > len(told) else "lost", f"joins: {joined}"
    for event, request in zip(joined, told, strict=False):
        assert request.body is not None
        if (event["seat"], event["name"]) != (request.body["seat"], request.body["name"]):
            yield "lost", f"the join {request.body}: {event}"


def streams(match: MatchHistory) -> Found:
    """All connections of a watcher together had every event once, in order, as pages have it."""
    if match.final is None:
        return
    for watch in match.watches:
        heard: list[Json] = []
        for part in watch.parts:
            if part.status in (401, 403, 404):
                yield "lost", f"the match, or who may see it, to {watch.who}: {part.status}"
            elif part.status not in (None, 200, 204, 503):
                yield "status", f"a stream of {watch.who}: {part.status}"
            if part.events and part.events[0]["seq"] != part.after + 1:
                yield "stream", f"after {part.after} came {part.events[0]['seq']} to {watch.who}"
            heard += part.events
        if heard != match.final.events[watch.who][: len(heard)]:
            yield "stream", f"{watch.who} heard something else than the pages have"
        elif len(heard) != match.final.view["last_seq"] and not match.troubles:
            yield "stream", f"{watch.who} heard {len(heard)} of {match.final.view['last_seq']}"


def made_version(request: Request) -> int:
    """The version that an acknowledged move made: that of its first event."""
    return int(told_events(request)[0]["version"])


def told_events(request: Request) -> list[Json]:
    """The events that came with the answer to an acknowledged move."""
    assert request.answer is not None
    told: list[Json] = request.answer.json()["events"]
    return told


def _between(events: list[Json], told: list[Json]) -> list[Json]:
    return [e for e in events if told[0]["seq"] <= e["seq"] <= told[-1]["seq"]]


def _counts(match: MatchHistory) -> Counter[str]:
    counts: Counter[str] = Counter()
    counts["matches"] = match.final is not None
    for request in match.requests:
        counts["moves"] += request.operation == "move" and request.acknowledged
        for attempt in request.attempts:
            counts["attempts"] += 1
            counts["replayed"] += attempt.replayed
            counts["cut"] += attempt.cut
            counts["unanswered"] += attempt.status is None and not attempt.cut
            if attempt.status in NOT_FOR_GOOD:
                counts[str(attempt.status)] += 1
    for watch in match.watches:
        counts["streams"] += len(watch.parts)
        counts["events"] += sum(len(part.events) for part in watch.parts)
    return counts


#: Every check, in the order of what it takes for granted.
CHECKS: tuple[Callable[[MatchHistory], Found], ...] = (
    clients,
    answers,
    versions,
    seating,
    moves,
    streams,
    states.replay,
    states.order,
    states.views,
)
