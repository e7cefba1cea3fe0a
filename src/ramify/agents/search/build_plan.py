"""An agent's strategies as the loop takes them: kernels and blocks by their addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.hook import Hook
from ramify.agents.search.build import SearchParts
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import BOUND_KERNEL, BoundKernel, BoundKernels, Plan, Selector
from ramify.strategies.base import BoundStrategy


class HookTable(NamedTuple):
    """The kernels of some hooks, as rows of CALLEE; to be kept as long as the plan."""

    on_expand: npt.NDArray[Any]
    on_simulation: npt.NDArray[Any]


def hook_table(hooks: Sequence[Hook]) -> HookTable:
    """The kernels of some hooks."""
    on_expand = [(one.on_expand.address, address(one.block)) for one in hooks if one.on_expand]
    on_simulation = [(one.on_simulation.address, address(one.block)) for one in hooks if one.on_simulation]
    return HookTable(np.array(on_expand, BOUND_KERNEL), np.array(on_simulation, BOUND_KERNEL))


def build_plan(parts: SearchParts, hooks: HookTable) -> Plan:
    """The plan of a search."""
    choosers, amaf, playout = parts.choosers, parts.amaf, parts.playout
    root = Selector(choosers.root.kernel.address, address(choosers.root_block), 0)
    inner = Selector(choosers.inner.kernel.address, address(choosers.inner_block), int(choosers.first_uniform))
    if amaf:
        prepare = {"before_select": amaf.prepare.address, "before_select_block": address(amaf.block)}
        root = root._replace(**prepare) if choosers.root.uses_ancestor_amaf else root
        inner = inner._replace(**prepare) if choosers.inner.uses_ancestor_amaf else inner
    return Plan(
        root=root,
        inner=inner,
        playout=bound_kernel(playout),
        reward=bound_kernel(parts.raw.fitted if parts.raw else parts.reward),
        on_expand=BoundKernels(address(hooks.on_expand), len(hooks.on_expand)),
        on_simulation=BoundKernels(address(hooks.on_simulation), len(hooks.on_simulation)),
        expand_threshold=parts.agent.expand_threshold,
        evaluate_cutoff=playout.evaluate.address if playout.evaluate else 0,
    )


def bound_kernel(fitted: BoundStrategy | None) -> BoundKernel:
    """A strategy as the loop takes it."""
    if fitted is None:
        return BoundKernel()
    return BoundKernel(fitted.kernel.address, 0 if fitted.block is None else address(fitted.block))
