"""Functions that never return are interrupted."""

from contextlib import suppress

import pytest

from ramify.contract.checking.call_timeout import CallTimedOut, CallTimeout
from ramify.contract.checking.result import ContractViolation


def test_an_interrupt_that_is_swallowed_comes_again():
    def stubborn():
        with suppress(CallTimedOut):
            while True:
                pass
        while True:
            pass

    with CallTimeout(0.2) as watch, pytest.raises(ContractViolation, match=r"stubborn has not returned after 0\.2 s"):
        watch("stubborn", __file__, stubborn)
