"""Metrics: what operators read, right across workers, and nothing that names a match or a token."""

from __future__ import annotations

import requests
from prometheus_client.parser import text_string_to_metric_families

from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import Service


def read(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every sample of an exposition, by name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def sample(text: str, name: str, **labels: str) -> float:
    return read(text).get((name, frozenset(labels.items())), 0.0)


def test_moves_and_matches_are_counted_by_game(client: CheckedClient) -> None:
    before = client.get("/metrics").text
    seats = Seats.create(client, "even-steven", humans=2)
    seats.play_on(moves=3)
    after = client.get("/metrics").text

    def grown(name: str, **labels: str) -> float:
        return sample(after, name, **labels) - sample(before, name, **labels)

    assert grown("croupier_matches_total", game="even-steven", status="playing") == 1
    assert grown("croupier_versions_total", game="even-steven") == 3


def test_requests_are_measured_by_route_and_status(client: CheckedClient) -> None:
    before = client.get("/metrics").text
    client.get("/v1/games")
    client.get("/nothing/here")
    after = client.get("/metrics").text
    for route, status in (("/v1/games", "200"), ("none", "404")):
        labels = {"method": "GET", "route": route, "status": status}
        name = "croupier_request_seconds_count"
        assert sample(after, name, **labels) == sample(before, name, **labels) + 1


def test_no_metric_names_a_match_or_a_token(client: CheckedClient) -> None:
    seats = Seats.create(client, "card-keeper", humans=2)
    seats.play_on(moves=2)
    text = client.get("/metrics").text
    for secret in (seats.match_id, seats.host, *seats.tokens.values()):
        assert secret not in text


def test_every_worker_tells_of_all(service: Service) -> None:
    def made() -> float:
        text = requests.get(f"{service.url}/metrics", timeout=10).text
        labels = {"game": "even-steven", "status": "playing"}
        return sample(text, "croupier_matches_total", **labels)

    before = made()
    for _ in range(12):
        answer = requests.post(
            f"{service.url}/v1/games/even-steven/matches", json={"seats": [{}, {}]}, timeout=10
        )
        assert answer.status_code == 201
    assert {made() for _ in range(6)} == {before + 12}
