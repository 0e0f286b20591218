"""What the engine says of a match's versions, and whether all answers fit to it and to the times
at which they were given.

A match is linearizable in the order of its versions when
- a move that was answered before another one was sent has the lower version,
- each move, made by the engine on the version before it, gives what was told,
- each view shows a version between the highest one that anybody was told before it was asked for,
  and the highest one that could have been made before it was answered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import Any

from engine.replay import BadReplay, Replay
from tests.faults.history import Attempt, Json, MatchHistory, Request, Who

#: What is about the table around a match, and not about the game.
NOT_OF_THE_ENGINE = frozenset(
    {"match_id", "host_seeded", "created_at", "updated_at", "deadline", "last_seq", "events"}
)
Found = Iterator[tuple[str, str]]


@dataclass(slots=True)
class Played:
    """A match as the engine plays it from the record: by version, the view of each and the events.
    `dealt` is the first version with a state; the versions before it are joins."""

    dealt: int = 0
    views: dict[int, dict[Who, Json]] = field(default_factory=dict)
    events: dict[int, dict[Who, list[Json]]] = field(default_factory=dict)


def play(match: MatchHistory) -> Played:
    """Plays the record. Raises BadReplay."""
    assert match.final is not None
    record = match.final.record
    replayed = Replay(record)
    everybody: list[Who] = [None, *range(len(record["seats"]))]
    played = Played(dealt=match.final.view["version"] - len(record["moves"]))
    version = played.dealt
    for step in replayed.steps():
        # The engine has no joins to count: it starts with the deal.
        version = max(version, step.version)
        played.views[version] = {
            who: _of_the_engine({**replayed.match.view(who), "version": version})
            for who in everybody
        }
        played.events[version] = {
            who: [_unnumbered(event) for event in replayed.match.show(step, who)]
            for who in everybody
        }
    return played


def replay(match: MatchHistory) -> Found:
    """The record verifies, and gives the view and the events that are there at the end."""
    final = match.final
    if final is None or not final.record:
        return
    try:
        played = play(match)
    except BadReplay as error:
        yield "replay", str(error)
        return
    last = final.view["version"]
    if played.views.get(last, {}).get(None) != _of_the_engine(final.view):
        yield "replay", f"the view at version {last} is not the engine's"
    for who, events in final.events.items():
        for version, shown in played.events.items():
            told = [_unnumbered(event) for event in events if event["version"] == version]
            # The engine's first step holds the making of the match too.
            if version > played.dealt and told != shown[who]:
                yield "replay", f"version {version} as {who} sees it: {told}, not {shown[who]}"


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that shows a version, and between when and when it came about."""

    what: str
    who: Who
    began: float
    ended: float
    version: int
    view: Json | None = None
    #: The version that it made, if it made one.
    made: int | None = None
    if_match: int | None = None


def told(match: MatchHistory) -> list[Told]:
    """All answers that show a version, in the order in which they came."""
    found = []
    for request in match.requests:
        answer = request.answer
        if answer is None:
            continue
        what, who = request.operation, request.who
        # What changes something may have done so at the first sending; a look is a new one.
        began = request.began if request.acknowledged and request.key else answer.began
        if request.acknowledged and what != "poll":
            body = answer.json()
            view = body.get("view", body)
            made = _made(request, body)
            viewer = body["seat"] if what == "join" else who
            found.append(
                Told(
                    *(what, viewer, began, answer.ended, view["version"]),
                    view=view,
                    made=made,
                    if_match=request.if_match,
                )
            )
        elif answer.status == 200:
            version = _version_of(match, answer.json()["last_seq"])
            found.append(Told(what, who, began, answer.ended, version))
        elif answer.status == 412:
            found.append(Told("412", who, began, answer.ended, answer.json()["version"]))
    return sorted(found, key=lambda told: told.ended)


class Times:
    """Between which versions an answer must lie, by when it was asked for and given."""

    def __init__(self, match: MatchHistory, answers: list[Told]) -> None:
        self._ended = [told.ended for told in answers]
        self._highest = list(accumulate((told.version for told in answers), max))
        assert match.final is not None
        begun = dict.fromkeys(range(match.final.view["version"] + 1), -inf)
        begun |= {told.made: told.began for told in answers if told.made is not None}
        doubtful = [request for request in match.moves() if request.in_doubt]
        acknowledged = {told.made for told in answers}
        for move in match.final.record.get("moves", ()):
            if move["version"] in acknowledged:
                continue
            for request in doubtful:
                if (request.who, request.body) == (move["seat"], move["move"]):
                    begun[move["version"]] = request.began
                    doubtful.remove(request)
                    break
        #: By version: when all up to it had been asked for.
        self._begun = list(accumulate((begun[version] for version in sorted(begun)), max))

    def least(self, began: float) -> int:
        """The highest version that anybody had been told before that time; -1 when none."""
        before = bisect_left(self._ended, began)
        return self._highest[before - 1] if before else -1

    def most(self, ended: float) -> int:
        """The highest version that may have been made before that time."""
        return bisect_left(self._begun, ended) - 1


def order(match: MatchHistory) -> Found:
    """The order of versions is that of what happened, and no view is out of its time."""
    if match.final is None:
        return
    answers = told(match)
    times = Times(match, answers)
    for answer in answers:
        least, most = times.least(answer.began), times.most(answer.ended)
        if answer.made is not None:
            if answer.made <= least:
                yield "order", f"{answer.made} was made after {least} was told: {answer.what}"
            if answer.if_match not in (None, answer.made - 1):
                yield "order", f"{answer.made} was made If-Match {answer.if_match}"
        if answer.version < least:
            yield "stale", f"{answer.what} of {answer.who}: {answer.version}, told was {least}"
        if answer.version > most:
            yield "early", f"{answer.what} of {answer.who}: {answer.version}, begun was {most}"
    for watch in match.watches:
        for part in watch.parts:
            for event, at in zip(part.events, part.times, strict=False):
                if event["version"] > times.most(at):
                    yield "early", f"{watch.who} heard {event} before it was asked for"


def views(match: MatchHistory) -> Found:
    """Each view that was shown, and each refusal, is what the engine says of a version that it may
    be about."""
    final = match.final
    if final is None or not final.record:
        return
    try:
        played = play(match)
    except BadReplay:
        return
    answers = told(match)
    times = Times(match, answers)
    for answer in answers:
        if answer.view is None or answer.version < played.dealt:
            continue
        said = played.views.get(answer.version, {}).get(answer.who)
        if said != _of_the_engine(answer.view):
            yield "state", f"{answer.what} of {answer.who} at {answer.version}: {answer.view}"
    for request in match.moves():
        refusal = request.answer
        if refusal is None or refusal.status != 409:
            continue
        window = range(max(played.dealt, times.least(refusal.began)), times.most(refusal.ended) + 1)
        if not any(_explains(played.views[v][request.who], refusal) for v in window):
            yield "state", f"nothing from {window} explains {refusal.body!r} to {request}"


def _explains(view: Json, refusal: Attempt) -> bool:
    """Whether a seat with this view may be refused so."""
    body = refusal.json()
    kind = body["type"].rpartition("/")[2]
    if kind == "not-your-turn":
        return bool(view["to_act"] == body["to_act"] and view["you"]["seat"] not in body["to_act"])
    if kind == "illegal-move":
        return bool(view["legal_moves"] == body["legal_moves"])
    return bool(kind == "match-finished" and view["status"] == "finished")


def _made(request: Request, answer: Json) -> int | None:
    if request.operation == "move":
        return int(answer["events"][0]["version"])
    if request.operation == "view":
        return None
    return int(answer["view"]["version"])


def _version_of(match: MatchHistory, seq: int) -> int:
    """The version that the event of this number belongs to; of a number that is not there, the one
    after the last."""
    assert match.final is not None
    events = match.final.events[None]
    return int(events[seq - 1]["version"]) if seq <= len(events) else len(events)


def _of_the_engine(view: Json) -> Json:
    return {name: value for name, value in view.items() if name not in NOT_OF_THE_ENGINE}


def _unnumbered(event: Json) -> dict[str, Any]:
    return {name: event[name] for name in event if name not in ("seq", "version")}
