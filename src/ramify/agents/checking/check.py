"""``check_policy``: everything that can be found out about an author's policy without a game of theirs."""

from __future__ import annotations

import dis
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ramify.agents.agent import agent
from ramify.agents.checking.dry_run import dry_run
from ramify.agents.checking.toy_game import ToyGame
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, CallTimeout
from ramify.contract.checking.result import CheckResult, ContractViolation, FindingLog
from ramify.core.kernels.compile_errors import CompileError
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.strategies.policy.policy import Policy
from ramify.strategies.policy.registry import Selection

# Quantities that a search keeps only when asked.
OPTIONAL_QUANTITIES = ("s", "P", "S", "R", "deviations", "priors", "move_class", "move_classes")
# One arm and many, one player and three, chance: whatever a policy may meet.
TOYS = (
    ToyGame(),
    ToyGame(width=1),
    ToyGame(width=2, players=1),
    ToyGame(width=9, players=3),
    ToyGame(chance=True),
    ToyGame(300, depth=2),
)


@dataclass(frozen=True)
class PolicyCheckResult(CheckResult):
    """The outcome of a check of a policy."""

    policy: str

    def __str__(self) -> str:
        return self.summary(self.policy, "not a policy yet")


def check_policy(text: str, *, simulations: int = 400, seed: int = 0) -> PolicyCheckResult:
    """Test a policy, ``./mine.py:my_rule`` or ``./mine.py:my_rule(c=1.0)``; the findings are data, never a traceback.

    It searches small games in plain Python, with every answer examined, then again beside its compiled form. The same
    seed finds the same. RamifyError: there is no such file or function, or its constants are refused.
    """
    if isinstance(simulations, bool) or not isinstance(simulations, int) or simulations < 1:
        raise RamifyError(f"the simulations must be a whole number from 1, not {simulations}")
    began = perf_counter()
    chosen = agent("mcts", select=text).select
    notes = FindingLog()
    check_use(chosen.policy, notes)
    with CallTimeout(CALL_TIMEOUT) as watch:
        sound = search_toys(chosen, notes, simulations, seed, watch, compiled=False)
        if not JIT:
            notes.skipped.append("compiled code, because NUMBA_DISABLE_JIT is set")
        elif sound:
            search_toys(chosen, notes, simulations, seed, watch, compiled=True)
        else:
            notes.skipped.append("compiled code")
    return PolicyCheckResult(
        policy=text,
        findings=tuple(notes.found.values()),
        counts=dict(notes.counts),
        skipped=tuple(notes.skipped),
        seconds=perf_counter() - began,
    )


def check_use(policy: Policy, notes: FindingLog) -> None:
    """Note constants that change nothing, and quantities that are asked for in vain."""
    functions = [one for one in (policy.function, policy.update, policy.after, policy.candidates) if one]
    line = policy.function.__code__.co_firstlineno
    # The engine itself looks at these two.
    constants = [one.name for one in policy.constants if one.name not in ("ref", "fpu")]
    idle = [name for name in constants if not any(uses(one, name) for one in functions)]
    if idle:
        told = (
            f"{policy.name} (line {line}) never uses its constant {' or '.join(idle)}: to write another changes nothing"
        )
        notes.add(ContractViolation("unused-constant", told, line=line))
    idle = [name for name in policy.quantities if name in OPTIONAL_QUANTITIES and not uses(policy.function, name)]
    if idle:
        told = (
            f"{policy.name} (line {line}) asks for {' and '.join(idle)}, but never looks; the search is faster without"
        )
        notes.add(ContractViolation("unused-quantity", told, line=line, severity="warning"))


def uses(function: Callable[..., Any], name: str) -> bool:
    """Whether a function looks at one of its own parameters, or at a name of that kind in a function within it."""
    return any(
        isinstance(one.argval, str | tuple) and name in (one.argval if isinstance(one.argval, tuple) else (one.argval,))
        for one in dis.get_instructions(function)
        if "LOAD" in one.opname
    )


def search_toys(
    chosen: Selection, notes: FindingLog, simulations: int, seed: int, watch: CallTimeout, *, compiled: bool
) -> bool:
    """Search every toy; the first flaw in one ends the search of that one. Whether there was none."""
    where = "searches compared" if compiled else "searches"
    sound = True
    for toy in TOYS:
        most = min(simulations, 3 * toy.width + simulations // 4)
        try:
            dry_run(chosen, toy, most, seed, watch, compiled=compiled)
        except ContractViolation as flaw:
            notes.add(flaw)
            sound = False
        except CompileError as error:
            notes.add(ContractViolation("compile", str(error), line=error.line))
            return False
        notes.counts[where] += 1
        notes.counts["simulations"] += most
    return sound
