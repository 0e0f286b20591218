"""Bodies to be refused: whatever a kind of move could name, and bodies that do not read at all.

Some of them happen to be right; the law that uses them tells which by the listed moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import msgspec

from engine import Game, InvalidMove, Match, Move
from engine.game import action_of
from tests.known.base import Body

#: In the place of any member: nothing of this is a card, a colour, a seat or a slot.
RUBBISH: tuple[Any, ...] = (
    *(None, True, False, 1.5, 0.0, -1, 10**30, "", " ", "0", "xx", "\ud800"),
    *([], {}, [[]], [None], [True], [-1], ["xx"], {"0": 0}),
)


@lru_cache(maxsize=100)
def _without_lists(game: Game[Any], players: int) -> tuple[list[tuple[Body, Move]], list[str]]:
    """All well-formed bodies, but for those with lists of cards, and the actions that have such."""
    found: list[tuple[Body, Move]] = []
    lists: list[str] = []
    for kind in game.moves:
        fields = msgspec.structs.fields(kind)
        if any(field.name == "cards" for field in fields):
            lists.append(action_of(kind))
            continue
        pools = [
            [*_values(field.name, game, players), *([] if field.required else [None])]
            for field in fields
        ]
        for values in product(*pools):
            move = kind(*values)
            if not game.move_errors(move, None):
                found.append((game.body(move), move))
    return found, lists


def _values(field: str, game: Game[Any], players: int) -> list[Any]:
    """What a field of a move may hold, in the engine's numbers."""
    if field in game.words:
        return list(range(len(game.words[field])))
    if field == "targets":
        ones: list[Any] = [(seat,) for seat in range(players)]
        return ones + list(product(range(players), repeat=2))
    if field == "target":
        return list(range(players))
    assert field == "slot", f"say here what {field!r} may name"
    return list(range(5))


def all_moves(match: Match, seat: int, rng: Random) -> Iterator[tuple[Body, Move]]:
    """Every body that reads, with its move; lists of cards are too many, so some are drawn."""
    found, lists = _without_lists(match.game, len(match.seats))
    yield from found
    for action in lists:
        for cards in _card_lists(match, seat, rng):
            with suppress(InvalidMove):
                body = {"action": action, "cards": cards}
                yield body, match.read(body)


def some_bodies(match: Match, seat: int, rng: Random, most: int = 20) -> list[Body]:
    """A few well-formed bodies for a seat, which may be nobody's."""
    found, lists = _without_lists(match.game, len(match.seats))
    drawn = [body for body, _ in rng.sample(found, min(len(found), most))]
    for action in lists:
        cards = _card_lists(match, seat, rng)
        named = rng.sample(cards, min(len(cards), most))
        drawn += [{"action": action, "cards": cards} for cards in named]
    return drawn


def nonsense(match: Match, seat: int, rng: Random) -> Iterator[Body]:
    """Bodies that no state allows, most of them a right one with one thing wrong."""
    yield from ({}, {"action": "cheat"}, {"actions": "play"})
    yield from ({"action": action} for action in RUBBISH)
    moves = [move for s in match.to_act for move in match.legal_moves(s)]
    if not moves:
        return
    body = match.game.body(rng.choice(moves))
    yield body | {"action": body["action"].upper()}
    yield body | {"seat": max(seat, 0)}
    yield body | {"version": 1}
    for name in body:
        yield {k: v for k, v in body.items() if k != name}
        for value in RUBBISH:
            yield body | {name: value}
            yield body | {name: [value]}
        if isinstance(body[name], list):
            yield body | {name: body[name] * 60}
            yield body | {name: [*body[name], rng.choice(RUBBISH)]}


def _card_lists(match: Match, seat: int, rng: Random) -> list[Any]:
    """Lists of cards: single ones, several of a rank, own ones cut and mixed, cards twice."""
    codes, own = match.game.codes, []
    if 0 <= seat < len(match.seats):
        view = match.view(seat)
        own = view["you"]["hand"] + view["seats"][seat].get("face_up", [])
    rank = rng.choice(own or codes)[:-1]
    alike = [card for card in codes if card[:-1] == rank]
    mine = [card for card in own if card[:-1] == rank]
    lists: list[Any] = [[card] for card in (*own, *rng.sample(codes, 10), *alike)]
    for source in (own, own, own, own, codes, alike, mine, mine, mine + alike):
        if source:
            lists.append(rng.sample(source, min(len(source), rng.randint(2, 4))))
            lists.append([*lists[-1], lists[-1][0]])
    return lists
