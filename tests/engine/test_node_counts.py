"""How many ways to play on there are: all sequences of listed moves from fixed positions, counted.

A slip in any rule that says what may be played, who is next or what a move does shows in a number.
A count that differs is told apart by first move. Numbers may only change with a ruling.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from engine import GAMES, Match

BEST = {"face_up": "best"}
NEXT = {"round_starter": "next_player"}
BURNT = {"used_shields": "burn_pile"}
ONE_PLAY = {"face_up": "best", "four_of_a_kind": "one_play"}
ROUNDS = {"face_up": "best", "rounds": 2, "turn_limit": 50}
FREELY = {"face_up": "best", "pick_up_freely": True}


class Row(NamedTuple):
    """A match after so many moves, and its numbers of sequences of one move, of two, and so on."""

    game: str
    players: int
    options: dict[str, Any]
    moves: int
    counts: tuple[int, ...]


TABLE = (
    Row("even-steven", 2, {}, 0, (7, 45, 224, 1155, 5040)),
    Row("even-steven", 2, {}, 40, (2, 4, 25, 47, 313, 640, 3877)),
    Row("even-steven", 3, NEXT, 0, (7, 40, 220, 908, 3651)),
    Row("even-steven", 3, NEXT, 30, (2, 8, 55, 200, 444, 1890)),
    Row("even-steven", 4, {}, 25, (5, 12, 26, 112, 312, 999, 3064)),
    Row("even-steven", 4, {}, 50, (4, 8, 24, 69, 321, 1089, 4029)),
    Row("even-steven", 4, {"hand_size": 4}, 20, (2, 13, 28, 115, 461, 2171)),
    Row("even-steven", 6, {"face_down": 2}, 15, (6, 17, 17, 31, 56, 239, 950, 3486)),
    Row("even-steven", 8, {}, 0, (4, 14, 53, 140, 433, 1549)),
    Row("even-steven", 8, {}, 20, (3, 34, 68, 228, 964, 2613)),
    Row("card-keeper", 2, {}, 0, (14, 169, 2101)),
    Row("card-keeper", 2, {}, 30, (3, 9, 23, 58, 144, 535, 1348, 4649)),
    Row("card-keeper", 2, {}, 100, (3, 9, 20, 69, 151, 428, 1233, 3115)),
    Row("card-keeper", 3, BURNT, 0, (19, 297, 4144)),
    Row("card-keeper", 3, BURNT, 60, (3, 7, 16, 44, 134, 432, 1108, 3722)),
    Row("card-keeper", 4, {}, 0, (19, 372, 5863)),
    Row("card-keeper", 4, {}, 60, (6, 60, 360, 2404)),
    Row("card-keeper", 5, {}, 30, (4, 61, 532, 2444)),
    Row("card-keeper", 5, {}, 100, (3, 18, 54, 216, 860, 6620)),
    Row("card-keeper", 10, {}, 0, (11, 626, 9984)),
    Row("card-keeper", 10, {}, 100, (9, 378, 2591)),
    Row("seven-twos-tens", 2, {}, 0, (16, 128, 256, 320, 616, 1228, 3182)),
    Row("seven-twos-tens", 2, {}, 30, (2, 4, 6, 7, 14, 58, 174, 551)),
    Row("seven-twos-tens", 2, {}, 48, (14, 47, 219, 1096, 3327)),
    Row("seven-twos-tens", 2, {}, 60, (2, 4, 18, 34, 108, 458, 772, 2275)),
    Row("seven-twos-tens", 2, BEST, 0, (1, 1, 3, 5, 11, 25, 41, 91)),
    Row("seven-twos-tens", 2, BEST, 30, (1, 4, 26, 41, 190, 409, 1271, 3313)),
    Row("seven-twos-tens", 2, BEST, 48, (5, 15, 77, 406, 1521)),
    Row("seven-twos-tens", 2, BEST, 60, (1, 3, 20, 43, 110, 401, 742, 2485)),
    Row("seven-twos-tens", 3, BEST, 0, (3, 8, 16, 16, 16, 48, 92, 552)),
    Row("seven-twos-tens", 3, BEST, 30, (3, 3, 31, 127, 477, 2825)),
    Row("seven-twos-tens", 3, BEST, 60, (3, 12, 95, 510, 1668)),
    Row("seven-twos-tens", 3, BEST, 100, (1, 2, 8, 26, 74, 168, 513, 1865)),
    Row("seven-twos-tens", 3, FREELY, 0, (4, 14, 42, 104, 291, 969, 3036)),
    Row("seven-twos-tens", 3, FREELY, 30, (2, 10, 50, 143, 647, 3087)),
    Row("seven-twos-tens", 3, FREELY, 60, (2, 8, 31, 170, 609, 2194)),
    Row("seven-twos-tens", 3, FREELY, 100, (9, 58, 245, 1587)),
    Row("seven-twos-tens", 4, ONE_PLAY, 30, (2, 7, 40, 117, 373, 652, 1137, 3832)),
    Row("seven-twos-tens", 5, BEST, 48, (7, 38, 55, 159, 452, 1645)),
    Row("seven-twos-tens", 5, BEST, 150, (8, 53, 254, 655, 1625)),
    Row("seven-twos-tens", 6, ROUNDS, 30, (9, 36, 73, 134, 274, 444, 959, 2422)),
    Row("seven-twos-tens", 6, ROUNDS, 48, (2, 3, 9, 18, 24, 45, 114, 216)),
    Row("seven-twos-tens", 12, BEST, 30, (1, 1, 3, 7, 15, 28, 123, 425)),
    Row("seven-twos-tens", 12, BEST, 48, (3, 28, 150, 364, 578, 1104, 2248)),
)


def position(row: Row) -> Match:
    """The match after its moves, each the middle one of those listed for the first seat to act."""
    seats = ["A"] * row.players
    match = Match.new(GAMES[row.game], seats=seats, seed="node counts", options=row.options)
    for _ in range(row.moves):
        seat = match.to_act[0]
        moves = match.legal_moves(seat)
        match.play(seat, moves[len(moves) // 2])
    return match


def count(match: Match, depth: int) -> int:
    """The sequences of `depth` moves; those that end the match earlier are counted as they are."""
    if depth == 0 or not match.to_act:
        return 1
    return sum(by_first_move(match, depth).values())


def by_first_move(match: Match, depth: int) -> dict[str, int]:
    """The same, for each first move on its own."""
    saved, counts = match.to_bytes(), {}
    for seat in match.to_act:
        for move in match.legal_moves(seat):
            after = Match.from_bytes(saved)
            after.play(seat, move)
            counts[f"{seat} {match.game.body(move)}"] = count(after, depth - 1)
    return counts


@pytest.mark.parametrize(
    "row", TABLE, ids=lambda row: f"{row.game}-{row.players}-after-{row.moves}"
)
def test_node_counts(row: Row) -> None:
    match = position(row)
    for depth, expected in enumerate(row.counts, 1):
        found = by_first_move(match, depth)
        assert sum(found.values()) == expected, found


def test_every_game_is_counted() -> None:
    assert {row.game for row in TABLE} == GAMES.keys()
