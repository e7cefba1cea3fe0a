"""Round robins of policies that move at once: the games, averages and intervals."""

import math

import numpy as np
import pytest

import ramify
from ramify.agents.agent import expand_preset
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework import published
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames
from ramify.experiments.papers.perick_2012.policies import PAIRS, POLICIES
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin
from ramify.grammar import parse

SMALL = "tron(rows=5, columns=5)"


def work(first="tron_ucb1", second="tron_random", game=SMALL):
    return DecisiveGames(game, first, second, PlayerLimits(simulations=20))


def test_as_many_games_as_trials_are_decisive():
    sums = work().run(3, 0, 12)
    assert sums["wins"] + sums["losses"] == 12
    assert sums["given_up"] == 0
    assert sums["draws"] > 0
    assert sums["wins"] > sums["losses"]


def test_trials_do_not_depend_on_how_they_are_cut():
    whole = work().run(3, 0, 6)
    parts = [work().run(3, first, 2) for first in (4, 0, 2)]
    assert whole == {name: sum(part[name] for part in parts) for name in whole}


def test_swapped_agents_lose_what_they_won():
    """Agents that are alike: trial by trial, who wins depends on the seat alone."""
    one, other = (
        work("tron_ucb1", "mcts(select=ucb1(c=1.8761663039293719), playout=heuristic)").run(5, k, 1) for k in (0, 1)
    )
    assert {one["wins"], one["losses"]} == {other["wins"], other["losses"]} == {0, 1}


def test_scripts_play_too_and_other_programs_do_not():
    assert work("tron_random", "scripted").run(1, 0, 4)["losses"] >= 3
    with pytest.raises(ramify.RamifyError, match="is an external engine: use an agent"):
        work("uct", 'external(cmd="cat")').run(1, 0, 1)
    with pytest.raises(ramify.RamifyError, match="has no script"):
        work("uct", "scripted", "goofspiel(cards=3)").prepare()


def test_chance_has_dice_of_its_own():
    sums = work("tron_ucb1(playout=uniform)", "tron_random(playout=uniform)", "goofspiel(cards=4)").run(1, 0, 5)
    assert sums["wins"] + sums["losses"] == 5


def robin(share, games=100):
    wins = {pair: round(games * share(*pair)) for pair in PAIRS}
    return RoundRobin(wins, dict.fromkeys(PAIRS, games), dict.fromkeys(PAIRS, 25))


def printed():
    rows = {row["policy"]: row for row in published.table("tron_table2")}
    return lambda first, second: float(rows[first][second]) / 100


def test_averages_are_means_of_rows():
    found = robin(printed(), games=10_000)
    assert found.average("ucb1_tuned").estimate == pytest.approx(0.792, abs=5e-4)  # the paper prints 0.8511
    for name in POLICIES:
        scores = [found.score(name, other).estimate for other in POLICIES if other != name]
        assert found.average(name).estimate == pytest.approx(np.mean(scores))
    assert found.ranked()[0] == "ucb1_tuned"
    assert found.decisive("pbbm") == pytest.approx(10_000 / 10_025)
    assert np.nansum(found.matrix()) == pytest.approx(66)


def test_intervals_of_averages_cover_as_often_as_they_say():
    """Binomial games: the interval of an average, and of a lead, against what is true."""
    random = np.random.default_rng(5)
    truth = {pair: random.uniform(0.1, 0.9) for pair in PAIRS}
    exact = RoundRobin(
        {p: round(1e6 * s) for p, s in truth.items()}, dict.fromkeys(PAIRS, 10**6), dict.fromkeys(PAIRS, 0)
    )
    wanted = [exact.average("ucb1").estimate, exact.lead("moss", "ucb1").estimate]
    hits = np.zeros(2)
    for _ in range(400):
        wins = {pair: int(random.binomial(20, chance)) for pair, chance in truth.items()}
        made = RoundRobin(wins, dict.fromkeys(PAIRS, 20), dict.fromkeys(PAIRS, 0))
        for k, one in enumerate((made.average("ucb1"), made.lead("moss", "ucb1"))):
            hits[k] += one.low <= wanted[k] <= one.high
    assert ((hits / 400 > 0.92) & (hits / 400 < 0.985)).all(), hits


def test_ratings_follow_strength():
    order = list(POLICIES)
    found = robin(lambda a, b: 1 / (1 + math.exp((order.index(a) - order.index(b)) / 3)))
    assert list(found.ratings().players) == order == found.ranked()
    heads = found.averages("title", dict.fromkeys(POLICIES, "-")).lines()
    assert max(len(line) for line in (*heads, *found.table("title").lines())) <= 80


@pytest.mark.parametrize("name", POLICIES)
def test_presets_are_the_constants_of_table_one(name):
    row = next(one for one in published.table("tron_table1") if one["policy"] == name)
    for tuned in ("reference", "tuned"):
        values = [float(part.split("=")[1]) for part in row[tuned].split()]
        preset = f"tron_{name}(tuned={str(tuned == 'tuned').lower()})"
        select = dict(expand_preset(parse(preset)).arguments)["select"]
        constants = [value for _, value in select.arguments if isinstance(value, float)]
        given = [value ** (2 if name == "ucb1" else 1) for value in constants]
        assert given == pytest.approx(values)
    agent = ramify.agent(preset)
    assert agent.deviation == "children"
    assert str(agent.playout.title()).startswith("heuristic")


def test_presets_refuse_what_they_do_not_know():
    with pytest.raises(ramify.RamifyError, match="must be true or false"):
        ramify.agent("tron_ucb1(tuned=3)")
    with pytest.raises(ramify.RamifyError, match="'value'"):
        ramify.agent("tron_ucb1(value=mean)")
