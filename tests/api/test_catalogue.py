"""The catalogue: what it says of each game is what the rule pages say and what the service does."""

from __future__ import annotations

from typing import Any

import pytest

from engine import GAMES
from tests.conformance import CheckedClient
from tests.seats import Seats

#: By game: players, options (type, default, what is allowed) and the ends of the deck.
RULE_PAGES: dict[str, dict[str, Any]] = {
    "even-steven": {
        "players": {"min": 2, "max": 8},
        "options": {
            "hand_size": ("integer", None, [4, 7]),
            "face_down": ("integer", None, (0, 3)),
            "round_starter": ("string", "most_cards", ["most_cards", "next_player"]),
        },
        "cards": 52,
        "first": {"code": "2C", "count": 1},
        "last": {"code": "AS", "count": 1},
    },
    "card-keeper": {
        "players": {"min": 2, "max": 10},
        "options": {
            "first_wild": ("string", "first_player", ["first_player", "random"]),
            "used_shields": ("string", "leave", ["leave", "burn_pile"]),
            "last_together": ("string", "player", ["player", "draw"]),
        },
        "cards": 108,
        "first": {"code": "red-1", "count": 2},
        "last": {"code": "swap-blue-green", "count": 1},
    },
    "seven-twos-tens": {
        "players": {"min": 2, "max": 12},
        "options": {
            "decks": ("integer", None, (1, 4)),
            "face_up": ("string", "choose", ["choose", "best"]),
            "four_of_a_kind": ("string", "pile_top", ["pile_top", "one_play"]),
            "pick_up_freely": ("boolean", False, [False, True]),
            "rounds": ("integer", 1, (1, 20)),
        },
        "cards": 52,
        "first": {"code": "2C", "count": 1},
        "last": {"code": "AS", "count": 1},
    },
}
#: Defaults that depend on the number of players (ES-1, ES-2, ST-1).
BY_PLAYERS = {
    "hand_size": {"2": 7, "3": 7, "4": 7, "5": 4, "6": 4, "7": 4, "8": 4},
    "face_down": {"2": 3, "3": 3, "4": 3, "5": 0, "6": 0, "7": 0, "8": 0},
    "decks": {str(n): 1 if n < 5 else 2 if n < 9 else 3 for n in range(2, 13)},
}
CODES = {
    "even-steven": [rank + suit for suit in "CDHS" for rank in [*"23456789", "10", *"JQKA"]],
    "card-keeper": [
        *(
            f"{colour}-{value}"
            for colour in ("red", "blue", "green", "yellow")
            for value in (*range(1, 10), "reverse", "capture-1")
        ),
        *("wild", "capture-2", "chaos", "draw-3", "shield", "swap-red-yellow", "swap-blue-green"),
    ],
}
CODES["seven-twos-tens"] = CODES["even-steven"]


@pytest.fixture
def entries(client: CheckedClient) -> dict[str, dict[str, Any]]:
    """The catalogue's entries by game."""
    return {entry["id"]: entry for entry in client.get("/v1/games").get_json()["games"]}


def test_the_three_games_are_listed_in_order(entries: dict[str, Any]) -> None:
    assert list(entries) == ["even-steven", "card-keeper", "seven-twos-tens"]
    assert [entry["title"] for entry in entries.values()] == [
        "Even Steven",
        "Card Keeper",
        "Seven, Twos & Tens",
    ]
    for entry in entries.values():
        assert len(entry["goal"]) > 20
        assert "\n" not in entry["goal"]


@pytest.mark.parametrize("game", GAMES)
def test_players_and_options_are_those_of_the_rule_page(entries: dict[str, Any], game: str) -> None:
    entry, page = entries[game], RULE_PAGES[game]
    assert entry["players"] == page["players"]
    options = {option["name"]: option for option in entry["options"]}
    limit = options.pop("turn_limit")
    assert (limit["default"], limit["minimum"], limit["maximum"]) == (2000, 50, 10000)
    assert set(options) == set(page["options"])
    for name, (kind, default, allowed) in page["options"].items():
        option = options[name]
        assert (option["type"], option["default"]) == (kind, default)
        assert option["default_by_players"] == BY_PLAYERS.get(name)
        if isinstance(allowed, list):
            assert option["choices"] == allowed
        else:
            assert (option["minimum"], option["maximum"]) == allowed
        assert option["meaning"].endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_cards_stand_in_deck_order_with_their_number(entries: dict[str, Any], game: str) -> None:
    cards, page = entries[game]["cards"], RULE_PAGES[game]
    assert [card["code"] for card in cards] == CODES[game]
    assert sum(card["count"] for card in cards) == page["cards"]
    first, last = ({k: card[k] for k in ("code", "count")} for card in (cards[0], cards[-1]))
    assert (first, last) == (page["first"], page["last"])


def test_the_grey_cards_of_card_keeper_are_counted(entries: dict[str, Any]) -> None:
    counts = {card["code"]: card["count"] for card in entries["card-keeper"]["cards"]}
    grey = [counts[code] for code in ("wild", "capture-2", "chaos", "draw-3", "shield")]
    assert grey == [4, 4, 2, 4, 4]


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_of_its_own_adds_the_rules(
    client: CheckedClient, entries: dict[str, Any], game: str
) -> None:
    entry = client.get(entries[game]["links"]["self"]).get_json()
    rules = entry.pop("rules")
    assert entry == entries[game]
    assert rules.startswith("# ")
    assert entry["title"] in rules
    rulings = {option["ruling"] for option in entry["options"]} - {None}
    assert all(ruling in rules for ruling in rulings), "an option names a ruling of no page"


@pytest.mark.parametrize("game", GAMES)
def test_matches_are_made_where_the_entry_says(
    client: CheckedClient, entries: dict[str, Any], game: str
) -> None:
    assert (
        client.post(entries[game]["links"]["matches"], json={"seats": [{}, {}]}).status_code == 201
    )


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (game.id, n)
        for game in GAMES.values()
        for n in range(game.min_players, game.max_players + 1)
    ],
)
def test_the_defaults_shown_are_those_that_a_match_gets(
    client: CheckedClient, entries: dict[str, Any], game: str, players: int
) -> None:
    shown = {
        option["name"]: (option["default_by_players"] or {}).get(str(players), option["default"])
        for option in entries[game]["options"]
    }
    assert Seats.create(client, game, players).view()["options"] == shown


@pytest.mark.parametrize("game", GAMES)
def test_every_listed_bot_can_be_seated(
    client: CheckedClient, entries: dict[str, Any], game: str
) -> None:
    assert "random" in entries[game]["bots"]
    for bot in entries[game]["bots"]:
        seats = Seats.create(client, game, seats=[{}, {"bot": bot}])
        assert seats.view()["seats"][1] | {"kind": "bot"} == seats.view()["seats"][1]


def test_an_unknown_game_is_not_found(client: CheckedClient) -> None:
    for game in ("poker", "Even-Steven", "even_steven", "even-steven ", "0"):
        for path in (f"/v1/games/{game}", f"/v1/games/{game}/matches"):
            for method in ("GET", "POST"):
                answer = client.open(path, method=method, json={"seats": [{}, {}]})
                assert answer.status_code == 404, (method, path)
