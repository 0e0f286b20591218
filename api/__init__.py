"""Croupier's HTTP service: blueprints over the use cases, over the engine and the store.

`create_app` is loaded when it is first asked for: the process that only starts workers reads
settings from this package, and must not load flask and redis before a worker is patched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from api.factory import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    if name == "create_app":
        from api.factory import create_app

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
