"""Croupier's engine: three card games as pure Python, without network, clock or files.

    from engine import GAMES, Match

`GAMES` maps an id to a `Game`, the plain rules of one set of rules (`engine/game.py` is the page to
read first). `Match.new(...)` deals one; `match.to_act` says who owes a decision,
`match.legal_moves(seat)` what they may do, `match.play(seat, move)` does it, `match.view(seat)` is
all that a seat may know, and `match.outcome` is None until it is over. Every chance comes from the
seed (`engine/chance.py`), so a match replays to the same state on any machine.
"""

from engine.bots import BOTS
from engine.deals import settle_deal
from engine.errors import (
    EngineError,
    IllegalMove,
    Invalid,
    InvalidMove,
    InvalidSetup,
    MatchFinished,
    MatchFull,
    MatchWaiting,
    NobodySits,
    NotYourTurn,
    SeatTaken,
    UnknownFormat,
)
from engine.game import Game
from engine.match import Match, default_name
from engine.options import Option, settle_options
from engine.records import Seat, Step
from engine.registry import GAMES
from engine.values import Event, Move, Outcome
from engine.views import Viewer, places

__all__ = [
    "BOTS",
    "GAMES",
    "EngineError",
    "Event",
    "Game",
    "IllegalMove",
    "Invalid",
    "InvalidMove",
    "InvalidSetup",
    "Match",
    "MatchFinished",
    "MatchFull",
    "MatchWaiting",
    "Move",
    "NobodySits",
    "NotYourTurn",
    "Option",
    "Outcome",
    "Seat",
    "SeatTaken",
    "Step",
    "UnknownFormat",
    "Viewer",
    "default_name",
    "places",
    "settle_deal",
    "settle_options",
]
