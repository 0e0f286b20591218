"""The service with Flask-Limiter in the place of its own limits: the same two limits, per address
and per token, counted in the same store. `bench/limits.py` sets it beside the service."""

from __future__ import annotations

import os

from flask import request
from flask_limiter import ApplicationLimit, Limiter

from api import create_app

#: Met by nobody.
HIGH = "999999999/minute"

app = create_app()


def _address() -> str:
    return request.remote_addr or ""


def _token() -> str:
    return request.headers.get("Authorization", "")


Limiter(
    _address,
    app=app,
    application_limits=[ApplicationLimit(HIGH, by) for by in (_address, _token)],
    strategy="fixed-window",
    # The embedded store listens on a socket in the file system.
    storage_uri=os.environ["REDIS_URL"].replace("unix://", "redis+unix://"),
    headers_enabled=True,
)
