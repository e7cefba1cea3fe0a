"""Open-loop shape: chance outcomes are not in the tree, so a node stands for many positions."""

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
    """Chance outcomes are drawn in every simulation; children that are not legal then are hidden."""

    example = ("pig", "uct(chance=open_loop)")
    column_count = 1  # capacity for children, per node

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, selectors, traced=traced)
        from ramify.core.shapes.open_loop import OPEN_LOOP  # noqa: PLC0415

        self.block = np.zeros(1, OPEN_LOOP)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        return agent.chance == OPEN_LOOP_MODE and game.has_chance

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Raise for strategies that need the one position of a node."""
        priors = next((one for one in (agent.select_root, agent.select) if one.policy.needs_priors), None)
        widens = next((one for one in (agent.select_root, agent.select) if one.policy.candidates), None)
        allocation = f"allocation={agent.allocation.title()}"
        for found, what, reason in (
            (game.has("play_joint"), f"the simultaneous moves of {game.name}", "whose seats belong to one position"),
            (agent.prove, "prove=true", "which proves scores of one position"),
            (agent.transpositions != NONE, f"transpositions={agent.transpositions}", "which shares single positions"),
            (agent.allocation.tree_halving(), allocation, "which continues from the position of a node"),
            (agent.allocation.uses_priors, allocation, "whose priors belong to one position"),
            (widens, f"select={widens.name if widens else ''}", "whose candidates are the first moves of one position"),
            (priors, f"select={priors.name if priors else ''}", "whose priors belong to one position"),
        ):
            if found:
                raise RamifyError(
                    f"chance=open_loop does not support {what}, {reason}; in {game.name}, which has chance, an"
                    " open-loop node stands for many positions: remove one of them"
                )

    def compiled(self) -> OpenLoop:
        from ramify.core.shapes.open_loop import OpenLoop  # noqa: PLC0415

        return OpenLoop(address(self.block))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Run, and note how many nodes a simulation needed: more than one node's children are possible."""
        status = super().run(table, plan, memory, limits)
        self.max_new_nodes = max(self.max_new_nodes, int(self.block["needed"][0]))
        return status

    def fix_root(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Make the root's children match its position. Return False if the tree is full."""
        from ramify.core.shapes.open_loop import NO_ROOM  # noqa: PLC0415

        return self.expand_root(table, plan, memory) != NO_ROOM

    def child_of_root(self, state: State, code: Code) -> int | None:
        """Return the child of the root for a move. A chance outcome stays at the root."""
        if state.to_move == CHANCE:
            return ROOT
        children = self.tree.children()
        for child in range(children.start, children.stop):
            edge = self.tree.nodes[child]
            if edge["move"] == code and edge["tag"] == state.to_move:
                return child
        return None

    def set_addresses(self, memory: Memory, columns: int) -> None:
        del memory
        self.block["capacities"] = columns

    def keep_subtree(self, columns: npt.NDArray[np.float64]) -> None:
        """Reset the capacities: a copied subtree has no slack."""
        columns[:] = 0.0

    def can_show_children(self, state: State) -> bool:
        """False after chance: the node stands for many positions."""
        return state.to_move != CHANCE

    def visible_line(self, state: State, line: list[Code]) -> list[Code]:
        """Return the line up to the first chance outcome."""
        for k, code in enumerate(line):
            if state.to_move == CHANCE or code not in state.codes():
                return line[:k]
            state = State(state.game, state.game.after(state.data, code))
        return line
