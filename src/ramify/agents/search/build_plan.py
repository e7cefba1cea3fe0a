"""An agent's strategies as the loops take them: kernels and blocks by their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.hooks.hook import Observer
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import CALLEE, Callee, Callees, Chooser, Plan
from ramify.strategies.kinds import Fitted
from ramify.strategies.policy.choosers import Choosers

if TYPE_CHECKING:
    from ramify.agents.hooks.amaf import AllMoves


class Told(NamedTuple):
    """Who is told of fresh children, and who of every simulation: rows of CALLEE, to be kept as long as the plan."""

    heralds: npt.NDArray[Any]
    observers: npt.NDArray[Any]


def told_of(observers: Sequence[Observer]) -> Told:
    """The kernels of some observers."""
    heralds = [(one.herald.address, address(one.block)) for one in observers if one.herald]
    kernels = [(one.kernel.address, address(one.block)) for one in observers if one.kernel]
    return Told(np.array(heralds, CALLEE), np.array(kernels, CALLEE))


def plan_of(
    agent: Agent,
    choosers: Choosers,
    all_moves: AllMoves | None,
    playout: Fitted,
    reward: Fitted | None,
    told: Told,
) -> Plan:
    """The plan of a search."""
    root = Chooser(choosers.root.kernel.address, address(choosers.root_block), 0)
    inner = Chooser(choosers.inner.kernel.address, address(choosers.inner_block), int(choosers.evenly))
    if all_moves:
        prepare = {"prepare": all_moves.prepare.address, "prepare_block": address(all_moves.block)}
        root = root._replace(**prepare) if choosers.root.from_ancestors else root
        inner = inner._replace(**prepare) if choosers.inner.from_ancestors else inner
    return Plan(
        root=root,
        inner=inner,
        playout=callee(playout),
        reward=callee(reward),
        heralds=Callees(address(told.heralds), len(told.heralds)),
        observers=Callees(address(told.observers), len(told.observers)),
        expand_threshold=agent.expand_threshold,
        evaluate=playout.evaluate.address if playout.evaluate else 0,
    )


def callee(fitted: Fitted | None) -> Callee:
    """A strategy as the loop takes it."""
    if fitted is None:
        return Callee()
    return Callee(fitted.kernel.address, 0 if fitted.block is None else address(fitted.block))
