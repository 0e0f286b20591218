"""Followers: clients that rebuild the public table from a first view and the events after it.

They know the rules' names of things and nothing of the engine, and never ask for a second view.
`tests/engine/test_follow_law.py` holds them against the views.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

Json = dict[str, Any]

#: What a follower keeps of a view beside the seats.
KEPT = ("version", "last_seq", "status", "to_act", "table", "result", "seed")
#: What only the last view tells of a seat: its cards are shown once the match is over.
SHOWN_AT_THE_END = ("hand", "face_down_cards")


def public(view: Mapping[str, Any]) -> Json:
    """What of a view a follower can rebuild from the events before it."""
    seats = [
        {name: fact for name, fact in seat.items() if name not in SHOWN_AT_THE_END}
        for seat in view["seats"]
    ]
    return {**{name: view[name] for name in KEPT}, "seats": seats}


class Follower:
    """What the three games have in common. A type of event has a method of its name."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.now: Json = deepcopy(public(view))

    @property
    def table(self) -> Json:
        """The table, as the last event left it."""
        table: Json = self.now["table"]
        return table

    def seat(self, number: int) -> Json:
        """A seat, as the last event left it."""
        seat: Json = self.now["seats"][number]
        return seat

    def take(self, event: Json) -> None:
        """Follows one event, which must be the next one."""
        assert event["seq"] == self.now["last_seq"] + 1, "a gap, or a repeat"
        assert event["version"] - self.now["version"] in (0, 1)
        self.now |= {"last_seq": event["seq"], "version": event["version"]}
        getattr(self, event["type"])(event)

    def match_created(self, event: Json) -> None:
        raise AssertionError("the first view comes after it")

    def seat_joined(self, event: Json) -> None:
        self.seat(event["seat"]).update(name=event["name"], kind="human")

    def seat_left(self, event: Json) -> None:
        seat = self.seat(event["seat"])
        seat["kind"] = event["kind"]
        if event["kind"] == "open":
            seat["name"] = None

    def move_overdue(self, event: Json) -> None:
        pass  # the move that was made for the seat follows

    def turn(self, event: Json) -> None:
        self.now |= {"status": "playing", "to_act": event["to_act"]}

    def match_finished(self, event: Json) -> None:
        over = {"status": "finished", "to_act": []}
        self.now |= {**over, "result": event["result"], "seed": event["seed"]}

    def cards_drawn(self, event: Json) -> None:
        self.seat(event["seat"])["hand_count"] += event["count"]


class EvenSteven(Follower):
    def cards_dealt(self, event: Json) -> None:
        slots = list(range(event["face_down"]))
        self.seat(event["seat"]).update(hand_count=event["count"], face_down=slots)

    def round_started(self, event: Json) -> None:
        fresh = {"phase": "play", "pile": [], "value": None}
        if self.now["table"] is None:
            self.now["table"] = fresh
        self.table.update(round=event["round"], deck_count=event["deck_count"])

    def card_played(self, event: Json) -> None:
        (card,) = event["cards"]
        if event["zone"] == "deck":
            self.table["deck_count"] -= 1
        elif event["zone"] == "hand":
            self.seat(event["seat"])["hand_count"] -= 1
        else:
            self.seat(event["seat"])["face_down"].remove(event["slot"])
        self.table["pile"].append(card)
        self.table["value"] = event["value"]
        if card[0] == "7":
            self.table["phase"] = "steal"

    def pile_burned(self, event: Json) -> None:
        assert event["count"] == len(self.table["pile"])
        self.table["deck_count"] += event["count"]
        self.table["pile"] = []

    def pile_picked_up(self, event: Json) -> None:
        assert event["cards"] is not None
        self.seat(event["seat"])["hand_count"] += event["count"]
        self.table.update(pile=[], value=None)

    def cards_drawn(self, event: Json) -> None:
        super().cards_drawn(event)
        self.table["deck_count"] -= event["count"]

    def card_stolen(self, event: Json) -> None:
        if event["slot"] is None:
            self.seat(event["target"])["hand_count"] -= 1
        else:
            self.seat(event["target"])["face_down"].remove(event["slot"])
        self.seat(event["seat"])["hand_count"] += 1
        self.table["phase"] = "play"

    def steal_declined(self, event: Json) -> None:
        self.table["phase"] = "play"

    def match_finished(self, event: Json) -> None:
        super().match_finished(event)
        self.table["phase"] = "play"  # the turn limit takes an open steal as declined


class CardKeeper(Follower):
    def cards_dealt(self, event: Json) -> None:
        self.seat(event["seat"]).update(hand_count=event["count"], shields=0, out=False)

    def card_put_back(self, event: Json) -> None:
        pass  # it is in the draw pile again

    def first_card_turned(self, event: Json) -> None:
        (card,) = event["cards"]
        self.now["table"] = {
            "phase": "play" if event["colour"] else "name_colour",
            "draw_count": event["draw_count"],
            "discard_top": card,
            "discard_count": 1,
            "burn_count": 0,
            "colour": event["colour"],
            "direction": event["direction"],
        }

    def colour_named(self, event: Json) -> None:
        self.table.update(colour=event["colour"], phase="play")

    def card_played(self, event: Json) -> None:
        (card,) = event["cards"]
        self.seat(event["seat"])["hand_count"] -= 1
        if card == "shield":
            self.seat(event["seat"])["shields"] += 1
        else:
            self.table["discard_top"] = card
            self.table["discard_count"] += 1
        self.table.update(colour=event["colour"], direction=event["direction"])
        if card == "chaos":
            others = (seat for seat in self.now["seats"] if seat["seat"] != event["seat"])
            if any(not seat["out"] and not seat["shields"] for seat in others):
                self.table["phase"] = "chaos"

    def card_captured(self, event: Json) -> None:
        self.seat(event["target"])["hand_count"] -= 1
        self.seat(event["seat"])["hand_count"] += 1

    def shield_used(self, event: Json) -> None:
        self.seat(event["seat"])["shields"] -= 1
        self.table["burn_count"] += event["burned"]

    def hands_swapped(self, event: Json) -> None:
        one, other = self.seat(event["seat"]), self.seat(event["target"])
        counts = other["hand_count"], one["hand_count"]
        one["hand_count"], other["hand_count"] = counts

    def hand_seen(self, event: Json) -> None:
        assert event["count"] == self.seat(event["seat"])["hand_count"]

    def choice_made(self, event: Json) -> None:
        pass  # the card stays in its hand until all have chosen

    def card_burned(self, event: Json) -> None:
        self.seat(event["seat"])["hand_count"] -= 1
        self.table["burn_count"] += 1
        self.table["phase"] = "play"

    def cards_drawn(self, event: Json) -> None:
        super().cards_drawn(event)
        self.table["draw_count"] -= event["count"]

    def draw_pile_made(self, event: Json) -> None:
        self.table.update(draw_count=event["draw_count"], discard_count=1, burn_count=0)

    def knocked_out(self, event: Json) -> None:
        self.seat(event["seat"]).update(out=True, shields=0)


class SevenTwosTens(Follower):
    def round_started(self, event: Json) -> None:
        self.now["table"] = {
            "phase": "lay",
            "round": event["round"],
            "draw_count": event["draw_count"],
            "pile": [],
            "value": None,
            "removed_count": 0,
            "scores": self.table["scores"] if self.now["table"] else [],
        }

    def cards_dealt(self, event: Json) -> None:
        seat = self.seat(event["seat"])
        slots = list(range(event["face_down"]))
        seat.update(hand_count=event["count"], face_up=[], face_down=slots)
        seat.setdefault("points", 0)

    def choice_made(self, event: Json) -> None:
        pass  # shown when all have chosen

    def cards_laid(self, event: Json) -> None:
        seat = self.seat(event["seat"])
        seat["hand_count"] -= event["count"]
        seat["face_up"] = list(event["cards"])

    def card_turned(self, event: Json) -> None:
        self.table["draw_count"] -= 1
        self.table.update(phase="play", value=event["value"])
        if event["removed"]:
            self.table["removed_count"] += 1
        else:
            self.table["pile"] += event["cards"]

    def cards_played(self, event: Json) -> None:
        seat = self.seat(event["seat"])
        if event["zone"] == "hand":
            seat["hand_count"] -= event["count"]
        elif event["zone"] == "face_up":
            for card in event["cards"]:
                seat["face_up"].remove(card)
        else:
            seat["face_down"].remove(event["slot"])
        self.table["pile"] += event["cards"]
        self.table["value"] = event["value"]

    def card_flipped(self, event: Json) -> None:
        self.seat(event["seat"])["face_down"].remove(event["slot"])
        self.table["pile"] += event["cards"]

    def pile_removed(self, event: Json) -> None:
        assert event["count"] == len(self.table["pile"])
        self.table["removed_count"] += event["count"]
        self.table.update(pile=[], value=None)

    def pile_picked_up(self, event: Json) -> None:
        assert event["count"] == len(self.table["pile"])
        self.seat(event["seat"])["hand_count"] += event["count"]
        self.table.update(pile=[], value=None)

    def cards_drawn(self, event: Json) -> None:
        super().cards_drawn(event)
        self.table["draw_count"] -= event["count"]

    def round_ended(self, event: Json) -> None:
        self.table["scores"].append(event["points"])
        for seat, points in zip(self.now["seats"], event["points"], strict=True):
            seat["points"] += points


FOLLOWERS: dict[str, type[Follower]] = {
    "even-steven": EvenSteven,
    "card-keeper": CardKeeper,
    "seven-twos-tens": SevenTwosTens,
}


def follower(view: Mapping[str, Any]) -> Follower:
    """A follower that begins with this view."""
    return FOLLOWERS[view["game"]](view)
