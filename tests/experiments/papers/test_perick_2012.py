"""Round robins of policies that move at once: the games, averages and intervals."""

import math

import numpy as np
import pytest

import ramify
from ramify.agents.agent import expand_preset
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework import published
from ramify.experiments.framework.registry import experiment
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.perick_2012 import printed_table, ranking
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
    return lambda first, second: printed_table.printed_share(first, second).estimate


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


def test_what_does_not_fit_in_the_printed_table():
    assert printed_table.unequal_sums() == [
        ("ucb_minimal", "thompson"),
        ("exp3", "omc_deterministic"),
        ("ucb_v", "omc_stochastic"),
    ]
    assert [pair for pair in PAIRS if printed_table.contradictory(*pair)] == [("ucb_v", "omc_stochastic")]
    assert {"ucb1_tuned", "exp3"} <= set(printed_table.odd_averages())
    assert "ucb1" not in printed_table.odd_averages()
    assert ("omc_deterministic", "exp3") in printed_table.odd_widths()  # 11.72 has the half-width of 31.72
    assert ("exp3", "omc_deterministic") not in printed_table.odd_widths()
    assert printed_table.losses_to_stochastic("omc_deterministic") == printed_table.losses_to_stochastic("ucb_v") == 3
    assert printed_table.circular_triads() == 16
    assert max(len(line) for line in printed_table.consistency().lines()) <= 100


def test_every_pair_of_table_two_is_a_statement():
    read = statements("perick_2012")
    for first, second in PAIRS:
        source = read[f"table-2-{first}-{second}".replace("_", "-")]
        share = printed_table.printed_share(first, second)
        assert f"wins {100 * share.estimate:.2f} ± {100 * (share.high - share.estimate):.2f} %" in source.says
        assert (source.kind == "null") == (share.low <= 0.5 <= share.high)
        assert bool(source.untested) == printed_table.contradictory(first, second)


def row_means():
    return {name: printed_table.row_mean(name) for name in POLICIES}


def test_agreement_with_the_printed_ranking():
    same = ranking.agreement(robin(printed(), 10_000), row_means())
    assert same.estimate == pytest.approx(1.0)
    assert same.low > 0.95
    upside_down = ranking.agreement(robin(lambda a, b: 1 - printed()(a, b), 10_000), row_means())
    assert upside_down.estimate == pytest.approx(-1.0)
    even = ranking.agreement(robin(lambda *_: 0.5, 100), row_means())  # all ranks are equal
    assert even.estimate == 0.0
    assert even.low < -0.2 < 0.2 < even.high
    lead = ranking.difference(robin(printed(), 10_000), robin(lambda *_: 0.5, 100), row_means())
    assert lead.estimate == pytest.approx(1.0)
    assert lead.low > 0.0


def test_equal_averages_share_a_rank():
    averages = np.array([0.9, 0.5, 0.5, 0.1])
    assert ranking.correlation(averages, [4, 3, 2, 1]) == pytest.approx(np.sqrt(0.9))
    assert ranking.correlation(np.array([averages, averages[::-1]]), [4, 2, 2, 1])[1] == pytest.approx(-1.0)


@pytest.mark.parametrize("games", [1, 5, 20])
def test_intervals_of_agreement_cover_at_least_as_often_as_they_say(games, monkeypatch):
    """Binomial games of policies some of which are nearly equal, where a plain bootstrap covers too seldom."""
    monkeypatch.setattr(ranking, "RESAMPLES", 200)
    random = np.random.default_rng(games)
    strengths = dict(zip(POLICIES, (1.5, 1.0, 1.2, 0.41, 0.43, 0.9, 0.4, -1.2, 0.8, -1.4, -1.5, -6), strict=True))
    truth = np.array([1 / (1 + math.exp(strengths[b] - strengths[a])) for a, b in PAIRS])
    wanted = ranking.correlation(ranking.averages(truth), list(row_means().values()))
    hits = 0
    for seed in range(100):
        wins = dict(zip(PAIRS, random.binomial(games, truth), strict=True))
        one = ranking.agreement(
            RoundRobin(wins, dict.fromkeys(PAIRS, games), dict.fromkeys(PAIRS, 0)), row_means(), seed
        )
        hits += one.low <= wanted <= one.high
    assert hits >= 89


def test_parts_need_their_own_points():
    keys = [point.key for point in experiment("tron").points_of("quick")]
    needed = {
        name: [key for key in keys if experiment(f"tron-{name}").needs(key)]
        for name in ("heuristic", "table-2", "ranking", "readings")
    }
    assert [len(found) for found in needed.values()] == [4, 66, 4 * 66, 22]
    assert set(needed["table-2"]) < set(needed["ranking"])
    assert set(keys) == {key for found in needed.values() for key in found}
    tuning = [point.key for point in experiment("tron-tuning").points_of("quick")]
    assert sum(map(experiment("tron-tuning-table-1").needs, tuning)) == 6
    assert all(map(experiment("tron-tuning-figure-2").needs, tuning))


def test_the_rival_of_the_heuristic_is_read_in_two_ways():
    works = {
        point.key: point.work for point in experiment("tron").points_of("quick") if point.key.startswith("heuristic")
    }
    assert {(one.first, one.second) for one in works.values()} == {
        (f"tron_ucb1({tuned}playout=heuristic)", f"tron_ucb1({tuned}playout={playout})")
        for tuned in ("", "tuned=false, ")
        for playout in ("reckless", "uniform")
    }
