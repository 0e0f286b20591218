"""Story: the events of a match as sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Event = Mapping[str, Any]

#: By event type, a sentence. `{who}`, `{target}` and `{winner}` are names, `{cards}` a list of
#: cards or how many there were; the rest are the event's own facts.
SENTENCES: Mapping[str, str] = {
    "match_created": "The table is made.",
    "seat_joined": "{who} sits down.",
    "seat_left": "{who} leaves.",
    "move_overdue": "{who} has not moved in time.",
    "cards_dealt": "{who} is dealt {cards}.",
    "round_started": "Round {round}: {who} starts.",
    "card_played": "{who} plays {cards}.",
    "cards_played": "{who} plays {cards}.",
    "pile_burned": "The pile of {count} goes under the deck.",
    "pile_removed": "The pile of {count} is removed.",
    "pile_picked_up": "{who} picks up {cards}.",
    "cards_drawn": "{who} draws {cards}.",
    "card_stolen": "{who} steals {cards} from {target}.",
    "steal_declined": "{who} steals nothing.",
    "card_put_back": "{cards} is turned over, and put back.",
    "first_card_turned": "{cards} is turned over to start.",
    "colour_named": "{who} names {colour}.",
    "card_captured": "{who} captures {cards} from {target}.",
    "shield_used": "A Shield of {who} is used.",
    "hands_swapped": "{who} and {target} swap hands.",
    "hand_seen": "{who} now holds {cards}.",
    "choice_made": "{who} chooses {cards}.",
    "card_burned": "{who} burns {cards}.",
    "draw_pile_made": "The played and burned cards make a new draw pile of {draw_count}.",
    "knocked_out": "{who} is out.",
    "cards_laid": "{who} lays {cards} face up.",
    "card_turned": "{cards} is turned over to start.",
    "card_flipped": "{who} flips {cards}, which does not fit.",
    "round_ended": "The round ends; points: {points}.",
    "match_finished": "It is over.",
}
#: Told by what comes next anyway.
SILENT = frozenset({"turn"})


def tell(event: Event, names: Sequence[str | None]) -> str | None:
    """One event as a sentence; None for one that needs no telling. An event that has no sentence
    of its own is told by its type and facts."""
    kind = event["type"]
    if kind in SILENT:
        return None
    words = dict(event)
    for member, word in (("seat", "who"), ("target", "target")):
        if event.get(member) is not None:
            words[word] = names[event[member]] or f"Seat {event[member]}"
    if "count" in event:
        words["cards"] = _cards(event.get("cards"), event["count"])
    if kind in SENTENCES:
        return SENTENCES[kind].format_map(words)
    facts = {name: fact for name, fact in event.items() if name not in ("seq", "version", "type")}
    return f"{kind}: {facts}"


def _cards(cards: Sequence[str] | None, count: int) -> str:
    if cards:
        return " ".join(cards)
    return "nothing" if count == 0 else "a card" if count == 1 else f"{count} cards"
