"""The compiled loop of joint moves and the naive one grow the same tree from the same seed."""

import numpy as np
import pytest

import ramify
from ramify import CHANCE, EVERYBODY
from ramify.agents.worker import Worker
from ramify.strategies.policy import registry as selection
from tests import toys
from tests.oracle import naive_simultaneous as naive
from tests.oracle.naive import Generator
from tests.oracle.test_engine import compare as compare_sequential

POLICIES = (
    *("ucb1", "ucb1_tuned", "ucb_v", "ucb_minimal", "moss", "omc", "omc_stochastic", "pbbm", "random"),
    *("epsilon_greedy", "thompson", "exp3", "regret_matching", "sufficiency", "kl_ucb"),
)
GAMES = (
    'matrix(kind="biased")',
    "rock_paper_scissors",
    "auction",
    "harvest(players=1)",
    "harvest",
    "harvest(players=3)",
)


def chosen(text):
    """A policy and its constants as plain numbers."""
    found = selection.chosen(ramify.grammar.parse(text))
    return found.policy, {name: np.nan if value is None else value for name, value in found.constants}


def searches(state, text, seed=1, *, threshold=1, fpu=10_000.0, deviation="pooled", player=None, playout="uniform"):
    """The same search in both forms."""
    agent = ramify.agent("mcts", select=text, fpu=fpu, expand_threshold=threshold, deviation=deviation, playout=playout)
    fast = ramify.Search(state, agent, seed=seed, player=player)
    policy, constants = chosen(text)
    own = {"player": max(state.to_move, 0) if player is None else player, "heuristic": "heuristic" in playout}
    own["limit"] = agent.playout.limit
    slow = naive.Search(state, seed, policy, constants, fpu, threshold, deviation=deviation, **own)
    return fast, slow


def compare(state, simulations, text="ucb1", seed=1, **settings):
    fast, slow = searches(state, text, seed, **settings)
    fast.run(ramify.Budget(simulations=simulations))
    slow.run(simulations)
    assert_equal_trees(fast.workers[0], slow)
    return fast, slow


def assert_equal_trees(worker: Worker, slow: naive.Search) -> None:
    """Every position, every player's moves there, everything that policies keep of these, and every joint child."""
    nodes = worker.tree.nodes
    waiting = [(0, slow.root, "root", 0)]
    while waiting:
        at, node, where, whose = waiting.pop()
        assert int(nodes["visits"][at]) == node.visits, where
        if at:
            assert float(nodes["total"][at]) == node.totals[whose], where
        if not node.expanded:
            assert nodes["first"][at] == -1, where
            continue
        if node.over:
            assert nodes["first"][at] == -2, where
            continue
        assert nodes["mover"][at] == node.mover, where
        first = int(nodes["first"][at])
        if node.mover == CHANCE:
            assert nodes["chance"][first : first + len(node.names)].tolist() == [one.chance for one in node.outcomes]
            waiting += [(first + k, child, f"{where} {node.names[k]}", 0) for k, child in enumerate(node.outcomes)]
        elif node.mover == EVERYBODY:
            assert_equal_joint(worker, slow, at, node, where, waiting)
        else:
            (seat,) = node.seats.values()
            assert_equal_arms(worker, slow, at, seat, where)
            for k, move in enumerate(seat.moves):
                child = node.children.get((k,), naive.Node(totals=[0.0] * slow.players))
                waiting.append((first + k, child, f"{where} {move}", node.mover))
    for counter in ("simulations", "calls", "deepest", "cut"):
        assert int(worker.counters[counter][0]) == getattr(slow, counter), counter
    assert int(worker.rng[0]) == slow.rng.state


def assert_equal_joint(worker, slow, at, node, where, waiting):
    nodes = worker.tree.nodes
    first = int(nodes["first"][at])
    for player, seat in node.seats.items():
        assert nodes["visits"][first + player] == node.visits, where
        assert_equal_arms(worker, slow, first + player, seat, f"{where} player {player}")
    found = dict(worker.tree.moves(at))
    codes = {tuple(node.seats[p].moves[k].code for p, k in enumerate(key)): key for key in node.children}
    assert found.keys() == codes.keys(), where
    for code, child in found.items():
        known = node.children[codes[code]]
        for player in range(slow.players):
            assert nodes["visits"][child + player] == known.visits
            assert nodes["total"][child + player] == known.totals[player]
            assert nodes["move"][child + player] == codes[code][player]
            if worker.choosers.squares:
                assert worker.tree.columns[0, child + player] == known.squares[player]
        waiting.append((child, known, f"{where} {code}", 0))


def assert_equal_arms(worker, slow, at, seat, where):
    """What is known of a player's moves."""
    tree, arms = worker.tree, worker.tree.children(at)
    assert tree.nodes["move"][arms].tolist() == [move.code for move in seat.moves], where
    assert tree.nodes["visits"][arms].tolist() == seat.visits, where
    assert tree.nodes["total"][arms].tolist() == seat.totals, where
    if worker.choosers.squares:
        assert tree.columns[0, arms].tolist() == seat.squares, where
    for name in slow.policy.kept:
        row = int(worker.choosers.squares) + slow.policy.column(name)
        assert tree.columns[row, arms].tolist() == seat.kept[name].tolist(), (where, name)


def decision(game):
    """The first position of a game where somebody chooses."""
    state = toys.load(game).initial()
    while state.to_move == CHANCE:
        state = state.play(state.chances()[0][0])
    return state


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", POLICIES)
def test_policies(policy, game):
    compare(decision(game), 150, policy, seed=GAMES.index(game))
