"""Each policy against a NumPy transcription of its formula, on thousands of statistics."""

import math
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import bandits
from ramify.core.numbers.draws import argmax, betas, proportional
from ramify.core.numbers.rng import below, uniform
from ramify.strategies.policy.registry import policies
from tests.strategies import transcription
from tests.strategies.node import Node

INDEX = {
    "ucb1": [{}, {"c": 1.876}, {"c": 0.0}],
    "ucb1_tuned": [{}],
    "ucb_v": [{}, {"c": 1.68, "z": 0.54}],
    "ucb_minimal": [{}, {"c1": 8.4, "c2": 1.8}],
    "ucb_sqrt": [{}, {"c": 0.35}],
    "moss": [{}, {"as_printed": True}],
    "round_robin": [{}],
    "sufficiency": [{}, {"c": 0.7, "alpha": 0.3}],
}
WEIGHTS = [{}, {"value": "total"}, {"floor": True}]
STOCHASTIC = {"omc_stochastic": WEIGHTS, "pbbm": WEIGHTS}


def text(name, constants):
    inside = ", ".join(f"{key}={str(value).lower()}" for key, value in constants.items())
    return f"{name}({inside})" if inside else name


def cases(table):
    return [pytest.param(name, constants, id=text(name, constants)) for name in table for constants in table[name]]


@st.composite
def statistics(draw, least=1):
    """Visits, means and sums of squares of some arms, the odd ones well represented."""
    count = draw(st.integers(1, 9))
    visits = draw(st.lists(st.sampled_from([least, 1, 1, 2, 3, 17, 400, 10**6]), min_size=count, max_size=count))
    level = st.sampled_from([0.0, 1.0, 0.5]) | st.floats(0.0, 1.0)
    means = np.array(draw(st.lists(level, min_size=count, max_size=count)))
    share = np.array(draw(st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0), min_size=count, max_size=count)))
    return squared(np.array(visits), means, share)


def squared(visits, means, share):
    """With a variance of that share of the largest there can be."""
    return visits, means, visits * (means**2 + share * means * (1.0 - means))


def bulk(name, count=150):
    """Many random statistics of plausible searches."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(count):
        arms = random.integers(1, 40)
        visits = random.integers(1, random.choice([3, 30, 3000, 10**6]), arms, endpoint=True)
        wins = random.binomial(visits, random.random(arms))
        means = wins / visits
        yield squared(visits, means, np.where(random.random() < 0.5, 1.0, random.random(arms)))


def check_index(name, constants, sample):
    node = Node(text(name, constants), *sample)
    taken = node.choose()
    expected = getattr(transcription, name)(
        node.N, len(node.visits), node.visits, node.means, node.deviations, **constants
    )
    np.testing.assert_allclose(node.scratch[: len(expected)], expected, rtol=1e-11, atol=1e-13)
    assert expected[taken] >= expected.max() - 1e-11 * max(1.0, abs(expected.max()))


@pytest.mark.parametrize(("name", "constants"), cases(INDEX))
def test_index(name, constants):
    @settings(max_examples=60, deadline=None)
    @given(statistics())
    def check(sample):
        check_index(name, constants, sample)

    check()
    for sample in bulk(text(name, constants)):
        check_index(name, constants, sample)


@pytest.mark.parametrize("constants", WEIGHTS, ids=str)
def test_omc(constants):
    def check(sample):
        node = Node(text("omc", constants), *sample)
        taken = node.choose()
        expected = transcription.omc(node.N, 0, node.visits, node.means, node.deviations, **constants)
        assert expected[taken] >= expected.max() * (1.0 - 1e-11)

    settings(max_examples=80, deadline=None)(given(statistics())(check))()
    for sample in bulk(text("omc", constants)):
        check(sample)


@pytest.mark.parametrize("name", ["omc", "omc_stochastic"])
def test_an_arm_that_lost_its_first_playout(name):
    """It is not tried again while there is a better one, but with Coulom's floor it is."""
    chances = [0.5, 0.9]
    for floor, pulled in (("false", False), ("true", True)):
        runs = bandits.run(bandits.bernoulli(chances), f"{name}(floor={floor})", pulls=200, tasks=60, seed=1)
        lost = [
            number
            for number in range(60)
            if [bandits.bernoulli(chances).task(seed=1, number=number).pull(k) for k in range(2)] == [0.0, 1.0]
        ]
        assert len(lost) > 10
        assert {bool(runs.pulls[number, 0] > 1) for number in lost} == {pulled}


def draw_again(node, count):
    """The generator as the kernel will find it, and a function on a copy of it."""
    rng = node.rng.copy()

    def call(function, *arguments):
        with np.errstate(over="ignore"):
            return function(rng, *arguments)

    return call


@pytest.mark.parametrize(("name", "constants"), cases(STOCHASTIC))
def test_drawn_by_weight(name, constants):
    def check(sample):
        node = Node(text(name, constants), *sample)
        count = len(node.visits)
        again = draw_again(node, count)
        taken = node.choose()
        weights = node.scratch[:count]
        expected = getattr(transcription, name)(node.N, count, node.visits, node.means, node.deviations, **constants)
        np.testing.assert_allclose(weights / weights.sum(), expected, rtol=1e-10, atol=1e-14)
        assert taken == again(proportional, weights, count)

    settings(max_examples=60, deadline=None)(given(statistics())(check))()
    for sample in bulk(text(name, constants)):
        check(sample)


@pytest.mark.parametrize("c", [0.0, 3.0])
def test_kl_ucb(c):
    def check(sample):
        node = Node(f"kl_ucb(c={c})", *sample)
        taken = node.choose()
        expected = transcription.kl_ucb(node.N, 0, node.visits, node.means, None, c)
        assert expected[taken] >= expected.max() - 1e-9
        computed = node.scratch[: len(expected)]
        solved = computed > -np.inf
        np.testing.assert_allclose(computed[solved], expected[solved], atol=1e-9)

    settings(max_examples=80, deadline=None)(given(statistics())(check))()
    for sample in bulk(f"kl {c}"):
        check(sample)


@settings(max_examples=100, deadline=None)
@given(statistics(least=0), st.floats(0.0, 3.0))
def test_ucb1_parent_sees_arms_never_visited(sample, c):
    visits, means, _ = sample
    node = Node(f"ucb1_parent(c={c})", visits, means)
    expected = transcription.ucb1_parent(max(node.N, 1), 0, visits, node.means, None, c)
    np.testing.assert_allclose(node.indices(), expected, rtol=1e-12)


@settings(max_examples=100, deadline=None)
@given(statistics(least=0), st.floats(0.0, 3.0), st.floats(0.0, 1.0))
def test_puct_sees_arms_never_visited(sample, c, fpu):
    visits, means, _ = sample
    priors = np.linspace(1.0, 2.0, len(visits)).astype(np.float32)
    node = Node(f"puct(c={c}, fpu={fpu})", visits, means, priors=priors)
    expected = transcription.puct(max(node.N, 1), 0, visits, node.means, None, c, fpu, priors.astype(float))
    np.testing.assert_allclose(node.indices(), expected, rtol=1e-12)


@settings(max_examples=150, deadline=None)
@given(statistics(least=0), st.sampled_from([0.0, 0.7, 3.0]), st.sampled_from([0.0, 1.0, 20.0]))
def test_progressive_bias_sees_arms_never_visited(sample, c, weight):
    visits, means, _ = sample
    priors = np.linspace(1.0, 2.0, len(visits)).astype(np.float32)
    node = Node(f"progressive_bias(c={c}, weight={weight})", visits, means, priors=priors, fpu=0.6)
    expected = transcription.progressive_bias(
        max(node.N, 1), 0, visits, node.means, None, c, weight, 0.6, priors.astype(float)
    )
    np.testing.assert_allclose(node.indices(), expected, rtol=1e-12)


@settings(max_examples=100, deadline=None)
@given(statistics(), st.sampled_from([0.0, 0.7, 3.0]), st.sampled_from([0.3, 1.0, 4.0]))
def test_progressive_widening_is_ucb1_of_the_first_arms(sample, c, factor):
    visits, means, _ = sample
    node = Node(f"progressive_widening(c={c}, factor={factor})", visits, means)
    most = max(1, min(len(visits), int(factor * np.sqrt(max(node.N, 1)))))
    expected = transcription.ucb1(max(node.N, 1), 0, visits[:most], node.means[:most], None, c)
    assert expected[node.choose()] == pytest.approx(expected.max())


@pytest.mark.parametrize("fpu", [10_000.0, 0.5, -np.inf])
def test_round_robin_begins_with_arms_never_visited(fpu):
    assert {Node("round_robin", [3, 0, 1, 0], fpu=fpu).choose() for _ in range(9)} <= {1, 3}
    assert Node("round_robin", [3, 2, 1, 4], fpu=fpu).choose() == 2


@settings(max_examples=200, deadline=None)
@given(
    statistics(least=0),
    st.lists(st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0), min_size=9, max_size=9),
    st.sampled_from([(50.0, 1.0), (0.0, 0.1), (7.0, 0.0)]),
)
def test_gumbel(sample, weights, constants):
    visits, means, _ = sample
    weights = np.array(weights[: len(visits)]) + 1e-6
    priors = (weights / weights.sum()).astype(np.float32)
    node = Node("gumbel(c_visit={}, c_scale={})".format(*constants), visits, means, priors=priors)
    expected = transcription.gumbel(visits, node.means, priors.astype(float), *constants)
    np.testing.assert_allclose(node.indices(), expected, atol=1e-9)


def test_gumbel_takes_the_highest_prior_first_and_survives_priors_of_0():
    assert Node("gumbel", [0, 0, 0], priors=[0.2, 0.5, 0.3]).choose() == 1
    assert Node("gumbel", [5, 5], [1.0, 0.0], priors=[0.0, 1.0]).choose() in (0, 1)


@pytest.mark.parametrize("constants", [{}, {"c": 0.8, "d": 0.12}, {"eps": 0.5}, {"eps": 0.0}])
def test_epsilon_greedy(constants):
    for sample in bulk(f"greedy {constants}", 300):
        node = Node(text("epsilon_greedy", constants), *sample)
        count = len(node.visits)
        again = draw_again(node, count)
        c, d = constants.get("c", 1.0), constants.get("d", 1.0)
        eps = constants.get("eps", min(1.0, c * count / (d**2 * node.N)))
        even = again(uniform) < eps
        expected = again(below, count) if even else again(argmax, node.means, count)
        assert node.choose() == expected


def test_moss_as_printed_selects_the_best_mean():
    for visits, means, squares in bulk("moss as printed", 40):
        node = Node("moss(as_printed=true)", visits, means, squares)
        assert node.means[node.choose()] == node.means.max()


@pytest.mark.parametrize("constants", [{}, {"c1": 9.6, "c2": 1.32}, {"as_printed": True}])
def test_thompson(constants):
    c1, c2 = constants.get("c1", 1.0), constants.get("c2", 1.0)
    for visits, means, squares in bulk(f"thompson {constants}", 40):
        node = Node(text("thompson", constants), visits, means, squares)
        again = draw_again(node, len(visits))
        m, n = node.means, node.visits
        draws = np.zeros(len(n))
        trials = node.N if constants.get("as_printed") else n
        again(betas, c1 + m * trials, c2 + np.maximum(n - m * n, 0.0), draws, len(n))
        assert node.choose() == int(np.argmax(draws))
        np.testing.assert_array_equal(node.scratch[: len(n)], draws)


def test_random_is_even():
    node = Node("random", [5, 0, 9])
    counts = np.bincount([node.choose() for _ in range(3000)], minlength=3)
    assert abs(counts - 1000).max() < 5 * math.sqrt(3000 * 2 / 9)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.floats(0.0, 100.0) | st.sampled_from([0.0, 1e4, 1e9, 1e300]), min_size=1, max_size=9),
    st.sampled_from([0.5, 0.36, 1.0]),
    st.sampled_from([None, 0.1, 50.0]),
)
def test_exp3(weights, g, eta):
    node = Node(text("exp3", {"g": g} | ({} if eta is None else {"eta": eta})), np.zeros(len(weights)))
    node.kept("weights")[:] = weights
    again = draw_again(node, len(weights))
    taken = node.choose()
    expected = transcription.exp3(np.array(weights), g, eta)
    np.testing.assert_allclose(node.scratch[: len(weights)], expected, rtol=1e-9, atol=1e-300)
    assert taken == again(proportional, node.scratch, len(weights))
    node.credit(taken, 0.75)
    weights[taken] += 0.75 / expected[taken]
    np.testing.assert_allclose(node.kept("weights"), weights, rtol=1e-9)


@settings(max_examples=100, deadline=None)
@given(statistics(), st.lists(st.sampled_from([0.0]) | st.floats(-50.0, 50.0), min_size=9, max_size=9), st.floats(0, 1))
def test_regret_matching(sample, regrets, reward):
    node = Node("regret_matching", *sample)
    regrets = np.array(regrets[: len(node.visits)])
    node.kept("regrets")[:] = regrets
    taken = node.choose()
    np.testing.assert_allclose(
        node.scratch[: len(regrets)], transcription.regret_matching(regrets), rtol=1e-10, atol=1e-300
    )
    node.credit(taken, reward)
    gained = np.where(np.arange(len(regrets)) == taken, 0.0, node.means - reward)
    np.testing.assert_allclose(node.kept("regrets"), regrets + gained, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("decay", [1.0, 0.99, 0.5, 1e-6])
def test_discounted_ucb(decay):
    random = np.random.default_rng(3)
    node = Node(f"discounted_ucb(c=0.7, decay={decay})", np.zeros(4))
    pulls, rewards = [], []
    for _ in range(300):
        if len(set(pulls)) == 4:
            seen, gained = transcription.discounted(np.array(pulls), np.array(rewards), 4, decay)
            expected = gained / seen + 0.7 * np.sqrt(np.log(seen.sum()) / seen)
            np.testing.assert_allclose(node.indices(), expected, rtol=1e-8)
            assert expected[node.choose()] >= expected.max() * (1.0 - 1e-9)
        arm = len(pulls) if len(pulls) < 4 else int(random.integers(4))
        reward = float(random.random())
        pulls.append(arm)
        rewards.append(reward)
        node.credit(arm, reward)


@pytest.mark.parametrize("factor", [1.0, 0.4])
@pytest.mark.parametrize("orientation", ["below", "above"])
def test_sufficiency_dynamic(orientation, factor):
    """Also where a reward makes a win worth less than a draw: a win it stays, and is the whole score, not most."""
    random = np.random.default_rng(5)
    node = Node(f"sufficiency_dynamic(c=0.7, floor=0.1, orientation={orientation})", np.zeros(3))
    results, scores, differences, unplugged = [], [], [], 0
    for _ in range(400):
        arm = node.choose()
        score = random.choice([0.0, 0.5, 0.9, 1.0], p=[0.3, 0.1, 0.1, 0.5])
        reward = factor * score
        scores.append(score)
        results.append(reward)
        again = draw_again(node, 3)
        node.credit(arm, reward, score)
        given, won = np.array(results), np.array(scores) == 1.0
        wins, others = given[won], given[~won]
        expected = False
        if len(wins) and len(others):
            d = (len(others) * wins.mean() + len(wins) * others.mean()) / len(given)
            differences.append(np.nanmax(node.means) - d)
            if np.std(differences) > 0:
                z = (differences[-1] - np.mean(differences)) / np.std(differences)
                above = 0.5 * math.erfc(z / math.sqrt(2))
                chance = above if orientation == "above" else 1.0 - above
                expected = again(uniform) < min(chance, 0.9)
        unplugged += expected
        assert bool(node.memory[7]) == expected
        if (node.visits > 0).all():
            bonus = 0.0 if expected else 0.7
            np.testing.assert_allclose(
                node.indices(), node.means + bonus * np.sqrt(np.log(node.N) / node.visits), rtol=1e-12
            )
    assert 40 < unplugged < 390


EXTREMES = {"initial": 1e-9, "final": 1e-9}, {"initial": 1e15, "final": 1e15}, {"initial": 1e-15, "final": 1e18}
MIXTURES = [{}, {"final": 2.0}, {"final": 131072.0, "c": 0.0}, {"initial": 0.3, "final": 40.0, "c": 1.7}, *EXTREMES]
RAVE = {
    "rave": MIXTURES,
    "rave_max": MIXTURES,
    "rave_only": [{}, {"c": 0.0}, {"c": 2.0}],
    "rave_doubt": [*MIXTURES[:4], {"z": 0.25}, {"z": 4.0, "c": 0.0}],
    "grave": [{}, {"ref": 3.0, "c": 0.4}, *MIXTURES[1:]],
    "mc_grave": [{}, {"ref": 3.0, "bias": 0.0}, {"bias": 1.0}],
    "uct_fuego": [{}, {"c": 0.0}, {"c": 3.0}],
}


def all_moves(name, count=300):
    """n, X, S and R of some arms: S is above n as in a tree, or has nothing to do with it, as an ancestor's."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    for number in range(count):
        arms = random.integers(1, 30)
        most = random.choice([1, 3, 50, 10**4, 2 * 10**9 // arms])
        n = random.integers(1 if name.startswith(("uct", "rave_only")) else 0, most, arms, endpoint=True)
        S = n + random.integers(0, random.choice([1, 30, 10**6, 10**12]), arms, endpoint=True)
        if number % 3 == 0 and not name.startswith("rave_only"):
            S = np.where(random.random(arms) < 0.5, 0, random.random(arms) * 10.0 ** random.integers(0, 12, arms))
        level, other = (
            np.where(random.random(arms) < 0.2, random.integers(0, 2, arms), random.random(arms)) for _ in "tR"
        )
        yield n, level, S.astype(float), S * other


@pytest.mark.parametrize(("name", "constants"), cases(RAVE))
def test_rave_and_its_kin(name, constants):
    unknown = 0
    for k, (n, x, S, R) in enumerate(all_moves(text(name, constants))):
        fpu = (10_000.0, 0.6)[k % 2]
        node = Node(text(name, constants), n, x, fpu=fpu, amaf=(S, R))
        taken = node.choose()
        with np.errstate(invalid="ignore", divide="ignore"):
            expected = getattr(transcription, name)(max(node.N, 1), n, node.arms["total"], S, R, **constants)
        nothing = (n == 0) & (S == 0)
        unknown += nothing.sum()
        expected = np.where(nothing, np.inf if fpu == 10_000.0 else fpu, expected)
        np.testing.assert_allclose(node.scratch[: len(n)], expected, rtol=1e-11, atol=1e-13)
        assert expected[taken] >= expected.max() * (1.0 - 1e-11)
    assert unknown > 30 or name in ("rave_only", "uct_fuego")


def test_every_policy_is_transcribed():
    """A new policy needs a test here; names in this file count, and those of files with a test of one policy."""
    here = Path(__file__)
    others = (here.with_name("test_accelerated.py"), here.parents[1] / "oracle" / "test_progressive.py")
    source = "".join(path.read_text(encoding="utf-8") for path in (here, *others))
    assert [name for name in policies() if name not in source] == []
