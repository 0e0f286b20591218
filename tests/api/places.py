"""Requests about places at a table: join, leave, a new token, the rematch; and all that a token
opens."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from tests.seats import Seats

OPEN = {"open": True}


def kind(answer: TestResponse) -> tuple[int, str]:
    """The status, and of a problem the last part of its type."""
    problem = answer.status_code >= 400
    return answer.status_code, answer.get_json()["type"].rpartition("/")[2] if problem else ""


def join(seats: Seats, body: Any = None, **headers: str) -> TestResponse:
    """A join as it is answered."""
    return seats.client.post(f"{seats.path}/seats", json=body or {}, headers=headers)


def joined(seats: Seats, body: Any = None, **headers: str) -> dict[str, Any]:
    """The answer to a join that is accepted, whose token is kept among the seats'."""
    answer = join(seats, body, **headers)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.get_json()
    seats.tokens[told["seat"]] = told["token"]
    return told


def leave(seats: Seats, seat: int, who: int | str | None = None) -> TestResponse:
    """A leave as it is answered; the seat's own, unless somebody else asks for it."""
    return seats.client.delete(
        f"{seats.path}/seats/{seat}", headers=seats.auth(seat if who is None else who)
    )


def renew(seats: Seats, seat: int, who: int | str | None, **headers: str) -> TestResponse:
    """A request for a new token as it is answered."""
    return seats.client.post(
        f"{seats.path}/seats/{seat}/token", headers={**seats.auth(who), **headers}
    )


def rematch(seats: Seats, who: int | str | None) -> TestResponse:
    """A request for a rematch as it is answered."""
    return seats.client.post(f"{seats.path}/rematch", headers=seats.auth(who))


#: By game, a body that always reads.
READABLE: dict[str, dict[str, Any]] = {
    "even-steven": {"action": "draw"},
    "card-keeper": {"action": "burn", "card": "wild"},
    "seven-twos-tens": {"action": "pick_up"},
}


def doors(seats: Seats, token: str, seat: int) -> dict[str, TestResponse]:
    """Everything that a token of this seat would open, tried with this token."""
    headers = {"Authorization": f"Bearer {token}"}
    client, path, body = seats.client, seats.path, READABLE[seats.game]
    stream = {**headers, "Accept": "text/event-stream"}
    return {
        "view": client.get(path, headers=headers),
        "events": client.get(f"{path}/events", headers=headers),
        "stream": client.get(f"{path}/events", headers=stream),
        "replay": client.get(f"{path}/replay", headers=headers),
        "rematch": client.post(f"{path}/rematch", headers=headers),
        "move": client.post(f"{path}/moves", json=body, headers=headers),
        "judge": client.post(f"{path}/moves?dry_run=true", json=body, headers=headers),
        "delete": client.delete(path, headers=headers),
        "renew": client.post(f"{path}/seats/{seat}/token", headers=headers),
        "leave": client.delete(f"{path}/seats/{seat}", headers=headers),
    }


def is_dead(seats: Seats, token: str, seat: int) -> None:
    """Fails unless the token is refused everywhere, with the very body of one never given."""
    view = seats.client.get(seats.path, headers={"Authorization": f"Bearer {token}"})
    assert kind(view) == (401, "unauthorized")  # or the stream below would not end
    answers = doors(seats, token, seat)
    assert {name: kind(answer) for name, answer in answers.items()} == dict.fromkeys(
        answers, (401, "unauthorized")
    )
    strangers = seats.client.get(seats.path, headers={"Authorization": f"Bearer {'x' * 43}"})
    assert {answer.data for answer in answers.values()} == {strangers.data}
