"""Compiled or not, the same tree to the last bit: how the compiled code is debugged and its coverage counted."""

import json

from tests import processes
from tests.oracle import signature

SECONDS = 6  # of the interpreted run; it says how far it came, and the compiled run goes as far


def test_interpreted_and_compiled_trees_are_the_same():
    slow = json.loads(processes.run("-m", "tests.oracle.signature", str(SECONDS), NUMBA_DISABLE_JIT="1"))
    fast = json.loads(processes.run("-m", "tests.oracle.signature", json.dumps(slow), NUMBA_DISABLE_JIT="0"))
    assert [case for case, *_ in slow] == signature.cases()
    for one, other in zip(slow, fast, strict=True):
        assert one == other
