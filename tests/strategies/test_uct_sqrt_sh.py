"""UCT-sqrt-SH halves at the moments of algorithm 5, and is SR+CR where it never does."""

import math
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify import bandits
from ramify.agents.search.live_root import LiveRoot

load = lru_cache(ramify.load)


def algorithm_5(K, R, rounds, k_min):
    """Lines 4 to 18 of 002: after how many simulations is k halved, and to what?"""
    moments = []
    h, k = 1, K
    for r in range(R):
        if k > k_min and r > R * h / rounds and r >= K:  # and every move has been tried
            h += 1
            k = max(k_min, k // 2)
            moments.append((r, k))
    return moments


def watched(call):
    """When ``call`` keeps fewer children, and how many."""
    moments = []
    keep = LiveRoot.keep

    def watching(root, order):
        moments.append((root.spent.simulations, len(order)))
        keep(root, order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiveRoot, "keep", watching)
        answer = call()
    return moments, answer


@pytest.mark.compiled_only
@pytest.mark.parametrize("K", [1, 2, 3, 4, 5, 7, 8, 16, 17, 30, 64, 100])
@pytest.mark.parametrize("published", [False, True])
def test_halves_at_the_stated_moments(K, published):
    rounds = max(1, math.ceil(math.log(K / math.log(2)))) if published else math.log2(K)
    for R in (1, 2, K - 1, K, K + 1, 2 * K, 97, 600, 3000):
        for k_min in (1, 4, 6):
            text = f"uct_sqrt_sh(k_min={k_min}, as_published={str(published).lower()})"
            moments, result = watched(
                lambda text=text, R=R: bandits.spend(bandits.boxes(list(np.linspace(-1, 1, K))), text, pulls=max(R, 1))
            )
            assert moments == algorithm_5(K, max(R, 1), rounds or 1, k_min), (R, k_min)
            assert result.pulls.sum() == max(R, 1)


def test_in_a_tree_and_by_calls():
    state = load("breakthrough").initial()  # 22 moves
    moments, report = watched(lambda: ramify.search(state, "mcts(allocation=uct_sqrt_sh)", simulations=2000, seed=1))
    assert moments == algorithm_5(22, 2000, math.log2(22), 4) == [(449, 11), (897, 5), (1346, 4)]
    assert report.note == "3 halvings, 4 of 22 moves left"
    moments, report = watched(lambda: ramify.search(state, "mcts(allocation=uct_sqrt_sh)", calls=130_000, seed=1))
    assert report.stopped == "calls"
    assert [count for _, count in moments] == [11, 5, 4]
    expected = [report.simulations * h / math.log2(22) for h in (1, 2, 3)]
    assert [at for at, _ in moments] == pytest.approx(expected, rel=0.02)


def nodes(agent, simulations, game="breakthrough"):
    search = ramify.Search(load(game).initial(), agent, seed=5)
    search.run(ramify.Budget(simulations=simulations))
    worker = search.workers[0]
    return worker.tree.nodes[: int(worker.counters["nodes"][0])].tobytes(), search.report().move


@pytest.mark.compiled_only
@pytest.mark.parametrize("k_min", [22, 1000])
def test_where_k_min_is_no_less_than_the_moves_it_is_sr_cr(k_min):
    plain = nodes("mcts(select_root=ucb_sqrt, select=ucb1)", 3000)
    assert nodes(f"mcts(allocation=uct_sqrt_sh(k_min={k_min}))", 3000) == plain == nodes("sr_cr", 3000)
    assert nodes("mcts(allocation=uct_sqrt_sh)", 3000) != plain


def test_half_greedy():
    agent = ramify.agent("sr_cr(root=epsilon_greedy(eps=0.5), c=0.4)")
    assert agent.select_root == ramify.agent("mcts(select_root=epsilon_greedy(eps=0.5))").select_root
    assert agent.select.constants == (("c", 0.4),)


def test_the_most_visited_of_all_moves_is_returned():
    """Of all, not only of those that are live."""
    search = ramify.Search(load("breakthrough").initial(), "mcts(allocation=uct_sqrt_sh)", seed=1)
    report = search.run(ramify.Budget(simulations=1500))
    assert len(report.children) == 22
    assert all(child.visits > 0 for child in report.children)
    assert report.move == report.children[0].move
    search.run(ramify.Budget(simulations=1))
    assert int(search.workers[0].tree.nodes["live"][0]) == 22


@pytest.mark.compiled_only
def test_waits_for_moves_that_first_play_urgency_delays():
    """The first two halvings are late, with one simulation between them; the third comes at its time."""
    agent = "mcts(allocation=uct_sqrt_sh, select_root=ucb_sqrt(c=0.1), fpu={})"
    state = load("breakthrough").initial()
    moments, _ = watched(lambda: ramify.search(state, agent.format(0.592), simulations=2000, seed=1))
    assert moments == [(1016, 11), (1017, 5), (1346, 4)]
    moments, report = watched(lambda: ramify.search(state, agent.format("-inf"), simulations=2000, seed=1))
    assert (moments, report.simulations) == ([], 2000)
    assert report.note == "0 halvings, 22 of 22 moves left"


def test_as_published():
    """On [0, 1] constants count half of what they are on [-1, 1], and ours of UCB1 has the 2 inside."""
    agent = ramify.agent("mcts(allocation=uct_sqrt_sh(as_published=true))")
    written = ramify.agent(
        "mcts(select_root=ucb_sqrt(c=0.35), select=ucb1(c=0.4949747468305832),"
        " reward=discount(factor=0.999, towards=0.5), playout=uniform(limit=600))"
    )
    for part in ("select_root", "reward", "playout", "recommend"):
        assert getattr(agent, part) == getattr(written, part)
    assert dict(agent.select.constants) == pytest.approx(dict(written.select.constants))
    assert ramify.agent("mcts(allocation=uct_sqrt_sh(as_published=true), reward=score)").reward.title() == "score"


def test_by_hand_on_boxes():
    """Without exploration the best box gets every pull after the first round; with k kept at 8, all stay in play."""
    greedy = bandits.spend(
        bandits.boxes([k / 10 for k in range(8)]), "uct_sqrt_sh", pulls=100, select_root="ucb_sqrt(c=0.0)"
    )
    assert greedy.pulls.tolist() == [[1, 1, 1, 1, 1, 1, 1, 93]]
    wide = bandits.spend(bandits.boxes([0.5] * 8), "uct_sqrt_sh(k_min=8)", pulls=80)
    assert wide.pulls.tolist() == [[10] * 8]
    # Evenly over eight in the first third, over the better four afterwards.
    halved = bandits.spend(
        bandits.boxes([0.5] * 4 + [0.6] * 4), "uct_sqrt_sh", pulls=3000, select_root="ucb_sqrt(c=2.5)"
    )
    assert halved.pulls[0][4:].sum() - halved.pulls[0][:4].sum() == pytest.approx(2000, abs=80)
