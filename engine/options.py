"""Options: what a host may choose for a match, described once for checks, catalogue and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from engine.errors import InvalidSetup

if TYPE_CHECKING:
    from engine.game import Game


class Options(msgspec.Struct, array_like=True, frozen=True):
    """The filled-in options of a match; each game adds its own fields."""

    turn_limit: int


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a host may choose.

    `default` None means that it depends on the number of players (`Game.default_options`).
    Allowed are `minimum` to `maximum` for a number, `choices` for the rest.
    """

    name: str
    meaning: str
    default: int | str | bool | None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[int | str | bool, ...] | None = None
    ruling: str | None = None

    @property
    def type(self) -> str:
        """The JSON type of its values."""
        sample = self.choices[0] if self.choices else self.minimum
        if isinstance(sample, bool):
            return "boolean"
        return "string" if isinstance(sample, str) else "integer"

    def error(self, value: object) -> str | None:
        """Why a value is refused. Types are strict: neither True nor 1.0 passes for 1."""
        if self.choices is not None:
            if any(type(value) is type(choice) and value == choice for choice in self.choices):
                return None
            return f"Must be one of: {', '.join(_word(choice) for choice in self.choices)}."
        assert self.minimum is not None  # nosec B101 # for the type checker
        assert self.maximum is not None  # nosec B101 # for the type checker
        if type(value) is int and self.minimum <= value <= self.maximum:
            return None
        return f"Must be a whole number from {self.minimum} to {self.maximum}."


def _word(value: int | str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def turn_limit(meaning: str, *, ruling: str | None = None) -> Option:
    """The option that every game has, with the game's own sentence on what it counts."""
    return Option(
        name="turn_limit",
        meaning=meaning,
        default=2000,
        minimum=50,
        maximum=10000,
        ruling=ruling,
    )


def settle_options(game: Game[Any], given: Mapping[str, Any], *, players: int) -> Options:
    """The filled-in options of a match. Raises InvalidSetup (`seats`, `options.<name>`)."""
    return _settled(game, given, players) if given else _usual(game, players)


@lru_cache(maxsize=100)
def _usual(game: Game[Any], players: int) -> Options:
    # Simulations deal thousands of matches alike, and options do not change.
    return _settled(game, {}, players)


def _settled(game: Game[Any], given: Mapping[str, Any], players: int) -> Options:
    if not game.min_players <= players <= game.max_players:
        raise InvalidSetup(
            {"seats": [f"{game.title} is for {game.min_players} to {game.max_players} players."]}
        )
    try:
        filled = _filled(game.options, given, game.default_options(players))
        options: Options = game.options_type(**filled)
        if errors := game.option_errors(options, players):
            raise InvalidSetup(errors)
    except InvalidSetup as error:
        raise InvalidSetup({f"options.{k}": v for k, v in error.errors.items()}) from None
    return options


def _filled(
    declared: tuple[Option, ...], given: Mapping[str, Any], defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Fills left-out options with their defaults. Raises InvalidSetup naming every bad one."""
    errors: dict[str, list[str]] = {}
    by_name = {option.name: option for option in declared}
    for name, value in given.items():
        option = by_name.get(name)
        error = "Unknown field." if option is None else option.error(value)
        if error is not None:
            errors[name] = [error]
    if errors:
        raise InvalidSetup(errors)
    return {name: given.get(name, defaults.get(name, by_name[name].default)) for name in by_name}
