"""Kernels, and the watch over compilation."""

import os
import re
from types import FunctionType

import numba
import pytest

from ramify.core.kernels import compiling
from ramify.core.search.loop import compiled_search
from ramify.core.shapes.tree import TREE
from tests.processes import PACKAGE


def add(one, other):
    return one + other


def test_a_kernel_is_called_by_python():
    assert compiling.kernel(add)(2, 3) == 5


def test_a_python_function_as_a_kernel():
    kernel = compiling.python_kernel(lambda one, other: one * other, 2)
    assert kernel(6, 7) == 42
    assert kernel.address


def test_the_compiler_runs_unless_it_is_switched_off():
    """The gate has a part in plain Python, which must be that."""
    off = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    assert off != compiling.JIT
    assert isinstance(compiled_search(TREE), FunctionType) == off
    assert (compiling.kernel(add).call is add) == off


@pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")
def test_watching_counts_what_is_compiled():
    compiled = numba.njit(add)
    counted = []
    with compiling.on_compilation(lambda: counted.append(1)):
        compiled(1, 2)
        compiled(3, 4)
    compiled(1.5, 2.5)
    assert len(counted) == 1


def test_private_names_of_numba_stand_in_one_file():
    private = re.compile(
        r"^(from|import) numba\.(?!extending\b)|\bnumba\.core\.|\b(_nrt|_dispatcher|_overload)\b", re.MULTILINE
    )
    users = [path.name for path in PACKAGE.rglob("*.py") if private.search(path.read_text())]
    assert users == ["numba_internals.py"]
