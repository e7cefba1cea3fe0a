"""A win is worth more the better the winner stands at the end, compared with others: Pepels et al. 2014, 4.3."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.strategies.base import Reward
from ramify.strategies.constants import NotNegative
from ramify.strategies.reward.bonus import NOTHING_MORE, Bonus, Weight


@dataclass(frozen=True)
class QualitativeBonus(Bonus):
    """The winner gets ``a b((q - mean) / deviation)``, q the game's ``quality`` of its end; the others pay it.

    The parameters are those of ``relative_bonus``.
    """

    needs = ("quality",)
    k: NotNegative = 2.0
    a: Weight = 0.125
    online: bool = False
    samples: bool = False
    signed: bool = False
    slip: bool = False
    then: Reward = NOTHING_MORE

    def quality(self, game: Game) -> int:
        """The game's own."""
        found = game.kernel("quality")
        return found.address if found else 0
