"""Shorter wins are worth more, relative to other wins: Pepels et al. 2014, section 4.2."""

from dataclasses import dataclass

from ramify.strategies.base import Reward
from ramify.strategies.constants import NonNegative
from ramify.strategies.reward.bonus import NO_BONUS, ControlVariateBonus, Weight


@dataclass(frozen=True)
class RelativeBonus(ControlVariateBonus):
    """The winner gets ``a b((mean - d) / deviation)``; the others pay it. d: plies from the root to the end.

    b(x) = -1 + 2 / (1 + exp(-k x)). ``online`` replaces ``a`` by a', estimated by covariance. Three parameters imitate
    the paper's program: ``wait_for_samples`` starts at 50 samples instead of after 5 % of the search; ``signed`` uses
    a' of the whole game with its sign; ``sign_error`` flips the sign of b for |k x| > 10.
    """

    batchable = True
    needs_exact_length = True
    k: NonNegative = 2.0
    a: Weight = 0.125
    online: bool = False
    wait_for_samples: bool = False
    signed: bool = False
    sign_error: bool = False
    then: Reward = NO_BONUS
