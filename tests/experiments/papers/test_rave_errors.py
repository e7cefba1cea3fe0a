"""Errors of RAVE's values: what is measured of known errors, and the matching of error models to them."""

from dataclasses import replace

import numpy as np
import pytest

import ramify
from ramify.experiments.framework.experiment import Point, PointResult, Results
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.tom_2010 import rave_errors
from ramify.experiments.papers.tom_2010.figures import MODELS, with_false_updates
from ramify.experiments.papers.tom_2010.rave_error_match import REAL, SWITCHES, Measured, key, match, nearest
from ramify.experiments.papers.tom_2010.rave_error_trials import RaveErrorTrials, compare
from ramify.experiments.papers.tom_2010.settings import RAVE

HEX = RaveErrorTrials("hex(size=4)", 4, RAVE.agent, rave_errors.REFERENCES["searches"], 64, 16)


def test_known_errors():
    """AMAF values that keep half of the differences, are 0.1 too high, and 0.2 too high for the worst move."""
    searched = np.array([0.2, 0.4, 0.6, 0.8])
    values = 0.5 + 0.5 * (searched - 0.5) + 0.1
    found = compare(values, searched, searched)
    assert found["moves"] == 4
    assert found["error"] == pytest.approx(0.1)
    assert found["above"] == 0.75  # errors are 0.25, 0.15, 0.05 and -0.05
    assert found["square"] == pytest.approx(np.mean(np.array([0.25, 0.15, 0.05, -0.05]) ** 2))
    assert found["own_square"] == pytest.approx(np.mean(np.array([0.15, 0.05, -0.05, -0.15]) ** 2))
    assert found["covariance"] / found["variance"] == pytest.approx(0.5)
    assert found["regret"] == 0.0
    assert [found[f"errors {role}"] for role in ("best", "second", "worst")] == pytest.approx([-0.05, 0.05, 0.25])
    assert [found[f"own {role}"] for role in ("best", "second", "worst")] == pytest.approx([-0.2, -0.2 / 3, 0.2])
    assert found["values best"] == pytest.approx(0.75)
    wrong = compare(values[::-1].copy(), searched, searched)
    assert wrong["covariance"] / wrong["variance"] == pytest.approx(-0.5)
    assert wrong["regret"] == pytest.approx(0.6)


def test_the_noise_of_the_reference_cancels_out():
    """All moves are equally good and RAVE is right: ranks, spread and slope of noisy searches show no error."""
    rng = np.random.default_rng(1)
    rows = [compare(np.full(20, 0.5), *(0.5 + 0.1 * rng.standard_normal((2, 20)))) for _ in range(2000)]
    for name in ("error", "own_square", "variance", "errors best", "own best", "own worst"):
        values = np.array([row[name] for row in rows])
        assert abs(values.mean()) < 4 * values.std() / len(values) ** 0.5, name


def test_trials_do_not_depend_on_chunks():
    whole, parts = HEX.run(7, 0, 5), [HEX.run(7, 0, 2), HEX.run(7, 2, 3)]
    assert set(whole) == set(parts[0])
    for name, value in whole.items():
        assert value == pytest.approx(sum(part[name] for part in parts), abs=1e-12)
    assert whole["moves"] == 5 * 12
    assert whole != HEX.run(8, 0, 5)


def test_positions_are_at_their_depth():
    for seed in range(20):
        state = HEX._position(seed)
        assert len(state.moves()) == 12
        assert not state.over
    late = replace(HEX, game="hex(size=3)", depth=5)  # many games are over by then
    assert all(len(late._position(seed).moves()) == 4 for seed in range(20))
    with pytest.raises(ramify.RamifyError, match="had a choice after 8 random moves: use a smaller depth"):
        replace(late, depth=8)._position(1)


def amaf_values(setting, searches=60):
    """RAVE's values of the moves 0 to 9 of SOS(10) after 1024 simulations."""
    state = ramify.load("sos(n=10)").initial()
    search = ramify.Search(state, setting.agent, seed=0)
    for seed in range(searches):
        search.restart(state, seed)
        search.run(ramify.Budget(simulations=1024))
        counts, totals = search.workers[0].view.amaf()
        yield totals / counts


def measured_with(errors, mu) -> Measured:
    """SOS(10), and SOS(10) with false updates in the place of Hex, against a reference that orders moves rightly."""
    searched, points = np.arange(10) / 20, {}
    for game, setting in ((SWITCHES, RAVE), (REAL[0], with_false_updates(errors, mu))):
        rows = [compare(values, searched, searched) for values in amaf_values(setting)]
        one = Point(key(game, 0, "order"), replace(HEX, depth=0), len(rows))
        points[one.key] = PointResult(one, dict(enumerate(rows)), len(rows))
    return Measured(Results(points, {"last": 12}, "quick", 1), "order")


@pytest.mark.parametrize("name", MODELS)
def test_matching_finds_the_probability_of_false_updates(name):
    """Errors of SOS(10) itself under a model are matched to about the model's own probability.

    It is too low where false updates change what is searched: 0.22 instead of 0.3 if the best move is lowered.
    """
    mu = match(measured_with(MODELS[name], 0.3), MODELS[name], REAL[0], 0)
    assert 0.2 < mu.low < mu.high < 0.4
    none = match(measured_with(MODELS[name], 0.0), MODELS[name], REAL[0], 0)
    assert none.estimate == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("reference", rave_errors.REFERENCES)
def test_references_try_all_moves_equally_often(reference):
    state = ramify.load("go(size=5)").initial()
    search = ramify.Search(state, rave_errors.REFERENCES[reference], seed=1)
    report = search.run(ramify.Budget(simulations=26 * 40))
    assert {child.visits for child in report.children} == {40}
    assert any(report.tree().children()[0].children()) == (reference == "searches")  # playouts are not searched


def test_points():
    one = experiments()["rave-errors"]
    assert one.paper == ""
    keys = [point.key for point in one.points_of("quick")]
    assert len(keys) == len(set(keys)) == 2 * 14 + 2 + 70
    assert nearest(-0.3) == 0.0
    assert nearest(0.26) == 0.3
    for point in one.points_of("smoke"):
        assert all(ramify.agent(text) for text in point.work.texts()[1:])
