"""Which shape a search has; shapes are found by scanning this folder."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

import ramify.agents.shapes as folder
from ramify.agents.shapes.shape import Shape
from ramify.agents.shapes.tree import TreeShape
from ramify.contract.game import Game
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.agents.agent import Agent


@cache
def shapes() -> tuple[type[Shape], ...]:
    """Every shape, by the names of their files; those files import the compiled half when a search needs it."""
    found: list[type[Shape]] = []
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda one: one.name):
        module = importlib.import_module(f"{folder.__name__}.{info.name}")
        kinds = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Shape)]
        found += [one for one in kinds if one is not Shape and one.__module__ == module.__name__]
    return tuple(found)


def shape_for(agent: Agent, game: Game) -> type[Shape]:
    """The shape of an agent's search of a game; what that shape excludes is rejected."""
    fitting = [one for one in shapes() if one.fits(agent, game)]
    for one in fitting:
        one.check_game(agent, game)
    if len(fitting) > 1:
        names = " and ".join(one.__name__ for one in fitting)
        raise RamifyError(f"{names} both claim the search of {game.name} by {agent}; one of them must not fit")
    return fitting[0] if fitting else TreeShape


def check_shapes(agent: Agent) -> None:
    """Reject an agent that asks for a shape which its other strategies exclude."""
    for one in shapes():
        one.check_agent(agent)
