"""Quality-based rewards: constants, cells of the tables, statements, and correlations beside naive ones."""

from dataclasses import replace

import numpy as np
import pytest

import ramify
from ramify.agents.budgets.budget import Budget
from ramify.arena.matches.playing.openings import open_game
from ramify.contract.compiled_game import as_record
from ramify.contract.game import State
from ramify.experiments.framework.claims import NULL, above, below, unmeasured
from ramify.experiments.framework.estimates import share
from ramify.experiments.framework.experiment import Point, PointResult, Results
from ramify.experiments.framework.published_cells import ALIKE, UNCLEAR, shows
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.pepels_2014 import quality, quality_ggp
from ramify.experiments.papers.pepels_2014.cells import CELLS, FIVE, SLIP_CELLS, Cell, by_speed
from ramify.experiments.papers.pepels_2014.correlations import Correlations, SimulationTrials, correlation
from ramify.experiments.papers.pepels_2014.counting import at_least
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    DECISIVE,
    FIXED,
    FOLDER,
    GAMES,
    LOW_C,
    ONLINE,
    OWN_Q,
    PRINT,
    PROGRAM,
    QUALITATIVE,
    RELATIVE,
    REPLACED,
    SIGMOID,
    SLIP,
    WEIGHTED,
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
    assert reward("cannon", QUALITATIVE, ONLINE, OWN_Q) == "qualitative_bonus(k=4, online=true)"
    assert (
        reward("breakthrough", QUALITATIVE, ONLINE)
        == "qualitative_bonus(k=2, online=true, scale=2.125, offset=-1.0625)"
    )
    assert (
        reward("amazons", BOTH)
        == "relative_bonus(k=2.2, a=0.125, then=qualitative_bonus(k=1.6, a=0.125, scale=6.875, offset=-0.0625))"
    )
    assert reward("breakthrough", RELATIVE, FIXED, SLIP) == "relative_bonus(k=8, a=0.125, sign_error=true)"
    assert (
        reward("checkers", QUALITATIVE, ONLINE, PROGRAM)
        == "qualitative_bonus(k=2, online=true, sign_error=true, wait_for_samples=true, signed=true,"
        f" scale={13 / 12!r})"
    )
    assert reward("pentalath", REPLACED) == "quality(scale=1.2)"
    assert reward("pentalath", REPLACED, FIXED, SIGMOID) == "quality(k=1.6, scale=1.2)"


MARKS = {"breakthrough": ("w", "b"), "cannon": ("d", "l"), "checkers": ("bB", "wW")}  # towns do not count


def program_q(game, state, winner):
    """q of the paper's program, from the text of a finished game."""
    text, loser = state.text(), 1 - winner
    if game == "amazons":
        return sum(reach(text.split()[0].split("/")[::-1], "wb"[winner])) / 16
    counts = [sum(text.split()[0].count(mark) for mark in own) for own in MARKS[game]]
    if game == "checkers":
        return counts[winner] / 12
    return (counts[winner] - counts[loser]) / {"breakthrough": 16, "cannon": 15}[game]


def reach(rows, side):
    """How many squares each queen of a side reaches."""
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            for up, right in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]:
                far = 1
                while mark == side and 0 <= r + far * up < len(rows) and 0 <= c + far * right < len(rows):
                    if rows[r + far * up][c + far * right] != ".":
                        break
                    yield 1
                    far += 1


@pytest.mark.parametrize("game", ["amazons", "breakthrough", "cannon", "checkers"])
def test_q_is_that_of_the_program(game):
    """The affine function of our quality is the program's q. It may be negative or above 1."""
    given = ramify.agent(f"mcts(reward={reward(game, REPLACED)})").reward
    for seed in range(6):
        state = ramify.load(GAMES[game].rules).initial()
        random = np.random.default_rng(seed)
        while not state.over:
            state = state.play(random.choice(state.moves()))
        if max(state.scores()) < 1.0:
            continue
        ours = state.game.module.quality(state.game.rules, as_record(state.data))
        winner = int(np.argmax(state.scores()))
        assert given.scale * ours + given.offset == pytest.approx(program_q(game, state, winner), abs=1e-12)


def test_c_is_half_of_the_programs():
    assert [one.c for one in GAMES.values()] == [0.25, 0.5, 0.4, 0.5, 0.4, 0.4]
    assert baseline("pentalath") == (
        "mcts(select=ucb1(c=0.4), playout=mast(epsilon=0.95, initial=0.5, decay=0,"
        " over=heuristic(as_published=true)), prove=true)"
    )
    low = Cell(REPLACED, "pentalath", by_speed("pentalath", 1), 1, reading=LOW_C).point().work
    assert low.second == baseline("pentalath", c=0.1)
    assert low.first == enhanced(low.second, "quality(scale=1.2)")


@pytest.mark.parametrize("plan", CELLS)
def test_every_statement_has_at_most_one_main_cell(plan):
    main = [cell.statement for cell in CELLS[plan] if cell.main]
    assert len(set(main)) == len(main)
    assert all(cell.reading == PRINT and cell.playouts == WEIGHTED for cell in CELLS[plan] if cell.main)
    names = [(cell.statement, cell.reading_name) for cell in CELLS[plan]]
    assert len(set(names)) == len(names)
    if plan == "paper":
        sources = statements(FOLDER).sources
        cells = {name for name in sources if name.startswith(("table-1-", "table-3-", "table-4-"))}
        assert {name for name in cells if name.endswith(("-fixed", "-online", "-quality"))} == set(main)


def test_cells_are_effects_or_nulls_as_they_show():
    for cell in CELLS["paper"]:
        shown = shows(cell.printed())
        assert shown != UNCLEAR
        source = statements(FOLDER)[cell.statement]
        assert (source.kind == NULL) == (shown == ALIKE)
        assert source.figure == f"Table {cell.table}"
        assert f"{100 * cell.printed().estimate:.1f} ± " in source.says


def test_every_statement_is_tested_once_or_says_why_not():
    tested = []
    for experiment in (quality.EXPERIMENT, quality_ggp.EXPERIMENT):
        results = empty_results(experiment)
        tested += [one.source.id for one in experiment.findings(results).claims if one.source and not one.reading]
    sources = statements(FOLDER).sources
    assert sorted(tested) == sorted(name for name, one in sources.items() if not one.untested)


def empty_results(experiment):
    """Results of the scale paper, in which every pair of games was drawn."""
    scale = experiment.scale("paper")
    drawn = {"pairs": {"0.5": 2}, "games": 4, "wins": 0, "draws": 4, "losses": 0, "plies": 200}
    counted = {"games": 1, "searches": 10, "plies": 50, "foreseen": 40.0, "spread": 1.0} | {
        measure: {"correlation": 1.0, "explained": 0.5} for measure in ("length", "quality")
    }
    return Results(
        {
            point.key: PointResult(
                point, {k: counted if isinstance(point.work, SimulationTrials) else drawn for k in range(2)}, 2
            )
            for point in experiment.points_of("paper")
        },
        scale.sizes,
        "paper",
        1,
    )


def test_parts_receive_what_they_need():
    whole = quality.EXPERIMENT
    points = empty_results(whole)
    titles = [one.title for one in whole.findings(points).exhibits]
    for part in whole.all_parts():
        needed = {key: found for key, found in points.points.items() if part.needs(key)}
        assert 0 < len(needed) < len(points)
        (exhibit,) = part.findings(replace(points, points=needed)).exhibits
        assert exhibit.title in titles


@pytest.mark.parametrize(
    ("right", "wrong", "open_", "verdict"),
    [(5, 0, 1, True), (5, 1, 0, True), (4, 1, 1, None), (4, 0, 2, None), (4, 2, 0, False), (0, 2, 4, False)],
)
def test_at_least_five_of_six(right, wrong, open_, verdict):
    cases = [[above(share(95, 100), 0.5)]] * right + [[above(share(5, 100), 0.5)]] * wrong
    assert at_least(5, [*cases, *[[above(share(50, 100), 0.5)]] * open_]).holds is verdict
    assert at_least(5, [*cases, *[[]] * open_]).holds is verdict
    assert at_least(5, [*cases, *[[unmeasured("no games")]] * open_]).holds is verdict


def test_cases_of_several_tests():
    good, bad = above(share(95, 100), 0.5), below(share(95, 100), 0.5)
    assert at_least(1, [[good, bad]]).holds is False
    assert at_least(1, [[good, bad]], either=True).holds is True
    assert at_least(1, [[bad, bad]], either=True).holds is False
    near = above(share(60, 100), 0.5)  # with 95 %, but not with 99.5 %
    assert at_least(1, [[near]]).holds is True
    assert at_least(1, [[near], *[[bad]] * 9]).holds is None


def test_cells_have_the_published_figures():
    limits = by_speed("chinese checkers", FIVE)
    assert limits.simulations == 70_000
    assert Cell(BOTH, "chinese checkers", limits, 1, seconds=FIVE).printed().estimate == pytest.approx(0.7)
    assert Cell(REPLACED, "amazons", limits, 1).printed() == pytest.approx((0.237, 0.2, 0.274))
    assert Cell(RELATIVE, "cannon", limits, 1, ONLINE).printed().estimate == pytest.approx(0.628)


def test_the_paper_scale_has_every_cell():
    def column(cells):
        return {(cell.kind, cell.game, cell.weight, cell.seconds) for cell in cells}

    whole = column(cell for cell in CELLS["paper"] if cell.limits.seconds)
    assert len(whole) == 6 * (3 * 2 * 2 + 1)
    assert column(cell for cell in CELLS["paper"] if cell.main) == whole
    bonuses = {one for one in whole if one[0] != REPLACED}
    assert column(cell for cell in CELLS["paper"] if cell.reading == SLIP) == bonuses


@pytest.mark.parametrize("plan", CELLS)
def test_every_player_can_be_made(plan):
    made = {agent for cell in CELLS[plan] for agent in (cell.point().work.first, cell.point().work.second)}
    assert all(ramify.agent(text) for text in made)


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
    plain = baseline("breakthrough", DECISIVE)
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
        assert work.second.startswith(f"mcts(select=ucb1(c={0.1 if cell.reading == LOW_C else GAMES[cell.game].c})")
        assert cell.reading == PRINT or cell.how
    assert all(set(cells) <= set(CELLS[plan]) for plan, cells in SLIP_CELLS.items())
