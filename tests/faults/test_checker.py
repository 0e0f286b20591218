"""The checker itself: it passes a true history, and refuses each made-up one that is not true."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from tests.faults.checker import KINDS, check
from tests.faults.history import Attempt, Final, History, MatchHistory, Request
from tests.faults.made_up import Played
from tests.valkey import Server

#: A change of a history, after which it is not true any more.
Lie = Callable[[MatchHistory, Final], object]
NO_ANSWER = Attempt(0.0, 0.0, None)


@pytest.fixture(scope="module")
def truth(valkey_session: Server) -> History:
    """A history that is true."""
    store = RedisStore(valkey_session.url, ttl_seconds=3600)
    try:
        return Played(create_app(Config(rate_limit=None), store=store).test_client()).play()
    finally:
        store.close()


def made(match: MatchHistory, index: int) -> Request:
    """One of the acknowledged moves, by its place among them."""
    return [request for request in match.moves() if request.acknowledged][index]


def views(match: MatchHistory) -> list[Request]:
    """What was looked at, in order."""
    return [request for request in match.requests if request.operation == "view"]


def tell(request: Request, change: Callable[[Any], object], attempt: int = 0) -> None:
    """Lets an answer have said something else."""
    body = request.attempts[attempt].json()
    change(body)
    told = replace(request.attempts[attempt], body=json.dumps(body).encode())
    request.attempts[attempt] = told


def at(request: Request, began: float, ended: float) -> None:
    """Lets a request have been at another time."""
    request.attempts[0] = replace(request.attempts[0], began=began, ended=ended)


def sent_again(match: MatchHistory) -> Request:
    """The move that was sent again once it was answered."""
    return next(request for request in match.moves() if len(request.attempts) > 1)


def refused(match: MatchHistory, status: int) -> Request:
    """A move that was refused so."""
    return next(r for r in match.moves() if r.answer is not None and r.answer.status == status)


def lost_update(match: MatchHistory, final: Final) -> None:
    """Two moves were told the same version; one of them is not there."""
    other = deepcopy(made(match, 4))
    other.body = {"action": "pick_up"}
    match.requests.append(other)


def lost_at_the_end(match: MatchHistory, final: Final) -> None:
    """A power cut took the last move, and another one was made in its place."""
    last = final.record["moves"][-1]
    last["move"] = {"action": "pick_up"}


def told_twice(match: MatchHistory, final: Final) -> None:
    """The same move was acknowledged to two requests."""
    other = deepcopy(made(match, 4))
    other.key = "another"
    match.requests.append(other)


def double_move(match: MatchHistory, final: Final) -> None:
    """There is a move that nobody sent."""
    match.requests.remove(made(match, 6))


def swap(match: MatchHistory, final: Final) -> None:
    """A move was answered before the one of the version before it was sent."""
    first, second = made(match, 2), made(match, 3)
    times = [(r.attempts[0].began, r.attempts[0].ended) for r in (first, second)]
    at(first, *times[1])
    at(second, *times[0])


def stale(match: MatchHistory, final: Final) -> None:
    """A look late in the match shows what a look early in it showed, to the same seat."""
    early = views(match)[3]
    late = next(request for request in reversed(views(match)) if request.who == early.who)
    late.attempts = [replace(late.attempts[0], body=early.attempts[0].body)]


def early(match: MatchHistory, final: Final) -> None:
    """A look shows a move that was sent only after it was answered."""
    late = views(match)[-1]
    sooner = next(request for request in views(match)[5:] if request.who == late.who)
    sooner.attempts = [replace(sooner.attempts[0], body=late.attempts[0].body)]


def made_again(match: MatchHistory, final: Final) -> None:
    """The answer that came again is not told as a replay."""
    again = sent_again(match)
    again.attempts[1] = replace(again.attempts[1], replayed=False)


LIES: dict[str, tuple[str, Lie]] = {
    "a lost update": ("lost", lost_update),
    "the last move was lost": ("lost", lost_at_the_end),
    "a move told to two": ("lost", told_twice),
    "the match is gone": ("lost", lambda m, f: setattr(m, "final", None)),
    "the events of a move were others": (
        "lost",
        lambda m, f: tell(made(m, 2), lambda a: a["events"][0].update(type="steal_declined")),
    ),
    "a double move": ("twice", double_move),
    "a seat was taken twice": ("twice", lambda m, f: m.requests.pop(1)),
    "a seat was taken by somebody else": (
        "lost",
        lambda m, f: m.requests[1].body.update(name="Eve"),  # type: ignore[union-attr]
    ),
    "an event is missing": ("gap", lambda m, f: f.events[None].pop(9)),
    "a version is missing": (
        "gap",
        lambda m, f: [event.update(version=7) for event in f.events[1] if event["version"] == 8],
    ),
    "moves in another order than they were sent": ("order", swap),
    "If-Match was not heeded": ("order", lambda m, f: setattr(made(m, 3), "if_match", 1)),
    "a stale read": ("stale", stale),
    "a stale refusal": ("stale", lambda m, f: at(refused(m, 412), 500.0, 500.5)),
    "a stale page": ("stale", lambda m, f: tell(m.requests[-1], lambda a: a.update(last_seq=9))),
    "a look into the future": ("early", early),
    "an event before its move": (
        "early",
        lambda m, f: m.watches[0].parts[0].times.__setitem__(-1, 3.0),
    ),
    "another hand than the engine says": (
        "state",
        lambda m, f: tell(views(m)[4], lambda a: a["you"]["hand"].pop()),
    ),
    "another result of a move": (
        "state",
        lambda m, f: tell(made(m, 5), lambda a: a["table"].update(deck_count=99)),
    ),
    "refused though it was their turn": (
        "state",
        lambda m, f: tell(refused(m, 409), lambda a: a.update(to_act=[refused(m, 409).who])),
    ),
    "an internal error": (
        "status",
        lambda m, f: made(m, 1).attempts.insert(0, replace(NO_ANSWER, status=500)),
    ),
    "a 503 of another kind": (
        "status",
        lambda m, f: made(m, 1).attempts.insert(0, replace(NO_ANSWER, status=503, body=b"{}")),
    ),
    "a stream refused with an error": (
        "status",
        lambda m, f: setattr(m.watches[0].parts[0], "status", 500),
    ),
    "a stream that is not found": (
        "lost",
        lambda m, f: setattr(m.watches[0].parts[0], "status", 404),
    ),
    "never answered": ("unanswered", lambda m, f: setattr(views(m)[2], "attempts", [NO_ANSWER])),
    "answered differently the second time": (
        "answer",
        lambda m, f: tell(sent_again(m), lambda a: a.update(version=99), attempt=1),
    ),
    "made again instead of told again": ("answer", made_again),
    "a stream with a gap": ("stream", lambda m, f: m.watches[0].parts[1].events.pop(0)),
    "a stream with a repeat": (
        "stream",
        lambda m, f: m.watches[0].parts[1].events.insert(0, m.watches[0].parts[0].events[-1]),
    ),
    "a stream that ended early": ("stream", lambda m, f: m.watches[0].parts[1].events.pop()),
    "a record with another move": (
        "replay",
        lambda m, f: f.record["moves"][3].update(seat=1 - f.record["moves"][3]["seat"]),
    ),
    "a last view of another match": ("replay", lambda m, f: f.view["seats"].reverse()),
    "a client that could not go on": ("client", lambda m, f: m.troubles.append("401")),
}


def test_a_true_history_has_no_problems(truth: History) -> None:
    verdict = check(truth)
    assert not verdict.problems, str(verdict)
    assert verdict.counts["moves"] > 20


@pytest.mark.parametrize("name", LIES)
def test_a_history_that_is_not_true_is_refused(truth: History, name: str) -> None:
    kind, lie = LIES[name]
    history = deepcopy(truth)
    (match,) = history.matches
    assert match.final is not None
    lie(match, match.final)
    assert kind in check(history).kinds()


def test_every_kind_of_problem_is_found_in_some_history() -> None:
    assert {kind for kind, _ in LIES.values()} == set(KINDS)


def test_what_was_in_doubt_may_have_been_made_or_not(truth: History) -> None:
    """A client that gave up: its move was made, though it was never told so, or was not."""
    history = deepcopy(truth)
    (match,) = history.matches
    request = made(match, 6)
    request.attempts = [replace(request.attempts[0], status=None, body=b"")]
    assert check(history).kinds() == {"unanswered"}
    never = deepcopy(request)
    never.body = {"action": "pick_up"}
    match.requests.append(never)
    assert check(history).kinds() == {"unanswered"}


def test_a_move_that_was_refused_after_an_answer_that_got_lost_is_in_doubt() -> None:
    request = Request("move", 0, "key", None, {}, [NO_ANSWER, replace(NO_ANSWER, status=409)])
    assert request.in_doubt
    assert not Request("move", 0, "key", None, {}, [replace(NO_ANSWER, status=409)]).in_doubt
