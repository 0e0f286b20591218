"""Bodies that are not one plain JSON object: refused as malformed, with nothing written.

Cases 51, 53, 54 and 55. What is wrong inside a well-formed object is in test_wrong_members.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import requests
from werkzeug.test import TestResponse

from api.store.redis import RedisStore
from api.wire import MAX_BODY
from tests.api.tables import POSITIONS, placed, untouched
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.services import Service
from tests.valkey import Server

CREATE = "/v1/games/even-steven/matches"
CREATION = b'{"seats": [{"name": "Ada"}, {"name": "Ben"}]}'
MOVE = b'{"action": "play", "card": "7H"}'
#: Numbers that JSON has not, or that no float holds.
NO_NUMBERS = ("NaN", "-NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1E+400", "0x10", "1_000",
              "01", "+1", ".5", "1.", "٣", "9" * 5000)  # fmt: skip
NOT_OBJECTS = ("null", "[]", "[{}]", '"x"', "5", "true", "", " ", "{", "}", "{}{}", '{"a":1}x',
               "{'a': 1}", "{a: 1}", '{"a":1,}', '{"a" 1}', "// x\n{}", "{}//", '{"a":"\n"}',
               '{"a":"\\x"}', '{"a":"\x00"}', "undefined")  # fmt: skip


@pytest.fixture
def seats(client: CheckedClient, store: RedisStore) -> Seats:
    """A match of Even Steven in which seat 0 may play 7H."""
    return placed(client, store, POSITIONS["even-steven"]())


@pytest.fixture
def doors(seats: Seats, valkey: Server) -> Iterator[list[tuple[str, dict[str, str]]]]:
    """Everywhere a body is taken, with credentials that are right. Nothing may be written, and the
    seat must be able to move afterwards."""
    with untouched(valkey):
        yield [(CREATE, {}), (f"{seats.path}/moves", seats.auth(0))]
    assert seats.move(0, json.loads(MOVE)).status_code == 200


Doors = list[tuple[str, dict[str, str]]]
JSON = "application/json"


def knock(
    client: CheckedClient, doors: Doors, body: bytes, content_type: str | None = JSON
) -> list[TestResponse]:
    """The answers of all doors to a body."""
    return [
        client.post(path, data=body, headers=auth, content_type=content_type)
        for path, auth in doors
    ]


def refused(answers: list[TestResponse], status: int, kind: str) -> None:
    for answer in answers:
        assert answer.status_code == status, answer.text
        assert answer.get_json()["type"] == f"/problems/{kind}"


@pytest.mark.parametrize("body", NOT_OBJECTS)
def test_case_53_what_is_no_json_object_is_malformed(
    client: CheckedClient, doors: Doors, body: str
) -> None:
    refused(knock(client, doors, body.encode()), 400, "malformed-request")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b'{"action": "play",}', "line 1, column 19"),
        (b'{\n  "seats": [{} {}]\n}', "line 2, column 16"),
        ('{"é": ü}'.encode(), "line 1, column 7"),
        (b"{}{}", "line 1, column 3"),
        (b"", "line 1, column 1"),
        (b'{"name": "Ada', "line 1, column 10"),
        (b'{"name": "caf\xe9"}', "byte 14"),
    ],
)
def test_a_malformed_body_is_told_where(
    client: CheckedClient, doors: Doors, body: bytes, where: str
) -> None:
    for answer in knock(client, doors, body):
        refused([answer], 400, "malformed-request")
        detail = answer.get_json()["detail"]
        assert f" {where}" in detail
        assert " at." not in detail


@pytest.mark.parametrize("number", NO_NUMBERS, ids=lambda number: number[:9])
def test_case_51_numbers_that_json_has_not_are_malformed_anywhere(
    client: CheckedClient, doors: Doors, number: str
) -> None:
    for body in (
        f'{{"seats": [{{}}, {{}}], "options": {{"turn_limit": {number}}}}}',
        f'{{"action": "flip", "slot": {number}}}',
        f'{{"x": [[{{"y": [{number}]}}]]}}',
        number,
    ):
        refused(knock(client, doors, body.encode()), 400, "malformed-request")


@pytest.mark.parametrize(
    "body",
    [
        b'{"action": "play", "action": "draw", "card": "7H"}',
        b'{"action": "play", "card": "7H", "card": "7H"}',
        b'{"action": "play", "card": "7H", "c\\u0061rd": "4C"}',
        b'{"seats": [{"name": "Ada", "name": "Ben"}, {}]}',
        b'{"seats": [{}, {}], "options": {"face_down": 1, "face_down": 2}}',
        b'{"seats": [{}, {}], "seats": [{}, {}]}',
        b'{"x": [1, {"y": {"z": 1, "z": 1}}]}',
        b'{"": 1, "": 1}',
    ],
)
def test_case_51_a_name_twice_in_an_object_is_malformed_at_any_depth(
    client: CheckedClient, doors: Doors, body: bytes
) -> None:
    refused(knock(client, doors, body), 400, "malformed-request")


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig"]
)
def test_case_51_other_encodings_are_malformed(
    client: CheckedClient, doors: Doors, encoding: str
) -> None:
    for text in (CREATION, MOVE):
        body = text.decode().encode(encoding)
        for content_type in (JSON, f"{JSON}; charset={encoding}", f"{JSON}; charset=utf-8"):
            refused(knock(client, doors, body, content_type), 400, "malformed-request")


@pytest.mark.parametrize(
    "text",
    [b"caf\xe9", b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xfe"],
)
def test_case_55_bytes_that_are_not_utf_8_are_malformed(
    client: CheckedClient, doors: Doors, text: bytes
) -> None:
    bodies = (CREATION.replace(b"Ada", text), MOVE.replace(b"7H", text), b'{"' + text + b'": 1}')
    for body in bodies:
        refused(knock(client, doors, body), 400, "malformed-request")


@pytest.mark.parametrize("charset", ["latin-1", "iso-8859-1", "utf-16", "ascii", "x"])
def test_another_charset_is_malformed(client: CheckedClient, doors: Doors, charset: str) -> None:
    answers = knock(client, doors, b"{}", f"{JSON}; charset={charset}")
    refused(answers, 400, "malformed-request")


@pytest.mark.parametrize("content_type", ["utf-8", "UTF-8", '"utf-8"', "Utf8"])
def test_utf_8_may_be_named(client: CheckedClient, content_type: str) -> None:
    answer = client.post(CREATE, data=CREATION, content_type=f"{JSON}; charset={content_type}")
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "content_type",
    [
        *(None, "", "text/plain", "text/json", "application/x-www-form-urlencoded", "json", "*/*"),
        *("multipart/form-data; boundary=x", "application/merge-patch+json", "application/xml"),
        *("application/problem+json", "application/json-seq", "application/jsonx", "\xff"),
    ],
)
def test_case_55_only_json_is_taken(
    client: CheckedClient, doors: Doors, content_type: str | None
) -> None:
    for body in (CREATION, MOVE, b""):
        refused(knock(client, doors, body, content_type), 415, "unsupported-media-type")


@pytest.mark.parametrize("depth", [50, 900, 1000, 1200, 100_000, 1_000_000])
def test_case_54_nesting_is_refused_whatever_the_depth(
    client: CheckedClient, doors: Doors, depth: int
) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        nested = opening * depth + "1" + closing * depth
        texts = [
            *(nested, opening * depth, f'{{"x": {nested}}}', f'{{"action": {nested}}}'),
            f'{{"seats": [{nested}, {nested}]}}',
            f'{{"seats": [{{}}, {{}}], "options": {{"face_down": {nested}}}}}',
        ]
        for text in texts:
            statuses = {413} if len(text) > MAX_BODY else {400, 422}
            assert {a.status_code for a in knock(client, doors, text.encode())} <= statuses
        assert client.post(CREATE, data=b"{}", content_type=JSON).status_code == 422


def filled(body: bytes, size: int) -> bytes:
    """A body of that size which says the same."""
    return body[:-1] + b" " * (size - len(body)) + b"}"


@pytest.mark.parametrize("size", [MAX_BODY - 1, MAX_BODY, MAX_BODY + 1, 2 * MAX_BODY, 1_000_000])
def test_case_54_a_body_is_16_kib_at_most(
    client: CheckedClient, seats: Seats, valkey: Server, size: int
) -> None:
    for path, body, status in ((CREATE, CREATION, 201), (f"{seats.path}/moves", MOVE, 200)):
        if size <= MAX_BODY:
            answer = client.post(
                path, data=filled(body, size), content_type=JSON, headers=seats.auth(0)
            )
            assert answer.status_code == status
        else:
            with untouched(valkey):
                answer = client.post(
                    path, data=filled(body, size), content_type=JSON, headers=seats.auth(0)
                )
            refused([answer], 413, "too-large")


@pytest.mark.parametrize("size", [len(CREATION), MAX_BODY - 1, MAX_BODY, MAX_BODY + 1, 300_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_case_54_the_limit_holds_on_the_wire_however_the_body_is_sent(
    service: Service, valkey: Server, size: int, chunked: bool
) -> None:
    """The part within the limit is a right body, so that cutting it off there would be seen."""
    body = CREATION + b" " * (size - len(CREATION))
    parts = [body[i : i + 5000] for i in range(0, size, 5000)]
    answer = requests.post(
        service.url + CREATE,
        data=iter(parts) if chunked else body,
        headers={"Content-Type": JSON},
        timeout=10,
    )
    assert answer.request.headers.get("Transfer-Encoding") == ("chunked" if chunked else None)
    if size <= MAX_BODY:
        assert answer.status_code == 201
    else:
        assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")


def test_no_answer_and_nothing_stored_is_more_than_json(client: CheckedClient) -> None:
    """A strict reader takes every answer: the checked client reads so."""
    seats = Seats.create(client, seed='"\\\u2028</script>', seats=[{"name": '"\\\u2028<b>'}, {}])
    assert seats.view()["seats"][0]["name"] == '"\\\u2028<b>'
    assert seats.play_on()["seed"] == '"\\\u2028</script>'
