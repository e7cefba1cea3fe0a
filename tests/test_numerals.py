"""Numbers in texts that others wrote."""

import pytest

from ramify.errors import RamifyError
from ramify.numerals import MAX_COUNT, is_whole_number, real_number, reject_endless

OTHER_DIGITS = ["²", "\u0663", "\uff13", "3\u0663"]  # isdigit() accepts them all; int() accepts some


def test_whole_numbers():
    assert all(map(is_whole_number, ["0", "7", "007", "9" * 18]))
    assert not any(map(is_whole_number, ["", "-1", "+1", " 1", "1.0", "1_0", "9" * 19, "9" * 5000, *OTHER_DIGITS]))


def test_real_numbers():
    assert [real_number(word) for word in ("5", "+5.", ".5", "-2.5e-1")] == [5.0, 5.0, 0.5, -0.25]
    for word in ("", "five", "nan", "inf", "-inf", "1e400", "1_0", " 1", "0x1", "9" * 5000, *OTHER_DIGITS):
        assert real_number(word) is None


def test_endless_counts():
    reject_endless("games", MAX_COUNT)
    with pytest.raises(RamifyError, match=r"^games must be at most 1,000,000,000, not 10{30}$"):
        reject_endless("games", 10**30)
