import pytest

from ramify.arena.statistics.inference import Interval
from ramify.arena.statistics.texts import elo_text, percent, plain, signed


def test_numbers_for_people():
    assert percent(0.5) == "50.0%"
    assert percent(float("nan")) == "-"
    assert [signed(value) for value in (12.4, -3.0, float("inf"), -float("inf"))] == ["+12", "-3", "+inf", "-inf"]
    assert elo_text(Interval(10, -5, 25)) == "+10 [-5, +25]"


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_json_has_no_infinity(value):
    assert plain({"a": [value, 1.0], "b": (2,)}) == {"a": [None, 1.0], "b": [2]}
