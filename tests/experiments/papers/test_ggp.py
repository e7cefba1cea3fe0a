"""Experiments with general game players: who plays whom, how games count, and what published cells show."""

from itertools import pairwise

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.agents.search.search import Search
from ramify.agents.shapes.batch import BatchShape
from ramify.arena.matches.playing.openings import first_decision
from ramify.experiments.framework.estimates import share
from ramify.experiments.framework.experiment import SCALES
from ramify.experiments.framework.published_cells import ALIKE, BETTER, WORSE, cell_test, mean_of, shows
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.gudmundsson_2013 import st_ggp
from ramify.experiments.papers.pepels_2014 import quality_ggp
from ramify.experiments.trials.paired_games import PairedGames, WinLossGames

NAMES = ("st-ggp", "quality-ggp")


def flies(point):
    """Whether the searches of each side search in batches."""
    state = first_decision(ramify.load(point.work.game), "", 0)
    shapes = (Search(state, one, seed=0).workers[0].shape for one in (point.work.first, point.work.second))
    return [isinstance(shape, BatchShape) for shape in shapes]


def matches(name, scale):
    """The points that play games."""
    return [point for point in experiments()[name].points_of(scale) if isinstance(point.work, PairedGames)]


@pytest.mark.parametrize("name", NAMES)
def test_both_sides_search_alike(name):
    """A batch costs a little strength, so that both have one or none."""
    for point in matches(name, "smoke"):
        first, second = flies(point)
        assert first == second


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scale", SCALES)
def test_sides_differ_in_what_is_measured_alone(name, scale):
    for point in matches(name, scale):
        first, second = (ramify.agent(one) for one in (point.work.first, point.work.second))
        assert first.playout == second.playout
        assert (first.select == second.select) == (name == "quality-ggp")
        assert (first.reward == second.reward) == (name == "st-ggp")


def test_the_paper_scales_are_the_papers():
    table = {(point.work.game, point.work.limits.simulations) for point in matches("st-ggp", "paper")}
    assert len(table) == 24
    assert {point.trials for point in matches("st-ggp", "paper")} == {200}
    given = quality_ggp.EXPERIMENT.points_of("paper")
    assert {(point.trials, point.work.limits.seconds) for point in given} == {(475, None), (475, 15.0)}
    assert len({point.work.game for point in given}) == 14


def test_what_published_cells_show():
    assert shows(st_ggp.printed_cell("breakthrough", 1000)) == BETTER
    assert shows(st_ggp.printed_cell("connect4", 500)) == ALIKE
    assert st_ggp.printed_cell("breakthrough", 10_000) is None
    assert shows(quality_ggp.printed_cell("quad", 1.4)) == WORSE
    found = [shows(quality_ggp.printed_cell(game, 2.0)) for game in quality_ggp.TURNS]
    assert [found.count(one) for one in (BETTER, WORSE, ALIKE)] == [6, 1, 5]
    test, sentence = cell_test(st_ggp.printed_cell("chomp", 500), share(500, 1000))
    assert sentence == "no clear difference, a score within 4.9 points of 50 %"
    assert test.passes()


def test_a_mean_of_equals_is_as_much_surer():
    scores = [share(60, 100)] * 4
    found, one = mean_of(scores), scores[0]
    assert found.estimate == pytest.approx(0.6)
    assert found.high - found.low == pytest.approx((one.high - one.low) / 2)
    assert [found.at(confidence).low > found.at(wider).low for confidence, wider in pairwise((0.5, 0.9, 0.99))]


def test_a_small_lead_wins():
    """Battle pays for what was taken: 10 of 100 more are a tenth of a win, or a whole one."""
    counted, decided = (
        kind("gdl:battle", "uct", "uct", PlayerLimits(simulations=2), opening_plies=0).run(3, 0, 2)
        for kind in (PairedGames, WinLossGames)
    )
    assert (counted["wins"], counted["losses"]) == (decided["wins"], decided["losses"])
    assert {float(score) * 4 % 1 for score in decided["pairs"]} == {0.0}
    assert any(float(score) * 4 % 1 for score in counted["pairs"])
