"""Where one arrives, what operators ask, and the contract with its reading page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import flask
import flask_swagger_ui
import yaml
from flask import Response, request, send_from_directory

from api import browsers, metrics
from api.documents import TITLE, conditional, example, problems
from api.errors import Leaving, NotFound
from api.parameters import SLUG_PARAMETER
from api.problems import PROBLEMS, Problem
from api.schemas.operations import Health, Home, ProblemPage
from api.store.base import Store
from api.version import VERSION
from api.web import NO_STORE, Blueprint, answer, public_answer

STATIC = Path(__file__).with_name("static")
DOCS = STATIC / "docs.html"
#: The files of Swagger UI, as its package carries them, and those that the page needs. Others are
#: pages of their own, with scripts in them.
SWAGGER_UI = Path(flask_swagger_ui.__file__).with_name("dist")
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
_CODE = re.compile(r"`([^`]+)`")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="/static/page.css">
<link rel="icon" type="image/svg+xml" href="/static/logo.svg"></head>
<body><header><a href="/docs"><img src="/static/logo.svg" alt="">Croupier</a></header>
<main>{body}</main></body></html>
"""
_HOME = PAGE.format(
    title=TITLE,
    body=f"<h1>{TITLE}</h1>"
    f'<p class="status">version {html.escape(VERSION)}</p>'
    "<p>This service deals, referees and remembers card games for programs.</p>"
    '<ul><li><a href="/docs">Read the contract and try it</a></li>'
    '<li><a href="/openapi.yaml">The contract as a file</a></li>'
    '<li><a href="/v1/games">The games, as programs see them</a></li></ul>',
)


@dataclass
class Readiness:
    """`leaving` tells whether the service is to stop; its server knows."""

    leaving: Callable[[], bool] = lambda: False


def operations_blueprint(
    store: Store,
    contract: Callable[[], dict[str, Any]],
    readiness: Readiness,
    *,
    shared_metrics: bool,
) -> Blueprint:
    """The blueprint of everything that is about no game. `contract` gives the document;
    `shared_metrics` tells whether worker processes put theirs together."""
    yaml_bytes = cache(lambda: as_yaml(contract()).encode())
    blp = Blueprint(
        "operations", __name__, description="Whether the service is well, and its contract."
    )

    @blp.route("/", methods=["GET"])
    @blp.response(200, Home, examples=example(None, "home"))
    @blp.alt_response(200, schema={"type": "string"}, content_type="text/html")
    @problems()
    @conditional
    @blp.doc(operationId="get_home")
    def home() -> Response:
        """Say what this is and where to go on

        The service's name and version, and the paths of the games, the contract and its pages. As
        HTML for browsers, else as JSON.
        """
        links = {
            "games": "/v1/games",
            "openapi_yaml": "/openapi.yaml",
            "openapi_json": "/openapi.json",
            "docs": "/docs",
        }
        return _for_asker({"name": TITLE, "version": VERSION, "links": links}, _HOME)

    @blp.route("/healthz", methods=["GET"])
    @blp.response(200, Health)
    @problems(counted=False)
    @blp.doc(operationId="check_health")
    def healthz() -> Response:
        """Tell whether the process is alive

        The store is not asked. A process that does not answer should be started anew.
        """
        return answer({"status": "ok"}, headers=NO_STORE)

    @blp.route("/readyz", methods=["GET"])
    @blp.response(200, Health)
    @problems("store-unavailable", "leaving", counted=False)
    @blp.doc(operationId="check_readiness")
    def readyz() -> Response:
        """Tell whether requests can be served

        200 while the store is reachable, 503 while it is not and other requests would fail. 503
        too once the service was told to stop: it serves on for a while, but is to get no more.
        """
        if readiness.leaving():
            raise Leaving
        store.ping()
        return answer({"status": "ok"}, headers=NO_STORE)

    @blp.route("/metrics", methods=["GET"])
    @blp.response(200, {"type": "string"}, content_type="text/plain")
    @problems(counted=False)
    @blp.doc(operationId="read_metrics")
    def read_metrics() -> Response:
        """Read the metrics

        Those of all workers together, in Prometheus' text form.
        """
        exposition = metrics.exposition(shared=shared_metrics)
        headers = {"Content-Type": metrics.MEDIA_TYPE, **NO_STORE}
        return Response(exposition, headers=headers)

    @blp.route("/openapi.json", methods=["GET"])
    @blp.response(200, {"type": "object"})
    @problems()
    @conditional
    @blp.doc(operationId="get_openapi_json")
    def openapi_json() -> Response:
        """Get the contract as JSON

        The OpenAPI document that you are reading.
        """
        return public_answer(contract())

    @blp.route("/openapi.yaml", methods=["GET"])
    @blp.response(200, {}, content_type="application/yaml")
    @problems()
    @conditional
    @blp.doc(operationId="get_openapi_yaml")
    def openapi_yaml() -> Response:
        """Get the contract as YAML

        The OpenAPI document that you are reading.
        """
        return public_answer(yaml_bytes(), "application/yaml")

    @blp.route("/docs", methods=["GET"])
    @blp.response(200, {"type": "string"}, content_type="text/html")
    @problems()
    @conditional
    @blp.doc(operationId="read_docs")
    def docs() -> Response:
        """Read the contract and try it

        A page for a browser, which needs nothing from anywhere else.
        """
        page = public_answer(DOCS.read_bytes(), "text/html")
        page.headers.update(browsers.DOCS)
        return page

    @blp.route("/problems/<slug>", parameters=[SLUG_PARAMETER], methods=["GET"])
    @blp.response(200, ProblemPage)
    @blp.alt_response(200, schema={"type": "string"}, content_type="text/html")
    @problems("not-found")
    @conditional
    @blp.doc(operationId="explain_problem")
    def problem_page(slug: str) -> Response:
        """Explain an error type

        The path is a problem's `type`. As HTML for browsers, else as JSON.
        """
        problem = PROBLEMS.get(slug)
        if problem is None:
            raise NotFound("There is no such error type.")
        told = {
            "type": problem.type,
            "title": problem.title,
            "status": problem.status,
            "description": problem.page,
        }
        return _for_asker(told, _as_page(problem))

    return blp


def assets_blueprint() -> flask.Blueprint:
    """The files that the pages need; no part of the contract."""
    blp = flask.Blueprint("assets", __name__)

    @blp.get("/static/<path:name>")
    def static_file(name: str) -> Response:
        return send_from_directory(STATIC, name)

    @blp.get(f"/static/swagger-ui/<any({', '.join(map(repr, SWAGGER_FILES))}):name>")
    def swagger_file(name: str) -> Response:
        return send_from_directory(SWAGGER_UI, name)

    return blp


def as_yaml(contract: dict[str, Any]) -> str:
    """The contract as the YAML that is committed: plain JSON values, in the document's order."""
    plain = json.loads(json.dumps(contract))
    text: str = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


class _Dumper(yaml.SafeDumper):
    """PyYAML's, with texts of several lines written as such."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _text)


def _for_asker(told: dict[str, Any], page: str) -> Response:
    """The page for who would rather have HTML, as browsers would; else what it says, as JSON."""
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        found = public_answer(page.encode(), "text/html")
        found.headers.update(browsers.PAGE)
    else:
        found = public_answer(told)
    found.vary.add("Accept")
    return found


def _as_page(problem: Problem) -> str:
    page = _CODE.sub(r"<code>\1</code>", html.escape(problem.page))
    body = (
        f"<h1>{html.escape(problem.title)}</h1>"
        f'<p class="status"><code>{problem.type}</code>, status {problem.status}</p>'
        f"<p>{page}</p>"
        '<p><a href="/docs">The contract</a></p>'
    )
    return PAGE.format(title=html.escape(f"{problem.title} · {TITLE}"), body=body)
