"""Retries where it is hard: answers lost on the way, commits delivered twice, copies of a request
at the same moment on several workers; and what of a key is kept (cases 41 and 43)."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from api import create_app
from api.config import Config
from api.store.base import Commit, CommitResult, StoreUnavailable
from api.store.redis import RedisStore
from tests.api.places import OPEN, join, joined, leave, renew
from tests.api.store.proxy import Cut, Proxy
from tests.api.tables import POSITIONS, placed, plainly, put
from tests.conformance import CheckedClient, Contract
from tests.rush import Answer, Remote, at_once
from tests.seats import Seats
from tests.services import Service
from tests.valkey import Server

SECRET = "a-key-that-nobody-else-may-know"
KEY = {"Idempotency-Key": SECRET}
PLAY = {"action": "play", "card": "7H"}
MATCHES = "/v1/games/even-steven/matches"


# Answers that are lost


def test_case_43_a_retry_after_the_answer_was_lost_gets_it(
    client: CheckedClient, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker dies, or the store falls silent, right after the commit."""
    seats, commit = placed(client, store, POSITIONS["even-steven"]()), store.commit

    def lose(change: Commit) -> CommitResult:
        monkeypatch.undo()
        commit(change)
        raise StoreUnavailable("no answer came", maybe_done=True)

    monkeypatch.setattr(store, "commit", lose)
    assert seats.move(0, PLAY, **KEY).status_code == 503
    again = seats.move(0, PLAY, **KEY)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json()["version"] == seats.view()["version"] == 1
    view = again.get_json()
    assert view.pop("events")[0]["cards"] == ["7H"]
    assert view == seats.view(0)


# Delivered twice


def requests(seats: Seats, key: dict[str, str]) -> dict[str, Callable[[], TestResponse]]:
    """One request of each kind that writes."""
    client, new = seats.client, {"seats": [{"name": "Ada"}, OPEN]}
    return {
        "create": lambda: client.post(MATCHES, json=new, headers=key),
        "move": lambda: seats.move(0, PLAY, **key),
        "leave": lambda: leave(seats, 2),
        "renew": lambda: renew(seats, 1, 1, **key),
    }


@pytest.mark.parametrize("kind", ["create", "move", "leave", "renew"])
@pytest.mark.parametrize("key", [{}, KEY], ids=["no key", "a key"])
def test_a_commit_that_the_network_delivers_twice_counts_once(
    client: CheckedClient,
    store: RedisStore,
    monkeypatch: pytest.MonkeyPatch,
    key: dict[str, str],
    kind: str,
) -> None:
    seats = placed(client, store, POSITIONS["even-steven"]())
    commit = store.commit

    def twice(change: Commit) -> CommitResult:
        monkeypatch.undo()
        commit(change)
        return commit(change)

    monkeypatch.setattr(store, "commit", twice)
    answer = requests(seats, key)[kind]()
    assert answer.status_code in (200, 201, 204), answer.text
    assert "Idempotent-Replayed" not in answer.headers or kind == "renew"
    versions = {"create": 0, "move": 1, "leave": 1, "renew": 0}
    assert seats.view()["version"] == versions[kind]
    if kind == "create":
        made = Seats(client, "even-steven", answer.get_json())
        assert made.view(0)["you"]["seat"] == 0
        listed = client.get(MATCHES).get_json()["matches"]
        assert [match["match_id"] for match in listed] == [made.match_id]


@pytest.fixture
def proxy(valkey: Server) -> Iterator[Proxy]:
    """A way to the store that can break."""
    with Proxy(valkey.socket) as proxy:
        yield proxy


def test_a_connection_that_breaks_before_the_reply_is_not_noticed(
    proxy: Proxy, store: RedisStore, contract: Contract
) -> None:
    """The driver sends the commit again, and the store knows it by its nonce."""
    far = RedisStore(proxy.url, ttl_seconds=60)
    app = create_app(Config(rate_limit=None), store=far)
    app.test_client_class = type("Client", (CheckedClient,), {"contract": contract})
    client: Any = app.test_client()
    for lost in (Cut.BEFORE_REQUEST, Cut.BEFORE_REPLY):
        seats = placed(client, store, POSITIONS["even-steven"]())
        seats.get(0)  # a connection that is in use
        for name in ("move", "leave", "renew"):
            before = seats.view()["version"]
            proxy.faults.extend([None, lost])  # type: ignore[list-item]  # the load passes
            answer = requests(seats, KEY)[name]()
            assert answer.status_code in (200, 204), answer.text
            assert not proxy.faults
            assert seats.view()["version"] == before + (name != "renew")
            if name == "renew":
                seats.tokens[1] = answer.get_json()["token"]
                assert seats.view(1)["you"]["seat"] == 1
    far.close()


# Copies at the same moment, on four workers


def the_only_first(answers: list[Answer], status: int) -> Answer:
    """One answer is the first, all others the same again."""
    assert {answer.status_code for answer in answers} == {status}, [a.text for a in answers]
    assert len({answer.data for answer in answers}) == 1
    again = Counter(answer.headers.get("Idempotent-Replayed") for answer in answers)
    assert again == {None: 1, "true": len(answers) - 1}
    return answers[0]


@pytest.fixture
def remote(service: Service, valkey: Server, contract: Contract) -> Any:
    """A client of the four workers."""
    return Remote(service.url, contract)


def test_copies_of_a_move_at_the_same_moment_are_one_move(remote: Any, store: RedisStore) -> None:
    for number in range(5):
        seats = Seats(remote, "even-steven", put(store, POSITIONS["even-steven"]()))
        key = {"Idempotency-Key": f"copies-{number}"}
        answers = at_once([partial(seats.move, 0, PLAY, **key)] * 12)
        first = the_only_first(answers, 200)
        assert first.get_json()["version"] == seats.view()["version"] == 1


def test_copies_of_a_creation_at_the_same_moment_are_one_match(remote: Any) -> None:
    body = {"seats": [{"name": "Ada"}, OPEN]}
    for number in range(3):
        key = {"Idempotency-Key": f"copies-{number}"}
        answers = at_once([partial(remote.post, MATCHES, json=body, headers=key)] * 12)
        made = Seats(remote, "even-steven", the_only_first(answers, 201).get_json())
        assert made.view(0)["you"]["seat"] == 0
        assert remote.delete(made.path, headers=made.auth("host")).status_code == 204
    assert remote.get(MATCHES).get_json() == {"matches": [], "next_cursor": None}


def test_case_41_copies_of_a_join_at_the_same_moment_take_one_seat(remote: Any) -> None:
    for number in range(3):
        seats = Seats.create(remote, seats=[{}, OPEN, OPEN])
        key = {"Idempotency-Key": f"copies-{number}"}
        answers = at_once([partial(join, seats, {"name": "Cem"}, **key)] * 12)
        told = the_only_first(answers, 201).get_json()
        seats.tokens[told["seat"]] = told["token"]
        assert [seat["name"] for seat in seats.view()["seats"]] == ["Player 1", "Cem", None]
        assert seats.view(1)["you"]["seat"] == 1


def test_copies_of_a_renewal_at_the_same_moment_give_one_token(
    remote: Any, store: RedisStore
) -> None:
    seats = Seats(remote, "even-steven", put(store, POSITIONS["even-steven"]()))
    answers = at_once([partial(renew, seats, 0, 0, **KEY)] * 12)
    seats.tokens[0] = the_only_first(answers, 200).get_json()["token"]
    assert seats.view(0)["you"]["seat"] == 0


# What is kept


def test_neither_key_nor_token_is_kept_not_even_within_an_answer(
    client: CheckedClient, valkey: Server
) -> None:
    created = client.post(MATCHES, json={"seats": [{"name": "Ada"}, OPEN]}, headers=KEY)
    seats = Seats(client, "even-steven", created.get_json())
    secrets = [SECRET, seats.host, seats.tokens[0], joined(seats, {"name": "Ben"}, **KEY)["token"]]
    mover = seats.view()["to_act"][0]
    seats.move(mover, seats.view(mover)["legal_moves"][0], **KEY)
    secrets.append(renew(seats, mover, mover, **KEY).get_json()["token"])
    with valkey.client() as plain:
        (match,) = plain.scan_iter("croupier:{*}:match")
        answers = [v for f, v in plain.hgetall(match).items() if f.startswith(b"answer:")]
    assert len(answers) == 4
    bodies = [zlib.decompress(msgspec.msgpack.decode(answer)[-1]) for answer in answers]
    assert all(seats.match_id.encode() in body for body in bodies)
    kept = b"".join([*bodies, *(k + v for k, v in plainly(valkey).items())])
    assert not [secret for secret in secrets if secret.encode() in kept]
