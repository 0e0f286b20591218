"""Options: strict values, defaults, and every bad one named."""

from __future__ import annotations

from typing import Any

import pytest

from engine import GAMES, Game, InvalidSetup, Match, Option, settle_options

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_option = pytest.mark.parametrize(
    ("game", "option"),
    [(game, option) for game in GAMES.values() for option in game.options],
    ids=[f"{game.id} {option.name}" for game in GAMES.values() for option in game.options],
)


def errors(game: Game[Any], **given: Any) -> dict[str, list[str]]:
    """Why a match of two is refused."""
    with pytest.raises(InvalidSetup) as caught:
        settle_options(game, given, players=2)
    return caught.value.errors


@every_game
def test_left_out_options_get_their_defaults(game: Game[Any]) -> None:
    match = Match.new(game, seats=["Ada", "Ben"], seed="demo")
    chosen = match.view(None)["options"]
    assert set(chosen) == {option.name for option in game.options}
    for option in game.options:
        if option.default is not None:
            assert chosen[option.name] == option.default
        assert option.error(chosen[option.name]) is None


@every_game
@pytest.mark.parametrize("value", [50, 51, 2000, 10000])
def test_turn_limit_is_a_whole_number_from_50_to_10000(game: Game[Any], value: int) -> None:
    assert settle_options(game, {"turn_limit": value}, players=2).turn_limit == value


@every_game
@pytest.mark.parametrize(
    "value", [0, -1, 49, 10001, 10**400, "50", 50.0, 1e3, float("nan"), True, None, [], {}]
)
def test_any_other_turn_limit_is_refused(game: Game[Any], value: object) -> None:
    assert errors(game, turn_limit=value) == {
        "options.turn_limit": ["Must be a whole number from 50 to 10000."]
    }


@every_game
def test_the_default_turn_limit_is_2000(game: Game[Any]) -> None:
    assert settle_options(game, {}, players=2).turn_limit == 2000


@every_option
@pytest.mark.parametrize("value", [None, [], {}, "", 0.5, -1, "True", [1]])
def test_what_no_option_takes(game: Game[Any], option: Option, value: object) -> None:
    assert set(errors(game, **{option.name: value})) == {f"options.{option.name}"}


@every_option
def test_types_are_strict(game: Game[Any], option: Option) -> None:
    good = settle_options(game, {}, players=2)
    value = getattr(good, option.name)
    looks_alike: list[object] = {
        "integer": [float(value) if option.type == "integer" else 0, str(value)],
        "boolean": [0, 1, "false", "true"],
        "string": [[value], 1],
    }[option.type]
    for wrong in looks_alike:
        assert set(errors(game, **{option.name: wrong})) == {f"options.{option.name}"}


def test_true_is_not_1() -> None:
    assert set(errors(GAMES["seven-twos-tens"], rounds=True)) == {"options.rounds"}
    assert set(errors(GAMES["seven-twos-tens"], decks=True)) == {"options.decks"}


@every_game
def test_unknown_and_bad_options_are_all_named_at_once(game: Game[Any]) -> None:
    given = {option.name: None for option in game.options} | {"house": 1, "seed": "x"}
    found = errors(game, **given)
    assert set(found) == {f"options.{name}" for name in given}
    assert found["options.house"] == ["Unknown field."]


@every_game
def test_the_options_of_one_game_are_unknown_to_another(game: Game[Any]) -> None:
    own = {option.name for option in game.options}
    others = {o.name: o.default for g in GAMES.values() for o in g.options if o.name not in own}
    assert set(errors(game, **others)) == {f"options.{name}" for name in others}


@every_option
def test_an_option_describes_itself(game: Game[Any], option: Option) -> None:
    assert option.meaning.endswith(".")
    if option.choices is not None:
        assert (
            option.type == {bool: "boolean", str: "string", int: "integer"}[type(option.choices[0])]
        )
        assert (option.minimum, option.maximum) == (None, None)
    else:
        assert option.type == "integer"
        for edge in (option.minimum, option.maximum):
            assert option.error(edge) is None
        assert option.error(option.minimum - 1) == option.error(option.maximum + 1)


def test_choices_are_named_as_on_the_wire() -> None:
    (freely,) = (o for o in GAMES["seven-twos-tens"].options if o.name == "pick_up_freely")
    assert freely.error("yes") == "Must be one of: false, true."


def test_the_rulings_that_have_options() -> None:
    found = {o.name: o.ruling for game in GAMES.values() for o in game.options if o.ruling}
    assert found == {
        "hand_size": "ES-1",
        "face_down": "ES-2",
        "round_starter": "ES-9",
        "decks": "ST-1",
        "face_up": "ST-2",
        "four_of_a_kind": "ST-6",
        "pick_up_freely": "ST-7",
        "rounds": "ST-9",
        "turn_limit": "ST-10",
    }
