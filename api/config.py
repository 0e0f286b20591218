"""Every environment variable, its default and one line each. Nothing else reads the environment."""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, Self, TypeVar

from api.proxies import Network, networks
from api.rates import Rates
from api.store.redis_url import SCHEMES, RedisUrl

Word = TypeVar("Word", bound=str)
LogFormat = Literal["json", "plain"]

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS: tuple[LogFormat, ...] = ("json", "plain")
TRACES = ("none", "otlp", "console")
FSYNCS = ("always", "everysec")
#: Settings under a name that is not the service's own.
NOT_OURS = frozenset({"port", "redis_url", "metrics_dir", "traces"})


class ConfigError(Exception):
    """A setting cannot be used. The text is one line, names the variable and holds no secret."""


def default_workers() -> int:
    """One worker process for each core, and two at least, so that one can die without a gap."""
    return max(2, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of one service. An empty variable counts as one that is not set."""

    host: str = "127.0.0.1"
    """CROUPIER_HOST: the address to listen on; `0.0.0.0` for all."""

    port: int = 8000
    """PORT: the TCP port to listen on; 0 takes a free one, which the start-up lines name."""

    workers: int = field(default_factory=default_workers)
    """CROUPIER_WORKERS: how many worker processes serve requests."""

    data_dir: Path = Path("var")
    """CROUPIER_DATA_DIR: where the embedded store keeps its data; unused when REDIS_URL is set."""

    appendfsync: str = "always"
    """CROUPIER_APPENDFSYNC: when the embedded store has a move on disk: always, or everysec."""

    redis_url: str | None = field(default=None, repr=False)
    """REDIS_URL: a Redis or Valkey 7+ server to keep matches in, in place of the embedded store."""

    drain_seconds: int = 0
    """CROUPIER_DRAIN_SECONDS: seconds to serve on when told to stop, while /readyz answers 503."""

    redis_cluster: bool = False
    """CROUPIER_REDIS_CLUSTER: 1 when REDIS_URL leads to a Redis Cluster."""

    wait_replicas: int = 0
    """CROUPIER_WAIT_REPLICAS: how many replicas must have what is answered; needs REDIS_URL."""

    match_ttl_days: int = 30
    """CROUPIER_MATCH_TTL_DAYS: days after its last change at which a match is forgotten."""

    allow_scripted_deals: bool = False
    """CROUPIER_ALLOW_SCRIPTED_DEALS: 1 lets hosts set the order of the deck, to test clients."""

    cors_origins: tuple[str, ...] = ()
    """CROUPIER_CORS_ORIGINS: origins of web pages that may call, with commas; `*` for all."""

    rate_limit: Rates | None = field(default_factory=Rates)
    """CROUPIER_RATE_LIMIT: what an address or a token may ask for, or `off`; see docs/limits.md."""

    trusted_proxies: tuple[Network, ...] = ()
    """CROUPIER_TRUSTED_PROXIES: addresses or networks of proxies to believe, with commas."""

    metrics_dir: Path | None = None
    """PROMETHEUS_MULTIPROC_DIR: where worker processes share their metrics; set at start-up."""

    log_level: str = "info"
    """CROUPIER_LOG_LEVEL: the least that is logged: debug, info, warning or error."""

    log_format: LogFormat | None = None
    """CROUPIER_LOG_FORMAT: log lines as json or plain; not set: plain at a terminal, else json."""

    traces: str = "none"
    """OTEL_TRACES_EXPORTER: where traces go: otlp, console or none; otlp if its endpoint is set."""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Read the settings. Raises ConfigError at the first value that cannot be used."""
        given = {name: value.strip() for name, value in environ.items() if value.strip()}
        cluster = _redis_cluster(given)
        return cls(
            host=given.get("CROUPIER_HOST", "127.0.0.1"),
            port=_whole_number(given, "PORT", 8000, 0, 65_535),
            workers=_whole_number(given, "CROUPIER_WORKERS", default_workers(), 1, 256),
            data_dir=Path(given.get("CROUPIER_DATA_DIR", "var")),
            appendfsync=_one_of(given, "CROUPIER_APPENDFSYNC", FSYNCS) or "always",
            drain_seconds=_whole_number(given, "CROUPIER_DRAIN_SECONDS", 0, 0, 300),
            redis_url=_redis_url(given, cluster=cluster),
            redis_cluster=cluster,
            wait_replicas=_wait_replicas(given),
            match_ttl_days=_whole_number(given, "CROUPIER_MATCH_TTL_DAYS", 30, 1, 3_650),
            allow_scripted_deals=_flag(given, "CROUPIER_ALLOW_SCRIPTED_DEALS"),
            cors_origins=_origins(given),
            rate_limit=_rates(given),
            trusted_proxies=_proxies(given),
            metrics_dir=_path(given, "PROMETHEUS_MULTIPROC_DIR"),
            log_level=_one_of(given, "CROUPIER_LOG_LEVEL", LOG_LEVELS) or "info",
            log_format=_one_of(given, "CROUPIER_LOG_FORMAT", LOG_FORMATS),
            traces=_traces(given),
        )

    @classmethod
    def misspelt(cls, environ: Mapping[str, str]) -> dict[str, str]:
        """What is set and looks like one of the service's variables, but is none: by name, the one
        that may be meant. Kubernetes has others of that prefix, for a service called `croupier`."""
        own = [f"CROUPIER_{f.name.upper()}" for f in fields(cls) if f.name not in NOT_OURS]
        found = {}
        for name in environ:
            if name.startswith("CROUPIER") and name not in own:
                for meant in difflib.get_close_matches(name, own, n=1, cutoff=0.85):
                    found[name] = meant
        return found


def masked(url: str) -> str:
    """The URL of a Redis server with every password in it hidden, fit to be printed."""
    # Up to the last "@": a password with characters that should be escaped hides too.
    url = re.sub(r"(?<=://)([^:/@]*):.*@", r"\1:***@", url)
    return re.sub(r"([?&][^=&]*password=)[^&#]*", r"\1***", url)


def _whole_number(given: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    # int() alone would take "1_000" and other scripts' digits too.
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise ConfigError(f"{name} must be a whole number from {least} to {most}, not {text!r}")
    return int(text)


def _flag(given: Mapping[str, str], name: str) -> bool:
    text = given.get(name, "0")
    if text not in ("0", "1"):
        raise ConfigError(f"{name} must be 0 or 1, not {text!r}")
    return text == "1"


def _origins(given: Mapping[str, str]) -> tuple[str, ...]:
    origins = tuple(
        o.strip() for o in given.get("CROUPIER_CORS_ORIGINS", "").split(",") if o.strip()
    )
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/?#*\s]+", origin):
            raise ConfigError(
                "CROUPIER_CORS_ORIGINS must be * or origins such as https://example.org, "
                f"not {origin!r}"
            )
    return origins


def _rates(given: Mapping[str, str]) -> Rates | None:
    text = given.get("CROUPIER_RATE_LIMIT", "")
    if text.lower() == "off":
        return None
    try:
        return Rates.parse(text) if text else Rates()
    except ValueError as error:
        raise ConfigError(f"CROUPIER_RATE_LIMIT {error}") from None


def _proxies(given: Mapping[str, str]) -> tuple[Network, ...]:
    text = given.get("CROUPIER_TRUSTED_PROXIES", "")
    try:
        return networks(text)
    except ValueError:
        raise ConfigError(
            "CROUPIER_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, with "
            f"commas, not {text!r}"
        ) from None


def _path(given: Mapping[str, str], name: str) -> Path | None:
    text = given.get(name)
    return None if text is None else Path(text)


def _one_of(given: Mapping[str, str], name: str, words: tuple[Word, ...]) -> Word | None:
    text = given.get(name)
    if text is None:
        return None
    for word in words:
        if word == text.lower():
            return word
    choice = f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    raise ConfigError(f"{name} must be {choice}, not {text!r}")


def _traces(given: Mapping[str, str]) -> str:
    """Where traces go, by OpenTelemetry's own rules for its variables."""
    if given.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return "none"
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    default = "otlp" if any(name in given for name in endpoints) else "none"
    to = _one_of(given, "OTEL_TRACES_EXPORTER", TRACES) or default
    for name in ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"):
        if to == "otlp":
            _one_of(given, name, ("http/protobuf",))
    return to


def _redis_url(given: Mapping[str, str], *, cluster: bool) -> str | None:
    url = given.get("REDIS_URL")
    if url is None:
        return None
    try:
        RedisUrl.parse(url, cluster=cluster)
    except ValueError as error:
        # The value may hold a password, so it is not repeated.
        schemes = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise ConfigError(
            "REDIS_URL must be the URL of a Redis or Valkey server, starting with one of "
            f"{schemes}: {error}"
        ) from None
    return url


def _redis_cluster(given: Mapping[str, str]) -> bool:
    text = given.get("CROUPIER_REDIS_CLUSTER", "0")
    if text not in ("0", "1") or (text == "1" and "REDIS_URL" not in given):
        raise ConfigError("CROUPIER_REDIS_CLUSTER must be 0, or 1 with a REDIS_URL")
    return text == "1"


def _wait_replicas(given: Mapping[str, str]) -> int:
    number = _whole_number(given, "CROUPIER_WAIT_REPLICAS", 0, 0, 9)
    if number and "REDIS_URL" not in given:
        raise ConfigError("CROUPIER_WAIT_REPLICAS must be 0 without a REDIS_URL")
    return number
