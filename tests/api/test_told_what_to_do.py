"""Mistakes of people who begin: the refusal's sentences say what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance import CheckedClient

MATCHES = "/v1/games/even-steven/matches"
BOT = {"bot": "random"}


@pytest.mark.parametrize(
    ("body", "member", "sentence"),
    [
        ({"seats": ["Ada", BOT]}, "seats.0", "Must be an object."),
        ({"seats": [{}, BOT], "options": []}, "options", "Must be an object."),
        ({"seats": [{}, BOT], "turn_seconds": 1}, "turn_seconds", "from 5 to 604800."),
        ({"seats": [{}, BOT], "turn_seconds": "60"}, "turn_seconds", "from 5 to 604800."),
        ({"seats": [{}, BOT], "options": {"face_down": 9}}, "options.face_down", "from 0 to 3."),
        (
            {"seats": [{}, BOT], "options": {"hand_size": "7"}},
            "options.hand_size",
            "Must be one of: 4, 7.",
        ),
    ],
)
def test_a_members_sentence_says_what_it_has_to_be(
    client: CheckedClient, body: dict[str, Any], member: str, sentence: str
) -> None:
    answer = client.post(MATCHES, json=body)
    ((name, [said]),) = answer.get_json()["errors"].items()
    assert (answer.status_code, name) == (422, member)
    assert said.endswith(sentence)


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x", ""])
def test_a_query_parameters_sentence_says_what_it_has_to_be(
    client: CheckedClient, limit: str
) -> None:
    answer = client.get(f"{MATCHES}?limit={limit}")
    assert answer.get_json()["errors"] == {"limit": ["Must be a whole number from 1 to 100."]}


def test_a_slash_at_the_end_is_pointed_out(client: CheckedClient) -> None:
    detail = client.get(f"{MATCHES}/").get_json()["detail"]
    assert detail.startswith("No path ends in a slash: leave it out.")


def test_other_methods_are_told_which_the_path_takes(client: CheckedClient) -> None:
    answer = client.put(MATCHES)
    assert answer.headers["Allow"] in answer.get_json()["detail"]


def test_a_compressed_body_is_told_to_be_the_trouble(client: CheckedClient) -> None:
    answer = client.post(MATCHES, json={"seats": [{}, BOT]}, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 415
    assert "without Content-Encoding" in answer.get_json()["detail"]
