"""Tree shape: every move leads to its own node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.agents.shapes.shape import Shape
from ramify.contract.game import Game
from ramify.core.shapes.tree import TREE
from ramify.core.shapes.tree import Tree as CompiledTree

if TYPE_CHECKING:
    from ramify.agents.agent import Agent


class TreeShape(Shape):
    """The default shape, used if no other fits."""

    replaceable_means = True

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        del agent, game
        return False

    def compiled(self) -> CompiledTree:
        return TREE
