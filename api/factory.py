"""The factory: puts blueprints, use cases, engine and store together into one application."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask

from api import (
    browsers,
    catalogue,
    events,
    matches,
    moves,
    observing,
    operations,
    pictures,
    problems,
    replay,
    seats,
    tracing,
    web,
    wire,
)
from api.cards import deck_of
from api.catalogue import RULES
from api.config import Config, ConfigError
from api.counting import Counters
from api.creating import Creating
from api.documents import document, make_api
from api.hub import Hub
from api.limits import Limits
from api.measured import MeasuredStore
from api.proxies import TrustedProxies
from api.schemas import PARTS, GameParts, schemas_for
from api.seating import Seating
from api.service import Service, now
from api.store.base import Store
from api.store.redis import RedisStore
from api.throttle import Throttle
from api.watching import Watching
from engine import GAMES, Game

SECONDS_A_DAY = 24 * 60 * 60


class App(Flask):
    """Flask, which looks at every function of every request whether it is asynchronous, where none
    is."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function as it is."""
        return func


def create_app(
    config: Config | None = None,
    *,
    store: Store | None = None,
    games: Mapping[str, Game[Any]] = GAMES,
    parts: Mapping[str, GameParts] = PARTS,
    rules: Path = RULES,
    clock: Callable[[], int] = now,
) -> Flask:
    """Makes the service.

    Settings come from the environment unless given; so does the store, whose URL must then be set.
    `games` and `parts` are what it deals, with a page of `rules` for each: routes, contract and
    catalogue follow from them. `clock` gives milliseconds since 1970.
    Raises ConfigError.
    """
    config = config or Config.from_environ(os.environ)
    if store is None:
        if config.redis_url is None:
            raise ConfigError("REDIS_URL is not set, and no embedded store was started")
        store = RedisStore(
            config.redis_url,
            ttl_seconds=config.match_ttl_days * SECONDS_A_DAY,
            cluster=config.redis_cluster,
            wait_replicas=config.wait_replicas,
        )
    if config.traces != "none":
        tracing.start(config.traces)
    store = MeasuredStore(store)
    app = App("croupier", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = wire.MAX_BODY + 1
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    app.url_map.merge_slashes = False
    if config.trusted_proxies:
        app.wsgi_app = TrustedProxies(app.wsgi_app, config.trusted_proxies)  # type: ignore[method-assign]
    problems.register(app)
    observing.install(app, games.keys())
    limits = None
    if config.rate_limit is not None:
        limits = Limits(config.rate_limit, Counters(store.count, clock))
    throttle = Throttle(limits, behind_proxies=bool(config.trusted_proxies))
    throttle.install(app)
    web.install(app)
    browsers.install(app, config.cors_origins)
    service = Service(store, games, clock=clock)
    creating, seating, hub = Creating(service), Seating(service), Hub(service)
    app.extensions["croupier-hub"] = hub
    watching = Watching(hub)
    api = make_api(app)
    decks = {game.id: deck_of(game) for game in games.values()}
    api.register_blueprint(catalogue.catalogue_blueprint(games, decks, rules))
    api.register_blueprint(pictures.pictures_blueprint(decks.values()))
    for game in games.values():
        schemas = schemas_for(game, parts[game.id], scripted_deals=config.allow_scripted_deals)
        blp = web.Blueprint(
            game.id, __name__, url_prefix=f"/v1/games/{game.id}", description=game.goal
        )
        matches.add_routes(blp, game, schemas, service, creating, throttle)
        moves.add_routes(blp, game, schemas, service)
        seats.add_routes(blp, game, schemas, seating, throttle)
        events.add_routes(blp, game, schemas, service, watching, throttle)
        replay.add_routes(blp, game, schemas, service)
        api.register_blueprint(blp)
    contract = cache(lambda: document(api))
    readiness = operations.Readiness()
    app.extensions["croupier-readiness"] = readiness
    api.register_blueprint(
        operations.operations_blueprint(
            store, contract, readiness, shared_metrics=config.metrics_dir is not None
        )
    )
    app.register_blueprint(operations.assets_blueprint())
    return app
