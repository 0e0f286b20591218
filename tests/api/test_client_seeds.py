"""Client seeds: the players' own part in the deal, mixed as the recipe says and told at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from engine.chance import chance_seed
from tests.api.places import OPEN, join, joined, kind, leave
from tests.conformance import CheckedClient
from tests.seats import Seats

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TEXTS = ("salt of Ada", "1", "Zoë ♠", "x" * 128)


# The recipe, from its page and not from the engine


def mixed(seed: str, texts: dict[int, str]) -> bytes:
    """What the words are drawn from."""
    if not texts:
        return seed.encode()
    message = seed.encode()
    for seat in sorted(texts):
        message += b"\0" + str(seat).encode() + b"\0" + texts[seat].encode()
    return hashlib.sha256(message).hexdigest().encode()


def words(start: bytes) -> Iterator[int]:
    c = 0
    while True:
        block = hashlib.sha256(start + b"\0" + c.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8))
        c += 1


def even_steven(start: bytes, players: int) -> list[list[str]]:
    """The hands that Even Steven deals to so many players, up to four."""
    deck, stream = [rank + suit for suit in "CDHS" for rank in RANKS], words(start)
    for i in range(51, 0, -1):
        word = next(stream)
        while word >= (i + 1) * (2**64 // (i + 1)):
            word = next(stream)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    hands = [deck[3 * players + seat : 10 * players : players] for seat in range(players)]
    return [sorted(hand, key=lambda card: (RANKS.index(card[:-1]), card[-1])) for hand in hands]


def hands(seats: Seats) -> list[list[str]]:
    """The hands as their holders see them."""
    return [seats.view(seat)["you"]["hand"] for seat in sorted(seats.tokens)]


def finished(seats: Seats) -> dict[str, Any]:
    """The replay, once bots have played the match to its end."""
    for seat in list(seats.tokens):
        assert leave(seats, seat).status_code == 204
    replay: dict[str, Any] = seats.client.get(f"{seats.path}/replay").get_json()
    return replay


@pytest.mark.parametrize("given", list(product((True, False), repeat=3)), ids=str)
@pytest.mark.parametrize("seed", ["demo", None])
def test_the_deal_comes_from_all_the_texts_that_were_given(
    client: CheckedClient, seed: str | None, given: tuple[bool, bool, bool]
) -> None:
    texts = {seat: TEXTS[seat] for seat in range(3) if given[seat]}
    first = {"client_seed": texts[0]} if 0 in texts else {}
    more = {} if seed is None else {"seed": seed}
    seats = Seats.create(client, seats=[first, OPEN, OPEN], options={"turn_limit": 50}, **more)
    promised = seats.view()["seed_hash"]
    for seat in (2, 1):
        joined(seats, {"seat": seat, **({"client_seed": texts[seat]} if seat in texts else {})})
    dealt = hands(seats)
    replay = finished(seats)
    assert replay["client_seeds"] == [texts.get(seat) for seat in range(3)]
    assert hashlib.sha256(replay["seed"].encode()).hexdigest() == promised == replay["seed_hash"]
    assert even_steven(mixed(replay["seed"], texts), 3) == dealt


def test_each_text_changes_the_deal_and_the_same_ones_give_it_again(client: CheckedClient) -> None:
    def deal(*texts: str | None) -> list[list[str]]:
        asked = [{} if text is None else {"client_seed": text} for text in texts]
        return hands(Seats.create(client, seats=asked, seed="demo"))

    tables = [
        (None, None),
        ("a", None),
        (None, "a"),
        ("a", "a"),
        ("a", "b"),
        ("b", "a"),
        ("a ", "a"),
    ]
    deals = [deal(*texts) for texts in tables]
    assert all(one != other for n, one in enumerate(deals) for other in deals[:n])
    assert [deal(*texts) for texts in tables] == deals
    assert deal("é", None) != deal("e\u0301", None)  # neither trimmed nor normalised


def test_no_two_tables_of_texts_are_mixed_alike() -> None:
    """Not even texts that look like the seats and texts of others."""
    pieces = [None, "a", "1", "0", "01", "1a", "a1", "a1a", "0a1b", "11"]
    tables = list(product(pieces, repeat=3))
    starts = {chance_seed(seed, table) for seed in ("s", "s0", "s0a") for table in tables}
    assert len(starts) == 3 * len(tables)
    assert all(mixed("s", dict(pairs(t))) == chance_seed("s", t) for t in tables)


def pairs(table: tuple[str | None, ...]) -> Iterator[tuple[int, str]]:
    return ((seat, text) for seat, text in enumerate(table) if text is not None)


def test_who_leaves_before_the_deal_takes_their_text_along(client: CheckedClient) -> None:
    seats = Seats.create(client, seats=[{}, OPEN, OPEN], seed="demo", options={"turn_limit": 50})
    joined(seats, {"seat": 1, "client_seed": "of the one who went"})
    leave(seats, 1)
    joined(seats, {"seat": 1})
    joined(seats, {"seat": 2, "client_seed": "last"})
    assert hands(seats) == even_steven(mixed("demo", {2: "last"}), 3)
    assert finished(seats)["client_seeds"] == [None, None, "last"]


def test_who_leaves_after_the_deal_leaves_their_text_in_it(client: CheckedClient) -> None:
    seats = Seats.create(
        client, seats=[{"client_seed": "stays"}, {}], seed="demo", options={"turn_limit": 50}
    )
    dealt = hands(seats)
    assert finished(seats)["client_seeds"] == ["stays", None]
    assert even_steven(mixed("demo", {0: "stays"}), 2) == dealt


def test_nobody_is_told_a_text_before_the_end(client: CheckedClient) -> None:
    """Who joins last must not be able to choose theirs by the others'."""
    seats = Seats.create(
        client, seats=[{"client_seed": "secret-0"}, OPEN, OPEN], options={"turn_limit": 50}
    )
    told = [str(joined(seats, {"seat": 1, "client_seed": "secret-1"}))]
    for step in range(2):
        if step:
            told.append(str(joined(seats, {"client_seed": "secret-2"})))
            (mover,) = seats.view()["to_act"]
            told.append(seats.move(mover, seats.view(mover)["legal_moves"][0]).text)
        for who in (*seats.tokens, "host", None):
            told.append(seats.get(who).text)
            events = seats.client.get(f"{seats.path}/events", headers=seats.auth(who))
            told.append(events.text)
        told.append(client.get("/v1/games/even-steven/matches").text)
        told.append(seats.client.get(f"{seats.path}/replay").text)
    assert not [text for text in told if "secret-" in text]


@pytest.mark.parametrize(
    "text", ["", "x" * 129, "a\0b", "a\nb", "\x7f", "\ud800", 1, None, True, ["a"]]
)
def test_what_is_no_text_is_refused_where_it_is_given(client: CheckedClient, text: Any) -> None:
    path = "/v1/games/even-steven/matches"
    created = client.post(path, json={"seats": [{}, {"client_seed": text}]})
    assert kind(created) == (422, "validation")
    assert set(created.get_json()["errors"]) == {"seats.1.client_seed"}
    answer = join(Seats.create(client, seats=[{}, OPEN]), {"client_seed": text})
    assert set(answer.get_json()["errors"]) == {"client_seed"}


@pytest.mark.parametrize("seat", [{"bot": "random"}, {"open": True}])
def test_only_a_player_gives_one(client: CheckedClient, seat: dict[str, Any]) -> None:
    body = {"seats": [{}, {**seat, "client_seed": "x"}]}
    answer = client.post("/v1/games/even-steven/matches", json=body)
    assert kind(answer) == (422, "validation")
