"""Records all playthroughs anew: `python -m tests.playthroughs`, then read the diff."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from engine import Match
from tests import playthroughs, styles
from tests.known import KNOWN

NAMES = ("Ada", "Ben", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lu")

#: By file: the players, their options, the most moves, and the style if not a curious one.
SET_UPS: dict[str, tuple[Any, ...]] = {
    "even-steven 2": (2, {}, 120),
    "even-steven 3 next-player": (3, {"round_starter": "next_player"}, 120),
    "even-steven 4 small-hands": (4, {"hand_size": 4, "face_down": 3}, 100),
    "even-steven 4 turn-limit": (4, {"turn_limit": 50}, 50, styles.drainer),
    "even-steven 5 blind-cards": (5, {"face_down": 2}, 100),
    "even-steven 8": (8, {}, 60),
    "card-keeper 2": (2, {}, 80),
    "card-keeper 3 random-wild": (3, {"first_wild": "random"}, 150, styles.attacker),
    "card-keeper 4 burnt-shields": (4, {"used_shields": "burn_pile"}, 80),
    "card-keeper 6 turn-limit": (6, {"last_together": "draw", "turn_limit": 50}, 50),
    "card-keeper 10": (10, {}, 25),
    "seven-twos-tens 2": (2, {}, 120),
    "seven-twos-tens 3 best": (3, {"face_up": "best", "four_of_a_kind": "one_play"}, 150),
    "seven-twos-tens 4 freely": (4, {"pick_up_freely": True}, 150, styles.shedder),
    "seven-twos-tens 6 rounds": (6, {"rounds": 2, "turn_limit": 50}, 110),
    "seven-twos-tens 12": (12, {}, 40),
}


def record(name: str) -> str:
    """Plays a match in its style and writes it down."""
    players, options, most, *style = SET_UPS[name]
    known, rng = KNOWN[name.split()[0]], Random(name)
    table = [style[0](known, rng) if style else styles.Curious(known, rng, Counter())] * players
    set_up = {
        "game": known.game.id,
        "seats": NAMES[:players],
        "seed": f"playthrough {name}",
        "options": options,
    }
    match = Match.new(known.game, seats=NAMES[:players], seed=set_up["seed"], options=options)
    moves = []
    while match.to_act and match.version < most:
        seat, body = styles.play_on(match, table, rng)
        match.play(seat, body)
        moves.append((seat, body))
    return playthroughs.write(set_up, moves)


if __name__ == "__main__":
    for old in playthroughs.FOLDER.glob("*.txt"):
        old.unlink()
    for name in SET_UPS:
        path = playthroughs.FOLDER / f"{name.replace(' ', '_')}.txt"
        path.write_text(record(name), encoding="utf-8")
