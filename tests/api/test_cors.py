"""Web pages of other origins: let in only where the operator names them."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from api import create_app
from api.config import Config, ConfigError
from api.store.redis import RedisStore

PAGE = "https://play.example"
MATCHES = "/v1/games/even-steven/matches"


def client_for(store: RedisStore, *origins: str) -> FlaskClient:
    return create_app(Config(cors_origins=origins), store=store).test_client()


def test_nobody_is_let_in_by_default(store: RedisStore) -> None:
    answer = client_for(store).get("/v1/games", headers={"Origin": PAGE})
    assert answer.status_code == 200
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def test_a_named_origin_may_read_the_headers_that_clients_need(store: RedisStore) -> None:
    answer = client_for(store, PAGE).post(
        MATCHES, json={"seats": [{}, {}]}, headers={"Origin": PAGE}
    )
    assert answer.status_code == 201
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert exposed >= {"ETag", "Location", "Retry-After", "X-Request-Id"}
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_another_origin_is_not_let_in(store: RedisStore) -> None:
    answer = client_for(store, PAGE).get("/v1/games", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_preflight_is_answered_for_what_clients_send(store: RedisStore) -> None:
    wanted = "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id"
    answer = client_for(store, PAGE).options(
        MATCHES,
        headers={
            "Origin": PAGE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": wanted,
        },
    )
    assert answer.status_code == 200
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in wanted.split(", "))
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


def test_refusals_can_be_read_too(store: RedisStore) -> None:
    answer = client_for(store, PAGE).get("/nothing", headers={"Origin": PAGE})
    assert answer.status_code == 404
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE


@pytest.mark.parametrize("origins", ["play.example", "https://a/path", "https://*.example", "null"])
def test_what_is_no_origin_stops_the_start(origins: str) -> None:
    with pytest.raises(ConfigError, match="CROUPIER_CORS_ORIGINS"):
        Config.from_environ({"CROUPIER_CORS_ORIGINS": origins})
