"""Fields: marshmallow's, made strict. None of them turns one type into another, and each says in
the contract exactly what it takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from engine import Option

#: Left-to-right or right-to-left embeddings, overrides and isolates: they turn the text after them.
BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
#: Letters and symbols by category that show as nothing: Hangul fillers and the blank Braille cell.
BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
VISIBLE = frozenset("LNPS")
#: Category Cc, for the contract.
NO_CONTROLS = "^[^\\x00-\\x1f\\x7f-\\x9f]*$"


class Whole(fields.Integer):
    """A whole number: never true, 1.0 or "1". `wanted` is the sentence for whatever else comes."""

    def __init__(self, minimum: int, maximum: int | None = None, **kwargs: Any) -> None:
        most = "up" if maximum is None else f"to {maximum}"
        self.wanted = f"Must be a whole number from {minimum} {most}."
        within = validate.Range(min=minimum, max=maximum, error=self.wanted)
        super().__init__(strict=True, validate=within, **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError(self.wanted)
        return value


class Flag(fields.Boolean):
    """true or false: never 1, 0 or "true"."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("Must be true or false.")
        return value


class Text(fields.String):
    """A text that any store and any JSON reader can hold: no lone surrogates, no control
    characters (category Cc). Lengths count code points."""

    def __init__(self, minimum: int = 1, maximum: int | None = None, **kwargs: Any) -> None:
        metadata = {"pattern": NO_CONTROLS, **kwargs.pop("metadata", {})}
        within = validate.Length(min=minimum, max=maximum)
        super().__init__(validate=within, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("Must be a text.")
        categories = {unicodedata.category(character) for character in value}
        if "Cs" in categories:
            raise ValidationError("Must not hold half of a surrogate pair.")
        if "Cc" in categories:
            raise ValidationError("Must not hold control characters.")
        return value


class Name(Text):
    """A player's name, trimmed: 1 to 40 code points of which at least one can be seen."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(1, 40, **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        # Trimmed first: a line end behind a name is white space before it is a control character.
        name = super()._deserialize(
            value.strip() if isinstance(value, str) else value, attr, data, **kwargs
        )
        if not BIDI_CONTROLS.isdisjoint(name):
            raise ValidationError("Must not hold characters that turn the direction of text.")
        if not any(unicodedata.category(c)[0] in VISIBLE and c not in BLANKS for c in name):
            raise ValidationError("Must hold at least one visible character.")
        return name


class Word(fields.String):
    """One of a few words. `component` names the schema under which the contract lists them, and
    `meaning` is what it says of them there."""

    meaning: ClassVar[str | None] = None

    def __init__(self, words: Sequence[str], component: str | None = None, **kwargs: Any) -> None:
        self.component = component
        super().__init__(validate=validate.OneOf(words), **kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("Must be a text.")
        return value


class CardCode(Word):
    """A card of a deck."""

    meaning = (
        "A card by its code. The catalogue lists the deck's codes in `cards`, each with `image`, "
        "the path of its picture."
    )


class Const(fields.Field[Any]):
    """A member whose value never varies: the discriminator of a union, or `open: true`."""

    def __init__(self, constant: Any, **kwargs: Any) -> None:
        self.constant = constant
        super().__init__(**kwargs)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if type(value) is not type(self.constant) or value != self.constant:
            raise ValidationError(f"Must be {str(self.constant).lower()}.")
        return value


class Anything(fields.Field[Any]):
    """A member of any type, given to the contract as a JSON schema."""

    def __init__(self, json_schema: Mapping[str, Any], **kwargs: Any) -> None:
        self.json_schema = dict(json_schema)
        super().__init__(**kwargs)


def option_field(option: Option, **kwargs: Any) -> fields.Field[Any]:
    """The field of one of a game's options."""
    description = f"{option.meaning}{f' ({option.ruling})' if option.ruling else ''}"
    if option.default is not None and "required" not in kwargs:
        # In words: a member with the keyword `default` is one that generated clients must send.
        description += f" Default: {str(option.default).lower()}."
    kwargs["metadata"] = {"description": description}
    if option.type == "boolean":
        return Flag(**kwargs)
    if option.type == "string":
        return Word([str(choice) for choice in option.choices or ()], **kwargs)
    if option.choices is not None:
        field = Whole(0, **kwargs)
        field.wanted = f"Must be one of: {', '.join(map(str, option.choices))}."
        field.validators[:] = [validate.OneOf(option.choices, error=field.wanted)]
        return field
    assert option.minimum is not None  # nosec B101 # for the type checker
    return Whole(option.minimum, option.maximum, **kwargs)


class Closed(Schema):
    """The root of all schemas: unknown members are refused by name, at every depth."""

    error_messages = {"type": "Must be an object."}  # noqa: RUF012 # an instance's, to marshmallow


class OneOf(Closed):
    """One of several schemas, told apart by which members are there."""

    variants: ClassVar[Mapping[str, Schema]]

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Loads the first variant that has all known members of the data. Raises
        ValidationError."""
        members = data if isinstance(data, Mapping) else {}
        known = {name for variant in self.variants.values() for name in variant.fields}
        named = known & members.keys()
        for variant in self.variants.values():
            if named <= variant.fields.keys():
                return variant.load(data)
        raise ValidationError(f"Cannot go together: {', '.join(sorted(named))}.")


class Union(OneOf):
    """One of several schemas, told apart by the member `tag`."""

    tag: str

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Loads the variant that the tag names. Raises ValidationError."""
        if self.tag not in data:
            raise ValidationError({self.tag: ["Missing data for required field."]})
        word = data[self.tag]
        if not isinstance(word, str) or word not in self.variants:
            raise ValidationError({self.tag: [f"Must be one of: {', '.join(self.variants)}."]})
        variant = self.variants[word]
        return _if_right(variant, data) or variant.load(data)


def _if_right(schema: Schema, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `schema.load` gives, or None where something is wrong, which is for it to tell.

    The same fields judge the same values. What is left out is the gathering of errors, which takes
    twice as long as the judging: nearly every move is right. For schemas without hooks.
    """
    members = schema.load_fields
    if any(name not in data and field.required for name, field in members.items()):
        return None
    try:
        return {name: members[name].deserialize(value, name, data) for name, value in data.items()}
    except (KeyError, ValidationError):
        return None


def union(name: str, tag: str, variants: Mapping[str, type[Schema]], doc: str) -> type[Union]:
    """Makes a union schema of that name."""
    made = {word: schema() for word, schema in variants.items()}
    return type(name, (Union,), {"tag": tag, "variants": made, "__doc__": doc})
