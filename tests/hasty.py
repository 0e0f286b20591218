"""The service with little patience, for tests with processes of their own: it is started as
`tests.hasty:app`."""

from __future__ import annotations

from api import connections, create_app, watching

watching.KEEPALIVE = 0.3
connections.STUCK = 1.5
connections.HEAD = connections.BODY = 1.5

app = create_app()
