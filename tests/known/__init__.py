"""What the laws know of each registered game, by its id: one file and one line a game."""

from tests.known.base import Known
from tests.known.card_keeper import KnownCardKeeper
from tests.known.even_steven import KnownEvenSteven
from tests.known.seven_twos_tens import KnownSevenTwosTens

KNOWN: dict[str, Known] = {
    known.game.id: known for known in (KnownEvenSteven(), KnownCardKeeper(), KnownSevenTwosTens())
}
