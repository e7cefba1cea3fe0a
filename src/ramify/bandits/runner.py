"""Runs a policy on a bandit, in many independent tasks."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import local

import numpy as np
import numpy.typing as npt

from ramify.bandits.bandit import Bandit, Floats, seed_word
from ramify.bandits.engine import MAX, ROBUST, ResultArrays, run_tasks
from ramify.bandits.memory import POLICY_MEMORY, BanditMemory
from ramify.contract.author_errors import explaining_errors
from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.pointers import address
from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, parse
from ramify.numpy_scalars import accepting_numpy
from ramify.old_names import old_attributes, old_members
from ramify.statistics.means import mean_half_width
from ramify.strategies.policy.block_layout import URGENT
from ramify.strategies.policy.registry import Selection, resolve

Integers = npt.NDArray[np.int64]
RECOMMENDATIONS = {"max": MAX, "robust": ROBUST}
MAX_PULLS = 10**12  # hours of work
CHUNK = 2_000_000  # approximate number of arms evaluated per call of the loop, so that Ctrl-C works


@old_members(best="chose_best", worth="means")
@dataclass(frozen=True)
class BanditResult:
    """Result of a policy on a bandit. Arrays have one row per task and one column per checkpoint in ``times``."""

    times: Integers  # numbers of pulls at the checkpoints
    regret: Floats = field(
        repr=False
    )  # cumulative regret: summed difference between the best and the pulled arms' means
    chosen: Integers = field(repr=False)  # the recommended arm
    pulls: Integers = field(repr=False)  # of each arm at the end, one column per arm
    means: Floats = field(repr=False)

    @property
    def simple_regret(self) -> Floats:
        """Difference between the means of the best arm and of the recommended one."""
        lost: Floats = self.means.max() - self.means[self.chosen]
        return lost

    @property
    def chose_best(self) -> npt.NDArray[np.bool_]:
        """Whether the recommended arm is a best one."""
        found: npt.NDArray[np.bool_] = self.means[self.chosen] == self.means.max()
        return found

    def at(self, time: int) -> int:
        """Return the column of the checkpoint after ``time`` pulls."""
        found = np.flatnonzero(self.times == time)
        if len(found) == 0:
            raise RamifyError(f"no checkpoint after {time} pulls: use one of the result's times")
        return int(found[0])


def mean_and_interval(values: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return the mean over tasks and the half-width of its 95 % interval, for every column."""
    rows = np.asarray(values, np.float64)
    variance = rows.var(axis=0, ddof=1) if len(rows) > 1 else np.full(rows.shape[1:], math.nan)
    return rows.mean(axis=0), mean_half_width(variance, len(rows))


@accepting_numpy
def run(
    bandit: Bandit,
    policy: str | Call | Selection,
    *,
    pulls: int,
    tasks: int = 1,
    seed: int = 0,
    times: Sequence[int] | None = None,
    recommend: str = "max",
    fpu: float = URGENT,
    threads: int = 1,
) -> BanditResult:
    """Run ``policy`` on ``bandit`` in ``tasks`` independent tasks. The result does not depend on ``threads``.

    ``times`` are the numbers of pulls at which to record results. (default: about forty, spaced logarithmically)
    """
    check_whole(pulls=pulls, tasks=tasks, threads=threads)
    if recommend not in RECOMMENDATIONS:
        raise RamifyError(f"unknown recommendation '{recommend}': {suggestion(recommend, RECOMMENDATIONS)}")
    check_bandit(bandit)
    if not isinstance(policy, str | Call | Selection):
        raise RamifyError(f"a selection policy must be a string such as 'ucb1(c=0.7)', not {policy!r}")
    found = policy if isinstance(policy, Selection) else resolve(parse(policy) if isinstance(policy, str) else policy)
    if found.is_users:
        from ramify.agents.checking.precheck import precheck  # noqa: PLC0415  (only for users' policies)

        precheck(found)
    looked = _times(times, pulls)
    result = BanditResult(
        times=looked,
        regret=np.zeros((tasks, len(looked))),
        chosen=np.zeros((tasks, len(looked)), np.int64),
        pulls=np.zeros((tasks, bandit.arms), np.int64),
        means=bandit.means,
    )
    _Runner(bandit, found, fpu, int(pulls), RECOMMENDATIONS[recommend], seed_word(seed), result).run(tasks, threads)
    return result


def check_whole(**numbers: int) -> None:
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise RamifyError(f"{name} must be a whole number from 1, not {value}")
        if value > MAX_PULLS:
            raise RamifyError(f"{name} must be at most {MAX_PULLS:,}, not {value}")


def check_bandit(bandit: Bandit) -> None:
    if not isinstance(bandit, Bandit):
        raise RamifyError(f"pass a bandit, e.g. bernoulli([0.4, 0.6]), not {bandit!r}")


def _times(given: Sequence[int] | None, pulls: int) -> Integers:
    if given is None:
        return np.unique(np.geomspace(1, pulls, 40).round().astype(np.int64))
    times = np.array(given, np.int64).reshape(-1)
    if len(times) == 0 or times.min() < 1 or times.max() > pulls or (np.diff(times) <= 0).any():
        raise RamifyError(f"times must be increasing numbers from 1 to the number of pulls, {pulls}")
    return times


class _Runner:
    """Distributes the tasks of one run to threads, each with its own memory."""

    def __init__(
        self, bandit: Bandit, policy: Selection, fpu: float, pulls: int, recommend: int, seed: int, result: BanditResult
    ) -> None:
        self.bandit, self.policy, self.fpu, self.seed = bandit, policy, fpu, seed
        self.pulls, self.recommend, self.result = pulls, recommend, result
        self.table, self._keep = bandit.table()
        BanditMemory(bandit.arms, policy, fpu)  # compiled here, once, not by several threads
        self.mine = local()

    def run(self, tasks: int, threads: int) -> None:
        """Run all tasks. An interrupt or an error cancels those that have not begun."""
        size = max(1, min(CHUNK // (self.pulls * self.bandit.arms), -(-tasks // threads)))
        shares = [(first, min(first + size, tasks)) for first in range(0, tasks, size)]
        if threads == 1 or not JIT:  # plain Python gains nothing from threads
            for share in shares:
                self.some(share)
            return
        with ThreadPoolExecutor(min(threads, len(shares), 4 * (os.cpu_count() or 1))) as pool:
            waiting = [pool.submit(self.some, share) for share in shares]
            try:
                for one in waiting:
                    one.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def some(self, share: tuple[int, int]) -> None:
        """Run some of the tasks on this thread."""
        if not hasattr(self.mine, "memory"):
            self.mine.memory = BanditMemory(self.bandit.arms, self.policy, self.fpu)
        own: BanditMemory = self.mine.memory
        result = self.result
        regret, picked, pulled, times = (
            address(array) for array in (result.regret, result.chosen, result.pulls, result.times)
        )
        results = ResultArrays(times, len(result.times), regret, picked, pulled)
        settings = (self.pulls, self.recommend, own.policy_memory, POLICY_MEMORY, own.sums)
        with explaining_errors():
            run_tasks(self.table, own.plan, own.memory, results, settings, self.seed, *share)


__getattr__ = old_attributes(__name__)
