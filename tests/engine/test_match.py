"""Match: the order of checks, version and event numbers, and who is shown what."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine import (
    GAMES,
    Game,
    IllegalMove,
    InvalidMove,
    InvalidSetup,
    Match,
    MatchFinished,
    MatchWaiting,
    NotYourTurn,
    Seat,
)
from engine.chance import seed_hash
from tests.engine.positions import CK, ES, ST, ck, es, st
from tests.engine.steps import body, do, legal, line, play_on, refused, told, words_taken

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
IN_PLAY = {
    "even-steven": ("0: 2C 3C; 1: 4D", "play 2C"),
    "card-keeper": ("0: red-1 red-2; 1: blue-1 blue-2; discard red-9", "play red-1"),
    "seven-twos-tens": ("0: 3C 4C; 1: 5D", "play 3C"),
}
POSITION = {"even-steven": es, "card-keeper": ck, "seven-twos-tens": st}


def in_play(game: Game[Any]) -> tuple[Match, str]:
    """A match in play, and a legal move of seat 0."""
    text, move = IN_PLAY[game.id]
    return POSITION[game.id](text), move


def played(game: Game[Any], moves: int) -> Match:
    """A match of three after some moves."""
    match = Match.new(game, seats=["Ada", "Ben", "Cem"], seed="demo")
    play_on(match, moves)
    return match


# The order of checks


@every_game
def test_a_move_that_does_not_read_is_refused_first(game: Game[Any]) -> None:
    waiting = Match.new(game, seats=["Ada", Seat(kind="open")], seed="demo")
    with pytest.raises(InvalidMove):
        waiting.play(0, {"action": "nonsense"})
    finished = es("0: 2C; 1: 4D")
    do(finished, "play 2C")
    with pytest.raises(InvalidMove):
        finished.play(1, {"action": "nonsense"})
    match, _ = in_play(game)
    with pytest.raises(InvalidMove):
        match.play(1, {"action": "nonsense"})


@every_game
def test_then_a_match_that_is_not_being_played(game: Game[Any]) -> None:
    match, move = in_play(game)
    move_body = match.view(0)["legal_moves"][0]
    waiting = Match.new(game, seats=["Ada", Seat(kind="open")], seed="demo")
    for seat in (0, 1):
        with pytest.raises(MatchWaiting):
            waiting.play(seat, move_body)
    match.state.moves = match.options.turn_limit - 1
    do(match, move)
    for seat in (0, 1):
        with pytest.raises(MatchFinished):
            match.play(seat, move_body)


@every_game
def test_then_a_seat_that_is_not_to_act_whatever_its_move(game: Game[Any]) -> None:
    match, move = in_play(game)
    assert refused(match, f"1: {move}", by=NotYourTurn).to_act == [0]
    own = match.view(1)["you"]["hand"][0]
    assert refused(match, f"1: play {own}", by=NotYourTurn).to_act == [0]


@every_game
def test_then_a_move_against_the_rules(game: Game[Any]) -> None:
    match, move = in_play(game)
    theirs = match.view(1)["you"]["hand"][0]
    error = refused(match, f"play {theirs}", by=IllegalMove)
    assert [line(each) for each in error.legal_moves] == legal(match)
    assert move in legal(match)
    assert str(error) == error.reason


@every_game
def test_a_move_may_be_judged_without_being_made(game: Game[Any]) -> None:
    match, move = in_play(game)
    before = match.to_bytes()
    judged = match.judge(0, body(match, move))
    assert match.to_bytes() == before
    match.play(0, judged)
    assert match.version == 1


# Versions and numbers


@every_game
def test_the_version_is_0_at_creation_and_grows_by_one_with_every_move(game: Game[Any]) -> None:
    match = played(game, 40)
    assert [step.version for step in match.log] == list(range(41))
    assert match.view(None)["version"] == 40


@every_game
def test_events_are_numbered_from_1_without_gaps_alike_for_all(game: Game[Any]) -> None:
    match = played(game, 40)
    for viewer in (0, 1, 2, None):
        shown = [event for step in match.log for event in match.show(step, viewer)]
        assert [event["seq"] for event in shown] == list(range(1, match.seq + 1))
        assert all(b["version"] - a["version"] in (0, 1) for a, b in pairwise(shown))
    assert match.log[-1].last_seq == match.seq == match.view(None)["last_seq"]


@every_game
def test_every_step_but_a_leave_ends_by_telling_whose_turn_it_is(game: Game[Any]) -> None:
    match = played(game, 10)
    assert all(step.events[-1].type == "turn" for step in match.log)
    assert told(match, None, "turn")[0]["to_act"] == match.to_act


@every_game
def test_a_step_keeps_seat_and_body_so_that_a_match_plays_again(game: Game[Any]) -> None:
    match = played(game, 40)
    again = Match.new(game, seats=["Ada", "Ben", "Cem"], seed="demo")
    for step in match.log[1:]:
        again.play(step.seat, step.move)
    assert again.to_bytes() == match.to_bytes()
    assert match.log[0].seat is match.log[0].move is None


@every_game
def test_a_match_that_is_not_recorded_is_played_alike(game: Game[Any]) -> None:
    seats = ["Ada", "Ben", "Cem"]
    recorded, silent = (
        Match.new(game, seats=seats, seed="demo", recorded=recorded) for recorded in (True, False)
    )
    play_on(recorded, 30)
    for step in recorded.log[1:]:
        assert silent.play(step.seat, step.move).events == []
    assert silent.state == recorded.state
    assert (silent.version, silent.seq, silent.log) == (30, 0, [])
    assert silent.view(None)["known"] == [[], [], []]


# Making


@every_game
def test_a_match_is_dealt_at_once_when_no_seat_is_open(game: Game[Any]) -> None:
    match = Match.new(game, seats=["Ada", Seat(name="Bot", kind="bot", bot="random")], seed="demo")
    assert (match.status, match.version) == ("playing", 0)
    assert [seat["kind"] for seat in match.view(None)["seats"]] == ["human", "bot"]
    assert told(match, None)[0]["type"] == "match_created"


@every_game
def test_a_match_with_an_open_seat_waits_and_shows_no_table(game: Game[Any]) -> None:
    match = Match.new(game, seats=["Ada", Seat(kind="open"), "Cem"], seed="demo")
    view = match.view(0)
    assert (view["status"], view["table"], view["to_act"], view["legal_moves"]) == (
        "waiting",
        None,
        [],
        [],
    )
    assert view["you"] == {"seat": 0, "hand": [], "committed": None}
    assert view["seats"][1] == {"seat": 1, "name": None, "kind": "open"}
    assert view["options"] == match.chosen_options()
    assert (view["result"], match.outcome, match.to_act) == (None, None, [])
    assert (match.legal_moves(0), words_taken(match)) == ([], 0)


@every_game
def test_options_of_a_waiting_match_are_those_for_its_number_of_seats(game: Game[Any]) -> None:
    seats = ["A", "B", "C", "D", Seat(kind="open")]
    match = Match.new(game, seats=seats, seed="demo")
    chosen = match.chosen_options()
    if game is ES:
        assert (chosen["hand_size"], chosen["face_down"]) == (4, 0)
    if game is ST:
        assert chosen["decks"] == 2
    assert chosen["turn_limit"] == 2000


@every_game
@pytest.mark.parametrize("players", [0, 1, 13])
def test_a_wrong_number_of_seats_is_refused(game: Game[Any], players: int) -> None:
    with pytest.raises(InvalidSetup) as caught:
        Match.new(game, seats=["A"] * players, seed="demo", options={"nonsense": 1})
    assert set(caught.value.errors) == {"seats"}
    assert str(game.max_players) in str(caught.value)


def test_the_seed_is_secret_until_the_end() -> None:
    match = es("0: 2C 3C; 1: 4D", seed="known later")
    view = match.view(None)
    assert (view["seed"], view["seed_hash"]) == (None, seed_hash("known later"))
    assert (view["result"], view["status"]) == (None, "playing")
    match = es("0: 2C; 1: 4D", seed="known later")
    do(match, "play 2C")
    assert match.view(None)["seed"] == "known later"
    assert told(match, None, "match_finished")[0]["seed"] == "known later"


@pytest.mark.parametrize("host_seeded", [False, True])
def test_whether_the_host_gave_the_seed_is_shown(host_seeded: bool) -> None:
    match = Match.new(CK, seats=["A", "B"], seed="demo", host_seeded=host_seeded)
    assert match.view(None)["host_seeded"] is host_seeded


# Who is shown what


def test_hidden_cards_are_left_out_and_counted() -> None:
    match = Match.new(CK, seats=["Ada", "Ben"], seed="demo")
    dealt = {viewer: told(match, viewer, "cards_dealt") for viewer in (0, 1, None)}
    assert [event["cards"] for event in dealt[None]] == [None, None]
    assert dealt[0][0]["cards"] == match.view(0)["you"]["hand"]
    assert dealt[0][1]["cards"] is dealt[1][0]["cards"] is None
    for viewer in (0, 1):  # what is left out is all that differs
        for mine, theirs in zip(dealt[viewer], dealt[None], strict=True):
            assert {**mine, "cards": None} == theirs


@pytest.mark.parametrize("rounds", [2, 3])
def test_who_changes_a_view_changes_no_match(rounds: int) -> None:
    match = st("0: 3C; 1: 5D; round 2; scores 1 2; removed *", rounds=rounds)
    do(match, "play 3C")
    before = match.to_bytes()
    for part in (match.view(0), told(match, 0)):
        scribble(part)
    assert match.to_bytes() == before


def scribble(value: Any) -> None:
    """Empties a JSON value and all that it holds."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            scribble(inner)
        value.clear()
