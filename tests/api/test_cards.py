"""What cards look like: every card of every game has a picture that stands alone and says what it
is, found through the catalogue and kept for ever."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask

from api import create_app
from api.cards import BACK, deck_of, plain
from api.cards.card_keeper import COLOURS
from api.cards.svg import HEIGHT, WIDTH
from api.config import Config
from api.schemas import PARTS
from api.store.redis import RedisStore
from engine import GAMES
from tests.api.test_new_game import HIGH_CARD
from tests.conformance import CheckedClient
from tests.seats import Seats
from tests.tiny_game import HighCard

SVG = "{http://www.w3.org/2000/svg}"
FOR_EVER = "public, max-age=31536000, immutable"
DECKS = {"even-steven": "standard", "card-keeper": "card-keeper", "seven-twos-tens": "standard"}
#: Titles as the rule pages name the cards.
TITLES = {
    "even-steven": {"2C": "2 of clubs", "10D": "10 of diamonds", "QH": "Queen of hearts"},
    "card-keeper": {
        "red-1": "Banner 1, red",
        "yellow-9": "King 9, yellow",
        "blue-reverse": "Reverse, blue",
        "green-capture-1": "Capture +1, green",
        "wild": "Wild, grey",
        "capture-2": "Capture +2, grey",
        "swap-red-yellow": "Swap, red or yellow",
    },
    "seven-twos-tens": {"AS": "Ace of spades", "7H": "7 of hearts"},
}
#: Elements and attributes that would load or run something.
LOADING = ("image", "use", "script", "style", "foreignObject", "a", "animate")


def entry(client: CheckedClient, game: str) -> dict[str, Any]:
    """A game's entry in the catalogue."""
    found: dict[str, Any] = client.get(f"/v1/games/{game}").get_json()
    return found


def paths(client: CheckedClient, game: str) -> dict[str, str]:
    """By code, and the back under its own word, where the pictures are."""
    found = entry(client, game)
    return {**{card["code"]: card["image"] for card in found["cards"]}, BACK: found["card_back"]}


def drawn(picture: bytes) -> ElementTree.Element:
    """A picture, read by an XML parser and found to be an SVG of a card's size."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    return root


def title(root: ElementTree.Element) -> str:
    """What a picture is called."""
    found = root.findtext(f"{SVG}title")
    assert found
    assert root.get("role") == "img"
    assert root.get("aria-label") == found
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_a_picture_with_a_title_of_its_own(client: CheckedClient, game: str) -> None:
    titles = {}
    for code, path in paths(client, game).items():
        assert path.startswith(f"/cards/{DECKS[game]}/{code}.svg?v=")
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
        titles[code] = title(drawn(answer.data))
    assert titles.keys() == {*GAMES[game].codes, BACK}
    assert len(set(titles.values())) == len(titles)
    assert titles.items() >= TITLES[game].items()


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_needs_nothing_but_itself(client: CheckedClient, game: str) -> None:
    for code, path in paths(client, game).items():
        picture = client.get(path).text
        assert re.findall(r"\w+://[^\"]*", picture) == ["http://www.w3.org/2000/svg"], code
        ids = set(re.findall(r'\bid="([^"]+)"', picture))
        used = re.findall(r"url\(([^)]*)\)", picture)
        assert {f"#{name}" for name in ids} == set(used), code
        for element in drawn(picture.encode()).iter():
            assert element.tag.removeprefix(SVG) not in LOADING, code
            assert not [name for name in element.attrib if "href" in name or name.startswith("on")]


def test_no_two_cards_look_the_same(client: CheckedClient) -> None:
    pictures = {
        path: re.sub("<title>.*</title>| aria-label=.*?>", "", client.get(path).text)
        for game in GAMES
        for path in paths(client, game).values()
    }
    assert len(pictures) == 52 + 1 + 51 + 1
    assert len(set(pictures.values())) == len(pictures)


def test_colours_are_told_by_hatching_and_sign_too(client: CheckedClient) -> None:
    found = paths(client, "card-keeper")
    for code in GAMES["card-keeper"].codes:
        picture = client.get(found[code]).text
        shown = {name for name in COLOURS if f'id="hatching-{name}"' in picture}
        named = set(COLOURS) if code == "wild" else {name for name in COLOURS if name in code}
        assert shown == named, code
        for name in named:
            assert COLOURS[name].hatching in picture, code
            assert COLOURS[name].sign in picture, code


def test_a_picture_at_its_full_address_is_kept_for_ever(client: CheckedClient) -> None:
    path = paths(client, "card-keeper")["red-1"]
    first = client.get(path, headers={"Authorization": "Bearer whatever"})
    assert first.headers["Cache-Control"] == FOR_EVER
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Cache-Control"] == FOR_EVER
    head = client.head(path)
    assert head.headers["ETag"] == first.headers["ETag"]
    assert head.headers["Cache-Control"] == FOR_EVER


@pytest.mark.parametrize("version", ["", "?v=0123456789ab", "?v=x"])
def test_another_address_gets_the_present_picture_and_not_for_ever(
    client: CheckedClient, version: str
) -> None:
    path = paths(client, "even-steven")["7H"]
    answer = client.get(path.partition("?")[0] + version)
    assert answer.data == client.get(path).data
    assert answer.headers["Cache-Control"] == "public, max-age=300"


def test_an_address_tells_one_picture_from_another(client: CheckedClient) -> None:
    versions = [path.partition("?v=")[2] for path in set(paths(client, "card-keeper").values())]
    assert len(set(versions)) == len(versions) == 52
    again = deck_of(GAMES["card-keeper"])
    assert again.path("red-1") == paths(client, "card-keeper")["red-1"]


@pytest.mark.parametrize("game", GAMES)
def test_every_card_in_a_view_leads_to_its_picture(client: CheckedClient, game: str) -> None:
    """By the catalogue alone, as docs/cards.md has it."""
    entry = client.get(f"/v1/games/{game}").get_json()
    images = {card["code"]: card["image"] for card in entry["cards"]}
    seats = Seats.create(client, game, seed="pictures")
    view = seats.view(0)
    assert view["you"]["hand"]
    for code in view["you"]["hand"]:
        answer = client.get(images[code])
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
        assert answer.data == deck_of(GAMES[game]).pictures[code]


@pytest.mark.parametrize(
    "path",
    [
        "/cards/standard/1C.svg",
        "/cards/standard/2c.svg",
        "/cards/standard/red-1.svg",
        "/cards/standard/2C.png",
        "/cards/standard/2C",
        "/cards/card-keeper/2C.svg",
        "/cards/card-keeper/..%2fstandard%2f2C.svg",
        "/cards/even-steven/2C.svg",
        "/cards/Standard/2C.svg",
        "/cards/standard/.svg",
        "/cards/standard/",
        "/cards/",
        "/cards",
    ],
)
def test_an_unknown_card_is_not_found(client: CheckedClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.get_json()["type"] == "/problems/not-found"


def test_a_misspelt_parameter_is_refused(client: CheckedClient) -> None:
    answer = client.get("/cards/standard/2C.svg?version=1")
    assert answer.status_code == 422
    assert list(answer.get_json()["errors"]) == ["version"]


@pytest.fixture(scope="module")
def fourth(shared_store: RedisStore, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """A service with a game that nobody has drawn a deck for."""
    rules = tmp_path_factory.mktemp("rules")
    for game in [*GAMES, HighCard.id]:
        (rules / f"{game}.md").write_text("# Rules\n", "utf-8")
    return create_app(
        Config(rate_limit=None),
        store=shared_store,
        games={**GAMES, HighCard.id: HighCard()},
        parts={**PARTS, HighCard.id: HIGH_CARD},
        rules=rules,
    )


def test_a_game_without_drawings_gets_plain_cards(fourth: Flask) -> None:
    client = fourth.test_client()
    found = client.get(f"/v1/games/{HighCard.id}").get_json()
    assert len(found["cards"]) == 12
    for card in found["cards"]:
        assert card["image"].startswith(f"/cards/{HighCard.id}/{card['code']}.svg?v=")
        answer = client.get(card["image"])
        assert answer.headers["Cache-Control"] == FOR_EVER
        root = drawn(answer.data)
        assert title(root) == card["code"]
        assert card["code"] in [element.text for element in root.iter(f"{SVG}text")]
    assert title(drawn(client.get(found["card_back"]).data))
    assert client.get(f"/cards/{HighCard.id}/13.svg").status_code == 404


def test_a_code_is_written_as_it_is_and_never_as_markup() -> None:
    root = drawn(plain.face('<b>&"').encode())
    assert title(root) == '<b>&"'


def test_the_pictures_are_small() -> None:
    sizes = [len(p) for game in GAMES.values() for p in deck_of(game).pictures.values()]
    assert max(sizes) < 12_000
