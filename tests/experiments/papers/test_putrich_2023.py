"""Putrich and Meneguzzi (2023): the readings of its tables."""

import pytest

import ramify
from ramify.experiments.papers.putrich_2023 import halving, kilothon
from ramify.experiments.papers.putrich_2023.players import CUTS, GAMES, READINGS, SHOT, UCT, cut, players
from tests.experiments.papers.made_up import results


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


def contests(failed=()):
    """Three contests: every agent wins all games of the second, and loses those of the others."""

    def sums(point, chunk):
        won, fails = int(chunk == 1), int((point.key, chunk) in failed)
        outcome = {"payoff": 0.0 if fails else 2.0 * won - 1, "won": won, "even": 0, "lost": 1 - won, "failed": fails}
        return outcome | {"seconds": 0.1, "overruns": [0, 0], "causes": {}}

    return results("kilothon", sums, "smoke", trials=3)


def test_the_best_contest_is_one_trial_of_every_game():
    found = kilothon.KilothonResults(contests())
    assert found.contests(UCT) == [-1.0, 1.0, -1.0]
    assert found.best_contest(UCT) == 1.0


def test_games_that_failed_do_not_count_in_a_contest():
    found = kilothon.KilothonResults(contests({(kilothon.key(UCT, "nim"), 0), (kilothon.key(UCT, "nim"), 1)}))
    assert found.contests(UCT) == [-1.0, 1.0, -1.0]
    games = kilothon.KilothonResults(contests()).games
    everything = {(kilothon.key(UCT, game), 1) for game in games}
    assert kilothon.KilothonResults(contests(everything)).best_contest(UCT) == -1.0


def test_tables_5_and_6_have_all_published_payoffs_beside_ours():
    exhibits = {one.name: one for one in kilothon.findings(contests()).exhibits}
    official = {row[0]: row[2] for row in exhibits["Table 5"].tables[0].rows}
    entrants = {"UBFM Contender": "+0.231", "MCTimeS": "+0.031", "SHOT-br": "-0.034", "Zkealinvo": "-0.456"}
    assert entrants.items() <= {name.removesuffix(", official"): value for name, value in official.items()}.items()
    payoffs = exhibits["Table 6"].tables[0]
    assert payoffs.headings[3:] == ["measured, best of 3", "published, best of ten"]
    assert payoffs.rows[0][3:] == ["+1.0000", "+0.0157"]


@pytest.mark.parametrize("name", ["Table 5", "Table 6", "Figure 4"])
def test_pictures_are_drawn(name):
    exhibit = next(one for one in kilothon.findings(contests()).exhibits if one.name == name)
    assert all(figure.draw().startswith(b"\x89PNG") for figure in exhibit.figures)
    assert exhibit.figures


def test_the_text_on_figure_4():
    printed = kilothon._printed_wins()
    assert printed[SHOT]["sow"].estimate == 0.3
    assert "hunt" not in printed[UCT]
    assert printed[kilothon.SQRT_HALVING]["space"].estimate - printed[UCT]["space"].estimate == pytest.approx(0.07)


def test_shot_warms_up_as_in_the_program():
    assert ramify.agent(kilothon.AGENTS[SHOT]).allocation.warm_up == "breadth_first"
