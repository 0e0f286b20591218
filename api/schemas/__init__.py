"""What clients send and get: one module a game, one for what all share."""

from api.schemas import card_keeper, even_steven, seven_twos_tens
from api.schemas.build import GameSchemas, schemas_for
from api.schemas.common import GameParts

#: By game id: the parts that a game's own module supplies.
PARTS: dict[str, GameParts] = {
    "even-steven": even_steven.PARTS,
    "card-keeper": card_keeper.PARTS,
    "seven-twos-tens": seven_twos_tens.PARTS,
}

__all__ = ["PARTS", "GameParts", "GameSchemas", "schemas_for"]
