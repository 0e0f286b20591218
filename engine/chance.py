"""Chance that anyone can check: a stream of 64-bit words drawn from the seed by SHA-256.

Words 4c to 4c+3 are the big-endian 8-byte groups of SHA-256(seed ‖ 0x00 ‖ c as 8 bytes). The
next word's number is all the state there is, so a match goes on with the same chance anywhere.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from typing import Any

_FOUR_WORDS = struct.Struct(">4Q")
_SPAN = 1 << 64


class Chance:
    """The word stream of one seed, from word number `position` on."""

    __slots__ = ("_block", "_prefix", "_words", "position")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        self._prefix = seed + b"\x00"
        self._block = -1
        self._words: tuple[int, ...] = ()
        self.position = position

    def word(self) -> int:
        """Takes the next unsigned 64-bit word."""
        block, index = divmod(self.position, 4)
        if block != self._block:
            digest = hashlib.sha256(self._prefix + block.to_bytes(8, "big")).digest()
            self._words = _FOUR_WORDS.unpack(digest)
            self._block = block
        self.position += 1
        return self._words[index]

    def below(self, k: int) -> int:
        """Takes a number from 0 to k-1, each equally likely; `below(1)` takes a word too."""
        limit = _SPAN - _SPAN % k
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % k

    def shuffle(self, items: list[Any]) -> None:
        """Shuffles in place; fewer than two items take no word. The first item is the top card."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def pick(self, hand: list[int]) -> int:
        """Takes a random card out of a sorted hand, and returns it."""
        return hand.pop(self.below(len(hand)))


def seed_hash(seed: str) -> str:
    """The SHA-256 of the seed's UTF-8 bytes in lower-case hex, published when a match is made."""
    return hashlib.sha256(seed.encode()).hexdigest()


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
    mixed = hashlib.sha256(seed.encode())
    for seat, text in given:
        mixed.update(f"\0{seat}\0{text}".encode())
    return mixed.hexdigest().encode()
