"""What in a newer contract would break clients of an older one, by the promise in
`docs/compatibility.md`.

Requests may be wider than before, answers may not: a client has to be able to send what it sent,
and to read what it gets. What a schema says in words this check does not know is an error, so that
no change slips through unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

Document = Mapping[str, Any]
Schema = Mapping[str, Any]
Way = Literal["request", "answer"]

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
#: Words that say nothing about what a value may be.
ABOUT = {"description", "title", "examples", "default", "deprecated", "discriminator"}
LOWER, UPPER = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")
KNOWN = (
    ABOUT
    | {*LOWER, *UPPER}
    | {
        *("$ref", "oneOf", "anyOf", "type", "const", "enum", "pattern", "format"),
        *("properties", "required", "additionalProperties", "items"),
    }
)
#: The tag of unions that answers may get new kinds of: events and problems.
OPEN_TAG = "type"


def breaking(old: Document, new: Document) -> list[str]:
    """What would break, a sentence each."""
    return list(dict.fromkeys(_Comparison(old, new).changes()))


class _Comparison:
    def __init__(self, old: Document, new: Document) -> None:
        self.old, self.new = old, new
        self.seen: set[tuple[str, str, Way]] = set()

    def changes(self) -> Iterator[str]:
        for path, item in self.old["paths"].items():
            for method in METHODS:
                if method not in item:
                    continue
                where = f"{method.upper()} {path}"
                other = self.new["paths"].get(path, {})
                if method not in other:
                    yield f"{where} is gone"
                else:
                    yield from self._operation(where, (item, other), method)
        # Generated clients have a type for each.
        for name in _schemas(self.old).keys() - _schemas(self.new).keys():
            yield f"schema {name} is gone"

    def _operation(
        self, where: str, items: tuple[Mapping[str, Any], Mapping[str, Any]], method: str
    ) -> Iterator[str]:
        old, new = (item[method] for item in items)
        for name in ("operationId", "tags"):
            if old.get(name) != new.get(name):
                yield f"{where}: {name} is another"
        taken = [
            {(p["in"], p["name"]): p for p in (*i.get("parameters", ()), *o.get("parameters", ()))}
            for i, o in zip(items, (old, new), strict=True)
        ]
        yield from self._parameters(where, *taken)
        yield from self._body(where, old.get("requestBody"), new.get("requestBody"))
        yield from self._security(where, old, new)
        yield from self._answers(where, old["responses"], new["responses"])

    def _parameters(self, where: str, old: Any, new: Any) -> Iterator[str]:
        for key, parameter in new.items():
            was = old.get(key)
            if parameter.get("required") and not (was and was.get("required")):
                yield f"{where}: {key[0]} parameter {key[1]} is now required"
        for key, parameter in old.items():
            here = f"{where}: {key[0]} parameter {key[1]}"
            if key not in new:
                yield f"{here} is gone"
            else:
                yield from self._schema(here, parameter["schema"], new[key]["schema"], "request")

    def _body(self, where: str, old: Any, new: Any) -> Iterator[str]:
        if new and new.get("required") and not (old and old.get("required")):
            yield f"{where}: a body is now required"
        if old:
            yield from self._content(f"{where}: body", old, new or {}, "request")

    def _security(self, where: str, old: Document, new: Document) -> Iterator[str]:
        before, after = (
            operation.get("security", document.get("security", [])) or [{}]
            for operation, document in ((old, self.old), (new, self.new))
        )
        for way in before:
            if not any(other.keys() <= way.keys() for other in after):
                yield f"{where}: {' and '.join(way) or 'no token'} is no longer enough"

    def _answers(self, where: str, old: Any, new: Any) -> Iterator[str]:
        for status, answer in old.items():
            here = f"{where}: answer {status}"
            if status in new:
                for header in answer.get("headers", {}).keys() - new[status].get("headers", {}):
                    yield f"{here}: header {header} is gone"
                yield from self._content(here, answer, new[status], "answer")
            elif status < "400":
                yield f"{here} is gone"
        for status in new.keys() - old.keys():
            if status < "400":
                yield f"{where}: answer {status} is new"

    def _content(self, where: str, old: Any, new: Any, way: Way) -> Iterator[str]:
        for media_type, content in old.get("content", {}).items():
            other = new.get("content", {}).get(media_type)
            if other is None:
                yield f"{where} as {media_type} is gone"
            else:
                yield from self._schema(where, content["schema"], other["schema"], way)

    def _schema(self, where: str, old: Schema, new: Schema, way: Way) -> Iterator[str]:
        names = (old.get("$ref", ""), new.get("$ref", ""))
        if all(names):
            if (*names, way) in self.seen:
                return
            self.seen.add((*names, way))
            where = names[0].rpartition("/")[2] + f" ({way})"
        before, after = _forms(old, self.old), _forms(new, self.new)
        lost, added = before.keys() - after.keys(), after.keys() - before.keys()
        # An answer that is never null any more is one that every client can read.
        for form in lost - {"null"} if way == "answer" else lost:
            yield f"{where} is never {form} any more"
        if way == "answer" and not _may_grow(old, self.old):
            for form in added:
                yield f"{where} may be {form}"
        for form in before.keys() & after.keys():
            yield from self._form(where, before[form], after[form], way)

    def _form(self, where: str, old: Schema, new: Schema, way: Way) -> Iterator[str]:
        unknown = (old.keys() | new.keys()) - KNOWN
        if unknown:
            raise NotImplementedError(f"{where}: nothing is known about {sorted(unknown)}")
        yield from self._values(where, old, new, way)
        if way == "request":
            yield from _bounds(where, old, new)
        yield from self._members(where, old, new, way)
        for name in ("items", "additionalProperties"):
            inner = (old.get(name), new.get(name))
            if isinstance(inner[0], Mapping) and isinstance(inner[1], Mapping):
                yield from self._schema(f"{where}[]", *inner, way)
            elif inner[0] != inner[1] and (name == "items" or inner[1] is False):
                yield f"{where}: {name} is another"

    def _values(self, where: str, old: Schema, new: Schema, way: Way) -> Iterator[str]:
        if old.get("const") != new.get("const"):
            yield f"{where} is {new.get('const')!r} and not {old.get('const')!r}"
        before, after = set(old.get("enum", ())), set(new.get("enum", ()))
        for value in before - after if after else ():
            yield f"{where} is never {value!r} any more"
        if way == "answer" and before:
            for value in after - before or ({"anything"} if not after else ()):
                yield f"{where} may be {value!r}"
        if way == "request" and after and not before:
            yield f"{where} is now one of few"
        # A request may be freed from one, an answer may be bound to one.
        bound = old if way == "answer" else new
        for name in ("pattern", "format"):
            if name in bound and old.get(name) != new.get(name):
                yield f"{where}: {name} is another"

    def _members(self, where: str, old: Schema, new: Schema, way: Way) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before.keys() - after.keys():
            yield f"{where}: {name} is gone"
        required = [set(schema.get("required", ())) for schema in (old, new)]
        if way == "request":
            for name in required[1] - required[0]:
                yield f"{where}: {name} is now required"
        else:
            for name in required[0] - required[1]:
                yield f"{where}: {name} may be left out"
        for name in before.keys() & after.keys():
            yield from self._schema(f"{where}: {name}", before[name], after[name], way)


def _schemas(document: Document) -> Mapping[str, Schema]:
    found: Mapping[str, Schema] = document["components"]["schemas"]
    return found


def _resolved(schema: Schema, document: Document) -> Schema:
    while "$ref" in schema:
        schema = _schemas(document)[schema["$ref"].rpartition("/")[2]]
    return schema


def _may_grow(schema: Schema, document: Document) -> bool:
    schema = _resolved(schema, document)
    if "discriminator" in schema:
        return bool(schema["discriminator"]["propertyName"] == OPEN_TAG)
    # One that was always the same may become one of several.
    if _word(schema) is not None:
        return True
    return any(_may_grow(variant, document) for variant in schema.get("anyOf", ()))


def _word(schema: Schema) -> str | None:
    """What an object that is no union calls itself by the tag of unions."""
    word: str | None = schema.get("properties", {}).get(OPEN_TAG, {}).get("const")
    return word


def _forms(schema: Schema, document: Document) -> dict[str, Schema]:
    """What a value of a schema may be: by a word of the union's, a component's name, or a type."""
    schema = _resolved(schema, document)
    variants = schema.get("oneOf", schema.get("anyOf"))
    if variants is None:
        types = _word(schema) or schema.get("type", "anything")
        return dict.fromkeys([types] if isinstance(types, str) else types, schema)
    words = {
        reference: word
        for word, reference in schema.get("discriminator", {}).get("mapping", {}).items()
    }
    forms: dict[str, Schema] = {}
    for variant in variants:
        reference = variant.get("$ref")
        if reference in words:
            forms[words[reference]] = _resolved(variant, document)
        elif reference and "type" not in _resolved(variant, document):
            forms |= _forms(variant, document)
        else:
            kinds = _forms(variant, document)
            name = reference.rpartition("/")[2] if reference else None
            forms |= {name or kind: form for kind, form in kinds.items()}
    return forms


def _bounds(where: str, old: Schema, new: Schema) -> Iterator[str]:
    tighter: tuple[tuple[tuple[str, ...], Callable[[float, float], bool]], ...] = (
        (LOWER, lambda before, after: after > before),
        (UPPER, lambda before, after: after < before),
    )
    for names, is_tighter in tighter:
        for name in names:
            if name in new and (name not in old or is_tighter(old[name], new[name])):
                yield f"{where}: {name} is tighter"
