"""apispec's converter from schemas to the contract's JSON schemas, taught our own fields and
unions."""

from __future__ import annotations

from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from api.schemas.fields import Anything, Const, OneOf, Union, Word

_TYPES = {bool: "boolean", int: "integer", str: "string"}


class Converter(OpenAPIConverter):
    """apispec's converter, taught our own fields and unions."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance: Schema = schema() if isinstance(schema, type) else schema
        if isinstance(instance, OneOf):
            return {"description": _doc(instance), **self._one_of(instance)}
        document: dict[str, Any] = super().schema2jsonschema(instance)  # type: ignore[no-untyped-call]
        if doc := _doc(instance):
            document["description"] = doc
        return document

    def _one_of(self, schema: OneOf) -> dict[str, Any]:
        refs = {
            name: self.resolve_nested_schema(variant)  # type: ignore[no-untyped-call]
            for name, variant in schema.variants.items()
        }
        if not isinstance(schema, Union):
            return {"anyOf": list(refs.values())}
        mapping = {word: ref["$ref"] for word, ref in refs.items()}
        discriminator = {"propertyName": schema.tag, "mapping": mapping}
        return {"oneOf": list(refs.values()), "discriminator": discriminator}

    def field2property(self, field: fields.Field[Any]) -> dict[str, Any]:
        if isinstance(field, Anything):
            return field.json_schema
        if isinstance(field, Const):
            return {
                "type": _TYPES[type(field.constant)],
                "const": field.constant,
                **field.metadata,
            }
        if isinstance(field, Word) and field.component:
            words = field.validators[0].choices  # type: ignore[attr-defined]
            if field.component not in self.spec.components.schemas:
                listed = {"type": "string", "enum": list(words)}
                said = {"description": field.meaning} if field.meaning else {}
                self.spec.components.schema(field.component, said | listed)
            ref = {"$ref": f"#/components/schemas/{field.component}"}
            found = {"anyOf": [ref, {"type": "null"}]} if field.allow_none else ref
            return {**found, **field.metadata}
        document: dict[str, Any] = super().field2property(field)
        # apispec leaves null out of an enum that allows it.
        if field.allow_none and "enum" in document and None not in document["enum"]:
            document["enum"] = [*document["enum"], None]
        return document


class Plugin(MarshmallowPlugin):
    """The marshmallow plugin with that converter."""

    Converter = Converter


def _doc(schema: Schema) -> str:
    return " ".join((type(schema).__doc__ or "").split())
