"""Writes openapi.yaml from the code, and the Postman collection: `python -m scripts.contract`."""

from __future__ import annotations

from pathlib import Path

from flask.testing import FlaskClient

from api import create_app
from api.config import Config
from api.store.redis import RedisStore
from scripts import collection

CONTRACT = Path("openapi.yaml")


def made() -> str:
    """The contract as YAML."""
    return _client().get("/openapi.yaml").text


def _client() -> FlaskClient:
    # No store is asked for the contract, so that none has to run.
    nowhere = RedisStore("redis://localhost", ttl_seconds=1)
    return create_app(Config(), store=nowhere).test_client()


if __name__ == "__main__":
    CONTRACT.write_text(made(), "utf-8")
    document = _client().get("/openapi.json").get_json()
    collection.COLLECTION.write_text(collection.written(document), "utf-8")
