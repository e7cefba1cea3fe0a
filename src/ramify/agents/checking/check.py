"""``check_policy``: test a user's selection policy on built-in toy games."""

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
from ramify.numerals import reject_endless
from ramify.numpy_scalars import accepting_numpy
from ramify.strategies.policy.policy import Policy
from ramify.strategies.policy.registry import Selection

# Quantities that a search maintains only if a policy asks for them.
OPTIONAL_QUANTITIES = ("s", "P", "S", "R", "deviations", "priors", "move_class", "move_classes")
# One arm and many, one player and three, chance nodes.
TOY_GAMES = (
    ToyGame(),
    ToyGame(width=1),
    ToyGame(width=2, players=1),
    ToyGame(width=9, players=3),
    ToyGame(chance=True),
    ToyGame(300, depth=2),
)


@dataclass(frozen=True)
class PolicyCheckResult(CheckResult):
    """Result of ``check_policy``."""

    policy: str

    def __str__(self) -> str:
        return self.summary(self.policy, "not a policy yet")


@accepting_numpy
def check_policy(text: str, *, simulations: int = 400, seed: int = 0) -> PolicyCheckResult:
    """Test a policy such as ``./mine.py:my_rule`` or ``./mine.py:my_rule(c=1.0)``. Return the findings.

    Searches toy games in plain Python and checks every value that the policy returns, then repeats the searches and
    compares each call with the compiled policy. The same seed gives the same findings. Raises RamifyError for an
    unknown file or function and for invalid constants.
    """
    if isinstance(simulations, bool) or not isinstance(simulations, int) or simulations < 1:
        raise RamifyError(f"simulations must be an integer of at least 1, not {simulations}")
    reject_endless("simulations", simulations)
    began = perf_counter()
    selection = agent("mcts", select=text).select
    log = FindingLog()
    check_unused(selection.policy, log)
    with CallTimeout(CALL_TIMEOUT) as timeout:
        valid = search_toy_games(selection, log, simulations, seed, timeout, compiled=False)
        if not JIT:
            log.skipped.append("compiled code, because NUMBA_DISABLE_JIT is set")
        elif valid:
            search_toy_games(selection, log, simulations, seed, timeout, compiled=True)
        else:
            log.skipped.append("compiled code")
    return PolicyCheckResult(
        policy=text,
        findings=tuple(log.found.values()),
        counts=dict(log.counts),
        skipped=tuple(log.skipped),
        seconds=perf_counter() - began,
    )


def check_unused(policy: Policy, log: FindingLog) -> None:
    """Report unused constants and quantities."""
    functions = [one for one in (policy.function, policy.update, policy.after, policy.candidates) if one]
    line = policy.function.__code__.co_firstlineno
    # The engine itself reads these two.
    constants = [one.name for one in policy.constants if one.name not in ("ref", "fpu")]
    unused = [name for name in constants if not any(uses(one, name) for one in functions)]
    if unused:
        message = (
            f"{policy.name} (line {line}) never uses its constant {' or '.join(unused)}: changing it has no effect"
        )
        log.add(ContractViolation("unused-constant", message, line=line, severity="warning"))
    unused = [name for name in policy.quantities if name in OPTIONAL_QUANTITIES and not uses(policy.function, name)]
    if unused:
        message = (
            f"{policy.name} (line {line}) requests {' and '.join(unused)} but never uses it: the search is faster"
            " without it"
        )
        log.add(ContractViolation("unused-quantity", message, line=line, severity="warning"))


def uses(function: Callable[..., Any], name: str) -> bool:
    """Whether a function reads its parameter ``name``, directly or in a nested function."""
    return any(
        isinstance(one.argval, str | tuple) and name in (one.argval if isinstance(one.argval, tuple) else (one.argval,))
        for one in dis.get_instructions(function)
        if "LOAD" in one.opname
    )


def search_toy_games(
    selection: Selection, log: FindingLog, simulations: int, seed: int, timeout: CallTimeout, *, compiled: bool
) -> bool:
    """Search every toy game; the first violation ends the search of that game. Return whether there was none."""
    counter = "searches compared" if compiled else "searches"
    valid = True
    for toy in TOY_GAMES:
        budget = min(simulations, 3 * toy.width + simulations // 4)
        try:
            dry_run(selection, toy, budget, seed, timeout, compiled=compiled)
        except ContractViolation as violation:
            log.add(violation)
            valid = False
        except CompileError as error:
            log.add(ContractViolation("compile", str(error), line=error.line))
            return False
        log.counts[counter] += 1
        log.counts["simulations"] += budget
    return valid
