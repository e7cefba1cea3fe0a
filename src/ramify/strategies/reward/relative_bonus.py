"""A win is worth more the shorter the simulation was, compared with others: Pepels et al. 2014, 4.2."""

from dataclasses import dataclass

from ramify.strategies.base import Reward
from ramify.strategies.constants import NotNegative
from ramify.strategies.reward.bonus import NOTHING_MORE, Bonus, Weight


@dataclass(frozen=True)
class RelativeBonus(Bonus):
    """The winner gets ``a b((mean - d) / deviation)``, d the plies from the root to the end; the others pay it.

    b(x) = -1 + 2 / (1 + exp(-k x)). ``online``: a' by covariance in place of ``a``. What the program of the paper did
    otherwise: ``samples``, from 50 samples on, not after 5 % of the search; ``signed``, a' of the whole game with its
    sign; ``slip``, the wrong sign of b beyond |k x| = 10.
    """

    flies = True
    timed = True
    k: NotNegative = 2.0
    a: Weight = 0.125
    online: bool = False
    samples: bool = False
    signed: bool = False
    slip: bool = False
    then: Reward = NOTHING_MORE
