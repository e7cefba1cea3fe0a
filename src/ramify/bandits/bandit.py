"""Bare bandits: Bernoulli and Gaussian arms, prize boxes, and the mean's path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ramify.bandits import arms as pulls
from ramify.bandits.engine import BanditTable, stream
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import address
from ramify.core.numbers.draws import normal
from ramify.core.numbers.rng import below, generator, uniform
from ramify.errors import RamifyError
from ramify.old_names import old_members

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]


@lru_cache
def pull_kernel(name: str) -> Kernel:
    """The compiled pull of that name in ``arms``."""
    made: Kernel = kernel(getattr(pulls, name))
    return made


@old_members(worth="means")
@dataclass(frozen=True)
class Bandit:
    """Arms that pay when pulled; made by ``bernoulli``, ``gaussian``, ``boxes`` or ``means_path``."""

    kind: str  # the name of its pull in ``arms``
    parameters: Floats = field(repr=False)  # a row of numbers for each arm
    means: Floats  # of each arm: its expected reward, or what it pays in the end
    low: float = 0.0  # rewards are brought from [low, high] to [0, 1] for the policy
    high: float = 1.0
    priors: Floats | None = None  # of each arm, for policies that use them; even if None

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means)

    def with_priors(self, priors: Sequence[float]) -> Bandit:
        """The same bandit with priors, for ``puct``; they are made to add up to 1."""
        given = _numbers(priors, "priors")
        if len(given) != self.arms or given.min() < 0 or given.sum() <= 0:
            raise RamifyError(f"priors must be {self.arms} numbers, none below 0 and not all 0")
        return Bandit(self.kind, self.parameters, self.means, self.low, self.high, given / given.sum())

    def task(self, seed: int, number: int = 0) -> Task:
        """The arms of one task, to be pulled from Python: the same luck that ``run`` meets with this seed."""
        return Task(self, seed, number)

    def table(self) -> tuple[BanditTable, tuple[Floats, ...]]:
        """Addresses for the loop, and the arrays they point to."""
        even = np.full(self.arms, 1.0 / self.arms)
        keep = (
            np.ascontiguousarray(self.parameters),
            np.ascontiguousarray(self.means),
            even if self.priors is None else self.priors,
            np.array([self.low, self.high]),
        )
        parameters, worth, priors, scale = (address(array) for array in keep)
        width = self.parameters.shape[1]
        return BanditTable(self.arms, width, parameters, pull_kernel(self.kind).address, worth, priors, scale), keep


class Task:
    """One task of a bandit, pulled from Python."""

    def __init__(self, bandit: Bandit, seed: int, number: int) -> None:
        self.bandit = bandit
        self.pulls = np.zeros(bandit.arms, np.int64)
        self._table, self._keep = bandit.table()
        first = number * (1 + bandit.arms) + 1
        with np.errstate(over="ignore"):  # words wrap, as in compiled code
            streams = [stream(seed_word(seed), first + k) for k in range(bandit.arms)]
        self._rng = np.array(streams, np.uint64)
        self._out = np.zeros(1)

    def pull(self, arm: int) -> float:
        """Pull an arm once; its reward."""
        if not 0 <= arm < self.bandit.arms:
            raise RamifyError(f"there are arms 0 to {self.bandit.arms - 1}, not {arm}")
        table = self._table
        rng = address(self._rng) + 8 * arm
        pull_kernel(self.bandit.kind)(table.parameters, table.width, arm, int(self.pulls[arm]), rng, address(self._out))
        self.pulls[arm] += 1
        return float(self._out[0])


def seed_word(seed: int) -> int:
    """A seed as 63 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise RamifyError(f"the seed must be a whole number, not '{seed}'")
    return seed & 0x7FFFFFFFFFFFFFFF


def bernoulli(chances: Sequence[float]) -> Bandit:
    """Arms that pay 1 with the given chances and 0 otherwise."""
    given = _numbers(chances, "chances")
    if given.min() < 0 or given.max() > 1:
        raise RamifyError("the chances of Bernoulli arms must lie from 0 to 1")
    return Bandit("bernoulli", given.reshape(-1, 1), given)


def gaussian(means: Sequence[float], deviation: float = 0.1, low: float = 0.0, high: float = 1.0) -> Bandit:
    """Arms that pay normal rewards of one deviation; the policy sees them with [low, high] brought to [0, 1]."""
    given = _numbers(means, "means")
    _check_deviation(deviation)
    _check_range(low, high)
    return Bandit("gaussian", np.column_stack([given, np.full_like(given, deviation)]), given, low, high)


def boxes(prizes: Sequence[float], low: float = -1.0, high: float = 1.0) -> Bandit:
    """Prize boxes: an arm always pays its prize; the policy sees [low, high] brought to [0, 1]."""
    given = _numbers(prizes, "prizes")
    _check_range(low, high)
    return Bandit("box", given.reshape(-1, 1), given, low, high)


def random_boxes(
    count: int, mean: float, deviation: float, least: float = -1.0, most: float = 1.0, seed: int = 0
) -> Bandit:
    """Prize boxes whose prizes are drawn from a normal law, again where they fall outside [least, most]; sorted."""
    if count < 1:
        raise RamifyError(f"there must be at least one box, not {count}")
    _check_range(least, most)
    if abs(mean - (least + most) / 2) > 5 * deviation + (most - least) / 2:
        raise RamifyError(f"prizes around {mean} hardly ever lie from {least} to {most}")
    rng = generator(seed_word(seed))
    prizes: list[float] = []
    with np.errstate(over="ignore"):
        while len(prizes) < count:
            prize = mean + deviation * float(normal(rng))
            if least <= prize <= most:
                prizes.append(prize)
    return boxes(sorted(prizes))


def means_path(
    arms: int, winners: float, seed: int = 0, *, deviation: float | None = None, binomial: bool = False
) -> Bandit:
    """The mean's-path bandit of Gudmundsson and Björnsson 2013, section 4.1.

    The mean of an arm starts at 0.5 and moves by 0.02 up or down, evenly, at each of its pulls until it is 0 or 1,
    before 500 pulls, and stays there: a share ``winners`` of the arms (at least one) ends at 1. The paths are part of
    the bandit: every task meets the same ones, with other luck.

    The paper leaves two things open. A pull pays 1 with the chance that the mean is, and 0 otherwise; with a
    ``deviation`` it pays a normal reward around the mean. The number of winners is the share, rounded; with
    ``binomial`` every arm is one with that chance, drawn again until there is one.
    """
    if arms < 1 or not 0.0 <= winners <= 1.0:
        raise RamifyError(f"there must be an arm or more and a share of winners from 0 to 1, not {arms} and {winners}")
    if binomial and winners == 0.0:
        raise RamifyError("a binomial number of winners needs a chance above 0, or there would never be one")
    rng = generator(seed_word(seed))
    with np.errstate(over="ignore"):
        worth = _binomial_winners(rng, arms, winners) if binomial else _fixed_winners(rng, arms, winners)
    paths = np.zeros((arms, pulls.PATH))
    for k in range(arms):
        pulls.draw_path(rng, worth[k] == 1.0, paths[k])
    if deviation is None:
        return Bandit("path", paths, worth)
    _check_deviation(deviation)
    return Bandit("path_gaussian", np.column_stack([paths, np.full(arms, deviation)]), worth)


def _fixed_winners(rng: Words, arms: int, winners: float) -> Floats:
    """Ones for a share of the arms, in random places, and zeros."""
    worth = np.zeros(arms)
    worth[: max(1, round(arms * winners))] = 1.0
    for k in range(arms - 1, 0, -1):
        other = int(below(rng, k + 1))
        worth[k], worth[other] = worth[other], worth[k]
    return worth


def _binomial_winners(rng: Words, arms: int, chance: float) -> Floats:
    """One for every arm with this chance, and zeros; at least one of the former."""
    while True:
        worth = np.array([float(uniform(rng) < chance) for _ in range(arms)])
        if worth.any():
            return worth


def _numbers(values: Sequence[float], what: str) -> Floats:
    try:
        given = np.array(values, np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise RamifyError(f"the {what} of the arms must be numbers, not {values!r}") from None
    if len(given) == 0 or not np.isfinite(given).all():
        raise RamifyError(f"give the {what} of one arm or more, all of them finite")
    return given


def _check_deviation(deviation: float) -> None:
    if not (math.isfinite(deviation) and deviation >= 0):
        raise RamifyError(f"the deviation must be a number from 0, not {deviation}")


def _check_range(low: float, high: float) -> None:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise RamifyError(f"the range of rewards must be two numbers, the lower one first, not {low} and {high}")
