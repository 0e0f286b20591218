"""The contract's recorded examples: what the service answers, true to their schemas, in place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.documents import EXAMPLES
from engine import GAMES
from engine.__main__ import main
from scripts import examples as examples_script
from tests.api.test_contract import TITLES, operations
from tests.conformance import Contract, Validators
from tests.streams import NDJSON, SSE, Received


def test_the_recorded_examples_are_what_the_service_answers_now() -> None:
    assert EXAMPLES.read_text("utf-8") == examples_script.written(examples_script.recorded()), (
        "renew them with: python -m scripts.examples"
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_recorded_example_is_true_to_its_schema(validator: Validators, game: str) -> None:
    recorded = json.loads(EXAMPLES.read_text("utf-8"))[game]
    kinds = {"create": "Create", "created": "Created", "view": "View", "move": "Move"}
    kinds |= {"moved": "Moved", "events": "Events", "listed": "List", "joined": "Joined"}
    kinds |= {"create_waiting": "Create", "rematched": "Rematched", "replay": "Replay"}
    schemas = {name: f"{TITLES[game]}{kind}" for name, kind in kinds.items()}
    schemas["renewed"] = "Renewed"
    assert recorded.keys() == schemas.keys() | {"join", "event_stream", "lines"}
    for name, kind in schemas.items():
        schema = validator(f"/components/schemas/{kind}")
        assert list(schema.iter_errors(recorded[name])) == [], name
        changed = {**recorded[name], "surprise": 1}
        assert not schema.is_valid(changed), f"{name} takes any member"


@pytest.mark.parametrize("game", GAMES)
def test_the_recorded_replay_is_short_and_confirmed(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = json.loads(EXAMPLES.read_text("utf-8"))[game]["replay"]
    assert replay["game"] == game
    assert len(replay["moves"]) < 30
    place = tmp_path / "replay.json"
    place.write_text(json.dumps(replay), "utf-8")
    assert main(["verify", str(place)]) == 0
    assert capsys.readouterr().out.startswith("confirmed: ")


@pytest.mark.parametrize("game", GAMES)
def test_the_recorded_streams_tell_the_end_of_the_recorded_match(
    validator: Validators, game: str
) -> None:
    recorded = json.loads(EXAMPLES.read_text("utf-8"))[game]
    frames, lines = Received(SSE), Received(NDJSON)
    frames.feed(recorded["event_stream"].encode())
    lines.feed(recorded["lines"].encode())
    assert frames.sent == lines.sent
    (first,) = lines.others
    view = json.loads(first)
    assert validator(f"/components/schemas/{TITLES[game]}View").is_valid(view)
    assert view["match_id"] == recorded["replay"]["match_id"] == recorded["renewed"]["match_id"]
    event_schema = validator(f"/components/schemas/{TITLES[game]}Event")
    assert all(event_schema.is_valid(event) for event in frames.events)
    numbers = [event["seq"] for event in frames.events]
    assert numbers == list(range(view["last_seq"] + 1, view["last_seq"] + 1 + len(numbers)))
    last = frames.events[-1]
    assert (last["type"], last["result"]) == ("match_finished", recorded["replay"]["result"])
    assert last["version"] == recorded["replay"]["moves"][-1]["version"]
    assert recorded["rematched"]["match_id"] != view["match_id"]


def test_the_shared_examples_are_true_to_their_schemas(validator: Validators) -> None:
    shared = json.loads(EXAMPLES.read_text("utf-8"))["shared"]
    for name, kind in {"home": "Home", "catalogue": "Catalogue"}.items():
        assert list(validator(f"/components/schemas/{kind}").iter_errors(shared[name])) == []


def test_examples_stand_with_the_operations_they_are_of(contract: Contract) -> None:
    for game in GAMES:
        create = contract.document["paths"][f"/v1/games/{game}/matches"]["post"]
        content = create["requestBody"]["content"]["application/json"]
        assert content["examples"]["recorded"]["value"]["seed"] == "demo"
        assert {"open": True} in content["examples"]["create_waiting"]["value"]["seats"]
        answer = create["responses"]["201"]["content"]["application/json"]
        assert answer["examples"]["recorded"]["value"]["view"]["game"] == game


def test_every_answer_of_a_match_has_an_example(contract: Contract) -> None:
    for method, path, operation in operations(contract):
        for status, response in operation["responses"].items():
            if "/matches" in path and status < "300":
                for media_type, content in response.get("content", {}).items():
                    assert content["examples"]["recorded"]["value"], (method, path, media_type)
