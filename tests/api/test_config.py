"""Settings: defaults, what each variable accepts, and refusals of one line without secrets."""

import os
import re
from dataclasses import FrozenInstanceError, fields
from ipaddress import ip_network
from pathlib import Path

import pytest

from api.config import Config, ConfigError, masked
from api.rates import Rates
from api.store.redis_url import RedisUrl

GOOD = {
    "CROUPIER_HOST": ("0.0.0.0", "host", "0.0.0.0"),
    "PORT": ("8080", "port", 8080),
    "CROUPIER_WORKERS": ("5", "workers", 5),
    "CROUPIER_DATA_DIR": ("/srv/croupier", "data_dir", Path("/srv/croupier")),
    "CROUPIER_APPENDFSYNC": ("Everysec", "appendfsync", "everysec"),
    "REDIS_URL": ("redis://cache:6379/1", "redis_url", "redis://cache:6379/1"),
    "CROUPIER_DRAIN_SECONDS": ("15", "drain_seconds", 15),
    "CROUPIER_REDIS_CLUSTER": ("1", "redis_cluster", True),
    "CROUPIER_WAIT_REPLICAS": ("2", "wait_replicas", 2),
    "CROUPIER_MATCH_TTL_DAYS": ("7", "match_ttl_days", 7),
    "CROUPIER_LOG_LEVEL": ("WARNING", "log_level", "warning"),
    "CROUPIER_LOG_FORMAT": ("plain", "log_format", "plain"),
    "OTEL_TRACES_EXPORTER": ("console", "traces", "console"),
    "CROUPIER_CORS_ORIGINS": (
        "https://a.example, http://localhost:5173",
        "cors_origins",
        ("https://a.example", "http://localhost:5173"),
    ),
    "CROUPIER_ALLOW_SCRIPTED_DEALS": ("1", "allow_scripted_deals", True),
    "CROUPIER_RATE_LIMIT": (
        "address=600, token-streams=3",
        "rate_limit",
        Rates(address=600, token_streams=3),
    ),
    "CROUPIER_TRUSTED_PROXIES": (
        "10.0.0.0/8, ::1",
        "trusted_proxies",
        (ip_network("10.0.0.0/8"), ip_network("::1/128")),
    ),
    "PROMETHEUS_MULTIPROC_DIR": ("/tmp/metrics", "metrics_dir", Path("/tmp/metrics")),
}


def test_defaults() -> None:
    config = Config.from_environ({})
    assert config == Config()
    assert (config.host, config.port, config.data_dir) == ("127.0.0.1", 8000, Path("var"))
    assert (config.redis_url, config.match_ttl_days, config.log_level) == (None, 30, "info")


def test_a_worker_for_each_core_and_two_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in [(None, 2), (1, 2), (2, 2), (8, 8)]:
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert Config.from_environ({}).workers == workers
        assert Config().workers == workers


@pytest.mark.parametrize("variable", GOOD)
def test_each_variable_sets_its_field_alone(variable: str) -> None:
    text, name, value = GOOD[variable]
    before = {} if variable == "REDIS_URL" else {"REDIS_URL": "redis://cache"}
    usual, config = (Config.from_environ(before | given) for given in ({}, {variable: text}))
    changed = {f.name for f in fields(Config) if getattr(config, f.name) != getattr(usual, f.name)}
    assert changed == {name}
    assert getattr(config, name) == value


def test_a_name_that_is_nearly_right_is_told() -> None:
    own = {name for name in GOOD if name.startswith("CROUPIER_")}
    assert Config.misspelt(dict.fromkeys(own, "1")) == {}
    wrong = {"CROUPIER_WORKER": "2", "CROUPIER_CORS_ORIGIN": "*", "CROUPIERLOG_LEVEL": "debug"}
    assert Config.misspelt(wrong) == {
        "CROUPIER_WORKER": "CROUPIER_WORKERS",
        "CROUPIER_CORS_ORIGIN": "CROUPIER_CORS_ORIGINS",
        "CROUPIERLOG_LEVEL": "CROUPIER_LOG_LEVEL",
    }
    # What Kubernetes sets for a service of that name.
    ports = ("TOKEN", "SOAK", "PORT", "PORT_8000_TCP", "PORT_8000_TCP_ADDR", "PORT_8000_TCP_PROTO")
    given = ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", *ports)
    assert Config.misspelt({f"CROUPIER_{name}": "1" for name in given} | {"PATH": "/bin"}) == {}


def test_every_field_has_a_variable() -> None:
    assert {name for _, name, _ in GOOD.values()} == {f.name for f in fields(Config)}


@pytest.mark.parametrize("variable", GOOD)
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_variable_counts_as_not_set(variable: str, blank: str) -> None:
    assert Config.from_environ({variable: blank}) == Config()


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        *(("PORT", text) for text in ("abc", "-1", "65536", "80.0", "1_000", "٣", "9" * 5000)),
        *(("CROUPIER_WORKERS", text) for text in ("0", "257", "two")),
        *(("CROUPIER_DRAIN_SECONDS", text) for text in ("-1", "301", "10s")),
        *(("CROUPIER_MATCH_TTL_DAYS", text) for text in ("0", "3651", "1.5")),
        *(("CROUPIER_REDIS_CLUSTER", text) for text in ("yes", "2", "1")),
        *(("CROUPIER_WAIT_REPLICAS", text) for text in ("-1", "10", "one", "1")),
        *(("CROUPIER_APPENDFSYNC", text) for text in ("no", "yes")),
        ("CROUPIER_LOG_LEVEL", "loud"),
        *(("CROUPIER_ALLOW_SCRIPTED_DEALS", text) for text in ("2", "yes", "true", "01")),
        ("CROUPIER_LOG_FORMAT", "xml"),
        ("OTEL_TRACES_EXPORTER", "zipkin"),
        *(
            ("REDIS_URL", text)
            for text in (
                "localhost:6379",
                "http://cache",
                "redis://",
                "unix://",
                "redis://[::1",
                "redis://a:b",
                "redis://a,b",
                "redis+sentinel://a:1,b:2",
                "redis+sentinel://a:1,b:2/",
                "redis+sentinel://a:1,b:2/main/zero",
                "redis+sentinel:///main",
                "redis+sentinel://a:0/main",
                "sentinel://a/main",
            )
        ),
    ],
)
def test_a_bad_value_is_refused_in_one_line_that_names_the_variable(
    variable: str, text: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_environ({variable: text})
    line = str(refused.value)
    assert re.match(rf"{variable} must be ", line)
    assert "\n" not in line


@pytest.mark.parametrize("text", ["0", "65535"])
def test_port_bounds(text: str) -> None:
    assert Config.from_environ({"PORT": text}).port == int(text)


@pytest.mark.parametrize(
    "url",
    [
        "rediss://:pw@cache:6380",
        "unix:///run/valkey.sock",
        "redis://[::1]:6379/0",
        "redis+sentinel://a,b:26380,[::1]/main/2",
        "rediss+sentinel://ada:pw@a:1,b:2/main?sentinel_password=pw",
    ],
)
def test_kinds_of_redis_url(url: str) -> None:
    assert Config.from_environ({"REDIS_URL": url}).redis_url == url


@pytest.mark.parametrize(
    ("environ", "to"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/v1/traces"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_TRACES_EXPORTER": "none"}, "none"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_SDK_DISABLED": "True"}, "none"),
        ({"OTEL_SERVICE_NAME": "croupier", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "none"),
    ],
)
def test_traces_go_where_opentelemetrys_own_variables_say(environ: dict[str, str], to: str) -> None:
    assert Config.from_environ(environ).traces == to


def test_traces_speak_http_alone() -> None:
    with pytest.raises(ConfigError, match="OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf"):
        Config.from_environ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"})


@pytest.mark.parametrize(
    "url",
    [
        "unix:///run/valkey.sock",
        "redis+sentinel://a/main",
        "redis://a,b/1",
        "redis://a,,b",
        "redis://a,b:0",
    ],
)
def test_a_cluster_is_named_by_some_of_its_servers(url: str) -> None:
    cluster = {"CROUPIER_REDIS_CLUSTER": "1"}
    with pytest.raises(ConfigError, match="REDIS_URL must be "):
        Config.from_environ(cluster | {"REDIS_URL": url})
    for good in ("redis://a", "rediss://ada:pw@a,b:7001,[::1]:7002/0?ssl_ca_certs=/etc/ca.pem"):
        assert Config.from_environ(cluster | {"REDIS_URL": good}).redis_cluster


@pytest.mark.parametrize(
    "url",
    [
        "http://:hunter2@cache",
        "redis://:hunter2@a,b",
        "redis+sentinel://:hunter2@a,b",
        "redis+sentinel://a:hunter2/main",
        "redis+sentinel://a/main/hunter2?sentinel_password=hunter2",
    ],
)
def test_a_password_is_in_no_refusal_and_no_repr(url: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_environ({"REDIS_URL": url})
    assert "hunter2" not in str(refused.value)
    for good in (
        "redis://:hunter2@cache",
        "redis+sentinel://ada:hunter2@a,b/main?sentinel_password=hunter2",
    ):
        assert "hunter2" not in repr(Config.from_environ({"REDIS_URL": good}))
        assert "hunter2" not in repr(RedisUrl.parse(good))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://cache:6379/0", "redis://cache:6379/0"),
        ("redis://:hunter2@cache:6379/0", "redis://:***@cache:6379/0"),
        ("rediss://ada:hunter2@cache", "rediss://ada:***@cache"),
        ("redis://ada:hunter2@[::1]:6379", "redis://ada:***@[::1]:6379"),
        ("redis://ada:hunt@er2@cache", "redis://ada:***@cache"),
        ("redis://ada:hunt/e?r2@cache/0", "redis://ada:***@cache/0"),
        ("redis://cache?password=hunter2&db=1", "redis://cache?password=***&db=1"),
        (
            "redis+sentinel://ada:hunter2@a:1,b:2/main/0?sentinel_password=hunter2",
            "redis+sentinel://ada:***@a:1,b:2/main/0?sentinel_password=***",
        ),
        ("rediss+sentinel://:hunt@er2@a,b/main", "rediss+sentinel://:***@a,b/main"),
        ("redis://ada:hunter2@a,b,[::1]:7001", "redis://ada:***@a,b,[::1]:7001"),
        ("rediss://a?ssl_password=hunter2", "rediss://a?ssl_password=***"),
        (
            "unix:///run/valkey.sock?db=2&password=hunter2",
            "unix:///run/valkey.sock?db=2&password=***",
        ),
    ],
)
def test_masked(url: str, shown: str) -> None:
    assert masked(url) == shown


def test_settings_do_not_change_after_the_start() -> None:
    with pytest.raises(FrozenInstanceError):
        Config().port = 1  # type: ignore[misc]
