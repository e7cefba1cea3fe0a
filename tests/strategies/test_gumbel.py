"""Gumbel at the root against a slow transcription, and its schedule against that of the paper's authors."""

import math
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify import bandits
from tests.oracle.naive import Generator
from tests.processes import ROOT
from tests.strategies import transcription

load = lru_cache(ramify.load)
RACE = f"{ROOT}/tests/strategies/toy_race.py"


def considered_visits(m, n):
    """How many visits the move to take has had, simulation by simulation: the authors' schedule."""
    if m <= 1:
        return list(range(n))
    sequence, visits, k = [], [0] * m, m
    while len(sequence) < n:
        for _ in range(max(1, n // (math.ceil(math.log2(m)) * k))):
            sequence += visits[:k]
            visits = [count + 1 for count in visits[:k]] + visits[k:]
        k = max(2, k // 2)
    return sequence[:n]


def halved(prizes, priors, n, considered, seed, c_visit=50.0, c_scale=1.0):
    """Visits of boxes, and the one chosen, one simulation after the other: the moves of highest score come first.

    A phase begins when a move is taken again that has been visited the most; its moves are chosen there.
    """
    K = len(prizes)
    rng = Generator(0)
    rng.state = seed
    g = [-math.log(-math.log(rng.uniform())) for _ in range(K)]
    logits = np.log(priors)
    m = min(considered, n, K)
    drawn = np.array(g) + logits
    N, live = np.zeros(K, int), set(np.argsort(-drawn, kind="stable")[:m])

    def score(k):
        return drawn[k] + (c_visit + N.max()) * c_scale * prizes[k] * (N[k] > 0)

    left, k = n, m
    while left:
        each = max(1, n // (max(1, math.ceil(math.log2(m))) * k))
        for _ in range(each):
            if left < len(live):
                live = set(sorted(live, key=score, reverse=True)[:left])
            for move in live:
                N[move] += 1
                left -= 1
            if not left:
                break
        if left:
            k = max(min(2, m), k // 2)
            live = set(sorted(live, key=score, reverse=True)[:k])
    return N, max(live, key=score)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 16, 17, 31, 50, 200, 1001])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 8, 13, 16])
def test_visits_are_those_of_the_schedule(m, n):
    result = bandits.spend(bandits.boxes(list(np.linspace(-1, 1, 20))), f"gumbel(considered={m})", pulls=n, seed=1)
    assert result.pulls.sum() == n
    sequence = considered_visits(min(m, n), n)
    for level in range(max(sequence) + 1):
        assert (result.pulls[0] > level).sum() == sequence.count(level)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("n", "considered"), [(1, 16), (7, 4), (40, 8), (200, 16), (333, 5)])
def test_against_a_transcription(n, considered, seed):
    random = np.random.default_rng(seed)
    prizes = random.random(12)
    priors = np.float32(random.random(12) + 0.01).astype(float)
    priors /= priors.sum()
    bandit = bandits.boxes(list(prizes), 0.0, 1.0).with_priors(list(priors))
    hand = bandits.allocations.BanditRoot(
        bandit, ramify.agent(f"mcts(allocation=gumbel(considered={considered}, c_visit=3))")
    )
    bandits.engine.begin_task(
        hand.table,
        hand.memory.memory,
        hand.memory.policy_memory,
        bandits.allocations.POLICY_MEMORY,
        bandits.bandit.seed_word(seed),
        0,
    )
    state = int(hand.rng[0])
    chosen = hand.spend(ramify.Budget(simulations=n), seed, 0)
    visits, best = halved(prizes, np.float32(priors).astype(float), n, considered, state, c_visit=3.0)
    assert hand.pulls.tolist() == visits.tolist()
    assert chosen == best


def test_below_the_root_the_improved_policy_chooses():
    """In every node below the root: what was chosen last was of highest index before, by the transcription."""
    search = ramify.Search(load(f"{RACE}(goal=4)").initial(), "mcts(allocation=gumbel)", seed=1)
    search.run(ramify.Budget(simulations=60))
    tree, checked = search.workers[0].tree, 0
    for _ in range(300):
        before = tree.nodes[: int(search.workers[0].counters["nodes"][0])].copy()
        search.workers[0].runner.spend(ramify.Budget(simulations=1))
        for number in range(1, len(before)):
            node = before[number]
            first, live = int(node["first"]), int(node["live"])
            if first < 0 or node["mover"] < 0 or tree.nodes["visits"][number] == node["visits"]:
                continue
            children = before[first : first + live]
            with np.errstate(invalid="ignore"):
                index = transcription.gumbel(
                    children["visits"], children["total"] / children["visits"], children["chance"].astype(float)
                )
            taken = np.flatnonzero(tree.nodes["visits"][first : first + live] - children["visits"])
            assert len(taken) == 1
            assert index[taken[0]] >= index.max() - 1e-9
            checked += 1
    assert checked > 300


def test_the_games_priors_decide_who_is_considered():
    """Of two moves one has three quarters of the prior; what is drawn follows it, whatever policy is below."""
    for select in ("gumbel", "ucb1"):
        agent = f"mcts(allocation=gumbel(considered=1), select={select})"
        state = load(RACE).initial()
        first = [str(ramify.search(state, agent, simulations=1, seed=seed).move) for seed in range(300)]
        priors = dict(zip(map(str, state.moves()), root_priors(state, agent), strict=True))
        for move, prior in priors.items():
            assert abs(first.count(move) / 300 - prior) < 4 * math.sqrt(prior * (1 - prior) / 300)


def root_priors(state, agent):
    search = ramify.Search(state, agent, seed=1)
    search.workers[0].runner.expand_root()
    nodes = search.workers[0].tree.nodes
    found = nodes["chance"][search.workers[0].tree.children()].tolist()
    assert sum(found) == pytest.approx(1.0)
    return found


def test_same_seed_same_tree_and_another_with_another():
    def moves(seed):
        report = ramify.search(load("breakthrough").initial(), "mcts(allocation=gumbel)", simulations=100, seed=seed)
        return [(str(child.move), child.visits, str(child.value)) for child in report.children], str(report.move)

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_strategies_that_it_brings():
    made = ramify.agent("mcts(allocation=gumbel(c_visit=20, c_scale=0.1))")
    assert (made.select_root.name, made.select.name) == ("round_robin", "gumbel")
    assert made.select.constants == (("c_visit", 20.0), ("c_scale", 0.1))
    with pytest.raises(ramify.RamifyError, match="'considered' must be at least 1, not 0"):
        ramify.agent("mcts(allocation=gumbel(considered=0))")
