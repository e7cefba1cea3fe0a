"""Names of kernels: short identifiers, different for different names of files and functions."""

import pytest

from ramify.core.kernels.kernel_names import MAX_LENGTH, kernel_name

ODD = ["2048", "my-game", "my_game", "a b", "é", "ﬁ", "fi", "<lambda>", "\udcff", 300 * "x", 301 * "x"]


def test_a_plain_name_is_kept():
    assert kernel_name("nim", "legal", "0123abcd") == "nim_legal_0123abcd"


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_name_becomes_a_short_identifier(odd):
    made = kernel_name(odd, "legal", "0123abcd")
    assert made.isascii()
    assert made.isidentifier()
    assert len(made) <= MAX_LENGTH


def test_different_names_stay_different():
    assert len({kernel_name(odd, "legal") for odd in ODD}) == len(ODD)
