"""Chance that anyone can check: a stream of 64-bit words drawn from the seed by SHA-256.

Words 4c to 4c+3 are the big-endian 8-byte groups of SHA-256(seed ‖ 0x00 ‖ c as 8 bytes). The
next word's number is all the state there is, so a match goes on with the same chance anywhere.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from operator import mod
from typing import Any, Final

_SPAN: Final = 1 << 64


class Chance:
    """The word stream of one seed, from word number `position` on."""

    __slots__ = ("_first", "_prefix", "_words", "position")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        self._prefix = seed + b"\x00"
        self.position = position
        #: Words that have been worked out, whole blocks of four, and the number of the first.
        self._words: tuple[int, ...] = ()
        self._first = 0

    def word(self) -> int:
        """Takes the next unsigned 64-bit word."""
        index = self._place(1)
        self.position += 1
        return self._words[index]

    def below(self, k: int) -> int:
        """Takes a number from 0 to k-1, each equally likely; `below(1)` takes a word too."""
        word = self.word()
        while word >= _SPAN - _SPAN % k:
            word = self.word()
        return word % k

    def shuffle(self, items: list[Any]) -> None:
        """Shuffles in place; fewer than two items take no word. The first item is the top card."""
        size = len(items)
        if size < 2:
            return
        sizes = range(size, 1, -1)
        start = self._place(size - 1)
        words = self._words[start : start + size - 1]
        if max(words) < _SPAN - size:
            self.position += size - 1
            numbers: Iterator[int] = map(mod, words, sizes)
        else:
            # Some size may pass a word over, so they are taken one by one.
            numbers = map(self.below, sizes)
        last = size
        for number in numbers:
            last -= 1
            items[last], items[number] = items[number], items[last]

    def pick(self, hand: list[int]) -> int:
        """Takes a random card out of a sorted hand, and returns it."""
        return hand.pop(self.below(len(hand)))

    def _place(self, count: int) -> int:
        """Where the next words, so many at least, lie in `_words`."""
        index = self.position - self._first
        if index < 0 or index + count > len(self._words):
            block, index = divmod(self.position, 4)
            self._first = self.position - index
            digests = [
                sha256(self._prefix + c.to_bytes(8, "big")).digest()
                for c in range(block, block + (index + count + 3) // 4)
            ]
            self._words = struct.unpack(f">{4 * len(digests)}Q", b"".join(digests))
        return index


def seed_hash(seed: str) -> str:
    """The SHA-256 of the seed's UTF-8 bytes in lower-case hex, published when a match is made."""
    return sha256(seed.encode()).hexdigest()


def chance_seed(seed: str, client_seeds: Sequence[str | None]) -> bytes:
    """The bytes that the word stream starts from: the seed's own, unless seats gave their texts.

    Then it is the hex SHA-256 of the seed followed, for each seat that gave one, by 0x00, the
    seat's number in decimal, 0x00 and its text. No text holds 0x00, so that no two tables of
    seeds give the same bytes; and since `seed_hash` is published before others join, neither the
    host nor the players alone choose the deal.
    """
    given = [(seat, text) for seat, text in enumerate(client_seeds) if text is not None]
    if not given:
        return seed.encode()
    mixed = sha256(seed.encode())
    for seat, text in given:
        mixed.update(f"\0{seat}\0{text}".encode())
    return mixed.hexdigest().encode()
