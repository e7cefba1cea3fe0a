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
from ramify.numpy_scalars import accepting_numpy
from ramify.old_names import old_members

Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]


@lru_cache
def pull_kernel(name: str) -> Kernel:
    """Return the compiled kernel of that name in ``arms``."""
    made: Kernel = kernel(getattr(pulls, name))
    return made


@old_members(worth="means")
@dataclass(frozen=True)
class Bandit:
    """Arms with random rewards; built by ``bernoulli``, ``gaussian``, ``boxes`` or ``means_path``."""

    kind: str  # name of its reward kernel in ``arms``
    parameters: Floats = field(repr=False)  # one row of numbers per arm
    means: Floats  # expected reward of each arm; of a mean's path, the reward at its end
    low: float = 0.0  # policies see rewards scaled from [low, high] to [0, 1]
    high: float = 1.0
    priors: Floats | None = None  # of each arm, for policies that use them; None: uniform

    @property
    def arms(self) -> int:
        return len(self.means)

    def with_priors(self, priors: Sequence[float]) -> Bandit:
        """Return this bandit with priors, e.g. for ``puct``; they are normalized to add up to 1."""
        given = _numbers(priors, "priors")
        if len(given) != self.arms or given.min() < 0 or given.sum() <= 0:
            raise RamifyError(f"priors must be {self.arms} numbers, none below 0 and not all 0")
        return Bandit(self.kind, self.parameters, self.means, self.low, self.high, given / given.sum())

    def task(self, seed: int, number: int = 0) -> Task:
        """Return one task to pull from Python, with the same rewards as in ``run`` with this seed."""
        return Task(self, seed, number)

    def table(self) -> tuple[BanditTable, tuple[Floats, ...]]:
        """Return the addresses for the loop, and the arrays they point to."""
        uniform_priors = np.full(self.arms, 1.0 / self.arms)
        keep = (
            np.ascontiguousarray(self.parameters),
            np.ascontiguousarray(self.means),
            uniform_priors if self.priors is None else self.priors,
            np.array([self.low, self.high]),
        )
        parameters, means, priors, scale = (address(array) for array in keep)
        width = self.parameters.shape[1]
        return BanditTable(self.arms, width, parameters, pull_kernel(self.kind).address, means, priors, scale), keep


class Task:
    """One task of a bandit, pulled from Python."""

    @accepting_numpy
    def __init__(self, bandit: Bandit, seed: int, number: int) -> None:
        self.bandit = bandit
        self.pulls = np.zeros(bandit.arms, np.int64)
        self._table, self._keep = bandit.table()
        first = number * (1 + bandit.arms) + 1
        with np.errstate(over="ignore"):  # integers wrap, as in compiled code
            streams = [stream(seed_word(seed), first + k) for k in range(bandit.arms)]
        self._rng = np.array(streams, np.uint64)
        self._out = np.zeros(1)

    def pull(self, arm: int) -> float:
        """Pull an arm once. Return its reward."""
        if not 0 <= arm < self.bandit.arms:
            raise RamifyError(f"invalid arm {arm}: use 0 to {self.bandit.arms - 1}")
        table = self._table
        rng = address(self._rng) + 8 * arm
        pull_kernel(self.bandit.kind)(table.parameters, table.width, arm, int(self.pulls[arm]), rng, address(self._out))
        self.pulls[arm] += 1
        return float(self._out[0])


def seed_word(seed: int) -> int:
    """Return the low 63 bits of a seed."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise RamifyError(f"the seed must be a whole number, not '{seed}'")
    return seed & 0x7FFFFFFFFFFFFFFF


def bernoulli(chances: Sequence[float]) -> Bandit:
    """Return arms that pay 1 with the given probabilities and 0 otherwise."""
    given = _numbers(chances, "probabilities")
    if given.min() < 0 or given.max() > 1:
        raise RamifyError("the probabilities of Bernoulli arms must be from 0 to 1")
    return Bandit("bernoulli", given.reshape(-1, 1), given)


@accepting_numpy
def gaussian(means: Sequence[float], deviation: float = 0.1, low: float = 0.0, high: float = 1.0) -> Bandit:
    """Return arms that pay normal rewards with one deviation; policies see them scaled from [low, high] to [0, 1]."""
    given = _numbers(means, "means")
    _check_deviation(deviation)
    _check_range(low, high)
    return Bandit("gaussian", np.column_stack([given, np.full_like(given, deviation)]), given, low, high)


@accepting_numpy
def boxes(prizes: Sequence[float], low: float = -1.0, high: float = 1.0) -> Bandit:
    """Return prize boxes: an arm always pays its prize; policies see it scaled from [low, high] to [0, 1]."""
    given = _numbers(prizes, "prizes")
    _check_range(low, high)
    return Bandit("box", given.reshape(-1, 1), given, low, high)


@accepting_numpy
def random_boxes(
    count: int, mean: float, deviation: float, least: float = -1.0, most: float = 1.0, seed: int = 0
) -> Bandit:
    """Return prize boxes with prizes from a normal distribution truncated to [least, most], sorted."""
    if count < 1:
        raise RamifyError(f"invalid number of boxes {count}: use at least 1")
    _check_range(least, most)
    if abs(mean - (least + most) / 2) > 5 * deviation + (most - least) / 2:
        raise RamifyError(f"prizes around {mean} are almost never between {least} and {most}")
    rng = generator(seed_word(seed))
    prizes: list[float] = []
    with np.errstate(over="ignore"):
        while len(prizes) < count:
            prize = mean + deviation * float(normal(rng))
            if least <= prize <= most:
                prizes.append(prize)
    return boxes(sorted(prizes))


@accepting_numpy
def means_path(
    arms: int, winners: float, seed: int = 0, *, deviation: float | None = None, binomial: bool = False
) -> Bandit:
    """Return the mean's-path bandit of Gudmundsson and Björnsson 2013, section 4.1.

    The mean of an arm starts at 0.5. Each pull moves it by 0.02, up or down with equal probability, until it reaches 0
    or 1, before 500 pulls, and stays there. A share ``winners`` of the arms (at least one) ends at 1. The paths belong
    to the bandit: they are the same in every task, only the rewards differ.

    The paper leaves two things open. By default a pull pays 1 with the mean as probability, else 0; with ``deviation``
    it pays a normal reward around the mean. By default the number of winners is the rounded share; with ``binomial``
    every arm is a winner with that probability, resampled until there is at least one.
    """
    if arms < 1:
        raise RamifyError(f"invalid number of arms {arms}: use at least 1")
    if not 0.0 <= winners <= 1.0:
        raise RamifyError(f"invalid share of winners {winners}: use 0 to 1")
    if binomial and winners == 0.0:
        raise RamifyError("binomial=True needs winners above 0")
    rng = generator(seed_word(seed))
    with np.errstate(over="ignore"):
        ends = _binomial_winners(rng, arms, winners) if binomial else _fixed_winners(rng, arms, winners)
    paths = np.zeros((arms, pulls.PATH))
    for k in range(arms):
        pulls.draw_path(rng, ends[k] == 1.0, paths[k])
    if deviation is None:
        return Bandit("path", paths, ends)
    _check_deviation(deviation)
    return Bandit("path_gaussian", np.column_stack([paths, np.full(arms, deviation)]), ends)


def _fixed_winners(rng: Words, arms: int, winners: float) -> Floats:
    """Return 1 for a share of the arms, in random order, and 0 for the others."""
    ends = np.zeros(arms)
    ends[: max(1, round(arms * winners))] = 1.0
    for k in range(arms - 1, 0, -1):
        other = int(below(rng, k + 1))
        ends[k], ends[other] = ends[other], ends[k]
    return ends


def _binomial_winners(rng: Words, arms: int, probability: float) -> Floats:
    """Return 1 for each arm with this probability, else 0; at least one 1."""
    while True:
        ends = np.array([float(uniform(rng) < probability) for _ in range(arms)])
        if ends.any():
            return ends


def _numbers(values: Sequence[float], what: str) -> Floats:
    try:
        given = np.array(values, np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise RamifyError(f"the {what} of the arms must be numbers, not {values!r}") from None
    if len(given) == 0 or not np.isfinite(given).all():
        raise RamifyError(f"the {what} of the arms must be one or more finite numbers, not {values!r}")
    return given


def _check_deviation(deviation: float) -> None:
    if not (math.isfinite(deviation) and deviation >= 0):
        raise RamifyError(f"invalid deviation {deviation}: use 0 or more")


def _check_range(low: float, high: float) -> None:
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise RamifyError(f"invalid range of rewards {low} to {high}: use two finite numbers, the lower one first")
