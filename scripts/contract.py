"""Writes openapi.yaml from the code: `python -m scripts.contract`."""

from __future__ import annotations

from pathlib import Path

from api import create_app
from api.config import Config
from api.store.redis import RedisStore

CONTRACT = Path("openapi.yaml")


def made() -> str:
    """The contract as YAML. No store is asked for it, so that none has to run."""
    nowhere = RedisStore("redis://localhost", ttl_seconds=1)
    return create_app(Config(), store=nowhere).test_client().get("/openapi.yaml").text


if __name__ == "__main__":
    CONTRACT.write_text(made(), "utf-8")
