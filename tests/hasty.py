"""The service with little patience, for tests with processes of their own: it is started as
`tests.hasty:app`."""

from __future__ import annotations

from api import create_app, watching, web

watching.KEEPALIVE = 0.3
web.STUCK = 1.5

app = create_app()
