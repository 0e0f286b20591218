"""Makes the Postman collection under examples/ from the contract: `python -m scripts.contract`.

A folder for each tag. In a game's folder the requests stand in the order in which a match takes
them, and each carries on with what the ones before were answered: a script of the collection keeps
ids, tokens and moves in its variables. Statuses, examples and words are the contract's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COLLECTION = Path("examples/croupier.postman_collection.json")
SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
BASE_URL = "http://127.0.0.1:8000"
HELP = """\
Made from openapi.yaml: make openapi

Set the variable `base_url` to where the service is. Send a game's requests from top to bottom, or
run its whole folder: they take a match from its creation over a join, a move and its end to a
rematch. The match's id, its tokens, the next legal move and the last `ETag` are kept in variables
named after the game, such as `even_steven_match_id`; look at them under the collection's variables.
Switched-off headers and parameters are optional.
"""
#: Runs after every answer.
KEEP = """\
// Keeps what the next requests need, under the game's name.
const game = (/^\\/v1\\/games\\/([^/]+)\\/matches/.exec(pm.request.url.getPath()) || [])[1];
if (game && pm.response.code < 300 && pm.response.text().startsWith("{")) {
  const slug = game.replace(/-/g, "_");
  const get = (name) => pm.collectionVariables.get(`${slug}_${name}`);
  const set = (name, value) => pm.collectionVariables.set(`${slug}_${name}`, value);
  const body = pm.response.json();
  if (body.match_id) set("match_id", body.match_id);
  if (body.host_token) set("host_token", body.host_token);
  for (const place of body.host_token ? body.seats : [body]) {
    if (place.token) set(place.seat === null ? "host_token" : `token_${place.seat}`, place.token);
  }
  const view = body.view || body;
  if (view.to_act && view.to_act.length) set("token", get(`token_${view.to_act[0]}`));
  if (view.legal_moves && view.legal_moves.length) set("move", JSON.stringify(view.legal_moves[0]));
  if (pm.response.headers.has("ETag")) set("etag", pm.response.headers.get("ETag"));
}
"""


@dataclass(frozen=True, kw_only=True)
class Step:
    """A request in a game's folder: the operation's id with the game's slug left open, what its
    title adds, the variable with the token of who asks (None: nobody), the seat it is about, the
    example it sends, and the optional parameters that are switched on."""

    operation: str
    title: str = ""
    who: str | None = None
    seat: int = 0
    example: str = "recorded"
    sends: Mapping[str, str] = field(default_factory=dict)


#: A match's life, from top to bottom.
LIFE = (
    Step(operation="create_{}_match", example="create_waiting"),
    Step(operation="list_{}_matches", sends={"status": "waiting"}),
    Step(operation="join_{}_match"),
    Step(operation="view_{}_match", title=" as a spectator"),
    Step(operation="view_{}_match", title=" as the seat to act", who="token"),
    Step(
        operation="move_in_{}_match",
        title=": only judged",
        who="token",
        sends={"dry_run": "true"},
    ),
    Step(operation="move_in_{}_match", who="token"),
    Step(operation="list_{}_events"),
    Step(operation="renew_{}_token", title=": seat 1", who="token_1", seat=1),
    Step(operation="leave_{}_match", title=": seat 1", who="token_1", seat=1),
    Step(operation="leave_{}_match", title=": seat 0", who="token_0"),
    Step(operation="replay_{}_match"),
    Step(operation="rematch_{}_match", who="host_token"),
    Step(operation="delete_{}_match", who="host_token"),
)


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation of the contract with where it is."""

    path: str
    method: str
    told: Mapping[str, Any]
    parameters: list[Mapping[str, Any]]

    @property
    def answer(self) -> tuple[str, Mapping[str, Any]]:
        """The first status that is no refusal, and its answer."""
        responses: Mapping[str, Mapping[str, Any]] = self.told["responses"]
        return next((s, r) for s, r in responses.items() if s < "300")


def written(document: Mapping[str, Any]) -> str:
    """The file's text."""
    return json.dumps(collection(document), indent=1, ensure_ascii=False) + "\n"


def collection(document: Mapping[str, Any]) -> dict[str, Any]:
    """The collection of a contract, in Postman's format 2.1."""
    info = document["info"]
    return {
        "info": {
            "name": info["title"],
            "description": f"{info['description']}\n{HELP}",
            "version": info["version"],
            "schema": SCHEMA,
        },
        "item": [_folder(tag, document) for tag in document["tags"]],
        "event": [_script(KEEP)],
        "variable": [{"key": "base_url", "value": BASE_URL, "type": "string"}],
    }


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    """All operations of a contract."""
    for path, item in document["paths"].items():
        for method, told in item.items():
            if method != "parameters":
                parameters = [*item.get("parameters", ()), *told.get("parameters", ())]
                yield Operation(path=path, method=method, told=told, parameters=parameters)


def _folder(tag: Mapping[str, str], document: Mapping[str, Any]) -> dict[str, Any]:
    own = {o.told["operationId"]: o for o in operations(document) if tag["name"] in o.told["tags"]}
    slug = tag["name"].replace("-", "_")
    if f"create_{slug}_match" in own:
        items = [_request(own[step.operation.format(slug)], step, f"{slug}_") for step in LIFE]
    else:
        items = [_request(operation, Step(operation=name)) for name, operation in own.items()]
    return {"name": tag["name"], "description": tag["description"], "item": items}


def _request(operation: Operation, step: Step, prefix: str = "") -> dict[str, Any]:
    status, answer = operation.answer
    told = operation.told
    request = {
        "method": operation.method.upper(),
        "description": told["description"],
        "header": list(_headers(operation, step, prefix)),
        "url": _url(operation, step, prefix),
        "auth": {"type": "noauth"},
    }
    if step.who is not None:
        bearer = {"key": "token", "value": f"{{{{{prefix}{step.who}}}}}", "type": "string"}
        request["auth"] = {"type": "bearer", "bearer": [bearer]}
    if "requestBody" in told:
        request["body"] = {
            "mode": "raw",
            "raw": _body(operation, step, prefix),
            "options": {"raw": {"language": "json"}},
        }
    title = told["summary"] + step.title
    return {
        "name": title,
        "request": request,
        "response": list(_recorded(title, request, int(status), answer)),
        "event": [
            _script(f'pm.test("answers {status}", () => pm.response.to.have.status({status}));')
        ],
    }


def _url(operation: Operation, step: Step, prefix: str) -> dict[str, Any]:
    values = {"match_id": f"{{{{{prefix}match_id}}}}", "seat": str(step.seat)}
    for parameter in operation.parameters:
        if parameter["in"] == "path" and "example" in parameter:
            values[parameter["name"]] = parameter["example"]
    path = re.sub(r"\{(\w+)\}", lambda found: values[found[1]], operation.path)
    query = [
        {
            "key": parameter["name"],
            "value": step.sends.get(parameter["name"], _sample(parameter["schema"])),
            "description": parameter["description"],
            "disabled": parameter["name"] not in step.sends,
        }
        for parameter in operation.parameters
        if parameter["in"] == "query"
    ]
    raw = "&".join(f"{item['key']}={item['value']}" for item in query if not item["disabled"])
    return {
        "raw": "{{base_url}}" + path + (f"?{raw}" if raw else ""),
        "host": ["{{base_url}}"],
        "path": path.removeprefix("/").split("/"),
        "query": query,
    }


def _sample(schema: Mapping[str, Any]) -> str:
    value = schema.get("default", schema.get("minimum", ""))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _headers(operation: Operation, step: Step, prefix: str) -> Iterator[dict[str, Any]]:
    media_types = list(operation.answer[1].get("content", {}))
    if media_types:
        yield {"key": "Accept", "value": media_types[0]}
    if "requestBody" in operation.told:
        yield {"key": "Content-Type", "value": "application/json"}
    values = {
        "Idempotency-Key": "{{$guid}}",
        "If-Match": f"{{{{{prefix}etag}}}}",
        "If-None-Match": f"{{{{{prefix}etag}}}}",
        "Last-Event-ID": "0",
    }
    for parameter in operation.parameters:
        if parameter["in"] == "header":
            name = parameter["name"]
            yield {
                "key": name,
                "value": values[name] if prefix or name != "If-None-Match" else "",
                "description": parameter["description"],
                "disabled": True,
            }


def _body(operation: Operation, step: Step, prefix: str) -> str:
    if step.operation.startswith("move_"):
        return f"{{{{{prefix}move}}}}"
    examples = operation.told["requestBody"]["content"]["application/json"]["examples"]
    return json.dumps(examples[step.example]["value"], indent=2, ensure_ascii=False)


def _recorded(
    title: str, request: Mapping[str, Any], status: int, answer: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    for media_type, content in answer.get("content", {}).items():
        for example in content.get("examples", {}).values():
            value = example["value"]
            is_text = isinstance(value, str)
            yield {
                "name": f"{title}: {example['summary'].lower()}",
                "originalRequest": request,
                "code": status,
                "_postman_previewlanguage": "text" if is_text else "json",
                "header": [{"key": "Content-Type", "value": media_type}],
                "body": value if is_text else json.dumps(value, indent=2, ensure_ascii=False),
            }


def _script(text: str) -> dict[str, Any]:
    return {
        "listen": "test",
        "script": {"type": "text/javascript", "exec": text.rstrip("\n").split("\n")},
    }
