"""Match: joining and leaving, bots that play on, and moves made for those who do not come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine import (
    BOTS,
    GAMES,
    Game,
    InvalidSetup,
    Match,
    MatchFinished,
    MatchFull,
    NobodySits,
    Seat,
    SeatTaken,
)
from engine.chance import Chance
from tests.engine.positions import ES, ck, es
from tests.engine.steps import do, legal, line, told, words_taken

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
BOT = Seat(name="Bot", kind="bot", bot="random")


def waiting(*open_seats: int, seats: int = 3) -> Match:
    """A match of Even Steven with some seats open."""
    placed = [Seat(kind="open") if n in open_seats else Seat(name=f"P{n}") for n in range(seats)]
    return Match.new(ES, seats=placed, seed="demo")


def first(k: int, /) -> int:
    """A choice that is always the first."""
    return 0


# Joining


def test_a_join_takes_the_first_open_seat_or_the_one_named() -> None:
    match = waiting(0, 1, 2)
    assert match.join(seat=None, name="Ada") == 0
    assert match.join(seat=2, name=None) == 2
    assert [(seat.name, seat.kind) for seat in match.seats] == [
        ("Ada", "human"),
        (None, "open"),
        ("Player 3", "human"),
    ]
    assert (match.version, match.status) == (2, "waiting")
    assert [e["type"] for e in told(match, None)] == ["seat_joined"]


def test_the_last_join_deals() -> None:
    match = waiting(1)
    match.join(seat=None, name="Ben")
    assert (match.status, match.version, match.owed_since) == ("playing", 1, 1)
    types = [event["type"] for event in told(match, None)]
    assert types == ["seat_joined", *["cards_dealt"] * 3, "round_started", "turn"]
    dealt = Match.new(ES, seats=["P0", "Ben", "P2"], seed="demo")
    assert match.view(1)["you"] == dealt.view(1)["you"]
    assert words_taken(match) == words_taken(dealt)


def test_a_seat_that_is_held_is_not_joined() -> None:
    match = waiting(1)
    before = match.to_bytes()
    with pytest.raises(SeatTaken) as taken:
        match.join(seat=0, name="Eve")
    with pytest.raises(InvalidSetup) as unknown:
        match.join(seat=3, name="Eve")
    assert taken.value.seat == 0
    assert unknown.value.errors == {"seat": ["Must be a seat of this match, 0 to 2."]}
    assert match.to_bytes() == before


def test_a_match_without_an_open_seat_is_full() -> None:
    match = waiting()
    with pytest.raises(MatchFull):
        match.join(seat=None, name="Eve")
    with pytest.raises(SeatTaken):
        match.join(seat=1, name="Eve")


def test_after_the_end_nobody_joins_or_leaves() -> None:
    match = es("0: 2C; 1: 3C")
    do(match, "play 2C")
    with pytest.raises(MatchFinished):
        match.join(seat=None, name="Eve")
    with pytest.raises(MatchFinished):
        match.leave(1)


def test_client_seeds_take_part_in_the_deal() -> None:
    def hands(*texts: str | None) -> Any:
        match = waiting(0, 1, seats=2)
        for number, text in enumerate(texts):
            match.join(seat=number, name=None, client_seed=text)
        again = Match.from_bytes(match.to_bytes())
        do(match, legal(match)[0])
        do(again, legal(again)[0])
        assert match.to_bytes() == again.to_bytes()
        return match.state.hands

    deals = [hands(None, None), hands("a", None), hands(None, "a"), hands("a", "b")]
    assert all(deals.count(deal) == 1 for deal in deals)


# Leaving


def test_before_the_deal_a_seat_that_is_left_is_open_again() -> None:
    match = waiting(2)
    match.leave(0)
    assert match.view(None)["seats"][0] == {"seat": 0, "name": None, "kind": "open"}
    assert told(match, None)[0] | {"seq": 0} == {
        "seq": 0,
        "version": 1,
        "type": "seat_left",
        "seat": 0,
        "kind": "open",
    }
    assert match.join(seat=None, name="Eve") == 0


def test_a_leavers_client_seed_goes_before_the_deal_and_stays_after_it() -> None:
    match = waiting(0, 1, seats=2)
    match.join(seat=0, name="Ada", client_seed="a")
    match.leave(0)
    assert match.seats[0].client_seed is None
    match.join(seat=0, name="Ada", client_seed="b")
    match.join(seat=1, name="Ben", client_seed="c")
    match.leave(0)
    assert match.seats[0].client_seed == "b"


@every_game
def test_after_the_deal_a_bot_plays_on_under_the_leavers_name(game: Game[Any]) -> None:
    match = Match.new(game, seats=["Ada", "Ben"], seed="demo")
    hand = match.view(0)["you"]["hand"]
    match.leave(0)
    assert match.seats[0] == Seat(name="Ada", kind="bot", bot="random")
    assert (match.version, match.view(0)["you"]["hand"]) == (1, hand)
    match.play_bots(first)
    assert match.to_act == [1]


@pytest.mark.parametrize("seat", [Seat(kind="open"), BOT])
def test_a_seat_that_no_human_holds_is_not_left(seat: Seat) -> None:
    match = Match.new(ES, seats=["Ada", seat], seed="demo")
    with pytest.raises(NobodySits):
        match.leave(1)
    assert match.version == 0


# Bots


@every_game
def test_bots_play_on_until_it_is_over(game: Game[Any]) -> None:
    chance = Chance(b"bots")
    match = Match.new(game, seats=[BOT, BOT, BOT], seed="demo", options={"turn_limit": 200})
    match.play_bots(chance.below)
    assert match.status == "finished"
    assert [step.version for step in match.log] == list(range(match.version + 1))
    match.play_bots(chance.below)  # there is nothing left to do
    assert match.log[-1].version == match.version


@every_game
def test_bots_stop_when_a_human_is_to_act(game: Game[Any]) -> None:
    match = Match.new(game, seats=[BOT, "Ada", BOT], seed="demo")
    match.play_bots(first)
    assert match.to_act == [1]
    assert {step.seat for step in match.log[1:]} <= {0, 2}


def test_bots_play_no_more_moves_than_asked_for() -> None:
    match = Match.new(ES, seats=[BOT, BOT], seed="demo")
    for most, version in ((0, 0), (1, 1), (4, 5)):
        match.play_bots(first, most=most)
        assert match.version == version
    assert match.bot_due == match.to_act[0]
    assert Match.new(ES, seats=["Ada", "Ben"], seed="demo").bot_due is None


def test_where_several_owe_a_choice_bots_make_theirs_lowest_seat_first() -> None:
    match = Match.new(GAMES["seven-twos-tens"], seats=[BOT, "Ada", BOT, BOT], seed="demo")
    match.play_bots(first)
    assert [step.seat for step in match.log[1:]] == [0, 2, 3]
    assert (match.to_act, match.view(None)["table"]["phase"]) == ([1], "lay")


def test_a_waiting_match_has_no_bot_play() -> None:
    match = Match.new(ES, seats=[BOT, Seat(kind="open")], seed="demo")
    match.play_bots(first)
    assert match.version == 0


@every_game
@pytest.mark.parametrize("index", [0, 1, -1])
def test_the_random_bot_picks_any_of_the_listed_moves(game: Game[Any], index: int) -> None:
    match = Match.new(game, seats=["Ada", "Ben"], seed="demo")
    view, asked = match.view(match.to_act[0]), []

    def pick(k: int, /) -> int:
        asked.append(k)
        return index % k

    moves = view["legal_moves"]
    assert BOTS["random"](view, [], pick) == moves[index % len(moves)]
    assert asked == [len(moves)]


def test_a_bot_is_given_its_seats_view_and_what_led_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[Any, Any]] = []

    def spy(view: Mapping[str, Any], events: Sequence[Any], pick: Any, /) -> Mapping[str, Any]:
        given.append((view, events))
        return view["legal_moves"][0]

    monkeypatch.setitem(BOTS, "random", spy)
    match = ck("0: red-1 red-2; 1: blue-1 blue-2; discard red-9")
    match.seats[1] = BOT
    do(match, "burn red-2")
    expected = match.view(1), told(match, 1)
    match.play_bots(first)
    assert given == [expected]
    match = ck("0: red-1 red-2; 1: blue-1 blue-2; discard red-9; turn 1")
    match.seats[1] = BOT
    match.play_bots(first)  # from saved bytes there are no events to show
    assert given[1][1] == []


def test_a_bots_choices_take_no_word_of_the_matchs_chance() -> None:
    match = Match.new(ES, seats=[BOT, "Ada"], seed="demo")
    words = words_taken(match)
    match.play_bots(first)
    moves = [step.move["action"] for step in match.log[1:]]
    assert words_taken(match) - words == moves.count("steal")


# Moves for those who do not come


@every_game
def test_an_overdue_move_is_made_for_a_seat_and_told_as_such(game: Game[Any]) -> None:
    match, twin = (Match.new(game, seats=["Ada", "Ben"], seed="demo") for _ in range(2))
    seat, expected = match.to_act[0], legal(match)[0]
    step = match.play_for_absent(seat, first)
    do(twin, expected)
    assert (step.seat, line(step.move), match.version) == (seat, expected, 1)
    assert [event.type for event in step.events][:1] == ["move_overdue"]
    assert step.events[1:] == twin.log[-1].events
    assert match.state == twin.state  # it counts like any other
    assert words_taken(match) == words_taken(twin)


def test_an_overdue_leave_is_told_as_such() -> None:
    match = es("0: 2C 4C; 1: 3C")
    match.leave(0, overdue=True)
    assert [e["type"] for e in told(match, None)] == ["move_overdue", "seat_left"]


def test_owed_since_is_the_version_since_which_the_decision_is_owed() -> None:
    match = Match.new(GAMES["seven-twos-tens"], seats=["A", "B", "C"], seed="demo")
    owed = [match.owed_since]
    for number in range(3):
        do(match, f"{number}: {legal(match, number)[0]}")
        owed.append(match.owed_since)
    assert owed == [0, 0, 0, 3]  # a simultaneous choice is owed since all were asked
    match = ck("0: red-1 red-2; 1: blue-1 blue-2; discard red-9")
    do(match, "burn red-1")
    assert match.owed_since == 1
