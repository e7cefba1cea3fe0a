import random
from collections import Counter
from itertools import product
from statistics import fmean, pstdev

import numpy as np
import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.errors import RamifyError
from ramify.games import prefix_value
from tests.games.driving import Table
from tests.games.trees import child, high, low, minimax, played, root


def value(state):
    return int(state.data["value"].item())


def value_of(seed, path, branching, first, least, most):
    """The value after a path, straight from the rules."""
    node, found = root(seed), first
    for ply, move in enumerate(path):
        after = child(node, move)
        if move != high(node, branching):
            found += (least + low(after, most - least + 1)) * (-1 if ply % 2 == 0 else 1)
        node = after
    return found


@pytest.mark.parametrize(
    ("branching", "depth", "seed", "first", "least", "most"),
    [(2, 20, 1, 1, 2, 2), (8, 8, 5, 0, 0, 3), (3, 9, 2**62, -4, 1, 100), (250, 31, 0, 7, 2, 10**6)],
)
def test_random_games_beside_plain_numbers(branching, depth, seed, first, least, most):
    game = ramify.load(
        f"prefix_value(branching={branching}, depth={depth}, seed={seed}, root={first}, least={least}, most={most})"
    )
    chooser = random.Random(seed)
    endings = set()
    for _ in range(2 + 200 // depth):
        state, path = game.initial(), []
        while len(path) < depth:
            assert not state.over
            assert state.to_move == len(path) % 2
            assert [move.code for move in state.moves()] == list(range(branching))
            path.append(chooser.randrange(branching))
            state = played(state, path[-1])
            assert value(state) == value_of(seed, path, branching, first, least, most)
        assert state.over
        at_end = value(state)
        assert state.scores() == ([1.0, 0.0] if at_end > 0 else [0.0, 1.0] if at_end < 0 else [0.5, 0.5])
        endings.add(at_end > 0)
    assert endings == {True, False}


@pytest.mark.parametrize(
    "tree",
    ["branching=2, depth=7", "branching=3, depth=5, root=-3, least=0, most=4", "branching=5, depth=3, root=0, most=9"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_value_of_every_position_is_its_minimax_value(tree, seed):
    """From the values at the leaves alone, by trying everything below every position."""
    positions = [ramify.load(f"prefix_value({tree}, seed={seed})").initial()]
    for state in positions:
        assert minimax(state, value) == value(state)
        if not state.over:
            positions.extend(played(state, move.code) for move in state.moves())
    assert len(positions) > 100


def test_by_default_one_move_wins_and_the_others_lose():
    """Along lines of best play of many trees; and the value tells who wins."""
    for seed in range(30):
        state = ramify.load(f"prefix_value(branching=4, depth=6, seed={seed})").initial()
        while not state.over:
            values = [value(played(state, move)) for move in range(4)]
            assert sorted(values) == ([-1, -1, -1, 1] if state.to_move == 0 else [1, 3, 3, 3])
            state = played(state, values.index(1))
        assert state.scores() == [1.0, 0.0]


@np.errstate(over="ignore")
def test_a_value_of_zero_is_a_draw():
    """The best move keeps the root's value of 0; the other one costs the first player the game."""
    table = Table(prefix_value, depth=1, root=0)
    best = prefix_value.best(table.rules, table.state.node)
    assert table.copy().play(str(best)).scores() == [0.5, 0.5]
    assert table.copy().play(str(1 - best)).scores() == [0.0, 1.0]


@np.errstate(over="ignore")
def test_costs_go_from_the_least_to_the_most():
    costs = set()
    for seed in range(60):
        table = Table(prefix_value, seed=seed, root=0, least=1, most=3)
        worst = str(1 - prefix_value.best(table.rules, table.state.node))
        costs.add(-int(table.play(worst).state.value))
    assert costs == {1, 2, 3}


def test_every_move_is_best_and_every_cost_is_drawn_equally_often():
    """Chi-square over the roots of 3000 trees."""
    best, costs = Counter(), Counter()
    for seed in range(3000):
        table = Table(prefix_value, branching=5, seed=seed)
        best[int(prefix_value.best(table.rules, table.state.node))] += 1
        costs.update(-value_of(seed, [move], 5, 0, 1, 4) for move in range(5))
    assert costs.pop(0) == 3000
    assert set(best) == set(range(5))
    assert set(costs) == {1, 2, 3, 4}
    assert sum((count - 600) ** 2 / 600 for count in best.values()) < 4 + 4 * 8**0.5
    assert sum((count - 3000) ** 2 / 3000 for count in costs.values()) < 3 + 4 * 6**0.5


@pytest.mark.parametrize(("first", "least", "most"), [(1, 2, 2), (0, 0, 2)])
def test_playouts_win_as_often_as_uniform_play_exactly(first, least, most):
    """The mean over all leaves of a small tree."""
    tree = f"prefix_value(branching=3, depth=6, seed=2, root={first}, least={least}, most={most})"
    leaves = [value_of(2, path, 3, first, least, most) for path in product(range(3), repeat=6)]
    exact = [(leaf > 0) + 0.5 * (leaf == 0) for leaf in leaves]
    agent = "mcts(select=random, expand_threshold=100000)"
    report = ramify.search(ramify.load(tree).initial(), agent, simulations=40_000, seed=1)
    found = sum(child.visits * child.value for child in report.children) / 40_000
    assert abs(found - fmean(exact)) < 4 * pstdev(exact) / 200


def test_the_search_finds_the_best_move():
    right = 0
    for seed in range(20):
        state = ramify.load(f"prefix_value(branching=4, depth=8, seed={seed})").initial()
        report = ramify.search(state, "uct(c=0.4)", simulations=4000, seed=seed)
        right += value(played(state, report.move.code)) == 1
    assert right >= 18


def test_numbers_of_sequences():
    assert perft(ramify.load("prefix_value(branching=3, depth=6)").initial(), 7) == [3, 9, 27, 81, 243, 729, 0]


def test_margin_key_and_drawing():
    table = Table(prefix_value, "1,0", depth=3, seed=3)
    expected = value_of(3, [1, 0], 2, 1, 2, 2)
    assert table.ask("margin") == expected
    node = child(child(root(3), 1), 0)
    assert table.ask("key") == node
    assert table.ask("draw").splitlines() == [
        f"after 1,0: 2 of 3 moves, value {expected}",
        f"the best move is {high(node, 2)}",
    ]
    assert len(Table(prefix_value, "1,0,1", depth=3).ask("draw").splitlines()) == 1


@pytest.mark.parametrize("text", ["root", "0", "2,0,1", "1,1,1,1"])
def test_text_gives_the_position_back(text):
    table = Table(prefix_value, text, branching=3, depth=4)
    assert table.text() == text
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize("text", ["", "3", "0,,1", "0,1,2,0,1"])
def test_impossible_texts_are_refused(text):
    with pytest.raises(RamifyError, match="up to 4 moves from 0 to 2"):
        Table(prefix_value, text, branching=3, depth=4)


@pytest.mark.parametrize(
    "parameters",
    [{"branching": 0}, {"depth": 121}, {"seed": -1}, {"least": -1}, {"least": 3}, {"most": 10**7}, {"root": 10**7}],
)
def test_silly_parameters_are_refused(parameters):
    with pytest.raises(RamifyError, match=f"invalid .*{next(iter(parameters.values()))}.* for prefix_value: use"):
        Table(prefix_value, **parameters)
