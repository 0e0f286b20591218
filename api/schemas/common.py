"""What the schemas of all games share, and what a game's own module has to supply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validates_schema

from api.schemas.fields import (
    CardCode,
    Closed,
    Const,
    Flag,
    Name,
    OneOf,
    Text,
    Union,
    Whole,
    Word,
    union,
)
from engine import BOTS, Game, InvalidSetup, settle_deal, settle_options

Members = Mapping[str, fields.Field[Any]]

NUMBER = "The seat's number, from 0, clockwise."
CALLED = "What the seat's player is called."
SENT_AS = "Send it as `Authorization: Bearer …` to act for the seat. It is shown this once."

#: The largest number that every JSON reader holds exactly.
BIG = 2**53 - 1
NO_SCRIPTED_DEALS = (
    "Scripted deals are not allowed here: the operator sets CROUPIER_ALLOW_SCRIPTED_DEALS=1."
)
STATUSES = ("waiting", "playing", "finished")
KINDS = ("human", "bot", "open")
#: What `tokens.as_match_id` makes.
MATCH_ID = "^[a-z2-7]{16}$"
TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"


@dataclass(frozen=True, kw_only=True)
class GameParts:
    """What a game's schema module supplies; `build.schemas_for` makes the rest.

    `moves` maps an action to its members, `events` an event type to its members besides `seq`,
    `version` and `type`; their docstrings say what they are for. `deck` names the component that
    lists the card codes, `reasons` are the words for how a match ends.
    """

    title: str
    deck: str
    moves: Mapping[str, type[Closed]]
    events: Mapping[str, type[Closed]]
    seat_facts: Members
    revealed: Members
    table: type[Closed]
    reasons: tuple[str, ...]


def variant(name: str, doc: str, members: Members) -> type[Closed]:
    """Makes a closed schema of that name."""
    return type(name, (Closed,), {"__doc__": doc, **members})


def _camel(word: str) -> str:
    return "".join(part.capitalize() for part in word.split("_"))


def tagged(
    parts: GameParts,
    name: str,
    doc: str,
    *,
    tag: str,
    kinds: Mapping[str, type[Closed]],
    suffix: str = "",
) -> type[Union]:
    """A union of schemas, in each of which `tag` holds the kind's own word."""
    return union(
        f"{parts.title}{name}",
        tag,
        {
            word: variant(
                f"{parts.title}{_camel(word)}{suffix}",
                members.__doc__ or "",
                {tag: Const(word, required=True), **members._declared_fields},
            )
            for word, members in kinds.items()
        },
        doc,
    )


class Status(Word):
    """Where a match stands."""

    meaning = (
        "`waiting` for somebody to take an open seat, `playing` from the deal on, `finished` for "
        "good."
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(STATUSES, "MatchStatus", **kwargs)


class Kind(Word):
    """Who plays a seat."""

    meaning = "Who plays the seat: a `human`, a `bot`, or nobody yet (`open`)."

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(KINDS, "SeatKind", **kwargs)


def about(description: str) -> dict[str, str]:
    """What the contract says of a member."""
    return {"description": description}


def told(description: str) -> fields.String:
    """A text that an answer always has."""
    return fields.String(required=True, metadata=about(description))


def seat_number(last: int, **kwargs: Any) -> Whole:
    """A seat's number, from 0."""
    return Whole(0, last, **kwargs)


def count(maximum: int | None = None, **kwargs: Any) -> Whole:
    """How many of something there are, as an answer's required member."""
    return Whole(0, maximum, required=True, **kwargs)


def moment(description: str, **kwargs: Any) -> fields.String:
    """A time, RFC 3339 in UTC with milliseconds, as an answer's required member."""
    metadata = {"description": description, "format": "date-time", "pattern": TIME}
    return fields.String(required=True, metadata=metadata, **kwargs)


def cards(deck: str, codes: tuple[str, ...], **kwargs: Any) -> fields.List[Any]:
    """A list of card codes, as an answer's required member."""
    return fields.List(CardCode(codes, deck), required=True, **kwargs)


def client_seed() -> Text:
    """A player's own part in the seed."""
    return Text(
        1,
        128,
        metadata={
            "description": "Your own part in the seed, mixed in when the match is dealt, so that "
            "nobody else alone chooses the deal."
        },
    )


class PlayerSeat(Closed):
    """A seat of the caller's own player."""

    name = Name(metadata={"description": "Defaults to `Player N`, N from 1."})
    client_seed = client_seed()


class BotSeat(Closed):
    """A seat that a bot plays."""

    bot = Word(
        sorted(BOTS),
        "Bot",
        required=True,
        metadata=about("How it plays; the catalogue lists a game's `bots`."),
    )


class OpenSeat(Closed):
    """A seat for somebody to join."""

    open = Const(True, required=True, metadata=about("The match is dealt when it is taken."))


class SeatRequest(OneOf):
    """A seat of a new match: the caller's own player, a bot, or open for somebody to join."""

    variants: ClassVar[Mapping[str, Schema]] = {
        "player": PlayerSeat(),
        "bot": BotSeat(),
        "open": OpenSeat(),
    }


class CreateRequest(Closed):
    """What a new match of any game takes besides seats, options and a scripted deal."""

    game: ClassVar[Game[Any]]
    scripted_deals: ClassVar[bool]

    seed = Text(
        1,
        128,
        metadata={"description": "Fixes all chance of the match, for a reproducible one."},
    )
    public = Flag(
        metadata={
            "description": "Listed, and open to spectators; else only token holders see it. "
            "Default: true.",
        }
    )

    turn_seconds = Whole(
        5,
        604_800,
        metadata={"description": "Seconds that a decision may take; without it, any time."},
    )
    on_timeout = Word(
        ("random", "leave"),
        "OnTimeout",
        metadata={
            "description": "What then happens: a random move is made, or a bot takes the seat. "
            "Default: random.",
        },
    )

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def fits_the_game(
        self, data: Mapping[str, Any], original: Mapping[str, Any], **kwargs: Any
    ) -> None:
        """Whether seats, options and deal go together, which no field can tell alone."""
        seats = original.get("seats")
        # What is wrong within one of them is told already, and the rest of it says little.
        read = all(data.get(name) == original.get(name) for name in ("options", "deal"))
        errors: dict[str, list[str]] = {}
        if "deal" in original and not self.scripted_deals:
            errors["deal"] = [NO_SCRIPTED_DEALS]
        try:
            if isinstance(seats, list):
                options = settle_options(self.game, data.get("options", {}), players=len(seats))
                if self.scripted_deals and "deal" in data and read:
                    settle_deal(self.game, data["deal"], options=options)
        except InvalidSetup as error:
            errors |= error.errors
        if errors:
            raise ValidationError(dict(errors))


class JoinRequest(Closed):
    """Who wants to join, and where."""

    name = Name(metadata={"description": "Defaults to `Player N`, N from 1."})
    seat = Whole(0, 63, metadata={"description": "Any open seat, without it."})
    client_seed = client_seed()


class Renewed(Closed):
    """A seat's new token; the one before is dead."""

    token = told(SENT_AS)
    match_id = fields.String(
        required=True, metadata={"pattern": MATCH_ID, **about("The match, in its paths.")}
    )
    seat = Whole(0, required=True, metadata=about(NUMBER))
    name = told(CALLED)


class WhyNot(Closed):
    """A card that cannot be played now, and the rule that forbids it."""

    card = told("A card of yours, by its code.")
    rule = fields.String(
        required=True, allow_none=True, metadata={"description": "The ruling's number."}
    )
    reason = told("The rule in a sentence, which may be put better some day.")


class SeatTicket(Closed):
    """A seat that the caller holds, with the token that plays it."""

    seat = Whole(0, required=True, metadata=about(NUMBER))
    name = told(CALLED)
    token = told(SENT_AS)


class Place(Closed):
    """A seat at the moment of an event: who sits there."""

    seat = Whole(0, required=True, metadata=about(NUMBER))
    name = fields.String(
        required=True, allow_none=True, metadata=about(f"{CALLED} null while it is open.")
    )
    kind = Kind(required=True)
