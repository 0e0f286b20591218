"""How the service runs under gunicorn, and the one place that starts and stops the embedded store.

The parent process loads settings and the store's starter, never the application: gevent has to
patch a worker before flask and redis are imported there.
"""

import contextlib
import errno
import logging
import os
import resource
import signal
import socket
import sys
import time
from pathlib import Path

from gunicorn import systemd
from gunicorn.glogging import Logger

from api import logs, tracing
from api.board import Board
from api.config import Config, ConfigError, masked
from api.scratch import Scratch
from api.store.embedded import EmbeddedStore, EmbeddedStoreError
from api.version import VERSION


def _place(host, port):
    """The address as it stands in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


try:
    settings = Config.from_environ(os.environ)
    tracing.require(settings.traces)
except ConfigError as error:
    raise SystemExit(f"croupier: {error}") from None


class ServersOwnLog(Logger):
    """gunicorn's log of itself. The service has its own line for each request; to make one here too
    would take a twentieth of a request, and nobody would read it."""

    def access(self, resp, req, environ, request_time):
        """Tells nothing."""


wsgi_app = "app:app"
logger_class = ServersOwnLog
bind = _place(settings.host, settings.port)
workers = settings.workers
worker_class = "api.worker.Worker"
# Watchers wait on idle connections, so many fit into one worker.
worker_connections = 10_000

# A worker whose event loop has stood still that long is replaced. Waiting requests do not count.
timeout = 30
# What is still being answered is cut off then; long polls and event streams end by themselves
# before. It stays under the ten seconds that container engines allow for a stop.
graceful_timeout = 5
# Longer than the minute for which common proxies keep an idle connection, so that they close first.
keepalive = 65

limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# What proxies say is for the service alone to judge, by CROUPIER_TRUSTED_PROXIES.
forwarded_allow_ips = ""
forwarder_headers = ""

# The workers' heartbeat files belong in memory: on a slow disk they would stall the event loop.
MEMORY = Path("/dev/shm")  # nosec B108 # names of files there are not guessed
worker_tmp_dir = str(MEMORY) if os.access(MEMORY, os.W_OK) else None
control_socket_disable = True
# No line tells of threads, and to find out takes a while for every one.
logging.logThreads = logging.logMultiprocessing = False
log_form = settings.log_format or ("plain" if sys.stderr.isatty() else "json")
logconfig_dict = logs.settings(settings.log_level, log_form)


def on_starting(server):
    """Before anything else: start the store, unless REDIS_URL names one."""
    _allow_many_connections()
    for name, meant in Config.misspelt(os.environ).items():
        logs.tell(logging.WARNING, f"{name} is no setting; is {meant} meant?", {})
    server.board = Board()
    handed_over = server.master_pid or systemd.listen_fds(unset_environment=False)
    if not handed_over:
        for address in server.cfg.address:
            _require_address(address)
    server.store = None
    if settings.redis_url is None:
        try:
            server.store = EmbeddedStore.start(
                settings.data_dir, appendfsync=settings.appendfsync, lines=log_form
            )
        except EmbeddedStoreError as error:
            raise SystemExit(f"croupier: {error}") from None
        os.environ["REDIS_URL"] = server.store.url
    server.scratch = Scratch("croupier-scratch-")
    # Before any process loads the metrics, which look for it then.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(server.scratch.path)


def when_ready(server):
    """Listening: say where, and on which store."""
    _leave_in_good_order(server)
    if server.store:
        _mind_the_store(server)
    host, port, *_ = server.LISTENERS[0].sock.getsockname()
    url = f"http://{_place(host, port)}"
    if server.store:
        store = f"embedded Valkey, data in {settings.data_dir.resolve()}"
    else:
        store = masked(settings.redis_url)
    # Where only JSON was asked for, nothing else is printed.
    if settings.log_format != "json":
        print(
            f"Croupier is open at {url}",
            f"  store  {store}",
            f"  docs   {url}/docs",
            sep="\n",
            flush=True,
        )
    if log_form == "json":
        logs.tell(logging.INFO, "open", {"url": url, "store": store, "version": VERSION})


def post_fork(server, worker):
    """In a new worker: the store is the parent's to end."""
    worker.board = server.board
    if server.store:
        server.store.let_go()


def post_worker_init(worker):
    """The service is loaded: a worker that is to stop lets its streams end, and hangs up."""
    # While the code is being changed it may not load; then there is only a page that says so.
    extensions = getattr(worker.wsgi, "extensions", {})
    if hub := extensions.get("croupier-hub"):
        from api import metrics

        hub.stopping = lambda: not worker.alive
        extensions["croupier-readiness"].leaving = lambda: worker.board.leaving
        metrics.WORKERS.inc()
        metrics.Gathered.gathering = True
        worker.each_second = metrics.Gathered.share
    worker.begin()
    worker.log.error_log.addFilter(_is_news)


def post_request(worker, req, environ, resp):
    """A worker that is to stop keeps no connection: its client finds another worker."""
    if not worker.alive:
        with contextlib.suppress(OSError):
            environ["gunicorn.socket"].shutdown(socket.SHUT_RD)


def worker_exit(server, worker):
    """In a worker that ends: pass on what it has counted, and send its last spans."""
    worker.each_second()
    tracing.stop()


def child_exit(server, worker):
    """A worker is gone: what it gauged counts no more."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server):
    """After the last worker."""
    server.scratch.remove()
    if server.store:
        server.store.stop()


def _leave_in_good_order(server):
    """Told to stop, serve on for a while in which `/readyz` says so; told again, stop at once."""

    def stop(*_):
        server.signal(signal.SIGTERM, None)

    def leave(*_):
        told_before = server.board.leaving
        server.board.leave()
        if told_before or not settings.drain_seconds:
            stop()
        else:
            signal.setitimer(signal.ITIMER_REAL, settings.drain_seconds)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGALRM, stop)


def _mind_the_store(server):
    """Whenever a child has ended, look whether it was the process that keeps the store."""

    def ended(*_):
        server.signal_chld(signal.SIGCHLD, None)
        try:
            server.store.mind()
        except OSError as error:
            logs.tell(logging.ERROR, f"nobody keeps the embedded Valkey: {error}", {})

    signal.signal(signal.SIGCHLD, ended)


def _is_news(record):
    """Readers that took nothing, or vanished from the network, are no trouble of the service."""
    return not (record.exc_info and isinstance(record.exc_info[1], TimeoutError))


def _require_address(address):
    """Stop with one line if the address cannot be had; gunicorn would take a dozen to say so."""
    host, port = address
    deadline = time.monotonic() + 3
    while True:
        try:
            family, *_, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                return trial.bind(found)
        except OSError as error:
            # The workers of a service that was killed are gone within a second or two.
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise SystemExit(
                    f"croupier: cannot listen on {_place(host, port)}: {error.strerror}; "
                    "set PORT or CROUPIER_HOST to an address that is free"
                ) from None
        time.sleep(0.1)


def _allow_many_connections():
    """Raise the limit of open files as far as is allowed, up to what the workers can use."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * worker_connections
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems have a further limit that only trying tells.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
