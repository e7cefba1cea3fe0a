"""Putrich and Meneguzzi (2023): the readings of its tables."""

import pytest

import ramify
from ramify.experiments.papers.putrich_2023 import halving
from ramify.experiments.papers.putrich_2023.players import CUTS, GAMES, READINGS, SHOT, UCT, cut, players


@pytest.mark.parametrize("game", GAMES)
def test_shot_is_cut_after_the_playouts_of_six_tenths_of_a_second(game):
    stops = [ramify.agent(players(game, reading)[SHOT]).allocation.stop for reading in CUTS]
    assert stops == [cut(game, "cut"), cut(game, "half-cut")]
    assert 0.4 < stops[1] / stops[0] < 0.6
    assert all(players(game, reading)[UCT] == READINGS["program"][UCT] for reading in CUTS)


def test_a_cut_that_changes_nothing_is_not_played_again():
    """In Pentalath SHOT is cut after 1,400 playouts, or 700."""
    points = {one.key: one for one in halving.points({1000: 2, 5000: 3, 10_000: 4})}
    table = halving.TABLES[1]
    keys = {reading: table.key("pentalath", 1000, reading) for reading in table.readings}
    assert keys["cut"] == keys["program"] != keys["half-cut"]
    assert set(keys.values()) <= set(points)
    assert "Table 3 pentalath 1000 cut" not in points
    assert "stop=1400" in points["Table 3 pentalath 5000 cut"].work.first
    assert points["Table 3 pentalath 5000 cut"].stream == points["Table 3 pentalath 5000 program"].stream


def test_only_tables_with_shot_have_cuts():
    assert [set(table.readings) - set(READINGS) for table in halving.TABLES] == [set(), set(CUTS), set(CUTS)]


def test_the_page_prints_the_cuts():
    assert any("1,400 or 700 in pentalath" in note and "0.6 s" in note for note in halving.NOTES)
