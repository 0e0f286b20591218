"""Knowledge: which cards of other hands a watcher is certain of, because they saw them go there.

It follows from the events alone. A card that somebody saw enter a hand counts as long as it must
still be there: every unseen departure from the hand may have been any of its cards, so it takes
one of each kind from what those who did not see it can be certain of.
"""

from __future__ import annotations

from typing import Final

from engine.values import Event

#: A set of watchers as bits: seat s is 1 << s, spectators and everybody else all higher bits.
#: Negative numbers are sets that leave only some out, so that "everybody" is one small number.
EVERYBODY: Final = -1

#: For one hand, by card: who is certain of at least one copy, of at least two, and so on.
Hand = dict[int, list[int]]


#: A hand as it is kept: by itself stands each card of which everybody but the holder is certain of
#: one copy, as is usual; what is known besides comes last.
KeptHand = list[int | Hand]


def fresh(players: int) -> list[Hand]:
    """What is known before anything has happened."""
    return [{} for _ in range(players)]


def packed(hands: list[Hand]) -> list[KeptHand | Hand]:
    """Hands as they are kept."""
    kept: list[KeptHand | Hand] = []
    for seat, hand in enumerate(hands):
        usual = [_all_but(seat)]
        cards: KeptHand = [card for card in sorted(hand) if hand[card] == usual]
        if len(cards) < len(hand):
            cards.append({card: hand[card] for card in sorted(hand) if hand[card] != usual})
        kept.append(cards)
    return kept


def unpacked(kept: list[KeptHand | Hand]) -> list[Hand]:
    """Reads what `packed` gave. The first format kept each hand whole."""
    hands: list[Hand] = []
    for seat, known in enumerate(kept):
        hand: Hand = {}
        for part in known if isinstance(known, list) else [known]:
            if isinstance(part, int):
                hand[part] = [_all_but(seat)]
            else:
                hand.update(part)
        hands.append(hand)
    return hands


def known_to(hand: Hand, bit: int) -> list[int]:
    """The cards of a hand that the watcher of this bit is certain of, in sorting order."""
    return [card for card in sorted(hand) for who in hand[card] if who & bit]


def bit_of(viewer: int | None, players: int) -> int:
    """The bit of a seat; spectators share the first one after the seats'."""
    return 1 << (players if viewer is None else viewer)


def follow(hands: list[Hand], event: Event) -> None:
    """Takes in what an event tells. Four types of event have a meaning of their own here:

    `cards_dealt` starts a hand anew, `hands_swapped` (with `target`) lets two hands change places,
    `hand_seen` shows a whole hand; for the rest `out_of` and `into` say where cards went.
    """
    seen_by = EVERYBODY if event.seen_by is None else sum(1 << seat for seat in event.seen_by)
    seat, cards = event.seat, event.cards
    if event.type == "hands_swapped":
        target = event.facts["target"]
        assert seat is not None  # nosec B101 # for the type checker
        hands[seat], hands[target] = hands[target], hands[seat]
        _forget(hands[seat], 1 << seat)
        _forget(hands[target], 1 << target)
        return
    if cards is None or seat is None:
        return
    if event.type == "cards_dealt":
        hands[seat].clear()
    elif event.type == "hand_seen":
        others = seen_by & _all_but(seat)
        _forget(hands[seat], others)
        _enter(hands[seat], cards, others)
        return
    if event.out_of is not None:
        _leave(hands[event.out_of], cards, seen_by)
    if event.into is not None:
        _enter(hands[event.into], cards, seen_by & _all_but(event.into))


def _all_but(seat: int) -> int:
    return ~(1 << seat)


def _enter(hand: Hand, cards: tuple[int, ...], seen_by: int) -> None:
    if not seen_by:
        return
    for card in cards:
        copies = hand.setdefault(card, [])
        # Who saw it is certain of one copy more: each level hands down to the next.
        carried = seen_by
        for level, who in enumerate(copies):
            copies[level], carried = who | carried, who & carried
        if carried:
            copies.append(carried)


def _leave(hand: Hand, cards: tuple[int, ...], seen_by: int) -> None:
    if not hand:
        return
    for card in cards:
        # Of the card itself everybody loses one: they saw it go, or it may have been it.
        if card in hand:
            _lose_one(hand, card, EVERYBODY)
        if seen_by != EVERYBODY:
            for kind in [kind for kind in hand if kind != card]:
                _lose_one(hand, kind, ~seen_by)


def _lose_one(hand: Hand, card: int, who: int) -> None:
    copies = hand[card]
    for level, certain in enumerate(copies):
        above = copies[level + 1] if level + 1 < len(copies) else 0
        copies[level] = (certain & ~who) | (above & who)
    _tidy(hand, card)


def _forget(hand: Hand, who: int) -> None:
    for card in list(hand):
        hand[card] = [certain & ~who for certain in hand[card]]
        _tidy(hand, card)


def _tidy(hand: Hand, card: int) -> None:
    hand[card] = [certain for certain in hand[card] if certain]
    if not hand[card]:
        del hand[card]
