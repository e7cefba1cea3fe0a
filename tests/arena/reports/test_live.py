import io

from ramify.arena.matches.session import MatchSession
from ramify.arena.reports.live import status, table
from ramify.runs import live_display
from ramify.runs.pools.pool import InProcessPool
from ramify.statistics.sprt import Sprt
from tests.arena.games_for_tests import short_plan


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watch_a_match(stream, **more):
    with (
        MatchSession(short_plan(games=8, **more)) as sitting,
        live_display.live_display(status, table, stream) as watch,
    ):
        sitting.run(lambda _: InProcessPool(), watch)
    return stream.getvalue()


def test_lines_where_nobody_watches(monkeypatch):
    monkeypatch.setattr(live_display, "LINE_SECONDS", 0)
    lines = watch_a_match(io.StringIO()).splitlines()
    assert len(lines) == 8
    assert lines[-1].startswith("8/8 games, score ")
    assert lines[-1].endswith("games/s, 0:00 left")


def test_lines_are_rare():
    assert watch_a_match(io.StringIO()) == ""


def test_a_test_is_shown(monkeypatch):
    monkeypatch.setattr(live_display, "LINE_SECONDS", 0)
    line = watch_a_match(io.StringIO(), test=Sprt(0, 5)).splitlines()[-1]
    assert "LLR " in line
    assert "[-2.94, 2.94] continues" in line
    assert "at most 0:00 left" in line


def test_a_table_on_a_terminal(monkeypatch):
    monkeypatch.setattr(live_display, "TABLE_SECONDS", 0)
    monkeypatch.setenv("COLUMNS", "140")
    drawn = watch_a_match(Terminal(), test=Sprt(0, 5))
    assert "uct(c=0.7)" in drawn
    assert "8/8 games" in drawn
    assert "LLR" in drawn
