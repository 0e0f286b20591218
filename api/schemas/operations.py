"""What operators and first-time visitors get."""

from __future__ import annotations

from marshmallow import fields

from api.schemas.common import about, told
from api.schemas.fields import Closed, Const


class Health(Closed):
    """Whether the service is alive, or able to serve."""

    status = Const("ok", required=True, metadata=about("Any trouble is another status."))


class HomeLinks(Closed):
    """Where to go from here."""

    games = told("The path of the catalogue.")
    openapi_yaml = told("The path of the contract as YAML.")
    openapi_json = told("The path of the contract as JSON.")
    docs = told("The path of a page to read and try the contract.")


class Home(Closed):
    """What this is."""

    name = told("What the service is called.")
    version = told("The release that is running.")
    links = fields.Nested(HomeLinks, required=True)


class ProblemPage(Closed):
    """What an error type means."""

    type = told("The path that names it, as `type` in a refusal has it.")
    title = told("Its title, the same in every refusal of the type.")
    status = fields.Integer(required=True, metadata=about("The HTTP status that it comes with."))
    description = told("When it comes, and what to do then.")
