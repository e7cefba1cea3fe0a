import io

import pytest

from ramify.arena.matches.standing import duration, elo_text, percent, plain, signed
from ramify.arena.statistics.inference import Interval
from ramify.arena.statistics.sprt import Sprt
from ramify.runs import watching as live
from ramify.runs.pools.pool import HerePool
from ramify.runs.sitting import Session
from tests.arena.games_for_tests import short_plan


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watch_a_match(stream, **more):
    with Session(short_plan(games=8, **more)) as session, live.watching(stream) as watch:
        session.play(lambda _: HerePool(), watch)
    return stream.getvalue()


def test_lines_where_nobody_watches(monkeypatch):
    monkeypatch.setattr(live, "LINE_SECONDS", 0)
    lines = watch_a_match(io.StringIO()).splitlines()
    assert len(lines) == 8
    assert lines[-1].startswith("8/8 games, score ")
    assert lines[-1].endswith("games/s, 0:00 left")


def test_lines_are_rare():
    assert watch_a_match(io.StringIO()) == ""


def test_a_test_is_shown(monkeypatch):
    monkeypatch.setattr(live, "LINE_SECONDS", 0)
    line = watch_a_match(io.StringIO(), test=Sprt(0, 5)).splitlines()[-1]
    assert "LLR " in line
    assert "[-2.94, 2.94] goes on" in line
    assert "at most 0:00 left" in line


def test_a_table_on_a_terminal(monkeypatch):
    monkeypatch.setattr(live, "TABLE_SECONDS", 0)
    monkeypatch.setenv("COLUMNS", "140")
    drawn = watch_a_match(Terminal(), test=Sprt(0, 5))
    assert "uct(c=0.7)" in drawn
    assert "8/8 games" in drawn
    assert "LLR" in drawn


def test_numbers_for_people():
    assert percent(0.5) == "50.0%"
    assert percent(float("nan")) == "-"
    assert [signed(value) for value in (12.4, -3.0, float("inf"), -float("inf"))] == ["+12", "-3", "+inf", "-inf"]
    assert elo_text(Interval(10, -5, 25)) == "+10 [-5, +25]"
    assert [duration(s) for s in (None, 5, 65, 3700)] == ["-", "0:05", "1:05", "1:01:40"]


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_json_has_no_infinity(value):
    assert plain({"a": [value, 1.0], "b": (2,)}) == {"a": [None, 1.0], "b": [2]}
