"""Holds answers against the contract: documented status, media type, and true to the schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from api.browsers import EVERY
from api.documents import PROBLEM_SCHEMAS
from api.problems import MEDIA_TYPE, PROBLEMS

ROOT = "urn:contract"
#: What is answered where no operation is, by type: routes and methods that do not exist.
UNDOCUMENTED = {
    PROBLEMS[slug].type: slug for slug in ("not-found", "method-not-allowed", "too-many-requests")
}

#: Makes the validator of a part of the contract, named by its pointer.
Validators = Callable[[str], Draft202012Validator]


class Contract:
    """The contract with a validator for each answer that it documents."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.registry: Registry[Any] = Registry().with_resource(
            ROOT, Resource(document, DRAFT202012)
        )
        self.paths = {
            re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)): path for path in document["paths"]
        }
        #: Every (method, path, status) that was seen, for tests about the whole.
        self.seen: set[tuple[str, str, int]] = set()
        self._validators: dict[str, Draft202012Validator] = {}

    def check(self, method: str, path: str, status: int, media_type: str, body: bytes) -> None:
        """Raises AssertionError when an answer is not what the contract says."""
        if path.startswith("/static/"):
            return
        method = "get" if method == "HEAD" else method.lower()
        known = next((p for pattern, p in self.paths.items() if pattern.fullmatch(path)), None)
        operation = self.document["paths"].get(known, {}).get(method)
        problem = json.loads(body)["type"] if media_type == MEDIA_TYPE and body else None
        if method == "options" or (operation is None and not body):
            return
        if operation is None and problem in UNDOCUMENTED:
            wrong = PROBLEM_SCHEMAS[UNDOCUMENTED[problem]]().validate(json.loads(body))
            assert not wrong, f"{method} {path} answered {body!r}: {wrong}"
            return
        assert operation is not None, f"{method} {path} answered {status} and is not documented"
        responses = operation["responses"]
        where = f"{method} {known} {status}"
        assert str(status) in responses, f"{where} is not documented: {body[:300]!r}"
        self.seen.add((method, str(known), status))
        content = responses[str(status)].get("content", {})
        if not content:
            assert not body, f"{where} has a body"
            return
        assert media_type in content, f"{where} is {media_type}, which is not documented"
        if media_type.endswith(("/json", "+json")) and body:
            pointer = "/".join(
                _escaped(part)
                for part in ("paths", str(known), method, "responses", str(status), "content")
            )
            value = json.loads(body, parse_constant=_refuse)
            self._validate(f"/{pointer}/{_escaped(media_type)}/schema", value)

    def check_component(self, name: str, value: Any) -> None:
        """Raises AssertionError when a value is not what that schema of the contract says."""
        self._validate(f"/components/schemas/{name}", value)

    def _validate(self, pointer: str, value: Any) -> None:
        validator = self._validators.get(pointer)
        if validator is None:
            validator = Draft202012Validator({"$ref": ROOT + "#" + pointer}, registry=self.registry)
            self._validators[pointer] = validator
        error = next(validator.iter_errors(value), None)
        assert error is None, f"{pointer}: {error.json_path}: {error.message[:500]}"


class CheckedClient(FlaskClient):
    """A test client that holds every answer against the contract."""

    contract: Contract

    def open(self, *args: Any, **kwargs: Any) -> Any:
        response = super().open(*args, **kwargs)
        request = response.request
        body = b"" if request.method == "HEAD" else response.get_data()
        self.contract.check(
            request.method, request.path, response.status_code, response.mimetype, body
        )
        assert response.headers["X-Request-Id"]
        assert EVERY.keys() <= set(response.headers.keys()), "browsers may do too much with it"
        if response.status_code >= 400 and body:
            assert response.headers["Cache-Control"] == "no-store"
        return response


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _refuse(constant: str) -> Any:
    raise AssertionError(f"{constant} in an answer")
