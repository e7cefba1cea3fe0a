"""Precheck: a short dry run before the first search with a user's policy, which rejects invalid policies."""

from __future__ import annotations

import sys

from ramify.agents.checking.dry_run import dry_run
from ramify.agents.checking.toy_game import ToyGame
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, CallTimeout
from ramify.contract.checking.result import ContractViolation
from ramify.contract.checking.trusted_files import on_first_use
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.strategies.policy.registry import Selection

# Toy games and simulations. A single move makes quantities such as ln N and ln K zero.
DRY_RUNS = ((ToyGame(), 60), (ToyGame(width=1), 10))


def precheck(selection: Selection) -> None:
    """Raise RamifyError if a dry run of the policy finds a violation."""
    policy = selection.policy
    with on_first_use(sys.modules[policy.function.__module__], policy.name) as first:
        if not first:
            return
        try:
            with CallTimeout(CALL_TIMEOUT) as timeout:
                for compiled in (False, True) if JIT else (False,):
                    for toy, simulations in DRY_RUNS:
                        dry_run(selection, toy, simulations, 0, timeout, compiled=compiled)
        except ContractViolation as violation:
            raise RamifyError(f"{violation.sentence}; for details run `ramify check-policy {selection.name}`") from None
