"""The story of a whole match, to be recorded: seats that change hands, everything that a client is
refused, every kind of move, a lost answer, a lost phone, and time that runs out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from scripts.recorder import ADA, BEN, HOST, NAMES, NOBODY, Json, Recorder

BOT, OPEN = {"bot": "random"}, {"open": True}
COLOURS = ("red-", "blue-", "green-", "yellow-")
#: One of each kind, so that most of what a card can do is done.
CARDS_OF_ADA = (
    "chaos draw-3 draw-3 shield capture-2 swap-red-yellow swap-blue-green red-capture-1 "
    "red-reverse green-5"
)
CARDS_OF_BEN = (
    "draw-3 draw-3 shield capture-2 blue-capture-1 blue-reverse red-9 green-9 yellow-9 yellow-8"
)
#: By game: what the whole match is created with besides Ada and an open seat, how many moves Ada
#: and Ben make at the most before they leave, and a move that the rules forbid at the beginning.
WHOLE: dict[str, Json] = {
    "even-steven": {
        "bots": 2,
        "request": {"options": {"turn_limit": 150}},
        "seed": "a whole match 73",
        "moves": 22,
        "illegal": {"action": "decline"},
        # No A burns the pile, so that there is soon nothing left to draw; Ada will often have to
        # pick up, and Ben comes to his face-down cards.
        "deal": {
            "face_down": (3, ["", "", "AC AD", "AH AS"]),
            "hands": (7, ["2C 2D 2H 4C 4D 4H 7C", "3C 3D 3H 5C 5D 7D 9C"]),
            "left": "",
        },
    },
    "card-keeper": {
        "bots": 8,
        "request": {"options": {"turn_limit": 400}},
        "seed": "a whole match 8",
        "moves": 12,
        "illegal": {"action": "burn", "card": "chaos"},
        # So few cards are left that a new draw pile has to be made soon. The first of them may not
        # start; the seed then turns over a Wild.
        "deal": {
            "face_down": (0, []),
            "hands": (10, [CARDS_OF_ADA, CARDS_OF_BEN]),
            "left": "chaos wild wild wild wild red-1 blue-1 green-1",
        },
    },
    "seven-twos-tens": {
        "bots": 3,
        "request": {"options": {"decks": 1, "rounds": 2, "turn_limit": 150}},
        "seed": "a whole match 27",
        "moves": 16,
        "illegal": {"action": "pick_up"},
    },
}
TURN_SECONDS = 60
#: The number of the move that nobody makes, and that of the one after which a token is renewed.
LATE, LOST = 3, 4
#: Ada tries out everything, and Ben gets rid of his cards.
SHEDDING = ("play", "flip", "decline")


def whole(recorder: Recorder) -> None:
    """A table at which everything happens."""
    sit_down(recorder)
    be_refused(recorder)
    story, rng = WHOLE[recorder.game], random.Random(recorder.game)
    made: Counter[str] = Counter()
    for number in range(story["moves"]):
        to_act = recorder.look(NOBODY)["to_act"]
        if not to_act:
            break
        who = f"seat {rng.choice(to_act)}"
        legal = recorder.look(who)["legal_moves"]
        if who == BEN:
            legal = [body for body in legal if body["action"] in SHEDDING] or legal
        rarest = min(made[kind(body)] for body in legal)
        body = rng.choice([body for body in legal if made[kind(body)] == rarest])
        if number == 1:
            other = BEN if who == ADA else ADA
            ask, illegal = recorder.ask, story["illegal"]
            ask(f"It is not {NAMES[other]}'s turn", other, "POST", "/moves", illegal, expect=409)
        if number == LATE:
            recorder.wait(TURN_SECONDS)
            recorder.ask("Time is up: a random move was made", NOBODY, "GET")
            continue
        if number == 0:
            recorder.move(who, body, key="key 4")
            recorder.move(who, body, key="key 4", title="No answer came: the same again")
        else:
            recorder.move(who, body)
        made[kind(body)] += 1
        if number == LOST:
            recorder.ask("Ben has lost his phone", HOST, "POST", "/seats/1/token", key="key 5")
    part(recorder)


def sit_down(recorder: Recorder) -> None:
    """Ada sets the table, gets up, and both sit down."""
    story = WHOLE[recorder.game]
    request = {
        "seats": [{"name": "Ada"}, OPEN, *[BOT] * story["bots"]],
        **story["request"],
        "seed": recorder.keep("seed", story["seed"]),
        "turn_seconds": TURN_SECONDS,
    }
    if "deal" in story:
        request["deal"] = deal(recorder, len(request["seats"]))
    matches, wrong = recorder.matches, {**request, "seats": [{"name": ""}], "jokers": 2}

    def create(title: str, body: Json, status: int) -> None:
        recorder.ask(title, NOBODY, "POST", matches, body, key="key 1", expect=status)

    recorder.ask("A request with several mistakes", NOBODY, "POST", matches, wrong, expect=422)
    create("A table with an open seat", request, 201)
    create("The same request again", request, 201)
    create("Another one with its key", {**request, "public": False}, 422)
    recorder.ask("Ada gets up, to see the promise first", ADA, "DELETE", "/seats/0", expect=204)
    recorder.ask("What anybody sees", NOBODY, "GET")
    illegal = story["illegal"]
    join(recorder, BEN, "key 2")
    recorder.ask("Ben cannot move yet", BEN, "POST", "/moves", illegal, expect=409)
    recorder.ask("His seat is taken", NOBODY, "POST", "/seats", {"seat": 1}, expect=409)
    join(recorder, ADA, "key 3")
    recorder.ask("No seat is left", NOBODY, "POST", "/seats", {"name": "Cem"}, expect=409)


def deal(recorder: Recorder, players: int) -> list[str]:
    """An order of the deck by which all get the story's cards and what else they need: face-down
    cards first, then hands, each one at a time from seat 0 on, and then what is left."""
    story = WHOLE[recorder.game]
    wanted = story["deal"]
    zones, left = [wanted["face_down"], wanted["hands"]], wanted["left"].split()
    rest = recorder.deck()
    for card in (*left, *(card for _, rows in zones for row in rows for card in row.split())):
        rest.remove(card)
    random.Random(story["seed"]).shuffle(rest)
    order: list[str] = []
    for size, rows in zones:
        filled = [row.split() for row in rows] + [[] for _ in range(players - len(rows))]
        for row in filled:
            row += [rest.pop() for _ in range(size - len(row))]
        order += [row[n] for n in range(size) for row in filled]
    return order + left + rest


def join(recorder: Recorder, who: str, key: str) -> None:
    """Somebody sits down, with a text of their own."""
    name = NAMES[who]
    text = recorder.keep(f"client seed of {who}", f"{name}'s own text")
    body = {"name": name, "client_seed": text, "seat": int(who[-1])}
    recorder.ask(f"{name} sits down", NOBODY, "POST", "/seats", body, key=key, expect=201)


def be_refused(recorder: Recorder) -> None:
    """What a client is refused, and what it is told besides."""
    view = recorder.look(NOBODY)
    who = f"seat {view['to_act'][0]}"
    illegal = WHOLE[recorder.game]["illegal"]
    ask, old = recorder.ask, '"0-0"'
    ask("Somebody without a token", NOBODY, "POST", "/moves", illegal, expect=401)
    ask("The host does not move", HOST, "POST", "/moves", illegal, expect=403)
    ask("No JSON", who, "POST", "/moves", raw='{"action": "play",}', expect=400)
    ask("A member too many", who, "POST", "/moves", {**illegal, "hurry": True}, expect=422)
    ask("Against the rules", who, "POST", "/moves", illegal, expect=409)
    ask("For an old view", who, "POST", "/moves", illegal, If_Match=old, expect=412)
    ask("The replay is for later", NOBODY, "GET", "/replay", expect=409)
    ask("Why other cards cannot be played", who, "GET", "?why=true")
    legal = recorder.look(who)["legal_moves"][0]
    ask("A move is only judged", who, "POST", "/moves?dry_run=true", legal)
    etag = f'"{view["version"]}-{who[-1]}"'
    ask("Nothing new", who, "GET", If_None_Match=etag, expect=304)
    ask("The first events", NOBODY, "GET", "/events?limit=2")


def part(recorder: Recorder) -> None:
    """The players leave, and the bots play to the end."""
    for who in (BEN, ADA):
        if recorder.look(NOBODY)["status"] == "playing":
            recorder.ask(f"{NAMES[who]} leaves", who, "DELETE", f"/seats/{who[-1]}", expect=204)
    recorder.ask("It is over", NOBODY, "GET")
    recorder.ask("Nobody sits down any more", NOBODY, "POST", "/seats", {}, expect=409)
    recorder.ask("The replay", NOBODY, "GET", "/replay")
    recorder.ask("The host removes the match", HOST, "DELETE", expect=204)
    recorder.ask("It is gone", NOBODY, "GET", expect=404)


def kind(body: Mapping[str, Any]) -> str:
    """What a move is a kind of: its action, and the card where that does something of its own."""
    action, card = str(body["action"]), body.get("card")
    if card is None or card[-1].isupper():  # a card of the standard deck
        return action
    word = card.partition("-")[2] if card.startswith(COLOURS) else card
    return action if word.isdigit() else f"{action} {word}"
