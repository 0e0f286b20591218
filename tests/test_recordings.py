"""The recorded matches of docs/conformance: what the service answers today, true to the contract,
whole, without a secret where none should be; and their page's program runs on them."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from api.schemas import PARTS
from engine import GAMES
from engine.replay import Replay
from scripts.recordings import FOLDER, recorded
from tests.conformance import Contract
from tests.contract.conftest import contract_document
from tests.markdown import blocks, page
from tests.services import ROOT

HERE = ROOT / FOLDER
FILES = sorted(path.name for path in HERE.glob("*.json"))
BARE = ".without-secrets.json"
TITLES = {game: parts.title for game, parts in PARTS.items()}
#: Of each refusal that a client can bring about, the last part of its type.
REFUSALS = {
    *("malformed-request", "unauthorized", "forbidden", "not-found", "not-your-turn"),
    *("illegal-move", "match-waiting", "match-finished", "match-not-finished", "seat-taken"),
    *("match-full", "version-mismatch", "validation"),
}

every_game = pytest.mark.parametrize("game", GAMES)


@cache
def read(name: str) -> dict[str, Any]:
    """A recording."""
    found: dict[str, Any] = json.loads((HERE / name).read_text("utf-8"))
    return found


def moves(recording: dict[str, Any]) -> list[dict[str, Any]]:
    """The bodies of the moves that were made."""
    return [
        step["request"]["body"]
        for step in recording["steps"]
        if step["request"]["path"].endswith("/moves") and step["answer"]["status"] == 200
    ]


def test_they_are_what_the_service_answers_today() -> None:
    today = recorded()
    assert sorted(today) == FILES
    for name, text in today.items():
        renew = f"{name}: renew it with: python -m scripts.recordings"
        assert (HERE / name).read_text("utf-8") == text, renew


@pytest.fixture(scope="module")
def contract() -> Contract:
    """The committed contract."""
    return Contract(contract_document())


#: Views and events that were found to be as the contract says, so that none is looked at twice.
TRUE: set[tuple[str, str]] = set()


@pytest.mark.parametrize("name", FILES)
def test_every_answer_and_all_that_is_seen_is_as_the_contract_says(
    contract: Contract, name: str
) -> None:
    recording = read(name)
    title = TITLES[recording["game"]]
    for step in recording["steps"]:
        request, answer = step["request"], step["answer"]
        path = request["path"].partition("?")[0]
        body = b"" if answer["body"] is None else json.dumps(answer["body"]).encode()
        media_type = answer["headers"].get("Content-Type", "")
        contract.check(request["method"], path, answer["status"], media_type, body)
        for seen in step["seen"].values():
            parts = [(f"{title}View", seen["view"])]
            parts += [(f"{title}Event", event) for event in seen["events"]]
            for component, value in parts:
                key = (component, json.dumps(value))
                if key not in TRUE:
                    contract.check_component(component, value)
                    TRUE.add(key)
    assert contract.seen


@every_game
def test_a_whole_match_has_every_action_event_and_usual_refusal(game: str) -> None:
    recording = read(f"{game}-whole.json")
    assert {body["action"] for body in moves(recording)} == PARTS[game].moves.keys()
    seen = [step["seen"]["spectator"] for step in recording["steps"] if step["seen"]]
    types = {event["type"] for told in seen for event in told["events"]}
    schemas = contract_document()["components"]["schemas"]
    assert types == set(schemas[f"{TITLES[game]}Event"]["discriminator"]["mapping"])
    refused = {
        step["answer"]["body"]["type"].rpartition("/")[2]
        for step in recording["steps"]
        if step["answer"]["status"] >= 400
    }
    assert refused == REFUSALS
    statuses = {step["answer"]["status"] for step in recording["steps"]}
    assert statuses >= {200, 201, 204, 304}
    assert seen[0]["view"]["status"] == "waiting"
    assert seen[-1]["view"]["status"] == "finished"


@every_game
def test_a_small_match_is_played_by_two_to_its_end(game: str) -> None:
    recording = read(f"{game}-small.json")
    last = [step["seen"] for step in recording["steps"] if step["seen"]][-1]
    assert last.keys() == {"spectator", "seat 0", "seat 1"}
    for seen in last.values():
        assert seen["view"]["status"] == "finished"
        assert seen["view"]["result"]["reason"] != "turn_limit"
    assert len(moves(recording)) == last["spectator"]["view"]["version"]


@pytest.mark.parametrize("name", FILES)
def test_events_are_numbered_without_gaps_and_each_watcher_sees_their_own_view(name: str) -> None:
    last: dict[str, int] = {}
    for step in read(name)["steps"]:
        for watcher, seen in step["seen"].items():
            numbers = [event["seq"] for event in seen["events"]]
            assert numbers == list(range(last.get(watcher, 0) + 1, numbers[-1] + 1))
            last[watcher] = numbers[-1]
            assert seen["view"]["last_seq"] == numbers[-1]
            you = seen["view"]["you"]
            assert watcher == ("spectator" if you is None else f"seat {you['seat']}")


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(BARE)])
def test_the_other_file_has_labels_and_not_one_secret(name: str) -> None:
    bare = (HERE / name.replace(".json", BARE)).read_text("utf-8")
    secrets = read(name)["secrets"]
    kinds = {label.strip("<>").split(" ")[0] for label in secrets}
    assert kinds >= {"token", "key", "seed"}
    for label, secret in secrets.items():
        assert secret not in bare
        assert label in bare
    filled = bare.replace('"secrets": null', '"secrets": ' + json.dumps(secrets), 1)
    for label in sorted(secrets, key=len, reverse=True):
        filled = filled.replace(label, secrets[label])
    assert json.loads(filled)["steps"] == read(name)["steps"]
    for step in json.loads(bare)["steps"]:
        authorization = step["request"]["headers"].get("Authorization", "Bearer <token>")
        assert authorization.startswith("Bearer <token")


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(BARE)])
def test_the_replay_with_its_secrets_is_confirmed(name: str) -> None:
    (record,) = (
        step["answer"]["body"]
        for step in read(name)["steps"]
        if step["request"]["path"].endswith("/replay") and step["answer"]["status"] == 200
    )
    assert sum(1 for _ in Replay(record).steps()) == len(record["moves"]) + 1


def test_they_are_not_too_large() -> None:
    assert sum((HERE / name).stat().st_size for name in FILES) < 3_000_000


# Their page


def test_the_page_leads_to_every_file() -> None:
    text = page(f"{FOLDER}/index.md")
    assert all(f"[{name}]({name})" in text for name in FILES)


def test_the_program_on_the_page_prints_what_is_shown(tmp_path: Path) -> None:
    (program,) = blocks(page(f"{FOLDER}/index.md"), "python")
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program.code],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == (program.output, "")


@pytest.mark.parametrize(
    ("old", "new"), [('"count":1,', '"count":2,'), ('"action":"play"', '"action":"flip"')]
)
def test_the_program_would_find_what_does_not_hold(tmp_path: Path, old: str, new: str) -> None:
    (program,) = blocks(page(f"{FOLDER}/index.md"), "python")
    lines = (HERE / "even-steven-small.json").read_text("utf-8").split("\n")
    asked = [line.replace(old, new) if '"request"' in line else line for line in lines]
    told = [line.replace(old, new) if '"action"' not in old else line for line in asked]
    (tmp_path / "faulty.json").write_text("\n".join(told), "utf-8")
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program.code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr or "KeyError" in ran.stderr
