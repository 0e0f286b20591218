"""Scripted deals: the set order is dealt as the rule pages deal, and all later chance is the
seed's, from its first word on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from engine import GAMES, Game, InvalidSetup, Match, Seat, places
from engine.chance import Chance
from engine.replay import BadReplay, Replay
from tests.engine.positions import CK, ES, ST
from tests.engine.steps import do, play_on
from tests.laws import viewers, wire
from tests.tiny_game import HighCard

EVENS = [rank + suit for rank in ("2", "4", "6", "8", "10", "J", "Q", "K") for suit in "CDS"]
NAMES = ("Ada", "Ben", "Cem", "Dot", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo")
every_game = pytest.mark.parametrize("game", [*GAMES.values(), HighCard()], ids=lambda g: g.id)


def deck(game: Game[Any], seed: str = "any", decks: int = 1) -> list[str]:
    """The codes of all cards in some order."""
    codes = [game.codes[card] for card in game.deck] * decks
    Random(seed).shuffle(codes)
    return codes


def plain(game: Game[Any]) -> list[str]:
    """An order that two players are dealt from without another shuffle."""
    return topped(CK, *sorted(CK.codes)[:20], "red-1") if game is CK else deck(game)


def in_order(game: Game[Any], codes: Sequence[str]) -> list[str]:
    """Codes in sorting order."""
    return sorted(codes, key=game.codes.index)


def topped(game: Game[Any], *tops: str) -> list[str]:
    """A whole deck with these cards on top, in this order."""
    rest = deck(game, "rest")
    for code in tops:
        rest.remove(code)
    return [*tops, *rest]


def match_of(game: Game[Any], deal: Sequence[str] | None, players: int = 2, **more: Any) -> Match:
    """A match for so many players."""
    return Match.new(game, seats=NAMES[:players], seed="demo", deal=deal, **more)


def hand(match: Match, seat: int) -> list[str]:
    """What a seat holds, as it is told."""
    held: list[str] = match.view(seat)["you"]["hand"]
    return held


def codes(match: Match, cards: Sequence[int]) -> list[str]:
    """Cards of the state as codes."""
    return [match.game.codes[card] for card in cards]


# Dealing


def test_even_steven_deals_face_down_cards_then_hands_and_leaves_the_rest() -> None:
    order = deck(ES)
    match = match_of(ES, order, players=3)
    for seat in range(3):
        assert codes(match, match.state.face_down[seat]) == order[seat:9:3]
        assert hand(match, seat) == in_order(ES, order[9 + seat : 30 : 3])
    assert codes(match, match.state.deck[::-1]) == order[30:]


def test_even_steven_draws_the_card_that_was_set() -> None:
    odd = [code for code in deck(ES) if code[:-1] in ("3", "5", "7", "9", "A")]
    match = match_of(ES, topped(ES, *EVENS[:6], *odd[:14], "KH"))
    step = do(match, "draw")
    (played,) = (e for e in match.show(step, None) if e["type"] == "card_played")
    assert (played["zone"], played["cards"]) == ("deck", ["KH"])


def test_card_keeper_deals_ten_each_then_turns_the_first_card_and_leaves_the_rest() -> None:
    order = topped(CK, *[code for code in deck(CK) if code != "green-4"][:40], "green-4")
    match = match_of(CK, order, players=4)
    for seat in range(4):
        assert hand(match, seat) == in_order(CK, order[seat:40:4])
    assert match.view(None)["table"]["discard_top"] == "green-4"
    assert codes(match, match.state.draw[::-1]) == order[41:]


def test_card_keeper_shuffles_a_card_that_may_not_start_back_by_the_seed() -> None:
    order = topped(CK, *[code for code in deck(CK) if code != "chaos"][:20], "chaos")
    match = match_of(CK, order)
    left = order[20:]
    chance = Chance(b"demo")
    while left[0] in ("capture-2", "chaos", "draw-3", "shield") or left[0].startswith("swap"):
        chance.shuffle(left)
    assert match.view(None)["table"]["discard_top"] == left[0]
    assert codes(match, match.state.draw[::-1]) == left[1:]
    assert hand(match, 1) == in_order(CK, order[1:20:2])


def test_card_keeper_deals_anew_by_the_seed_when_no_card_left_could_start_ck_9() -> None:
    no_start = ["shield"] * 4 + ["draw-3"] * 4
    others = [code for code in deck(CK) if code not in no_start]
    match = match_of(CK, [*others, *no_start], players=10)
    assert match.state == match_of(CK, None, players=10).state
    assert match.view(None)["scripted"] is True


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (5, 2), (3, 4)])
def test_seven_twos_tens_deals_face_down_cards_then_six_each_then_turns_a_card(
    players: int, decks: int
) -> None:
    order = deck(ST, decks=decks)
    match = match_of(ST, order, players=players, options={"decks": decks})
    for seat in range(players):
        assert codes(match, match.state.face_down[seat]) == order[seat : 3 * players : players]
        six = order[3 * players + seat : 9 * players : players]
        assert hand(match, seat) == in_order(ST, six)
    play_on(match, players)  # all lay
    (turned,) = (e for e in match.show(match.log[-1], None) if e["type"] == "card_turned")
    assert turned["cards"] == [order[9 * players]]


def test_a_later_round_of_seven_twos_tens_is_shuffled_by_the_seed() -> None:
    options = {"rounds": 2, "turn_limit": 50}
    match = match_of(ST, deck(ST), options=options)
    while match.view(None)["table"]["round"] == 1:
        play_on(match, 1)
    first_of_the_seed = match_of(ST, None, options=options)
    assert hand(match, 0) == hand(first_of_the_seed, 0)
    assert match.state.face_down == first_of_the_seed.state.face_down
    assert match.state.draw == first_of_the_seed.state.draw


@every_game
def test_the_first_shuffle_takes_no_word_of_the_seed(game: Game[Any]) -> None:
    assert match_of(game, plain(game)).to_bytes() != match_of(game, None).to_bytes()
    assert match_of(game, plain(game))._chance.position == 0


def test_a_capture_takes_the_card_that_the_seed_picks() -> None:
    tens = [f"{colour}-{value}" for value in range(1, 6) for colour in ("blue", "green")] * 2
    tens[0] = "red-capture-1"
    match = match_of(CK, topped(CK, *tens, "red-9"))
    held = hand(match, 1)
    step = do(match, "play red-capture-1 1")
    (captured,) = (e for e in match.show(step, 0) if e["type"] == "card_captured")
    assert captured["cards"] == [held[Chance(b"demo").below(len(held))]]


# What is no deal


@every_game
def test_a_deal_has_every_card_of_the_match_once(game: Game[Any]) -> None:
    whole = deck(game)
    for order in (whole[1:], [*whole, whole[0]], [whole[1], *whole[1:]], []):
        with pytest.raises(InvalidSetup) as refused:
            match_of(game, order)
        assert list(refused.value.errors) == ["deal"]
    with pytest.raises(InvalidSetup) as refused:
        match_of(game, [whole[1], *whole[1:]])
    assert refused.value.errors["deal"] == [
        f"Named too often: {whole[1]}.",
        f"Missing: {whole[0]}.",
    ]
    with pytest.raises(InvalidSetup) as refused:
        match_of(game, ["no-card", *whole[1:]])
    assert refused.value.errors["deal"] == [
        "Cards of another deck: no-card.",
        f"Missing: {whole[0]}.",
    ]


def test_it_has_the_cards_of_as_many_decks_as_are_played_with() -> None:
    for players, decks, right in ((5, 1, False), (5, 2, True), (2, 2, False)):
        if right:
            match_of(ST, deck(ST, decks=decks), players=players)
        else:
            with pytest.raises(InvalidSetup):
                match_of(ST, deck(ST, decks=decks), players=players)


# What is told of it


@every_game
def test_it_is_marked_and_told_to_nobody_else(game: Game[Any]) -> None:
    """What lies in the deck after the deal changes nothing that anybody sees."""
    order = plain(game)
    head = 30 if len(order) > 30 else 8
    one = match_of(game, order)
    other = match_of(game, [*order[:head], *order[: head - 1 : -1]])
    assert one.state != other.state
    for viewer in viewers(one):
        assert wire(one.view(viewer)) == wire(other.view(viewer))
        assert one.view(viewer)["scripted"] is True
        assert one.show(one.log[0], viewer) == other.show(other.log[0], viewer)
    assert match_of(game, None).view(0)["scripted"] is False


@every_game
def test_it_waits_for_the_last_seat_and_is_saved(game: Game[Any]) -> None:
    order = plain(game)
    games = {game.id: game}
    waiting = Match.new(game, seats=["Ada", Seat(kind="open")], seed="demo", deal=order)
    loaded = Match.from_bytes(waiting.to_bytes(), games)
    assert loaded.view(0)["scripted"] is True
    loaded.join(seat=1, name="Ben")
    assert loaded.state == match_of(game, order).state
    again = Match.from_bytes(loaded.to_bytes(), games)
    assert (again.scripted_deal(), again.to_bytes()) == (order, loaded.to_bytes())


@every_game
def test_what_earlier_releases_saved_was_shuffled(game: Game[Any]) -> None:
    match = match_of(game, None)
    data = match.to_bytes()
    *saved, deal = msgspec.msgpack.decode(data[1:])
    assert deal is None
    older = Match.from_bytes(data[:1] + msgspec.msgpack.encode(saved), {game.id: game})
    assert older.view(0) == match.view(0)


# Its replay


def record(match: Match) -> dict[str, Any]:
    """What `engine verify` reads of a finished match."""
    view = match.view(None)
    return {
        **{name: view[name] for name in ("game", "options", "seed_hash", "seed", "result")},
        "rules_version": match.game.rules_version,
        "seats": places(match.seats),
        "client_seeds": [None] * len(match.seats),
        "deal": match.scripted_deal(),
        "moves": [
            {"version": step.version, "seat": step.seat, "move": step.move}
            for step in match.log[1:]
        ],
    }


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_its_replay_gives_the_same_match_and_another_deal_does_not(game: Game[Any]) -> None:
    match = match_of(game, deck(game, "replayed"), options={"turn_limit": 60})
    while match.outcome is None:
        play_on(match, 1)
    told = record(match)
    again = Replay(told)
    assert list(again.steps()) == match.log
    assert again.match.state == match.state
    shuffled = told | {"deal": deck(game, "another")}
    without = {name: fact for name, fact in told.items() if name != "deal"}
    for other in (shuffled, without, told | {"deal": None}):
        with pytest.raises(BadReplay):
            list(Replay(other).steps())
    with pytest.raises(BadReplay, match="Missing"):
        Replay(told | {"deal": told["deal"][1:]})
