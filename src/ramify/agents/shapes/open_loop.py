"""The open loop: chance is kept out of the tree, so a node stands for many positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.graph import NONE
from ramify.agents.shapes.shape import Limits, Shape
from ramify.contract.game import Code, Game, State
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.search.tree import CHANCE, ROOT
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.core.shapes.open_loop import OpenLoop

EXPLICIT, OPEN_LOOP_MODE = CHANCE_MODES = ("explicit", "open_loop")


class OpenLoopShape(Shape):
    """Chance is drawn on the way down; children that are not legal after these draws are hidden."""

    example = ("pig", "uct(chance=open_loop)")
    rows = 1  # the column of places for the children of each node

    def __init__(self, game: Game, agent: Agent, choosers: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, choosers, traced=traced)
        from ramify.core.shapes.open_loop import OPEN_LOOP  # noqa: PLC0415

        self.block = np.zeros(1, OPEN_LOOP)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Where the agent asks for it and the game has chance."""
        return agent.chance == OPEN_LOOP_MODE and game.has_chance

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Reject what does not work where a node stands for many positions."""
        priors = next((one for one in (agent.select_root, agent.select) if one.policy.needs_priors), None)
        widens = next((one for one in (agent.select_root, agent.select) if one.policy.candidates), None)
        allocation = f"allocation={agent.allocation.title()}"
        for found, what, reason in (
            (game.has("play_joint"), f"joint moves, which {game.name} has,", "a node would have seats of one position"),
            (agent.prove, "prove=true", "a score is proven of one position"),
            (agent.transpositions != NONE, f"transpositions={agent.transpositions}", "it shares nodes of one position"),
            (agent.allocation.tree_halving(), allocation, "it goes on from the position of a node"),
            (agent.allocation.uses_priors, allocation, "priors are of the moves of one position"),
            (widens, f"select={widens.name if widens else ''}", "its candidates are the first moves of one position"),
            (priors, f"select={priors.name if priors else ''}", "priors are of the moves of one position"),
        ):
            if found:
                raise RamifyError(
                    f"chance=open_loop and {what} exclude each other in games with chance such as {game.name}: {reason}, and"
                    " a node of the open loop stands for many; leave one of them out"
                )

    def compiled(self) -> OpenLoop:
        """Where its block is."""
        from ramify.core.shapes.open_loop import OpenLoop  # noqa: PLC0415

        return OpenLoop(address(self.block))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """A simulation may lack more room than one node's children take."""
        status = super().run(table, plan, memory, limits)
        self.added = max(self.added, int(self.block["needed"][0]))
        return status

    def settle(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Keep of the root's children those of its position, and add those that it lacks; whether there is room."""
        from ramify.core.shapes.open_loop import NO_ROOM  # noqa: PLC0415

        return self.expand_root(table, plan, memory) != NO_ROOM

    def below(self, state: State, code: Code) -> int | None:
        """The node that a move at the root leads to; an outcome of chance leads nowhere else."""
        if state.to_move == CHANCE:
            return ROOT
        children = self.tree.children()
        for child in range(children.start, children.stop):
            edge = self.tree.nodes[child]
            if edge["move"] == code and edge["tag"] == state.to_move:
                return child
        return None

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """The column of places."""
        del memory
        self.block["capacities"] = columns

    def keep_subtree(self, columns: npt.NDArray[np.float64]) -> None:
        """A copied tree has no places to spare."""
        columns[:] = 0.0

    def shows_below(self, state: State) -> bool:
        """After chance a node stands for many positions, and none of them can be shown."""
        return state.to_move != CHANCE

    def shown_line(self, state: State, line: list[Code]) -> list[Code]:
        """Up to the first outcome of chance."""
        for k, code in enumerate(line):
            if state.to_move == CHANCE or code not in state.codes():
                return line[:k]
            state = State(state.game, state.game.after(state.data, code))
        return line
