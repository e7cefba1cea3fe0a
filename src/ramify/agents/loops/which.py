"""Which loop a search runs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.loops.sequential import Sequential
from ramify.agents.observers.joint import Joint
from ramify.agents.observers.open_loop import OpenLoop
from ramify.agents.observers.positions import Positions
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address


def loop_for(
    agent: Agent,
    game: Game,
    rows: int,
    states: npt.NDArray[np.uint8],
    *,
    positions: Positions | None,
    joint: Joint | None,
    open_loop: OpenLoop | None,
) -> Sequential:
    """The loop of an agent, with a tree of so many columns; each is imported only if somebody needs it.

    ``states`` are rows of bytes; the position at the root stands in the first.
    """
    if positions:
        from ramify.agents.loops.graph import WithPositions  # noqa: PLC0415

        return WithPositions(game, rows, positions)
    if joint:
        from ramify.agents.loops.joint import AllAtOnce  # noqa: PLC0415

        return AllAtOnce(rows, joint)
    if open_loop:
        from ramify.agents.loops.open_loop import WithoutChance  # noqa: PLC0415

        return WithoutChance(game, rows, open_loop)
    if halving := agent.allocation.halves():
        from ramify.agents.loops.halving import InEveryNode  # noqa: PLC0415

        return InEveryNode(game, rows, halving, address(states), states.shape[1])
    return Sequential(game, rows)
