"""Shapes are found by scanning: a new one is two new files."""

import importlib
import sys

import pytest

import ramify
import ramify.agents.shapes
import ramify.core.shapes
from ramify.agents.agent import agent
from ramify.agents.shapes.factory import shape_for, shapes
from ramify.core.kernels.compiling import JIT
from ramify.core.search.loop import compiled_search
from ramify.core.shapes.tree import TREE
from tests import processes

COMPILED = '''
"""Flat Monte Carlo: the tree is the root and its children."""

from typing import NamedTuple

from ramify.core.search.verbs import expand, grow


class Flat(NamedTuple):
    """It needs nothing beside the tree."""

    unused: int = 0


@expand.of(Flat)
def expand_flat(shape, game, plan, memory, depth, counters):
    """Only the root has children."""
    return grow(shape, game, plan, memory, depth, counters) if depth == 0 else depth
'''
IN_PYTHON = '''
"""Flat Monte Carlo."""

from ramify.agents.shapes.shape import Shape
from ramify.core.shapes.flat import Flat


class FlatShape(Shape):
    """Asked for by an expand_threshold that nobody else uses."""

    example = ("tictactoe", "mcts(expand_threshold=12345)")

    @classmethod
    def fits(cls, agent, game):
        return agent.expand_threshold == 12345

    def compiled(self):
        return Flat()
'''


@pytest.fixture
def flat(tmp_path, monkeypatch):
    """A shape in two new files, and no edit."""
    for package, text in ((ramify.core.shapes, COMPILED), (ramify.agents.shapes, IN_PYTHON)):
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / "flat.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    shapes.cache_clear()
    yield "mcts(expand_threshold=12345)"
    shapes.cache_clear()
    for name in ("ramify.core.shapes.flat", "ramify.agents.shapes.flat"):
        sys.modules.pop(name, None)


def test_a_new_shape_is_two_new_files(flat):
    search = ramify.Search(ramify.load("connect4").initial(), flat, seed=1)
    report = search.run(ramify.Budget(simulations=500))
    worker = search.workers[0]
    assert type(worker.shape).__name__ == "FlatShape"
    assert (report.simulations, report.depth, report.nodes) == (500, 1, 8)
    assert sum(child.visits for child in report.children) == 500
    other = ramify.Search(ramify.load("connect4").initial(), "mcts(expand_threshold=1234)", seed=1)
    assert type(other.workers[0].shape).__name__ == "TreeShape"


@pytest.mark.skipif(not JIT, reason="nothing is kept on disk")
@pytest.mark.usefixtures("flat")
def test_machine_code_of_a_new_shape_does_not_outlive_its_source():
    Flat = importlib.import_module("ramify.core.shapes.flat").Flat
    own, ours = (compiled_search(shape).py_func.__name__ for shape in (Flat(), TREE))
    assert ours == "search_ramify_core_shapes_tree_Tree"
    assert own.startswith("search_ramify_core_shapes_flat_Flat_")
    assert len(own) == len("search_ramify_core_shapes_flat_Flat_") + 16


def test_every_shape_has_an_example_that_fits_it_alone():
    """`ramify warm` compiles them; the batch has rulesheets of its own there, the tree every game."""
    examples = {one: one.example for one in shapes() if one.example}
    assert {one.title() for one in shapes()} - {one.title() for one in examples} == {"tree", "batch"}
    for one, (game, text) in examples.items():
        assert shape_for(agent(text), ramify.load(game)) is one


def test_two_shapes_that_fit_are_rejected(flat):
    with pytest.raises(ramify.RamifyError, match="FlatShape and GraphShape both fit the search of connect4"):
        ramify.Search(ramify.load("connect4").initial(), agent(flat, transpositions="uct1"))


PROGRAM = """
import ramify
search = ramify.Search(ramify.load({game!r}).initial(), {agent!r}, seed=1)
report = search.run(ramify.Budget(simulations=60))
print(type(search.workers[0].shape).__name__, report.simulations, end="")
"""


@pytest.mark.parametrize("shape", [one for one in shapes() if one.example], ids=lambda one: one.title())
def test_a_fresh_process_has_the_verbs_of_a_shape(shape):
    """A shape whose versions of the verbs were not imported would run as a tree."""
    game, text = shape.example
    answer = processes.run("-c", PROGRAM.format(game=game, agent=text))
    assert answer == f"{shape.__name__} 60"
