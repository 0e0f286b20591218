"""A fourth game is one class in the engine, its parts of the schemas and one page of rules: routes,
contract, catalogue and matches follow from them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import create_app
from api.config import Config
from api.schemas import PARTS, GameParts
from api.schemas.common import cards, count
from api.schemas.events import event
from api.schemas.fields import Closed, Whole, Word
from api.store.redis import RedisStore
from engine import GAMES
from tests.conformance import CheckedClient, Contract
from tests.seats import Seats
from tests.tiny_game import CODES, HighCard

DECK = "HighCardCard"
ID = HighCard.id


class Choose(Closed):
    """Choose the card to be shown when all have chosen."""

    card = Word(CODES, DECK, required=True)


class HighCardTable(Closed):
    """What lies on the table."""

    shown = cards(DECK, CODES)
    stock_count = count(12)


_event = partial(event, deck=DECK, codes=CODES, last_seat=3, seat="Whose it is.", shows="It.")

HIGH_CARD = GameParts(
    title="HighCard",
    deck=DECK,
    moves={"choose": Choose},
    events={
        "cards_dealt": _event("A seat got its hand."),
        "choice_made": _event("A seat chose."),
        "card_shown": _event("All have chosen."),
    },
    seat_facts={"hand_count": Whole(0, 3), "points": Whole(0, 3)},
    revealed={},
    table=HighCardTable,
    reasons=("points", "turn_limit"),
)


@pytest.fixture(scope="module")
def four_games(shared_store: RedisStore, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The service with the fourth game beside its own three."""
    rules = tmp_path_factory.mktemp("rules")
    for game in [*GAMES, ID]:
        (rules / f"{game}.md").write_text(f"# The rules of {game}\n", "utf-8")
    return create_app(
        Config(rate_limit=None),
        store=shared_store,
        games={**GAMES, ID: HighCard()},
        parts={**PARTS, ID: HIGH_CARD},
        rules=rules,
    )


@pytest.fixture(scope="module")
def contract(four_games: Flask) -> Contract:
    """The contract of that service."""
    return Contract(four_games.test_client().get("/openapi.json").get_json())


@pytest.fixture
def app(store: RedisStore, four_games: Flask) -> Flask:
    """That service, over the emptied server."""
    return four_games


def test_its_paths_are_those_of_every_game(contract: Contract) -> None:
    def paths(game: str) -> set[str]:
        home = f"/v1/games/{game}"
        return {p.removeprefix(home) for p in contract.document["paths"] if p.startswith(home)}

    assert paths(ID) == paths("even-steven")
    assert list(OpenAPIV31SpecValidator(contract.document).iter_errors()) == []
    names = set(contract.document["components"]["schemas"])
    assert {"HighCardMove", "HighCardView", "HighCardCreate", "HighCardChoose", DECK} <= names


def test_the_contract_of_the_others_does_not_change(contract: Contract, shared_app: Flask) -> None:
    without = shared_app.test_client().get("/openapi.json").get_json()
    paths = contract.document["paths"]
    assert {path: paths[path] for path in without["paths"]} == without["paths"]


def test_it_is_in_the_catalogue_with_its_rules(client: CheckedClient) -> None:
    entries = client.get("/v1/games").get_json()["games"]
    assert [entry["id"] for entry in entries] == [*GAMES, ID]
    entry = client.get(f"/v1/games/{ID}").get_json()
    assert entry["rules"] == f"# The rules of {ID}\n"
    assert entry["players"] == {"min": 2, "max": 4}
    assert [card["code"] for card in entry["cards"]] == list(CODES)
    assert {option["name"] for option in entry["options"]} == {"lowest_wins", "turn_limit"}


def test_a_page_of_rules_is_asked_for_at_the_start(
    shared_store: RedisStore, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError, match=f"{ID}.md"):
        create_app(
            Config(rate_limit=None),
            store=shared_store,
            games={ID: HighCard()},
            parts={ID: HIGH_CARD},
            rules=tmp_path,
        )


@pytest.mark.parametrize(
    "asked",
    [
        {"seats": [{}, {}, {}]},
        {"seats": [{}, {"bot": "random"}], "options": {"lowest_wins": True}},
        {"seats": [{"bot": "random"}] * 4},
    ],
)
def test_a_match_of_it_is_played_over_http(client: CheckedClient, asked: dict[str, Any]) -> None:
    seats = Seats.create(client, ID, **asked)
    end = seats.play_on()
    assert end["status"] == "finished"
    assert end["result"]["reason"] == "points"
    assert len(end["table"]["shown"]) == 3 * len(end["seats"])


def test_it_is_refused_what_its_rules_and_shapes_refuse(client: CheckedClient) -> None:
    seats = Seats.create(client, ID)
    own, other = (seats.view(n)["you"]["hand"] for n in (0, 1))
    first = seats.move(0, {"action": "choose", "card": own[0]}).get_json()
    assert first["you"]["committed"] == {"action": "choose", "card": own[0]}
    assert seats.move(0, {"action": "choose", "card": own[1]}).status_code == 409
    for body, status in (
        ({"action": "choose", "card": own[0]}, 409),
        ({"action": "choose", "card": "13"}, 422),
        ({"action": "play", "card": other[0]}, 422),
        ({"action": "choose", "card": other[0]}, 200),
    ):
        assert seats.move(1, body).status_code == status
    path = f"/v1/games/even-steven/matches/{seats.match_id}"
    assert client.get(path).status_code == 404
