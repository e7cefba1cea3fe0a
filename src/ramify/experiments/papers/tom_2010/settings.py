"""The players of the study, FUEGO-SOS under each of its settings, and the points that measure them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.experiments.framework.experiment import Point
from ramify.experiments.framework.work import Sums, Work
from ramify.experiments.trials.position import PositionTrials, powers
from ramify.runs.seeds import derive

MUS = tuple(k / 10 for k in range(11))
FINAL = 32768  # RaveWeightFinal in most experiments
BEST, SECOND, WORST = 9, 8, 0  # moves of SOS(10)


@dataclass(frozen=True)
class Errors:
    """An error model of RAVE; ``target`` is None if all moves are affected."""

    kind: str
    target: int | None = None
    shared: bool = False
    draw: str = "simulation"  # or node: every node of the path draws for itself
    nodes: str = "all"  # or root: only the root's updates are false
    own: bool = True  # False: the move made at a node is credited truly there

    def text(self, mu: float) -> str:
        """Text of the updates with probability ``mu``."""
        options = [f"kind={self.kind}", *([] if self.target is None else [f"target={self.target}"]), f"mu={mu}"]
        options += ["shared=true"] if self.shared else []
        options += [f"draw={self.draw}"] if self.draw != "simulation" else []
        options += [f"nodes={self.nodes}"] if self.nodes != "all" else []
        options += [] if self.own else ["own=false"]
        return f"false_updates({', '.join(options)})"


INDISCRIMINATE = Errors("indiscriminate")
LOWER_BEST, LOWER_BEST_SHARED = Errors("lower", BEST), Errors("lower", BEST, shared=True)
RAISE_WORST, RAISE_WORST_SHARED = Errors("raise", WORST), Errors("raise", WORST, shared=True)
RAISE_SECOND, RAISE_SECOND_SHARED = Errors("raise", SECOND), Errors("raise", SECOND, shared=True)

# Other readings of section 5.6, which does not say when errors are drawn and which updates they affect.
READINGS: dict[str, dict[str, Any]] = {
    "errors drawn at every node": {"draw": "node"},
    "errors at the root only": {"nodes": "root"},
    "own moves credited truly": {"own": False},
}


def read_as(errors: Errors, reading: str) -> Errors:
    """Return the error model by another reading; an empty one is the main reading."""
    return replace(errors, **READINGS[reading]) if reading else errors


@dataclass(frozen=True)
class Setting:
    """One player and a size of the game."""

    select: str = "rave"  # rave, rave_max, rave_only, or uct_fuego: the same formula without RAVE
    final: int = FINAL
    c: float = 0.7
    recommend: str = "max"  # max: highest estimate; robust: most simulated
    gamma: float = 0.0  # score bonus
    errors: Errors | None = None
    mu: float = 0.0
    n: int = 10
    weighted: bool = False  # early moves count more in RAVE (Fuego's WeightRaveUpdates)

    @property
    def agent(self) -> str:
        """Agent text."""
        weight = f", final={self.final}" if self.select in ("rave", "rave_max", "rave_doubt") else ""
        parts = [f"select={self.select}(c={self.c}{weight})", f"recommend={self.recommend}"]
        if self.gamma:
            parts.append(f"reward=score_bonus(gamma={self.gamma})")
        if self.errors and self.mu:  # with mu = 0 no update is false
            parts.append(f"updates={self.errors.text(self.mu)}")
        if self.weighted:
            parts.append("updates=true_updates(weighted=true)")
        return f"mcts({', '.join(parts)})"

    @property
    def key(self) -> str:
        """Key of its point; equal settings share one."""
        return f"sos({self.n}) {self.agent}"


UCT = Setting("uct_fuego")
RAVE = Setting()
RAVE_MAX = Setting("rave_max")
RAVE_ONLY = Setting("rave_only")


@dataclass(frozen=True)
class SwitchTrials(PositionTrials):
    """Searches of SOS(n) from the initial position.

    Additional sums, for each move and budget: ``visits``, ``estimates`` and ``known``, the number of trials that had an
    estimate.
    """

    stored_form = "SwitchTrials(game, position, agent, best, budgets, separate)"

    def run(self, seed: int, first: int, count: int) -> Sums:
        state, search = self._search()
        names = {move.code: move.name for move in state.moves()}
        width = len(self.budgets)
        hits = [0] * width
        sums: dict[str, dict[str, list[float]]] = {
            what: {name: [0] * width for name in names.values()} for what in ("visits", "estimates", "known")
        }
        for trial in range(first, first + count):
            search.restart(state, derive(seed, trial))
            spent = 0
            for place, budget in enumerate(self.budgets):
                best = names[search.choose(Budget(simulations=budget - spent))]
                spent = budget
                hits[place] += best in self.best
                visits, _, estimates = search.statistics()
                for code, n, estimate in zip(search.codes(), visits, estimates, strict=True):
                    name = names[int(code)]
                    sums["visits"][name][place] += int(n)
                    if estimate >= 0.0:
                        sums["known"][name][place] += 1
                        sums["estimates"][name][place] += round(float(estimate), 9)
        return {"hits": hits, **sums}


@dataclass(frozen=True)
class SpeedTrials(Work):
    """Timed searches. Sums: ``simulations`` and the ``seconds`` they took, which differ between runs."""

    stored_form = "SpeedTrials(game, agent, simulations)"

    game: str
    agent: str
    simulations: int

    def run(self, seed: int, first: int, count: int) -> Sums:
        state = load(self.game).initial()
        search = Search(state, self.agent, seed=0)
        seconds = 0.0
        for trial in range(first, first + count):
            search.restart(state, derive(seed, trial))
            began = perf_counter()
            search.choose(Budget(simulations=self.simulations))
            seconds += perf_counter() - began
        return {"simulations": count * self.simulations, "seconds": seconds}


def speed_key(n: int) -> str:
    """Key of the point that measures UCT's speed on SOS(n)."""
    return f"speed of sos({n})"


def speed_point(n: int, trials: int) -> Point:
    """Return that point: few trials of 2^14 simulations each."""
    return Point(speed_key(n), SpeedTrials(f"sos(n={n})", UCT.agent, 1 << 14), min(trials, 10), chunk=10)


def point(setting: Setting, trials: int, last: int) -> Point:
    """Return a point of ``trials`` growing searches, examined at 2^1 to 2^last simulations."""
    work = SwitchTrials(f"sos(n={setting.n})", "", setting.agent, (str(setting.n - 1),), powers(1, last))
    return Point(setting.key, work, trials, chunk=max(1, min(20, trials * (1 << 14) // (1 << last))))
