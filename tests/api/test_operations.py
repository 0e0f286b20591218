"""Where one arrives, what operators ask, the contract's pages and the problem pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
import yaml

from api.problems import PROBLEMS
from tests.conformance import CheckedClient, Contract

PAGES = ("/", "/v1/games", "/openapi.json", "/openapi.yaml", "/docs", "/problems/validation")
SLUGS = sorted(PROBLEMS)


def test_home_links_lead_somewhere(client: CheckedClient) -> None:
    home = client.get("/").get_json()
    assert home["name"] == "Croupier"
    assert home["version"] == client.get("/openapi.json").get_json()["info"]["version"]
    assert set(home["links"]) == {"games", "openapi_yaml", "openapi_json", "docs"}
    for path in home["links"].values():
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_healthy_service_says_so_and_no_cache_keeps_it(client: CheckedClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_service_that_is_to_stop_is_not_ready_and_alive(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    readiness = client.application.extensions["croupier-readiness"]
    monkeypatch.setattr(readiness, "leaving", lambda: True)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/leaving")
    assert client.get("/healthz").status_code == 200


def test_the_contract_is_the_same_as_json_and_as_yaml(
    client: CheckedClient, contract: Contract
) -> None:
    as_yaml = client.get("/openapi.yaml")
    assert as_yaml.mimetype == "application/yaml"
    assert yaml.safe_load(as_yaml.text) == client.get("/openapi.json").get_json()
    assert client.get("/openapi.json").get_json() == contract.document


class Links(HTMLParser):
    """Every address that a page loads or leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def test_the_docs_page_needs_nothing_from_elsewhere(client: CheckedClient) -> None:
    page = client.get("/docs")
    assert page.mimetype == "text/html"
    links = Links(page.text).found
    assert len(links) >= 3
    for link in links:
        assert link.startswith("/"), f"{link} is not of this service"
        answer = client.get(link, buffered=True)
        assert answer.status_code == 200, link
        if link.endswith((".css", "docs.js")):
            assert not re.search(r"url\((?!['\"]?(data:|#))|@import", answer.text), link


def test_the_docs_page_reads_this_services_contract(client: CheckedClient) -> None:
    (address,) = re.findall(r'url: "([^"]+)"', client.get("/static/docs.js", buffered=True).text)
    assert client.get(urljoin("/docs", address)).get_json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_problem_type_leads_to_its_page(client: CheckedClient, slug: str) -> None:
    problem = PROBLEMS[slug]
    as_json = client.get(f"/problems/{slug}")
    assert as_json.get_json() == {
        "type": f"/problems/{slug}",
        "title": problem.title,
        "status": problem.status,
        "description": problem.page,
    }
    page = client.get(f"/problems/{slug}", headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.mimetype == "text/html"
    assert problem.title in page.text
    for link in Links(page.text).found:
        assert client.get(link, buffered=True).status_code == 200, link


def test_a_browser_that_opens_the_service_finds_where_to_go_on(client: CheckedClient) -> None:
    page = client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.mimetype == "text/html"
    links = Links(page.text).found
    assert {"/docs", "/openapi.yaml", "/v1/games"} < set(links)
    for link in links:
        assert client.get(link, buffered=True).status_code == 200, link


@pytest.mark.parametrize("path", ["/", "/problems/validation"])
def test_a_cache_keeps_a_page_apart_from_its_json(client: CheckedClient, path: str) -> None:
    for accept in ("text/html", "application/json", "*/*"):
        answer = client.get(path, headers={"Accept": accept})
        assert answer.headers["Vary"] == "Accept"


def test_an_unknown_problem_type_is_not_found(client: CheckedClient) -> None:
    assert client.get("/problems/nonsense").get_json()["type"] == "/problems/not-found"


@pytest.mark.parametrize("path", [*PAGES, "/v1/games/even-steven"])
def test_what_is_the_same_for_all_may_be_kept_and_asked_for_again(
    client: CheckedClient, path: str
) -> None:
    first = client.get(path, headers={"Authorization": "Bearer whatever"})
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "public, max-age=300"
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    other = client.get(path, headers={"If-None-Match": '"other"'})
    assert (other.status_code, other.data) == (200, first.data)


@pytest.mark.parametrize("path", PAGES)
def test_conditions_that_make_no_sense_here_change_nothing(
    client: CheckedClient, path: str
) -> None:
    plain = client.get(path)
    for name, value in (("If-Match", '"x"'), ("Range", "bytes=0-1"), ("Range", "bytes=9999999-")):
        answer = client.get(path, headers={name: value})
        assert (answer.status_code, answer.data) == (200, plain.data)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../problems.py",
        "/static/%2e%2e/problems.py",
        "/static//etc/passwd",
        "/static/swagger-ui/../../../etc/passwd",
        "/static/swagger-ui/..%2f..%2fx",
        "/static/",
        "/static/swagger-ui/",
        "/static/nothing.css",
    ],
)
def test_only_the_pages_files_are_served(client: CheckedClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.get_json()["type"] == "/problems/not-found"
