"""The behaviour signature is the recorded one; a commit that changes behaviour records it anew and says where."""

import pytest

from ramify.bench.signature.families.known import FAMILIES
from ramify.bench.signature.numbers import family_numbers
from ramify.bench.signature.recorded import differences, read
from ramify.core.kernels.compiling import JIT


@pytest.mark.skipif(not JIT, reason="plain Python takes too long")
@pytest.mark.parametrize("family", FAMILIES)
def test_signature(family):
    assert list(differences(read(), {family: family_numbers(family)})) == []


def test_only_families_that_exist_are_recorded():
    assert read().keys() == FAMILIES.keys()
