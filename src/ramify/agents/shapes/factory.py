"""Which loop a search runs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import Agent
from ramify.agents.shapes.batchable import grounded
from ramify.agents.shapes.joint_memory import Joint
from ramify.agents.shapes.open_loop_memory import OpenLoop
from ramify.agents.shapes.positions_memory import Positions
from ramify.agents.shapes.tree import Sequential
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address
from ramify.errors import RamifyError


def loop_for(
    agent: Agent,
    game: Game,
    rows: int,
    states: npt.NDArray[np.uint8],
    *,
    positions: Positions | None,
    joint: Joint | None,
    open_loop: OpenLoop | None,
    traced: bool,
) -> Sequential:
    """The loop of an agent, with a tree of so many columns; each is imported only if somebody needs it.

    ``states`` are rows of bytes; the position at the root stands in the first. ``traced``: simulations write down the
    moves of their playouts.
    """
    if flying := flight_of(agent, game, rows, traced=traced):
        return flying
    if positions:
        from ramify.agents.shapes.graph import WithPositions  # noqa: PLC0415

        return WithPositions(game, rows, positions)
    if joint:
        from ramify.agents.shapes.simultaneous import AllAtOnce  # noqa: PLC0415

        return AllAtOnce(rows, joint)
    if open_loop:
        from ramify.agents.shapes.open_loop import WithoutChance  # noqa: PLC0415

        return WithoutChance(game, rows, open_loop)
    if halving := agent.allocation.halves():
        from ramify.agents.shapes.shot import InEveryNode  # noqa: PLC0415

        return InEveryNode(game, rows, halving, address(states), states.shape[1])
    return Sequential(game, rows)


def flight_of(agent: Agent, game: Game, rows: int, *, traced: bool) -> Sequential | None:
    """The loop with many simulations in flight, if the agent and the game allow for it; else None."""
    reason = grounded(agent, game)
    if agent.lanes != 1 and not reason:
        from ramify.agents.shapes.batch_memory import Flight  # noqa: PLC0415

        if lanes := Flight.of(game, traced=traced):
            from ramify.agents.shapes.batch import InFlight  # noqa: PLC0415

            return InFlight(game, rows, lanes, agent.lanes)
        reason = game.name
    if agent.lanes > 1:
        raise RamifyError(f"{reason} goes one simulation at a time, so lanes must be 0 or 1, not {agent.lanes}")
    return None
