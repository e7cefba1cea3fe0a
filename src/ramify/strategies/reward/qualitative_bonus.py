"""Wins in better final positions are worth more, relative to other wins: Pepels et al. 2014, section 4.3."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.strategies.base import Reward
from ramify.strategies.constants import NonNegative, Positive
from ramify.strategies.reward.bonus import NO_BONUS, ControlVariateBonus, Offset, Weight


@dataclass(frozen=True)
class QualitativeBonus(ControlVariateBonus):
    """The winner gets ``a b((q - mean) / deviation)``; the others pay it. q: ``scale`` times the ``quality`` of the
    final position, plus ``offset``.

    Only ``online`` depends on ``scale`` and ``offset``: a' changes when q is shifted. Other parameters as in
    ``relative_bonus``.
    """

    needs = ("quality",)
    k: NonNegative = 2.0
    a: Weight = 0.125
    online: bool = False
    wait_for_samples: bool = False
    signed: bool = False
    sign_error: bool = False
    scale: Positive = 1.0
    offset: Offset = 0.0
    then: Reward = NO_BONUS

    def quality(self, game: Game) -> int:
        found = game.kernel("quality")
        return found.address if found else 0
