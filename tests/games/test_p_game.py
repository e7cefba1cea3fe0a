import random
from collections import Counter
from itertools import pairwise, product
from statistics import fmean, pstdev

import pytest

import ramify
from ramify.agents.checking.perft import perft
from ramify.errors import RamifyError
from ramify.games import p_game
from tests.games.driving import Table
from tests.games.trees import child, high, minimax, played, root


def total(state):
    return int(state.data["total"].item())


def sum_of(seed, path, most):
    """The sum over a path, straight from the rules."""
    node, value = root(seed), 0
    for ply, move in enumerate(path):
        node = child(node, move)
        value += high(node, most + 1) * (1 if ply % 2 == 0 else -1)
    return value


@pytest.mark.parametrize(
    ("branching", "depth", "seed", "most"), [(2, 20, 1, 127), (8, 8, 5, 127), (3, 9, 2**62, 1), (250, 31, 0, 10**6)]
)
def test_random_games_beside_plain_numbers(branching, depth, seed, most):
    game = ramify.load(f"p_game(branching={branching}, depth={depth}, seed={seed}, most={most})")
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
            assert total(state) == sum_of(seed, path, most)
        assert state.over
        value = sum_of(seed, path, most)
        assert state.scores() == ([1.0, 0.0] if value > 0 else [0.0, 1.0] if value < 0 else [0.5, 0.5])
        endings.add(value > 0)
    assert endings == {True, False}


def best_by_hand(seed, branching, depth, path=()):
    """The minimax sum below a path, straight from the rules."""
    if len(path) == depth:
        return sum_of(seed, path, 127)
    values = [best_by_hand(seed, branching, depth, (*path, move)) for move in range(branching)]
    return max(values) if len(path) % 2 == 0 else min(values)


@pytest.mark.parametrize(("branching", "depth", "seed"), [(2, 6, 1), (2, 7, 2), (3, 5, 3), (8, 3, 4), (1, 9, 5)])
def test_true_values(branching, depth, seed):
    state = ramify.load(f"p_game(branching={branching}, depth={depth}, seed={seed})").initial()
    assert minimax(state, total) == best_by_hand(seed, branching, depth)


@pytest.mark.parametrize("before", [[], [1], [0, 1]])
def test_every_value_of_a_move_is_equally_likely(before):
    """Chi-square over 1000 trees with 4 moves each; a move of the second player counts against the first."""
    found = Counter()
    for seed in range(1000):
        for move in range(4):
            found[sum_of(seed, [*before, move], 9) - sum_of(seed, before, 9)] += 1
    assert set(found) == set(range(10) if len(before) != 1 else range(-9, 1))
    assert sum((count - 400) ** 2 / 400 for count in found.values()) < 9 + 4 * 18**0.5


def test_playouts_win_as_often_as_uniform_play_exactly():
    """The mean over all leaves of a small tree."""
    state = ramify.load("p_game(branching=3, depth=6, seed=2, most=3)").initial()
    leaves = [sum_of(2, path, 3) for path in product(range(3), repeat=6)]
    exact = [(leaf > 0) + 0.5 * (leaf == 0) for leaf in leaves]
    report = ramify.search(state, "mcts(select=random, expand_threshold=100000)", simulations=40_000, seed=1)
    found = sum(child.visits * child.value for child in report.children) / 40_000
    assert abs(found - fmean(exact)) < 4 * pstdev(exact) / 200


def test_siblings_and_seeds_differ():
    """Of 128 x 8 first moves of different seeds about one in 128 is equal to its neighbour's."""
    values = [sum_of(seed, [move], 127) for seed in range(128) for move in range(8)]
    assert sum(a == b for a, b in pairwise(values)) < 25
    assert len(set(values)) == 128


def test_a_draw_is_a_sum_of_zero():
    endings = {}
    for seed in range(20):
        game = ramify.load(f"p_game(branching=2, depth=2, most=1, seed={seed})")
        for path in ("0,0", "0,1", "1,0", "1,1"):
            state = game.position(path)
            endings[total(state)] = state.scores()
    assert endings == {1: [1.0, 0.0], 0: [0.5, 0.5], -1: [0.0, 1.0]}


def test_a_shallow_tree_is_the_top_of_a_deep_one():
    path = "0,1,1,0"
    shallow, deep = (ramify.load(f"p_game(depth={depth}, seed=3)").position(path) for depth in (4, 20))
    assert total(shallow) == total(deep)
    assert shallow.over
    assert not deep.over


def test_numbers_of_sequences():
    assert perft(ramify.load("p_game(branching=3, depth=6)").initial(), 7) == [3, 9, 27, 81, 243, 729, 0]


def test_the_search_errs_less_the_longer_it_runs():
    """Kocsis and Szepesvári 2006, figure 1: the failure rate of UCT falls to nothing with the number of simulations."""
    right = dict.fromkeys((8, 64, 4096), 0)
    decided = 0
    for seed in range(40):
        state = ramify.load(f"p_game(branching=2, depth=8, seed={seed})").initial()
        scores = [minimax(played(state, move), lambda leaf: leaf.scores()[0]) for move in range(2)]
        if scores[0] == scores[1]:
            continue
        decided += 1
        for simulations in right:
            report = ramify.search(state, "uct(c=0.7)", simulations=simulations, seed=seed)
            right[simulations] += scores[report.move.code] == max(scores)
    assert decided >= 8
    assert right[8] < right[64] <= right[4096] == decided


def test_margin_key_and_drawing():
    table = Table(p_game, "1,0", depth=2, seed=3)
    assert table.ask("margin") == sum_of(3, [1, 0], 127)
    assert table.ask("key") == child(child(root(3), 1), 0)
    assert table.ask("draw") == f"after 1,0: 2 of 2 moves, sum {sum_of(3, [1, 0], 127)}"


@pytest.mark.parametrize("text", ["root", "0", "2,0,1", "1,1,1,1"])
def test_text_gives_the_position_back(text):
    table = Table(p_game, text, branching=3, depth=4)
    assert table.text() == text
    assert table.reread().state_array == table.state_array


@pytest.mark.parametrize("text", ["", ",", "3", "0,3", "-1", "00", "0,,1", "0 1", "0,1,2,0,1", "roots", "root,0"])
def test_impossible_texts_are_refused(text):
    with pytest.raises(RamifyError, match="up to 4 moves from 0 to 2"):
        Table(p_game, text, branching=3, depth=4)


@pytest.mark.parametrize(
    "parameters",
    [{"branching": 0}, {"branching": 251}, {"depth": 0}, {"depth": 121}, {"seed": -1}, {"most": 0}, {"most": 10**7}],
)
def test_silly_parameters_are_refused(parameters):
    with pytest.raises(RamifyError, match=f"invalid .*{next(iter(parameters.values()))} for p_game: use"):
        Table(p_game, **parameters)
