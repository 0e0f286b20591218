"""What operators and first-time visitors get."""

from __future__ import annotations

from marshmallow import fields

from api.schemas.fields import Closed, Const


class Health(Closed):
    """Whether the service is alive, or able to serve."""

    status = Const("ok", required=True)


class HomeLinks(Closed):
    """Where to go from here."""

    games = fields.String(required=True)
    openapi_yaml = fields.String(required=True)
    openapi_json = fields.String(required=True)
    docs = fields.String(required=True)


class Home(Closed):
    """What this is."""

    name = fields.String(required=True)
    version = fields.String(required=True)
    links = fields.Nested(HomeLinks, required=True)


class ProblemPage(Closed):
    """What an error type means."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    description = fields.String(required=True)
