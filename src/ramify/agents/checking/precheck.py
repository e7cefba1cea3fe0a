"""Before the first search with a policy of a user's file: a short rehearsal, which refuses what would crash or lie."""

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

SIMULATIONS = 60


def precheck(chosen: Selection) -> None:
    """Refuse a policy that cannot be trusted, and say why."""
    policy = chosen.policy
    with on_first_use(sys.modules[policy.function.__module__], policy.name) as first:
        if not first:
            return
        try:
            with CallTimeout(CALL_TIMEOUT) as watch:
                for compiled in (False, True) if JIT else (False,):
                    dry_run(chosen, ToyGame(), SIMULATIONS, 0, watch, compiled=compiled)
        except ContractViolation as flaw:
            raise RamifyError(f"{flaw.sentence}; `ramify check-policy {chosen.name}` tells more") from None
