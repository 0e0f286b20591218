"""The board that a parent process and its workers share."""

from __future__ import annotations

import os

from api.board import PLACES, Board


def test_what_one_process_writes_the_others_read() -> None:
    board = Board()
    assert not board.leaving
    child = os.fork()
    if child == 0:
        board.begin(7)
        board.leave()
        os._exit(0)
    os.waitpid(child, 0)
    assert board.leaving
    assert (board.younger_than(6), board.younger_than(7)) == (1, 0)


def test_a_service_lives_through_any_number_of_workers() -> None:
    board = Board()
    for age in range(1, 3 * PLACES):
        board.begin(age)
    assert [board.younger_than(3 * PLACES - n) for n in (1, 2, 4)] == [0, 1, 3]
