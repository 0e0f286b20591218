"""Events in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from parlour import faces

Event = dict[str, Any]

#: By type. `[plays]` is "play" when it is you; words in braces are members of the event or made
#: below. What is not listed here happens without being told.
SAYINGS = {
    "seat_joined": "{who} [sits] down.",
    "seat_left": "{who} [leaves] the table.{stand_in}",
    "move_overdue": "{who} [takes] too long.",
    "cards_dealt": "{who} [is] dealt {cards}.{and_face_down}",
    "round_started": "Round {round}: {who} [begins].",
    "first_card_turned": "{cards} is turned over to start.",
    "card_put_back": "{cards} may not start, and goes back.",
    "card_turned": "{cards} is turned over to start.{removed}",
    "colour_named": "{who} [names] {colour}.",
    "choice_made": "{who} [has] chosen.",
    "cards_laid": "{who} [lays] {cards} face up.",
    "card_played": "{who} [plays] {cards}{from_where}{at_whom}.{too_low}{names_colour}",
    "cards_played": "{who} [plays] {cards}{from_where}.",
    "card_flipped": "{who} [turns] over {cards}, which may not be played.",
    "card_burned": "{who} [burns] {cards}.",
    "card_stolen": "{who} [steals] {cards} from {target}.",
    "steal_declined": "{who} [steals] nothing.",
    "card_captured": "{who} [captures] {cards} from {target}.",
    "shield_used": "{who} [is] saved by a Shield.",
    "hands_swapped": "{who} [trades] hands with {target}.",
    "hand_seen": "{who} now [holds] {cards}.",
    "cards_drawn": "{who} [draws] {cards}.",
    "draw_pile_made": "The discards are shuffled into a new draw pile of {draw_count}.",
    "pile_burned": "{who} [burns] the pile of {count}; the round is over.",
    "pile_removed": "{who} [clears] the pile of {count}.",
    "pile_picked_up": "{who} [picks] up the pile of {count}.",
    "knocked_out": "{who} [is] out!",
    "round_ended": "The round is over.{round_winner}",
}
#: Those that matter to the seats whose cards they show, and are noise to the others.
OWN = ("cards_dealt", "hand_seen")
YOU = {"is": "are", "has": "have"}


def sentence(event: Event, names: Sequence[str], me: int | None) -> Text | None:
    """What happened, as seat `me` (None: a spectator) would tell it; None where nothing is told."""
    saying = SAYINGS.get(event["type"])
    if saying is None or (event["type"] in OWN and event["cards"] is None):
        return None
    told = Text()
    for word in re.split(r"(\{\w+\}|\[\w+\])", saying):
        if word.startswith("["):
            told.append(_verb(word[1:-1], you=event["seat"] == me))
        elif word.startswith("{"):
            told.append_text(_part(word[1:-1], event, names, me))
        else:
            told.append(word)
    return told


def seat_name(seat: int, names: Sequence[str], me: int | None) -> Text:
    """A player, in the middle of a sentence."""
    return Text("you" if seat == me else names[seat], "bold")


def players(seats: Sequence[int], names: Sequence[str], me: int | None) -> Text:
    """One or two players, or one twice."""
    told = [seat_name(seat, names, me) for seat in dict.fromkeys(seats)]
    return Text(" and ").join(told).append(", twice" if len(told) < len(seats) else "")


def _verb(word: str, *, you: bool) -> str:
    return YOU.get(word, word.removesuffix("s")) if you else word


def _part(name: str, event: Event, names: Sequence[str], me: int | None) -> Text:
    if name == "who":
        return Text("You" if event["seat"] == me else names[event["seat"]], "bold")
    if name == "target":
        return seat_name(event["target"], names, me)
    if name == "cards":
        if event["cards"] is not None:
            return faces.cards(event["cards"])
        return Text("a card" if event["count"] == 1 else f"{event['count']} cards")
    if name == "colour":
        return faces.colour(event["colour"])
    if name == "at_whom":
        targets = event.get("targets", ())
        return Text(" against ") + players(targets, names, me) if targets else Text()
    if name == "names_colour" and event["cards"] == ["wild"]:
        return Text(" The colour is ") + faces.colour(event["colour"]) + Text(".")
    return Text(_words(name, event, names))


def _words(name: str, event: Event, names: Sequence[str]) -> str:
    if name == "from_where":
        places = {"deck": " from the deck", "face_down": " from face down", "face_up": " face up"}
        return places.get(event.get("zone", ""), "")
    if name == "too_low":
        return " That is too low." if event.get("fits") is False else ""
    if name == "stand_in":
        return " A bot plays on." if event["kind"] == "bot" else ""
    if name == "and_face_down":
        down = event.get("face_down")
        return f" {down} more lie face down." if down else ""
    if name == "removed":
        return " It removes itself." if event["removed"] else ""
    if name == "round_winner":
        winner = event["winner"]
        return "" if winner is None else f" {names[winner]} had no card left."
    return str(event.get(name, ""))
