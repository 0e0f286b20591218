"""GAMES: every set of rules that matches can be played by, by its id."""

from __future__ import annotations

from typing import Any, Final

from engine.game import Game
from engine.games.card_keeper import CardKeeper
from engine.games.even_steven import EvenSteven
from engine.games.seven_twos_tens import SevenTwosTens

GAMES: Final[dict[str, Game[Any]]] = {
    game.id: game for game in (EvenSteven(), CardKeeper(), SevenTwosTens())
}
