"""Well-formed bodies with something wrong inside: refused as invalid and named, nothing written.

Cases 50, 52 and 53. Bodies that are no plain JSON object are in test_bad_bodies.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.valkey import Server

CREATE = "/v1/games/{}/matches"
#: In a body: replaced by any other value, which may be what json.dumps cannot write.
HERE = "@here@"
NO_WHOLE_NUMBER = (
    *("true", "false", "null", "1.0", "1.5", "-1", "1e0", "1e2", "0.0", "-0.0", '"1"', '" 1 "'),
    *(
        '""',
        '"1_000"',
        '"٣"',
        "[]",
        "[1]",
        "{}",
        '{"1": 1}',
        str(2**53),
        str(2**63),
        "-" + "9" * 400,
    ),
    *("1" + "0" * 400, "9" * 4000),
)
NO_TEXT = ("true", "null", "0", "1", "1.5", "[]", '["red"]', "{}", "1" + "0" * 400)
NO_WORD = (*NO_TEXT, '""', '" "', '"\\ud800"', '"\\u0000"', '"RED"', '"red "', '"4c"', '" 4C"')
NO_FLAG = ("null", "0", "1", "1.0", '"true"', '""', '"1"', "[]", "{}")
NO_NAME = (
    *(*NO_TEXT, '""', '" "', '"\\t"', '"\\n"', '"\\u00a0"', '"\\u2003"', '"\\u200b"', '"\\u200d"'),
    *('"\\ufeff"', '"\\u2060"', '"\\u00ad"', '"\\u3164"', '"\\uffa0"', '"\\u115f"', '"\\u2800"'),
    *('"\\u0301"', '"\\ufe0f"', '"\\ue000"', '"a\\u0000b"', '"a\\nb"', '"a\\u0085b"', '"a\\u007f"'),
    *('"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\u202eAda"', '"Ada\\u2066"'),
    *('"Ada\\u202a"', '"' + "x" * 41 + '"', '"' + "🂡" * 41 + '"', '"' + "x" * 10_000 + '"'),
)
NO_SEED = (*NO_TEXT, '""', '"' + "x" * 129 + '"', '"\\u0000"', '"a\\nb"', '"\\ud800"', '"\\u0085"')


def at(template: Any, value: str) -> bytes:
    """A body with a value, written as JSON, in the place of HERE."""
    return json.dumps(template).replace(f'"{HERE}"', value).encode()


def errors(answer: TestResponse) -> set[str]:
    """The members named by a refusal as invalid."""
    assert answer.status_code == 422, answer.text
    problem = answer.get_json()
    assert problem["type"] == "/problems/validation"
    assert all(messages for messages in problem["errors"].values())
    return set(problem["errors"])


@pytest.fixture(params=POSITIONS)
def seats(
    request: pytest.FixtureRequest, client: CheckedClient, store: RedisStore, valkey: Server
) -> Iterator[Seats]:
    """A match of each game, which must be left as it is and go on."""
    seats = placed(client, store, POSITIONS[request.param]())
    with untouched(valkey):
        yield seats
    assert seats.move(0, seats.view(0)["legal_moves"][0]).status_code == 200


def move(seats: Seats, body: bytes) -> TestResponse:
    """A move of seat 0 whose body is bytes."""
    return seats.client.post(
        f"{seats.path}/moves", data=body, headers=seats.auth(0), content_type="application/json"
    )


#: By game: moves with something in the place of a member, the member, and what is wrong there.
MOVES: dict[str, list[tuple[dict[str, Any], str, tuple[str, ...]]]] = {
    "even-steven": [
        ({"action": "flip", "slot": HERE}, "slot", (*NO_WHOLE_NUMBER, "3")),
        ({"action": "steal", "target": HERE}, "target", (*NO_WHOLE_NUMBER, "8", "3")),
        ({"action": "steal", "target": 1, "slot": HERE}, "slot", (*NO_WHOLE_NUMBER, "3")),
        ({"action": "play", "card": HERE}, "card", (*NO_WORD, '"red-1"', '"1C"', '"10"')),
    ],
    "card-keeper": [
        ({"action": "play", "card": HERE}, "card", (*NO_WORD, '"4C"', '"red-10"', '"Wild"')),
        ({"action": "burn", "card": HERE}, "card", (*NO_WORD, '"4C"')),
        ({"action": "name_colour", "colour": HERE}, "colour", (*NO_WORD, '"grey"', '"wild"')),
        ({"action": "play", "card": "wild", "colour": HERE}, "colour", (*NO_WORD, '"grey"')),
        (
            {"action": "play", "card": "capture-2", "targets": HERE},
            "targets",
            ("null", "1", '"1"', "true", "{}", '{"0": 1}', "[]", "[1]", "[1, 1, 1]", "[[1, 1]]"),
        ),
        (
            {"action": "play", "card": "capture-2", "targets": [1, HERE]},
            "targets",
            (*NO_WHOLE_NUMBER, "3", "10"),
        ),
    ],
    "seven-twos-tens": [
        ({"action": "flip", "slot": HERE}, "slot", (*NO_WHOLE_NUMBER, "3")),
        (
            {"action": "play", "cards": HERE},
            "cards",
            ("null", "1", '"5C"', "true", "{}", '{"0": "5C"}', "[]", '[["5C"]]', '["5C", "9H"]'),
        ),
        ({"action": "play", "cards": ["5C", HERE]}, "cards", (*NO_WORD, '"red-1"')),
        ({"action": "lay", "cards": ["5C", "5D", HERE]}, "cards", NO_WORD),
        ({"action": "lay", "cards": HERE}, "cards", ("[]", '["5C"]', '["5C", "5D"]', "null")),
    ],
}


def test_case_52_a_moves_members_are_of_their_type_and_range_alone(seats: Seats) -> None:
    for template, member, wrong in MOVES[seats.game]:
        for value in wrong:
            named = errors(move(seats, at(template, value)))
            assert {name.partition(".")[0] for name in named} == {member}, (template, value)


def test_minus_zero_is_zero(client: CheckedClient, store: RedisStore) -> None:
    """JSON has one zero with two spellings, and the contract's schema takes both."""
    seats = placed(client, store, POSITIONS["even-steven"]())
    plain, minus = (move(seats, at({"action": "flip", "slot": HERE}, v)) for v in ("0", "-0"))
    assert plain.data == minus.data
    assert plain.status_code == 409


def test_case_53_the_action_is_a_word_of_this_game(seats: Seats) -> None:
    listed = seats.view(0)["legal_moves"][0]
    others = {"draw", "steal", "name_colour", "burn", "lay", "pick_up"}
    own = {action for template, *_ in MOVES[seats.game] for action in [template["action"]]}
    own |= {"even-steven": {"draw", "pick_up", "decline"}, "card-keeper": set()}.get(
        seats.game, {"pick_up"}
    )
    foreign = [json.dumps(word) for word in sorted(others - own)]
    for value in (*NO_WORD, '"PLAY"', '"play "', '"Play"', '["play"]', '{"play": 1}', *foreign):
        assert errors(move(seats, at({**listed, "action": HERE}, value))) == {"action"}, value
    without = {name: value for name, value in listed.items() if name != "action"}
    assert errors(move(seats, at(without, ""))) == {"action"}
    assert errors(move(seats, b"{}")) == {"action"}
    for tag in ("type", "Action", "actions", "kind"):
        assert errors(move(seats, at({**without, tag: "play"}, ""))) == {"action"}


def test_case_53_unknown_members_are_refused_by_name(seats: Seats) -> None:
    listed = seats.view(0)["legal_moves"][0]
    for name in (
        "seat",
        "version",
        "hand",
        "winner",
        "status",
        "token",
        "x",
        "action ",
        "Card",
        "",
    ):
        assert errors(move(seats, at({**listed, name: HERE}, "0"))) == {name}
        assert errors(move(seats, at({**listed, name: HERE}, '{"a": [{}]}'))) == {name}
    surrogate = json.dumps({**listed, "\udc00": 1}).encode()
    assert errors(move(seats, surrogate)) == {"\\udc00"}
    many = {f"x{number}": number for number in range(500)}
    assert errors(move(seats, at({**listed, **many}, ""))) == set(many)


#: Requests for a match with something in the place of a member, and what is wrong there.
CREATIONS: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"seats": HERE}, "seats", ("null", "0", '"2"', "true", "{}", '{"0": {}, "1": {}}', "2", "[]")),
    ({"seats": [HERE, {}]}, "seats.0", ("null", "0", '"Ada"', "true", "[]", "[{}]")),
    ({"seats": [{}, {"name": HERE}]}, "seats.1.name", NO_NAME),
    ({"seats": [{}, {"bot": HERE}]}, "seats.1.bot", (*NO_WORD, '"Random"', '"deep-blue"')),
    ({"seats": [{}, {"open": HERE}]}, "seats.1.open", (*NO_FLAG, "false")),
    ({"seats": [{}, {}], "seed": HERE}, "seed", NO_SEED),
    ({"seats": [{}, {}], "public": HERE}, "public", NO_FLAG),
    ({"seats": [{}, {}], "options": HERE}, "options", ("null", "0", '""', "true", "[]", "[{}]")),
]


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize(("template", "member", "wrong"), CREATIONS, ids=lambda p: str(p)[:30])
def test_case_52_a_new_match_is_refused_by_the_name_of_what_is_wrong(
    client: CheckedClient,
    valkey: Server,
    game: str,
    template: dict[str, Any],
    member: str,
    wrong: tuple[str, ...],
) -> None:
    with untouched(valkey):
        for value in wrong:
            answer = client.post(
                CREATE.format(game), data=at(template, value), content_type="application/json"
            )
            assert errors(answer) == {member}, value


@pytest.mark.parametrize(
    ("place", "template"),
    [
        ("", {"seats": [{}, {}], "MEMBER": 1}),
        ("seats.1.", {"seats": [{}, {"name": "Ada", "MEMBER": 1}]}),
        ("options.", {"seats": [{}, {}], "options": {"MEMBER": 1}}),
    ],
)
def test_case_53_unknown_members_of_a_new_match_are_refused_at_every_depth(
    client: CheckedClient, valkey: Server, place: str, template: dict[str, Any]
) -> None:
    path = CREATE.format("even-steven")
    with untouched(valkey):
        for name in ("host_token", "token", "kind", "version", "players", "x", "ö", ""):
            body = json.loads(json.dumps(template).replace("MEMBER", name))
            assert errors(client.post(path, json=body)) == {place + name}
        body = json.loads(json.dumps(template).replace("MEMBER", "\\ud83d"))
        assert errors(client.post(path, json=body)) == {place + "\\ud83d"}


def test_case_50_names_are_trimmed_and_otherwise_as_they_were_given(client: CheckedClient) -> None:
    names = [
        *("  Ada \n", "Zoë", "Zoe\u0308", "ZOË", "x" * 40, "🂡" * 40, "李", "אדה", "😀", "a\u200bb"),
        *("-", "1", "<b>", "\u2003Ada", "null", "Player 2"),
    ]
    for first, second in zip(names[::2], names[1::2], strict=True):
        made = Seats.create(client, seats=[{"name": first}, {"name": second}]).view()["seats"]
        assert [seat["name"] for seat in made] == [first.strip(), second.strip()]
        assert [seat["seat"] for seat in made] == [0, 1]


def test_a_seat_is_held_in_one_way(client: CheckedClient, valkey: Server) -> None:
    ways = {"name": "Ada", "bot": "random", "open": True}
    pairs = [{a: ways[a], b: ways[b]} for a in ways for b in ways if a < b]
    with untouched(valkey):
        for seat in (*pairs, ways):
            answer = client.post(CREATE.format("even-steven"), json={"seats": [{}, seat]})
            assert errors(answer) == {"seats.1"}
