"""Tokens: odd ones are refused alike and harm nobody; no secret is kept or repeated (case 48)."""

from __future__ import annotations

import ast
import hashlib
import re

import pytest

from api.store.redis import RedisStore
from engine import GAMES
from tests.api.tables import POSITIONS, placed, plainly, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import ROOT
from tests.valkey import Server

MOVE = {"action": "play", "card": "7H"}


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H."""
    return placed(client, store, POSITIONS["even-steven"]())


def odd_credentials(seats: Seats, other: Seats) -> list[str | None]:
    """Headers that are not a token of this match, many of them nearly."""
    right = seats.tokens[0]
    return [
        *(
            "",
            " ",
            "Bearer",
            "Bearer ",
            "bearer",
            "Basic",
            f"Basic {right}",
            right,
            f"Token {right}",
        ),
        *(f"Bearer  {right}", f"Bearer\t{right}", f"Bearer {right} {right}", f"Bearer {right},x"),
        *(f"Bearer {right}, Bearer {right}", f"Bearer, {right}", f'Bearer "{right}"'),
        *(f"Bearer {right[:-1]}", f"Bearer {right}A", f"Bearer {right[:-1]}é", f"Bearer {right}="),
        *(f"Bearer {right.swapcase()}", f"Bearer {right[::-1]}", "Bearer " + "x" * 43),
        *("Bearer " + "x" * 10_000, "x" * 10_000, "Bearer café", "Bearer \xe9", "Bearer \xff" * 43),
        *(
            f"Bearer {right}\x00",
            f"Bearer \x00{right}",
            f"Bearer {right}\x85",
            f"Bearer {right}\xa0",
        ),
        *("Bearer null", "Bearer 0", "Bearer undefined", "Bearer []", "Bearer ../../x"),
        *(f"Bearer {other.tokens[0]}", f"Bearer {other.host}", f"Bearer {other.match_id}"),
        *(f"Bearer {seats.match_id}", f"Bearer {seats.view()['seed_hash']}"),
        f"Bearer {hashlib.sha256(right.encode()).hexdigest()}",
    ]


def test_case_48_every_odd_credential_is_the_same_401_and_harms_nobody(
    client: CheckedClient, seats: Seats, valkey: Server
) -> None:
    other = Seats.create(client, "even-steven")
    bodies = set()
    with untouched(valkey):
        for header in odd_credentials(seats, other):
            auth = {"Authorization": header}
            for answer in (
                client.get(seats.path, headers=auth),
                client.post(f"{seats.path}/moves", json=MOVE, headers=auth),
                client.delete(seats.path, headers=auth),
            ):
                assert answer.status_code == 401, header
                assert answer.headers["WWW-Authenticate"] == "Bearer"
                assert "ETag" not in answer.headers
                bodies.add(answer.data)
    assert len(bodies) == 1
    assert seats.move(0, MOVE).status_code == 200


def test_a_move_and_a_deletion_need_a_token(
    client: CheckedClient, seats: Seats, valkey: Server
) -> None:
    with untouched(valkey):
        missing = [client.post(f"{seats.path}/moves", json=MOVE), client.delete(seats.path)]
    wrong = client.get(seats.path, headers={"Authorization": "Bearer"})
    assert [answer.status_code for answer in missing] == [401, 401]
    assert {answer.data for answer in missing} == {wrong.data}


def test_two_authorization_headers_are_one_too_many(client: CheckedClient, seats: Seats) -> None:
    header = ("Authorization", f"Bearer {seats.tokens[0]}")
    assert client.get(seats.path, headers=[header, header]).status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_the_schemes_case_does_not_matter(client: CheckedClient, seats: Seats, scheme: str) -> None:
    answer = client.get(seats.path, headers={"Authorization": f"{scheme} {seats.tokens[1]}"})
    assert answer.get_json()["you"]["seat"] == 1


def test_a_token_is_taken_from_its_header_alone(client: CheckedClient, seats: Seats) -> None:
    token = seats.tokens[0]
    for query in (f"token={token}", f"access_token={token}", f"authorization=Bearer%20{token}"):
        answer = client.get(f"{seats.path}?{query}")
        assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/validation")
    client.set_cookie("token", token)
    assert seats.view()["you"] is None


def test_the_hosts_token_does_not_move(seats: Seats, valkey: Server) -> None:
    with untouched(valkey):
        answer = seats.move("host", MOVE)
    assert (answer.status_code, answer.get_json()["type"]) == (403, "/problems/forbidden")


def quick_comparisons(source: str) -> list[str]:
    """Comparisons of secrets that take longer the more of them is right."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare)
        and not all(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops)
        and re.search("token|hash|digest|secret|hmac|_mac", ast.unparse(node))
    ]


def test_secrets_are_compared_in_a_time_that_does_not_tell_how_much_is_right() -> None:
    for source in ("held == new_hash", "new_hash in table.seat_hashes", "digest(token) != kept"):
        assert quick_comparisons(source)
    found = {
        str(path.relative_to(ROOT)): wrong
        for path in (ROOT / "api").rglob("*.py")
        if (wrong := quick_comparisons(path.read_text("utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize("game", GAMES)
def test_redis_holds_no_token_but_its_hash(
    client: CheckedClient, valkey: Server, game: str
) -> None:
    seats = Seats.create(client, game, seats=[{}, {}, {"bot": "random"}])
    seats.play_on(5)
    stored = b"".join(key + value for key, value in plainly(valkey).items())
    for secret in (seats.host, *seats.tokens.values()):
        assert secret.encode() not in stored
        assert hashlib.sha256(secret.encode()).hexdigest().encode() not in stored
        assert hashlib.sha256(secret.encode()).digest() in stored


@pytest.mark.parametrize("game", GAMES)
def test_no_later_answer_holds_a_token(client: CheckedClient, game: str) -> None:
    seats = Seats.create(client, game, seats=[{"name": "Ada"}, {"name": "Ben"}, {"bot": "random"}])
    secrets = [seats.host, *seats.tokens.values()]
    hashes = [hashlib.sha256(secret.encode()).hexdigest() for secret in secrets]
    answers = []
    view = seats.view()
    while view["status"] == "playing" and len(answers) < 60:
        seat = view["to_act"][0]
        answers += [seats.get(who) for who in (0, 1, "host", None)]
        answers.append(seats.move(1 - seat, {"action": "burn", "card": "wild"}))
        answers.append(seats.move("host", seats.view(seat)["legal_moves"][0]))
        answers.append(seats.move(seat, seats.view(seat)["legal_moves"][0]))
        view = answers[-1].get_json()
    answers.append(client.delete(seats.path, headers=seats.auth(0)))
    for answer in answers:
        told = answer.text + str(answer.headers)
        assert not [secret for secret in (*secrets, *hashes) if secret in told]
