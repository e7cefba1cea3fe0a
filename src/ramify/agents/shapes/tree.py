"""The tree: every move leads to a node of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.agents.shapes.shape import Shape
from ramify.contract.game import Game
from ramify.core.shapes.tree import TREE
from ramify.core.shapes.tree import Tree as CompiledTree

if TYPE_CHECKING:
    from ramify.agents.agent import Agent


class TreeShape(Shape):
    """The shape of searches that no other shape fits."""

    replaceable_means = True

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Where no other does."""
        del agent, game
        return False

    def compiled(self) -> CompiledTree:
        """It needs nothing beside the tree."""
        return TREE
