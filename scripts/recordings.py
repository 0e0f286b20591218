"""Records docs/conformance/*.json, matches for client authors: `python -m scripts.recordings`.

Of each game a small one, played to its end by two, and a whole one: with every kind of move and of
event, seats that change hands, and everything that a client is refused.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.recorder import ADA, HOST, NOBODY, Json, Recorder, world
from scripts.whole_match import whole

FOLDER = Path("docs/conformance")
FORMAT = 1
#: By game: the options and the seed of the small match. Its seed is one that ends it soon.
SMALL: dict[str, Json] = {
    "even-steven": {"options": {}, "seed": "a small match 10"},
    "card-keeper": {"options": {}, "seed": "a small match 1"},
    "seven-twos-tens": {"options": {}, "seed": "a small match 1974"},
}


def recorded() -> dict[str, str]:
    """All recordings by the names of their files."""
    made: dict[str, str] = {}
    with world() as there:
        for game in SMALL:
            for name, play in (("small", small), ("whole", whole)):
                there.begin(f"{game} {name}")
                recorder = Recorder(there, game)
                play(recorder)
                made |= written(f"{game}-{name}", recorder)
    return made


def small(recorder: Recorder) -> None:
    """Two players from the first card to the last."""
    story = SMALL[recorder.game]
    request = {
        "seats": [{"name": "Ada"}, {"name": "Ben"}],
        "seed": recorder.keep("seed", story["seed"]),
        "options": story["options"],
    }
    recorder.ask(
        "A match for two", NOBODY, "POST", recorder.matches, request, key="key 1", expect=201
    )
    rng = random.Random(story["seed"])
    while to_act := recorder.look(NOBODY)["to_act"]:
        who = f"seat {to_act[0]}"
        recorder.move(who, rng.choice(recorder.look(who)["legal_moves"]))
    recorder.ask("The replay", NOBODY, "GET", "/replay")
    recorder.ask("Ada wants to play again", ADA, "POST", "/rematch")
    recorder.ask("The host removes the match", HOST, "DELETE", expect=204)


def written(name: str, recorder: Recorder) -> dict[str, str]:
    """The two files of a recording, with its secrets and without."""
    head = {"format": FORMAT, "game": recorder.game, "secrets": recorder.secrets}
    whole_text = _text(head, recorder.steps)
    bare = _text({**head, "secrets": None}, recorder.steps)
    for label, secret in recorder.secrets.items():
        assert secret in bare, f"{name}: {label} is in no request or answer"
        bare = bare.replace(secret, label)
    return {f"{name}.json": whole_text, f"{name}.without-secrets.json": bare}


def _text(head: Mapping[str, Any], steps: list[Json]) -> str:
    """A recording's text, a line for each request, for each answer and for what each one sees."""
    lines = [f"{_line(name)}: {_line(value)}," for name, value in head.items()]
    lines.append('"steps": [')
    for step in steps:
        parts = [f"{_line(name)}: {_line(step[name])}" for name in ("title", "who")]
        parts += [f"{_line(name)}: {_line(step[name])}" for name in ("request", "answer")]
        seen = [f"{_line(who)}: {_line(what)}" for who, what in step.get("seen", {}).items()]
        parts.append('"seen": {\n' + ",\n".join(seen) + "}" if seen else '"seen": {}')
        lines.append("{" + ",\n".join(parts) + ("}" if step is steps[-1] else "},"))
    return "{\n" + "\n".join(lines) + "\n]\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for file, text in recorded().items():
        (FOLDER / file).write_text(text, "utf-8")
