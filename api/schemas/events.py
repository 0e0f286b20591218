"""Events on the wire: those of all games, and what a game's own are made with."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from api.schemas.common import (
    BIG,
    GameParts,
    Members,
    Place,
    about,
    cards,
    count,
    seat_number,
    tagged,
    variant,
)
from api.schemas.fields import Closed, Text, Union, Whole, Word
from engine import Game


def event(
    told: str,
    *,
    deck: str,
    codes: tuple[str, ...],
    last_seat: int,
    seat: str | None = None,
    shows: str | None = None,
    **facts: fields.Field[Any],
) -> type[Closed]:
    """An event type of a game: `told` says when it comes, and its own facts follow.

    `seat` says whose it is, `shows` which cards it is about and who may know them; without them it
    has no such members.
    """
    members: dict[str, fields.Field[Any]] = {}
    if seat is not None:
        members["seat"] = seat_number(last_seat, required=True, metadata=about(seat))
    if shows is not None:
        members["cards"] = cards(deck, codes, allow_none=True, metadata=about(shows))
        members["count"] = count(metadata=about("How many cards it was, for everybody to know."))
    return _happening(told, members | facts)


def event_union(game: Game[Any], parts: GameParts, result: type[Schema]) -> type[Union]:
    """What an event of a game may be: one of those of all games, or one of its own."""
    last_seat = game.max_players - 1
    kinds = {**_before_the_deal(last_seat), **parts.events, **_at_the_end(last_seat, result)}
    return tagged(
        parts,
        "Event",
        "Something that happened. Cards that a watcher may not know are null, and counted.",
        tag="type",
        kinds={
            word: _happening(kind.__doc__ or "", {**_numbers(), **kind._declared_fields})
            for word, kind in kinds.items()
        },
        suffix="Event",
    )


def _happening(told: str, members: Members) -> type[Closed]:
    return variant("Event", told, members)


def _numbers() -> Members:
    seq = "The event's number in its match, from 1 without gaps, the same for all watchers."
    version = "The version that it led to. Events of one version happened together."
    return {
        "seq": Whole(1, BIG, required=True, metadata=about(seq)),
        "version": count(BIG, metadata=about(version)),
    }


def _before_the_deal(last_seat: int) -> dict[str, type[Closed]]:
    def seat(description: str) -> Whole:
        return seat_number(last_seat, required=True, metadata=about(description))

    places = fields.List(
        fields.Nested(Place), required=True, metadata=about("Who sits where at the beginning.")
    )
    name = fields.String(required=True, metadata=about("What its player is called."))
    kind = Word(
        ("open", "bot"),
        required=True,
        metadata=about("What it is from now on: open to join, or played by a bot."),
    )
    return {
        "match_created": _happening(
            "The match was made: always the first event. The deal follows it at once unless a seat "
            "is open.",
            {"seats": places},
        ),
        "seat_joined": _happening(
            "Somebody took an open seat. The deal follows at once if it was the last one.",
            {"seat": seat("The seat taken."), "name": name},
        ),
        "seat_left": _happening(
            "A player left a seat, or lost it for being late. Before the deal it is open again, "
            "after the deal a bot plays on.",
            {"seat": seat("The seat left."), "kind": kind},
        ),
        "move_overdue": _happening(
            "A player did not decide in time. What came of it follows in the same version: a move "
            "made for them, or their leaving.",
            {"seat": seat("Who was late.")},
        ),
    }


def _at_the_end(last_seat: int, result: type[Schema]) -> dict[str, type[Closed]]:
    to_act = fields.List(
        seat_number(last_seat),
        required=True,
        metadata=about("The seats that owe a decision now."),
    )
    seed = Text(required=True, metadata=about("The seed that `seed_hash` has promised."))
    return {
        "turn": _happening(
            "Who is to act: the last event of the deal and of every move but the match's last.",
            {"to_act": to_act},
        ),
        "match_finished": _happening(
            "The match is over: always the last event.",
            {"result": fields.Nested(result, required=True), "seed": seed},
        ),
    }
