"""A win is worth more the shorter the simulation was, compared with others: Pepels et al. 2014, 4.2."""

from dataclasses import dataclass

from ramify.strategies.base import Reward
from ramify.strategies.constants import NonNegative
from ramify.strategies.reward.bonus import NO_BONUS, ControlVariateBonus, Weight


@dataclass(frozen=True)
class RelativeBonus(ControlVariateBonus):
    """The winner gets ``a b((mean - d) / deviation)``, d the plies from the root to the end; the others pay it.

    b(x) = -1 + 2 / (1 + exp(-k x)). ``online``: a' by covariance in place of ``a``. What the program of the paper did
    otherwise: ``samples``, from 50 samples on, not after 5 % of the search; ``signed``, a' of the whole game with its
    sign; ``slip``, the wrong sign of b beyond |k x| = 10.
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
