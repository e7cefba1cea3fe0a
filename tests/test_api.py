"""The façade: what it names it has, and it names nothing else."""

import ast
from pathlib import Path

import pytest

import ramify
from tests import processes

PUBLIC = {
    "CHANCE",
    "SIMULTANEOUS",
    "Agent",
    "Budget",
    "Child",
    "Game",
    "MatchResult",
    "Move",
    "RamifyError",
    "Report",
    "Reproduction",
    "ScaleResult",
    "Search",
    "Solution",
    "State",
    "TournamentResult",
    "TreeNode",
    "TuneResult",
    "agent",
    "bandits",
    "games",
    "load",
    "match",
    "reproduce",
    "scale",
    "search",
    "solve",
    "tournament",
    "tune",
}


def test_the_public_names():
    """A name that joins or leaves the façade does so here, too."""
    assert set(ramify.__all__) == PUBLIC
    assert len(ramify.__all__) == len(PUBLIC)


def test_nothing_else_is_shown():
    assert set(dir(ramify)) == PUBLIC | {"__version__"}
    everything = {}
    exec("from ramify import *", everything)
    assert set(everything) - {"__builtins__"} == PUBLIC


def test_every_name_can_be_used():
    for name in ramify.__all__:
        value = getattr(ramify, name)
        assert value is not None
        assert value is getattr(ramify, name)
        if not isinstance(value, int):
            assert value.__doc__, name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'ramify' has no attribute 'serch'"):
        ramify.serch  # noqa: B018


def test_type_checkers_see_the_same_names():
    """``games`` is a package of its own, which they see anyway."""
    source = Path(ramify.__file__).read_text(encoding="utf-8")
    guarded = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    seen = {alias.asname: alias.name for node in guarded.body for alias in node.names}
    assert set(seen) == PUBLIC - {"games"}
    assert all(shown == name for shown, name in seen.items())


def test_the_facade_imports_nothing_before_it_is_asked():
    loaded = processes.run(
        "-c", "import sys, ramify; print(any(m in sys.modules for m in ('numba', 'numpy', 'scipy')))"
    )
    assert loaded.strip() == "False"


def test_the_version_is_that_of_the_package():
    text = (processes.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{ramify.__version__}"' in text
