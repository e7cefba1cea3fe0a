"""Quality-based rewards: constants, cells of the tables, and correlations beside naive ones."""

import numpy as np
import pytest

import ramify
from ramify.agents.budgets.budget import Budget
from ramify.arena.matches.playing.openings import open_game
from ramify.contract.game import State
from ramify.experiments.framework.experiment import Point, PointResult
from ramify.experiments.papers.pepels_2014 import quality_tuning
from ramify.experiments.papers.pepels_2014.cells import CELLS, FIVE, TUNED, Cell, by_speed
from ramify.experiments.papers.pepels_2014.correlations import Correlations, SimulationTrials, correlation
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    CENTRED,
    DECISIVE,
    FIXED,
    GAMES,
    ONLINE,
    PRINT,
    PROGRAM,
    QUALITATIVE,
    RELATIVE,
    REPLACED,
    SLIP,
    A,
    baseline,
    enhanced,
    halved,
    reward,
)
from ramify.runs.seeds import derive
from ramify.strategies.control_variates import SPREAD


def test_constants_count_half():
    """On [-1, 1] a win is 2 above a loss, on [0, 1] it is 1: v + C sqrt(...) and r + a b keep their order."""
    values = np.array([-1.0, -0.2, 0.3, 1.0])
    explored = np.sqrt(np.log(100) / np.array([40, 30, 20, 10]))
    theirs = values + 0.8 * explored
    ours = (values + 1) / 2 + halved(0.8) * explored
    assert ours == pytest.approx((theirs + 1) / 2)
    bonus = np.array([-0.9, 0.1, 0.5, 0.7])
    assert (values + 1) / 2 + A * bonus == pytest.approx((values + 0.25 * bonus + 1) / 2)
    assert A == 0.125


def test_rewards_as_printed_and_as_the_program_had_them():
    assert reward("breakthrough", RELATIVE) == "relative_bonus(k=8, a=0.125)"
    assert reward("cannon", QUALITATIVE, ONLINE) == "qualitative_bonus(k=4, online=true)"
    assert reward("amazons", BOTH) == "relative_bonus(k=2.2, a=0.125, then=qualitative_bonus(k=1.6, a=0.125))"
    assert reward("breakthrough", RELATIVE, FIXED, SLIP) == "relative_bonus(k=8, a=0.125, sign_error=true)"
    assert (
        reward("checkers", QUALITATIVE, ONLINE, PROGRAM)
        == "qualitative_bonus(k=2, online=true, sign_error=true, wait_for_samples=true, signed=true)"
    )
    assert reward("checkers", REPLACED) == "quality"
    assert reward("checkers", REPLACED, FIXED, CENTRED) == "quality(centred=true)"
    assert GAMES["pentalath"].named(PROGRAM) == 'pentalath(board="hexagon", swap=true, quality="linear")'
    assert GAMES["pentalath"].named(SLIP) == GAMES["pentalath"].rules


def test_cells_have_the_published_figures():
    limits = by_speed("chinese checkers", FIVE)
    assert limits.simulations == 70_000
    assert Cell(BOTH, "chinese checkers", limits, 1, seconds=FIVE).printed().estimate == pytest.approx(0.7)
    assert Cell(REPLACED, "amazons", limits, 1).printed() == pytest.approx((0.237, 0.2, 0.274))
    assert Cell(RELATIVE, "cannon", limits, 1, ONLINE).printed().estimate == pytest.approx(0.628)


def test_the_paper_scale_has_every_cell():
    whole = {(cell.kind, cell.game, cell.weight, cell.seconds) for cell in CELLS["paper"] if cell.limits.seconds}
    assert len(whole) == 6 * (3 * 2 * 2 + 1)
    assert {(cell.kind, cell.game, cell.weight, cell.seconds) for cell in CELLS["paper"] if cell.reading == SLIP} == {
        one for one in whole if one[0] != REPLACED
    }


@pytest.mark.parametrize("plan", CELLS)
def test_every_player_can_be_made(plan):
    made = {agent for cell in CELLS[plan] for agent in (cell.point().work.first, cell.point().work.second)}
    assert all(ramify.agent(text) for text in made)


def test_every_constant_was_among_those_tried():
    assert set(TUNED) == set(GAMES)
    assert set(TUNED.values()) <= {*quality_tuning.CONSTANTS, quality_tuning.RIVAL}


def winners_of(lengths, won):
    """The block of a bonus after these simulations, by numpy."""
    block = np.zeros(2, SPREAD)
    for player in range(2):
        mine = lengths[won == player]
        block[player] = len(mine), mine.mean(), ((mine - mine.mean()) ** 2).sum()
    return block


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_the_correlation_is_that_of_all_simulations(share):
    random = np.random.default_rng(1)
    won = (random.random(500) < share).astype(int)
    lengths = np.round(random.normal(50, 10, 500) + 4 * won)
    favourite = int(won.mean() > 0.5)
    assert correlation(winners_of(lengths, won)) == pytest.approx(np.corrcoef(lengths, won == favourite)[0, 1])


def test_games_of_the_baseline_are_as_without_counting():
    """A bonus of weight 0 changes nothing, so a trial is the game that the baseline plays."""
    plain = baseline("breakthrough", 0.5, DECISIVE)
    work = SimulationTrials("breakthrough(rows=5, columns=4)", plain, simulations=80)
    sums = work.run(7, 3, 1)
    game = ramify.load(work.game)
    data, _, _ = open_game(game, "", 2, derive(7, 3))
    plies = 0
    while not game.over(data):
        search = ramify.Search(State(game, data), plain, seed=derive(7, 3, plies))
        data = game.play(data, search.choose(Budget(simulations=80)))
        plies += 1
    assert (sums["games"], sums["plies"]) == (1, plies)
    assert 0 < sums["searches"] <= plies
    assert sums["foreseen"] > 4
    assert abs(sums["length"]["correlation"]) <= sums["searches"]
    parts = [work.run(7, trial, 1) for trial in (3, 4)]
    both = work.run(7, 3, 2)
    assert both["plies"] == sum(one["plies"] for one in parts)
    assert both["quality"]["explained"] == pytest.approx(sum(one["quality"]["explained"] for one in parts))


def test_correlations_over_games():
    chunks = {
        k: {
            "games": 1,
            "searches": k,  # the game without any counts only by its length
            "plies": 20,
            "foreseen": 30.0 + k,
            "spread": 0.25 * k,
            "length": {"correlation": -0.1 * k, "explained": 0.02 * k},
            "quality": {"correlation": 0.3 * k * k, "explained": 0.0},
        }
        for k in range(3)
    }
    found = Correlations.from_point(PointResult(Point("x", None, 3), chunks, 3))
    assert found.correlation["length"].estimate == pytest.approx(-0.1)
    assert found.correlation["quality"].estimate == pytest.approx(0.45)
    assert found.explained["length"].estimate == pytest.approx(0.02)
    assert found.spread.estimate == pytest.approx(0.25)
    assert found.ratio.estimate == pytest.approx(31 / 20)
    assert found.length_errors.tolist() == pytest.approx([0.5, 0.55, 0.6])


def test_players_differ_in_the_reward_alone():
    for cell in CELLS["quick"]:
        work = cell.point().work
        assert work.first == enhanced(work.second, reward(cell.game, cell.kind, cell.weight, cell.reading))
        assert work.second.startswith(f"mcts(select=ucb1(c={TUNED[cell.game]})")
        assert cell.reading == PRINT or cell.how
