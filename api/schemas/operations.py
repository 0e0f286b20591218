"""What operators and first-time visitors get."""

from __future__ import annotations

from marshmallow import fields

from api.schemas.common import about
from api.schemas.fields import Closed, Const


def _text(description: str) -> fields.String:
    return fields.String(required=True, metadata=about(description))


class Health(Closed):
    """Whether the service is alive, or able to serve."""

    status = Const("ok", required=True, metadata=about("Any trouble is another status."))


class HomeLinks(Closed):
    """Where to go from here."""

    games = _text("The path of the catalogue.")
    openapi_yaml = _text("The path of the contract as YAML.")
    openapi_json = _text("The path of the contract as JSON.")
    docs = _text("The path of a page to read and try the contract.")


class Home(Closed):
    """What this is."""

    name = _text("What the service is called.")
    version = _text("The release that is running.")
    links = fields.Nested(HomeLinks, required=True)


class ProblemPage(Closed):
    """What an error type means."""

    type = _text("The path that names it, as `type` in a refusal has it.")
    title = _text("Its title, the same in every refusal of the type.")
    status = fields.Integer(required=True, metadata=about("The HTTP status that it comes with."))
    description = _text("When it comes, and what to do then.")
