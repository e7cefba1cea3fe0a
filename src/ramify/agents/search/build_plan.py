"""Builds the plan of a search: addresses of the kernels and blocks of an agent's strategies."""

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
    """Kernels of the hooks as BOUND_KERNEL records. Must stay alive as long as the plan."""

    on_expand: npt.NDArray[Any]
    on_simulation: npt.NDArray[Any]


def hook_table(hooks: Sequence[Hook]) -> HookTable:
    """Return the kernels of ``hooks``."""
    on_expand = [(one.on_expand.address, address(one.block)) for one in hooks if one.on_expand]
    on_simulation = [(one.on_simulation.address, address(one.block)) for one in hooks if one.on_simulation]
    return HookTable(np.array(on_expand, BOUND_KERNEL), np.array(on_simulation, BOUND_KERNEL))


def build_plan(parts: SearchParts, hooks: HookTable) -> Plan:
    """Return the plan of a search."""
    selectors, amaf, playout = parts.selectors, parts.amaf, parts.playout
    root = Selector(selectors.root.kernel.address, address(selectors.root_block), 0)
    inner = Selector(selectors.inner.kernel.address, address(selectors.inner_block), int(selectors.first_uniform))
    if amaf:
        kernel = {"before_select": amaf.before_select.address, "before_select_block": address(amaf.block)}
        root = root._replace(**kernel) if selectors.root.uses_ancestor_amaf else root
        inner = inner._replace(**kernel) if selectors.inner.uses_ancestor_amaf else inner
    return Plan(
        root=root,
        inner=inner,
        playout=bound_kernel(playout),
        reward=bound_kernel(parts.raw.bound if parts.raw else parts.reward),
        on_expand=BoundKernels(address(hooks.on_expand), len(hooks.on_expand)),
        on_simulation=BoundKernels(address(hooks.on_simulation), len(hooks.on_simulation)),
        expand_threshold=parts.agent.expand_threshold,
        evaluate_cutoff=playout.evaluate.address if playout.evaluate else 0,
    )


def bound_kernel(bound: BoundStrategy | None) -> BoundKernel:
    """Return the addresses of a strategy's kernel and block."""
    if bound is None:
        return BoundKernel()
    return BoundKernel(bound.kernel.address, 0 if bound.block is None else address(bound.block))
