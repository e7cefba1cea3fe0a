import pytest

from ramify.statistics.format import elo_line, elo_text, json_safe, percent, signed
from ramify.statistics.inference import Interval


def test_numbers_for_people():
    assert percent(0.5) == "50.0%"
    assert percent(float("nan")) == "-"
    assert [signed(value) for value in (12.4, -3.0, float("inf"), -float("inf"))] == ["+12", "-3", "+inf", "-inf"]
    assert [signed(value) for value in (-0.4, -0.0, 0.3)] == ["+0", "+0", "+0"]
    assert elo_text(Interval(10, -5, 25)) == "+10 [-5, +25]"


def test_an_infinite_elo_is_not_left_alone():
    inf = float("inf")
    assert elo_line(Interval(10, -5, 25)) == "+10 [-5, +25]"
    assert elo_line(Interval(inf, 120, inf)) == "+inf [+120, +inf], too few games"
    assert elo_line(Interval(0.0, -inf, inf)) == "+0 [-inf, +inf], too few games"


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_json_has_no_infinity(value):
    assert json_safe({"a": [value, 1.0], "b": (2,)}) == {"a": [None, 1.0], "b": [2]}
