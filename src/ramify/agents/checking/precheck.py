"""Before the first search with a policy of a user's file: a short rehearsal, which refuses what would crash or lie."""

from __future__ import annotations

import sys

from ramify.agents.checking.dry_run import rehearse
from ramify.agents.checking.toy_game import Toy
from ramify.contract.checking.call_timeout import PATIENCE, Watch
from ramify.contract.checking.result import Flaw
from ramify.contract.checking.trusted_files import first_time
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.strategies.policy.registry import Selection

SIMULATIONS = 60


def guard(chosen: Selection) -> None:
    """Refuse a policy that cannot be trusted, and say why."""
    policy = chosen.policy
    with first_time(sys.modules[policy.function.__module__], policy.name) as first:
        if not first:
            return
        try:
            with Watch(PATIENCE) as watch:
                for compiled in (False, True) if JIT else (False,):
                    rehearse(chosen, Toy(), SIMULATIONS, 0, watch, compiled=compiled)
        except Flaw as flaw:
            raise RamifyError(f"{flaw.sentence}; `ramify check-policy {chosen.name}` tells more") from None
