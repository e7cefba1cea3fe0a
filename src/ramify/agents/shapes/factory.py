"""Chooses the shape of a search. Shapes are found by scanning this folder."""

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
    """Return all shapes, sorted by file name. Their compiled halves are imported on demand."""
    found: list[type[Shape]] = []
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda one: one.name):
        module = importlib.import_module(f"{folder.__name__}.{info.name}")
        kinds = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Shape)]
        found += [one for one in kinds if one is not Shape and one.__module__ == module.__name__]
    return tuple(found)


def shape_for(agent: Agent, game: Game) -> type[Shape]:
    """Return the shape of an agent's search of a game. Raise for unsupported combinations."""
    fitting = [one for one in shapes() if one.fits(agent, game)]
    for one in fitting:
        one.check_game(agent, game)
    if len(fitting) > 1:
        names = " and ".join(one.__name__ for one in fitting)
        raise RamifyError(f"{names} both fit the search of {game.name} by {agent}: only one shape may fit")
    return fitting[0] if fitting else TreeShape


def check_shapes(agent: Agent) -> None:
    """Raise if a strategy of the agent does not support the shape that it requests."""
    for one in shapes():
        one.check_agent(agent)
