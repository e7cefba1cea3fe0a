"""The behaviour signature is the recorded one; a commit that changes behaviour records it anew and says where."""

import pytest

from ramify.bench.signature.families.known import FAMILIES
from ramify.bench.signature.numbers import family_numbers
from ramify.bench.signature.recorded import differences, read
from ramify.core.kernels.compiling import JIT
from tests import processes

# They move, copy or share nodes. None outgrows its first room: the next one is half of the memory that is free.
MEMORY_BOUND = ("open_loop", "batch", "transpositions", "simultaneous", "reuse")
PROGRAM = f"""
from ramify.bench.signature.numbers import family_numbers
from ramify.bench.signature.recorded import differences, read
print(*differences(read(), {{family: family_numbers(family) for family in {MEMORY_BOUND}}}), sep="\\n", end="")
"""

compiled_only = pytest.mark.skipif(not JIT, reason="plain Python takes too long")


@compiled_only
@pytest.mark.parametrize("family", FAMILIES)
def test_signature(family):
    assert list(differences(read(), {family: family_numbers(family)})) == []


def test_only_families_that_exist_are_recorded():
    assert read().keys() == FAMILIES.keys()


@compiled_only
def test_what_memory_held_before_does_not_matter():
    """The C library fills fresh memory with a byte, where it can."""
    assert processes.run("-c", PROGRAM, MALLOC_PERTURB_="85", PYTHONHASHSEED="85") == ""
