"""The experiments on the sufficiency threshold: gains as ratios of means, readings, statements, parts and trials."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.special import ndtri

import ramify
from ramify.experiments.framework.estimates import mean
from ramify.experiments.framework.published_cells import ALIKE, BETTER, percent, shows
from ramify.experiments.framework.ratios import ratio
from ramify.experiments.framework.registry import experiments
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.gudmundsson_2013 import st_ggp
from ramify.experiments.papers.gudmundsson_2013.board import board
from ramify.experiments.papers.gudmundsson_2013.difference_trials import DifferenceTrials, differences, kolmogorov
from ramify.experiments.papers.gudmundsson_2013.estimate_trials import EstimateTrials
from ramify.experiments.papers.gudmundsson_2013.gains import Gains
from ramify.experiments.papers.gudmundsson_2013.path_trials import OtherReading, PathBandits, key
from ramify.experiments.papers.gudmundsson_2013.position import BEST, GAME, POSITION, TEMPTING
from ramify.experiments.papers.gudmundsson_2013.readings import READINGS, reading_table
from ramify.experiments.papers.gudmundsson_2013.threshold_readings import PRINTED
from ramify.grammar import parse
from ramify.runs.seeds import derive
from ramify.strategies.policy.registry import resolve
from tests.experiments.papers.made_up import results
from tests.experiments.papers.test_every_claim import bandits, position, thresholds

PAPERS_POLICY = "sufficiency_dynamic(orientation=above, nodes=root, training=search)"


def made_up_results(name):
    made = {
        "st-bandit": partial(bandits, 0.0, 0.01, 0.04, 0.0),
        "st-position": partial(position, 0.3, 0.6, 0.3, 0.2),
        "st-ggp": partial(thresholds, 0.6, 0.5, 0.0, 0.05, trials=40),
    }
    return made[name]()


FINDINGS = {
    name: lambda name=name: experiments()[name].findings(made_up_results(name))
    for name in ("st-bandit", "st-ggp", "st-position")
}


def test_a_ratio_of_constants_is_exact_and_of_equal_shares_has_no_width():
    assert ratio([0.2, 0.2], [0.4, 0.4]) == (0.5, 0.5, 0.5)
    assert ratio([0.1, 0.3], [0.2, 0.6]) == pytest.approx((0.5, 0.5, 0.5))


def test_with_a_constant_below_it_is_the_mean_in_other_units():
    values = [0.1, 0.4, 0.2, 0.7]
    assert ratio(values, [0.5] * 4) == pytest.approx([2 * end for end in mean(values)])


def test_a_ratio_needs_something_below():
    assert ratio([0.1, 0.2], [0.0, 0.0]).high == math.inf
    assert math.isnan(ratio([], []).estimate)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        below = rng.uniform(0.2, 0.6, 50)
        found = ratio(0.1 * below + rng.normal(0.0, 0.03, 50), below)
        held += found.low <= 0.1 <= found.high
    assert 360 <= held <= 397


def test_relative_gains_are_over_uct():
    uct = np.array([[0.2, 0.4], [0.4, 0.8]])
    gains = Gains((50, 0.1), np.array([10.0, 20.0]), uct, 0.25 * uct, grain=0.0)
    assert gains.relative(20) == pytest.approx((0.25, 0.25, 0.25))


def test_other_readings_are_points_beside_ours():
    points = experiments()["st-bandit"].points_of("quick")
    ours, others = points[:4], points[4:]
    assert {point.key: repr(point.work) for point in ours} == {
        key(arms, winners): f"PathBandits(arms={arms}, winners={winners}, tasks=200, every=10)"
        for arms in (20, 50)
        for winners in (0.1, 0.3)
    }
    assert [point.stream for point in ours] == [None] * 4
    assert len(others) == 4 * len(READINGS)
    assert {point.stream for point in others} == {point.key for point in ours}  # so they meet the same bandits


def test_a_reading_without_switches_is_ours():
    sizes = (8, 0.25, 20, 50)
    ours = PathBandits(*sizes).run(5, 0, 2)
    assert OtherReading(*sizes).run(5, 0, 2) == ours
    for switches in READINGS.values():
        assert OtherReading(*sizes, **switches).run(5, 0, 2) != ours


def test_luck_of_their_own_on_the_same_bandits():
    own, same = OtherReading(8, 0.25, 3, 500, independent=True), PathBandits(8, 0.25, 3, 500)
    assert (own.bandit(7).parameters == same.bandit(7).parameters).all()
    assert own.task_seed(5, 1, "uct") != own.task_seed(5, 1, "st")
    assert same.task_seed(5, 1, "uct") == same.task_seed(5, 1, "st")


def test_two_groups_have_the_wider_interval():
    """Bandits differ much more than the policies do on one of them."""

    def sums(point, chunk):
        uct = point.work.tasks * (0.3 + 0.01 * chunk)
        return {"uct": [uct] * 300, "st": [uct + point.work.tasks * (0.02 + 0.001 * (-1) ** chunk)] * 300}

    table = reading_table(results("st-bandit", sums), (50, 0.1), 1000)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["independent, by bandit"][0] == "+0.020 [+0.020, +0.020]"
    assert rows["independent, two groups"] == ["+0.020 [-0.038, +0.078]", "+0.0200 [-0.0379, +0.0779]"]
    assert max(len(line) for line in table.lines()) <= 76  # and four to indent it


def test_the_main_reading_is_the_printed_tail_at_the_root():
    """Also the reading that stands in stored rows, whatever the defaults of the preset are."""
    for scale in ("smoke", "quick", "paper"):
        points = [point for point in experiments()["st-ggp"].points_of(scale) if point.key.endswith(PRINTED)]
        assert {point.work.game for point in points} == {f"gdl:{game}" for game in st_ggp.GAMES}
        for point in points:
            threshold = dict(ramify.agent(point.work.first).select.constants)
            words = {name: threshold[name] for name in ("orientation", "nodes", "training")}
            assert words == dict(resolve(parse(PAPERS_POLICY)).constants[-3:])


@pytest.mark.parametrize("name", ["st-bandit", "st-ggp", "st-position"])
def test_statements_are_decided_by_one_claim(name):
    """Every claim about the paper names a statement of it; no two claims of the main reading share one."""
    found = [claim for claim in FINDINGS[name]().claims if claim.source]
    main = [claim.source.id for claim in found if not claim.reading]
    assert len(main) == len(set(main))
    assert {claim.source.id for claim in found} == set(main)
    assert not any(claim.source.untested for claim in found)


def test_every_statement_is_tested_or_says_why_not():
    tested = {claim.source.id for made in FINDINGS.values() for claim in made().claims if claim.source}
    sources = statements("gudmundsson_2013").sources
    assert tested == {name for name, source in sources.items() if not source.untested}


def test_cells_are_effects_and_nulls_as_printed():
    sources = statements("gudmundsson_2013").sources
    for game in st_ggp.GAMES:
        for simulations in st_ggp.BUDGETS:
            printed = st_ggp.printed_cell(game, simulations)
            if printed is None:
                assert f"table-1-{game}-{simulations}" not in sources
                continue
            source = sources[f"table-1-{game}-{simulations}"]
            assert percent(printed) in source.says
            assert source.kind == {BETTER: "effect", ALIKE: "null"}[shows(printed)]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("st-bandit", ["figure-2", "figure-3", "figure-4"]),
        ("st-position", ["figure-1", "figure-5", "figure-6"]),
        ("st-ggp", ["table-1", "figure-7", "figure-8"]),
    ],
)
def test_parts_have_names_and_find_what_the_whole_finds(name, parts):
    whole = made_up_results(name)
    one = experiments()[name]
    assert list(one.parts) == parts
    exhibits = [exhibit.title for exhibit in one.findings(whole).exhibits]
    found = []
    for part in one.parts.values():
        points = {key: measured for key, measured in whole.points.items() if part.needs(key)}
        found += [exhibit.title for exhibit in part.findings(replace(whole, points=points)).exhibits]
    assert [title for title in exhibits if title in found] == found


def test_differences_are_those_of_the_policy():
    """Recovered from the running mean; the last one agrees with the definition."""
    agent = "mcts(select=sufficiency_dynamic)"
    search = ramify.Search(ramify.load("tictactoe").initial(), agent, seed=1)
    found = differences(search, 300)
    memory = search.workers[0].parts.selectors.root_block["memory"][0]
    wins, win_sum, others, other_sum, count, average, squares = memory[:7]
    assert len(found) == count
    assert found.mean() == pytest.approx(average)
    assert found.var() == pytest.approx(squares / count)
    d = (others * win_sum / wins + wins * other_sum / others) / (wins + others)
    best = max(child.value for child in search.report().children)
    assert found[-1] == pytest.approx(best - d)


def test_distance_from_the_normal_distribution():
    quantiles = (np.arange(1000) + 0.5) / 1000
    assert kolmogorov(3.0 + 0.2 * ndtri(quantiles)) < 0.005
    assert kolmogorov(np.array([0.0, 1.0] * 50)) == pytest.approx(0.3413, abs=1e-4)  # Phi(1) - 1/2
    assert kolmogorov(np.array([0.5] * 9)) == 1.0
    work = DifferenceTrials("tictactoe", "mcts(select=sufficiency_dynamic)", 50)
    assert sum(work.run(1, 0, 2)["histogram"]) <= 100


def test_estimates_of_a_growing_search():
    work = EstimateTrials(GAME, POSITION, "mcts(select=ucb1(c=0.4))", (32, 64))
    means = work.run(1, 0, 3)["means"]
    assert len(means) == 13
    report = ramify.search(ramify.load(GAME).position(POSITION), work.agent, simulations=64, seed=derive(1, 2))
    last = EstimateTrials(GAME, POSITION, work.agent, (32, 64)).run(1, 2, 1)["means"]
    assert {child.move.name: child.value for child in report.children} == {move: one[1] for move, one in last.items()}


def test_the_position_is_drawn():
    assert board(POSITION, BEST[0], dict.fromkeys(TEMPTING, "x"), "title").startswith(b"\x89PNG")
