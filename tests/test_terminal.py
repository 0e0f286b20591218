"""examples/terminal.py as a person uses it: whole matches of every game, alone and together."""

from __future__ import annotations

import io
import json
import random
import re
import signal
import socket
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests

from api.schemas import PARTS
from engine import GAMES
from tests.engine.positions import ck
from tests.engine.steps import do
from tests.services import ROOT, Service, eventually
from tests.terminals import Terminal

CLIENT = "examples/terminal.py"
#: A match ends by itself after so many moves at the latest.
LIMIT = 50
NAME = "Zoë ♠"
#: Questions up to the first move: name, way, game, bots, their kind, an option, its value, no more.
SET_UP = 8
#: Events that no sentence is made of: the table shows them.
UNTOLD = {"match_created", "turn", "match_finished"}
ID = re.compile(r"Table ([a-z2-7]{16})\.")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all that is played here."""
    # With the limits that people have.
    with Service(tmp_path_factory.mktemp("service"), CROUPIER_RATE_LIMIT=None) as service:
        yield service.ready()


class Person:
    """Answers the client's questions, moves at random. `answers` are by a question's first words;
    where there are several, the last one goes on."""

    def __init__(
        self, terminal: Terminal, game: str, answers: Mapping[str, list[str]] | None = None
    ) -> None:
        self.terminal = terminal
        limit = [option.name for option in GAMES[game].options].index("turn_limit") + 1
        self.answers = {
            "What is your name": [NAME],
            "What would you like": ["1"],
            "Which game": [str(list(GAMES).index(game) + 1)],
            "How many bots": ["2"],
            "Which kind of bot": ["2"],
            "Change an option": [str(limit), ""],
            "How many?": [str(LIMIT)],
            "Which colour": ["1"],
            "Against whom": ["1"],
            "And now": ["q"],
            **(answers or {}),
        }
        self.random = random.Random(game)

    def play(self, questions: int = 10_000) -> None:
        """Answers so many questions, or all to the end."""
        for _ in range(questions):
            shown = self.terminal.question()
            if not shown:
                return
            self.terminal.type(self.answer(shown))

    def answer(self, shown: str) -> str:
        """The answer to the question at the end of what is shown."""
        asked = shown.splitlines()[-1]
        if asked.startswith("Your move"):
            choices = re.findall(r"(?:^|  )(\d+) [A-Z]", shown, re.MULTILINE)
            assert choices, shown
            return self.random.choice(choices)
        (answers,) = (given for words, given in self.answers.items() if asked.startswith(words))
        return answers.pop(0) if len(answers) > 1 else answers[0]


def view(service: Service, game: str, match_id: str) -> dict[str, Any]:
    """A match as a spectator sees it."""
    address = f"{service.url}/v1/games/{game}/matches/{match_id}"
    with urllib.request.urlopen(address) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def last_line(view: dict[str, Any]) -> str:
    """What the client says at the end of a match."""
    assert view["status"] == "finished"
    winners = " and ".join(view["seats"][seat]["name"] for seat in view["result"]["winners"])
    reason = view["result"]["reason"].replace("_", " ")
    return f"{winners} won after {view['version']} moves: {reason}."


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_whole_match_against_bots(service: Service, game: str) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        Person(terminal, game).play()
        assert terminal.status() == 0
        text = terminal.text
    assert "Traceback" not in text
    (match_id,) = ID.findall(text)
    end = view(service, game, match_id)
    assert end["options"]["turn_limit"] == LIMIT
    assert [seat["name"] for seat in end["seats"]] == [NAME, "Player 2", "Player 3"]
    assert last_line(end) in text
    for who, verb in (("You", "(play|burn|draw|pick)"), ("Player [23]", "(play|burn|draw|pick)s")):
        assert re.search(f"^  {who} {verb} ", text, re.MULTILINE)
    assert text.endswith("Goodbye.\n")


def test_rules_reasons_and_wrong_answers_cost_no_move(service: Service) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        Person(terminal, "card-keeper").play(SET_UP)
        assert terminal.question().endswith("Your move? > ")
        (match_id,) = ID.findall(terminal.text)
        before = view(service, "card-keeper", match_id)
        for typed, shown in (
            ("?", "The last player still holding cards wins."),
            ("w", "A coloured card must be"),
            ("99", "Type a number from 1 to"),
            ("", "Type a number from 1 to"),
        ):
            terminal.type(typed)
            assert shown in terminal.question()
        assert view(service, "card-keeper", match_id) == before


@pytest.mark.parametrize("given", ["typed", "from the environment"])
def test_a_person_goes_and_comes_back(
    service: Service, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        Person(terminal, "seven-twos-tens").play(SET_UP)
        terminal.question()
        terminal.type("q")
        assert terminal.status() == 0
        (match_id,) = ID.findall(terminal.text)
        way_back = terminal.text.partition("Come back with:")[2]
    command, token = re.findall(
        r"\s+(.+?)\s+and give it the token of your seat:\s+(\S+)\s", way_back, re.DOTALL
    )[0]
    arguments = command.replace("\n", "").partition(f"{CLIENT} ")[2].split(" ")
    assert arguments == ["--url", service.url, "--match", match_id], "a token is there for all"
    if given == "from the environment":
        monkeypatch.setenv("CROUPIER_TOKEN", token)
    with Terminal(CLIENT, *arguments) as terminal:
        person = Person(terminal, "seven-twos-tens", {"Your seat's token": [token]})
        if given == "typed":
            eventually(lambda: not terminal.echoes)
            person.play(1)
        person.play()
        assert terminal.status() == 0
        assert last_line(view(service, "seven-twos-tens", match_id)) in terminal.text
        assert token not in terminal.text


def test_whoever_is_left_by_the_service_is_told_the_way_back(tmp_path: Path) -> None:
    with Service(tmp_path) as service, Terminal(CLIENT, "--url", service.ready().url) as terminal:
        Person(terminal, "even-steven").play(SET_UP)
        terminal.question()
        service.send(signal.SIGTERM)
        assert service.ended() == 0
        terminal.type("1")
        assert terminal.status() == 1
        (match_id,) = ID.findall(terminal.text)
        left = "".join(terminal.text.partition("Come back with:")[2].split("\n"))
    assert f"--match {match_id}" in left
    assert re.search(r"token of your seat:[A-Za-z0-9_-]{43}No service answers at", left)


def test_who_breaks_off_while_others_are_awaited_is_told_the_way_back(service: Service) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        answers = {"What would you like": ["2"], "How many other": ["1"]}
        Person(terminal, "even-steven", answers).play(SET_UP - 1)
        terminal.until(lambda text: "when the last seat is taken." in text)
        terminal.interrupt()
        assert terminal.status() == 0
        text = terminal.text
    assert "Traceback" not in text
    (match_id,) = ID.findall(text)
    left = text.partition("Come back with:")[2].replace("\n", "")
    assert re.search(f"--match {match_id}and .*your seat:[A-Za-z0-9_-]{{43}}Goodbye", left)


def test_a_name_that_is_refused_can_be_mended(service: Service) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        answers = {"What is your name": ["x" * 41, NAME], "What would you like": ["1", "q"]}
        Person(terminal, "even-steven", answers).play()
        assert terminal.status() == 0
        assert terminal.text.count("What is your name?") == 2
        assert "name: Length must be between 1 and 40." in terminal.text


def test_two_people_meet_and_meet_again_and_a_third_watches(service: Service) -> None:
    client = (CLIENT, "--url", service.url)
    with Terminal(*client) as first, Terminal(*client) as second, Terminal(*client) as third:
        host = Person(
            first,
            "even-steven",
            {"What would you like": ["2"], "How many other": ["1"], "And now": ["1", "q"]},
        )
        host.play(SET_UP - 1)
        first.until(lambda text: bool(ID.search(text)))
        (match_id,) = ID.findall(first.text)
        guest = Person(
            second,
            "even-steven",
            {
                "What is your name": ["Ben"],
                "What would you like": ["3"],
                "The table's id": [match_id],
                "And now": ["1", "q"],
            },
        )
        watcher = Person(
            third,
            "even-steven",
            {"What would you like": ["4", "q"], "The table's id": [match_id]},
        )
        watcher.play(3)
        third.until(lambda text: bool(ID.search(text)))
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(Person.play, (host, guest, watcher)))
        texts = [terminal.text for terminal in (first, second, third)]
        assert [terminal.status() for terminal in (first, second, third)] == [0, 0, 0]
    ids = [ID.findall(text) for text in texts]
    assert ids[0] == ids[1] == [match_id, ids[0][1]]
    assert ids[2] == [match_id]
    for text, told in zip(texts, ids, strict=True):
        for number in told:
            assert last_line(view(service, "even-steven", number)) in text
    assert "Ben sits down." in texts[0]
    assert "Ben plays" in texts[2]
    assert f"{NAME} plays" in texts[2]


def test_it_says_what_it_does_not_find(service: Service) -> None:
    with Terminal(CLIENT, "--url", service.url) as terminal:
        answers = {"What would you like": ["3", "q"], "The table's id": ["nonsense"]}
        Person(terminal, "even-steven", answers).play()
        assert terminal.status() == 0
        assert "There is no such table." in terminal.text


def test_it_says_when_no_service_is_running() -> None:
    with socket.socket() as taken:  # bound but not listening, so nobody else can answer
        taken.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Terminal(CLIENT, "--url", nowhere) as terminal:
            assert terminal.status() == 1
            assert terminal.text == (f"No service answers at {nowhere}. Start one with: make run\n")


@pytest.mark.parametrize("content", [b"<p>", b"[]", b"{}"])
def test_something_else_that_answers_is_no_service(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from parlour import service as parlour

    def answered(*_: Any, **__: Any) -> requests.Response:
        answer = requests.Response()
        answer.status_code, answer.raw = 200, io.BytesIO(content)
        return answer

    monkeypatch.setattr(requests.Session, "request", answered)
    monkeypatch.setattr(parlour, "PAUSE", 0)
    with pytest.raises(parlour.Away, match="http://localhost:8000"):
        parlour.Service("localhost:8000").games()


def test_who_still_owed_a_move_at_the_end_is_asked_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from rich.console import Console
    from terminal import Parlour

    table = ck(
        "0: chaos; 1: blue-1 blue-2; 2: green-1 green-2; discard red-9; moves 48", turn_limit=50
    )
    do(table, "play chaos", "1: burn blue-1")

    class Served:
        """What the client asks of a match, of the engine's own."""

        match_id = "table"

        def __init__(self) -> None:
            self.game = {"title": "Card Keeper"}

        def view(self) -> dict[str, Any]:
            return table.view(2)

        def events(self, _: int) -> list[dict[str, Any]]:
            return [event for step in table.log for event in table.show(step, 2)]

        def rematch(self) -> None:
            return None

    asked: list[str] = []
    shown = Console(file=io.StringIO(), width=110)
    monkeypatch.setattr(shown, "input", lambda question, **_: asked.append(question) or "1")
    Parlour(shown, SimpleNamespace(games=list)).play(Served())
    assert ["And now?" in question for question in asked] == [True]


def test_every_event_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from parlour.sentences import SAYINGS

    shared = {"seat_joined", "seat_left", "move_overdue"}
    own = set().union(*(parts.events for parts in PARTS.values()))
    assert set(SAYINGS) == shared | (own - UNTOLD)


@pytest.mark.parametrize("trouble", ["no answer", "no JSON", "a proxy's", "store away"])
def test_a_request_is_sent_again_before_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from parlour import service as parlour

    keys: list[str] = []

    def answered(*_: Any, headers: Mapping[str, str], **__: Any) -> requests.Response:
        keys.append(headers["Idempotency-Key"])
        if trouble == "no answer":
            raise requests.ReadTimeout
        answer = requests.Response()
        answer.status_code = 200 if trouble == "no JSON" else 503
        kind = "application/problem+json" if trouble == "store away" else "text/html"
        answer.headers["Content-Type"], answer.raw = kind, io.BytesIO(b"<html>")
        return answer

    monkeypatch.setattr(requests.Session, "request", answered)
    monkeypatch.setattr(parlour, "PAUSE", 0)
    with pytest.raises(parlour.Away):
        parlour.Service("http://nowhere").call("POST", "/")
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_table_is_taken_for_found_only_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from parlour.service import Refused, Service

    games = [{"links": {"matches": f"/{name}"}} for name in ("first", "second")]
    found = Service("http://nowhere")

    def answering(*statuses: int) -> None:
        left = list(statuses)

        def call(*_: Any) -> None:
            if (status := left.pop(0)) != 200:
                raise Refused({"status": status, "title": "No", "detail": "Not so."})

        monkeypatch.setattr(found, "call", call)

    for statuses, game in (((404, 403), games[1]), ((200,), games[0]), ((404, 404), None)):
        answering(*statuses)
        assert found.find("id", games) == game
    answering(429)
    with pytest.raises(Refused):
        found.find("id", games)


def test_nothing_that_strangers_write_moves_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    from parlour.service import Match, Refused, Service

    bad = "\x1b]0;mine\x07\x9b2J\u202eAda\u2066"
    told: list[tuple[str, bytes]] = []

    def answered(*_: Any, **__: Any) -> requests.Response:
        answer = requests.Response()
        answer.status_code, (kind, content) = 200, told.pop(0)
        answer.headers["Content-Type"], answer.raw = kind, io.BytesIO(content)
        return answer

    monkeypatch.setattr(requests.Session, "request", answered)
    service = Service("http://nowhere")
    inner = {"seats": [{"name": bad, bad: 1}], "rules": "One\n\ttwo ♠"}
    told.append(("application/json", json.dumps(inner).encode()))
    seat = service.call("GET", "/")["seats"][0]
    assert seat["name"] == "\ufffd]0;mine\ufffd\ufffd2J\ufffdAda\ufffd"
    problem = {"title": bad, "detail": bad, "errors": {bad: [bad]}, "status": 422}
    told.append(("application/problem+json", json.dumps(problem).encode()))
    with pytest.raises(Refused) as refused:
        service.call("GET", "/")
    told.append(("application/json", json.dumps(inner).encode()))
    rules = service.call("GET", "/")["rules"]
    line = json.dumps({"seq": 1, "type": "match_finished", "name": bad}).encode()
    told.append(("application/x-ndjson", line + b"\n"))
    game = {"links": {"matches": "/"}}
    (event,) = Match(service, game, "id").events(0)
    assert rules == "One\n\ttwo ♠"
    for text in (*seat, event["name"], str(refused.value)):
        assert text.replace("\n", "").isprintable(), ascii(text)
