"""Policies that ask for the classes of moves, for tables by class, and for all moves of a simulation."""

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify import CHANCE, bandits
from ramify.agents.checking.check import check_policy
from ramify.core.kernels.compiling import JIT
from ramify.strategies.policy.registry import named
from tests import toys
from tests.oracle import naive_rave
from tests.oracle.test_engine import assert_equal_trees
from tests.strategies import by_class

load = lru_cache(ramify.load)
FILE = Path(by_class.__file__)
OWN_CLASSES = ("breakthrough(rows=5, columns=4)", "nine_mens_morris")  # the others' moves are their own classes
GAMES = ["connect4", *OWN_CLASSES, "pig(target=12)"]


def searched(state, name, simulations=150, seed=1):
    search = ramify.Search(state, f"mcts(select={FILE}:{name})", seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    return search


def hook_of(search):
    return next(one for one in search.workers[0].parts.hooks if hasattr(one, "tables") and hasattr(one, "selectors"))


def table_of(search):
    return hook_of(search).tables[0][0]


@pytest.mark.parametrize("game", GAMES)
def test_every_child_has_its_class_and_player(game):
    state = load(game).initial()
    search = searched(state, "low")
    worker = search.workers[0]
    column, classes = worker.tree.columns[-1].view(np.int64), state.game.move_classes()
    assert (state.game.kernel("move_class") is not None) == (game in OWN_CLASSES)
    waiting, seen = [(0, state)], 0
    while waiting:
        node, state = waiting.pop()
        for code, child, _ in worker.tree.moves(node):
            moves = [move for move, _ in state.chance_outcomes()] if state.to_move == CHANCE else state.moves()
            move = next(one for one in moves if one.code == code)
            if state.to_move != CHANCE:
                assert column[child] == state.to_move * classes + naive_rave.class_of(state, move)
                seen += 1
            if worker.tree.nodes["first"][child] >= 0:
                waiting.append((child, state.play(move)))
    assert seen > 100


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_which_are_compiled_for_lanes():
    assert {name: named(f"{FILE}:{name}").four_arm_loop is not None for name in ("low", "by_hand", "constant")} == {
        "low": True,
        "by_hand": False,
        "constant": True,
    }


class ByClass(naive_rave.Search):
    """A search that knows the class of every move, as player and class, and calls ``learn`` after each simulation."""

    def __post_init__(self):
        super().__post_init__()
        self.seen = {}

    def index(self, node, child):
        if child.visits == 0:
            return self.fpu
        return self.rule(node, child, (node.mover, child.kind))

    def credit(self, path, scores):
        chosen = [(node.mover, child.kind) for node, child in pairwise(path) if node.mover != CHANCE]
        self.learn(chosen, chosen + self.made)

    def learn(self, chosen, made):
        pass


class Low(ByClass):
    def rule(self, node, child, key):
        number = key[0] * self.state.game.move_classes() + key[1]
        return (
            self.policy(float(node.visits), float(child.visits), child.total / child.visits, 0.0, 0.7) - 0.001 * number
        )


class ByHand(ByClass):
    def rule(self, node, child, key):
        n = float(child.visits)
        bonus = self.policy(float(node.visits), n, 0.0, 0.0, 0.7)
        return child.total / n + bonus / (1.0 + self.seen.get(key, 0.0))

    def learn(self, chosen, made):
        for key in chosen:
            self.seen[key] = self.seen.get(key, 0.0) + 1.0


@pytest.mark.parametrize("game", ["connect4", OWN_CLASSES[0], "pig(target=12)", "three_heaps", "dice_race"])
@pytest.mark.parametrize(("name", "slow"), [("low", Low), ("by_hand", ByHand)])
def test_the_tree_is_that_of_plain_python(game, name, slow):
    state = (toys.load(game) if game in ("three_heaps", "dice_race") else load(game)).initial()
    other = slow(state, 1).run(100)
    search = searched(state, name, 100)
    assert_equal_trees(search.workers[0], other)
    if name == "by_hand":
        table = table_of(search).reshape(state.game.players, -1)
        assert {key: table[key] for key in zip(*map(list, np.nonzero(table)), strict=True)} == other.seen


def test_a_choice_among_all_by_class():
    search = searched(load("connect4").initial(), "rarest", 70)
    assert table_of(search).sum() == sum(depth_of_simulations(search))
    assert sorted(child.visits for child in search.report().children) == [10] * 7


def depth_of_simulations(search):
    """Moves that were chosen in the tree: every visit of a node but the root is one."""
    used = int(search.workers[0].counters["nodes"][0])
    return search.workers[0].tree.nodes["visits"][1:used]


@pytest.mark.parametrize("game", GAMES)
def test_all_moves_of_a_simulation(game):
    """The sum over simulations of the place of each move, tree and playout, as the naive search notes them."""

    class Told(ByClass):
        def rule(self, node, child, key):
            return child.total / child.visits + 1.0 / child.visits

        def learn(self, chosen, made):
            for place, key in enumerate(made, start=1):
                self.seen[key] = self.seen.get(key, 0.0) + place

    state = load(game).initial()
    other = Told(state, 1).run(60)
    search = searched(state, "told", 60)
    assert_equal_trees(search.workers[0], other)
    table = table_of(search).reshape(state.game.players, -1)
    assert {key: table[key] for key in zip(*map(list, np.nonzero(table)), strict=True)} == other.seen


def test_tables_stay_while_a_game_goes_on():
    search = searched(load("connect4").initial(), "by_hand", 50)
    before = table_of(search).copy()
    assert before.sum() > 0
    search.advance("4")
    assert table_of(search).tolist() == before.tolist()
    search.workers[0].reset(search.state)
    assert not table_of(search).any()


def test_the_root_and_the_rest_have_tables_of_their_own():
    text = f"mcts(select_root={FILE}:by_hand(c=1.0), select={FILE}:by_hand)"
    search = ramify.Search(load("connect4").initial(), text, seed=1)
    search.run(ramify.Budget(simulations=80))
    root, inner = (tables[0].sum() for tables in hook_of(search).tables)
    assert root == 80
    assert inner == sum(depth_of_simulations(search)) - 80


OTHERS = ["transpositions=uct1", "prove=true", "allocation=h_mcts(limit=20)", "playout=mast", "chance=open_loop"]


@pytest.mark.parametrize("agent", OTHERS)
@pytest.mark.parametrize("name", ["by_hand", "told"])
def test_with_other_strategies(name, agent):
    state = load("pig(target=12)" if agent == "chance=open_loop" else "tictactoe").initial()
    report = ramify.search(state, f"mcts(select={FILE}:{name}, {agent})", simulations=200, seed=1)
    assert report.simulations == 200


@pytest.mark.parametrize("name", ["low", "by_hand", "constant", "rarest", "told"])
def test_trusted_by_the_check(name):
    checked = check_policy(f"{FILE}:{name}", simulations=60)
    assert checked.ok, str(checked)


def test_an_estimate_that_needs_more_than_sums_is_the_mean(tmp_path):
    """All moves as first and a class, or a statistic: nobody knows these of a move when the search has ended."""
    path = tmp_path / "mine.py"
    for asked in ("move_class", "lnK"):
        path.write_text(f"def rule(n, S, R, {asked}):\n    return R / max(S, 1.0) + 0.01 / (n + {asked} + 1.0)\n")
        report = ramify.search(load("tictactoe").initial(), f"mcts(select={path})", simulations=60, seed=1)
        tried = [child for child in report.children if child.visits]
        assert [child.estimate for child in tried] == [child.value for child in tried]


def test_what_only_the_average_asks_for_is_there(tmp_path):
    path = tmp_path / "mine.py"
    body = "def rule(K, rng):\n    return 0\n\n\ndef rule_update(k, reward, seen):\n    seen[k] += 1.0\n\n\n"
    path.write_text(body + "def rule_average(K, move_classes, average):\n    average[K - 1] += move_classes[K - 1]\n")
    search = ramify.Search(load("tictactoe").initial(), f"mcts(select={path}, recommend=mixed)", seed=1)
    search.run(ramify.Budget(simulations=20))
    assert named(str(path)).needs_classes
    assert search.workers[0].view.average_strategy(search.workers[0].tree.children()).tolist() == [0.0] * 8 + [8.0 * 20]


def test_where_they_are_refused():
    with pytest.raises(
        ramify.RamifyError, match=r"low does not support simultaneous moves \(move classes belong to moves of a single"
    ):
        ramify.Search(load("tron(rows=6, columns=6)").initial(), f"mcts(select={FILE}:low)")
    with pytest.raises(ramify.RamifyError, match="asks for move classes, which the arms of a bandit do not have"):
        bandits.run(bandits.bernoulli([0.5, 0.6]), f"{FILE}:low", pulls=10)
    front = Path(__file__).parents[2] / "examples" / "own_strategies.py"
    with pytest.raises(ramify.RamifyError, match="does not record its moves, which the selection policy needs"):
        ramify.Search(load("connect4").initial(), f"mcts(select={FILE}:told, playout={front}:front)")


def test_a_game_with_too_many_classes(monkeypatch):
    state = load("connect4").initial()
    monkeypatch.setattr(type(state.game), "move_classes", lambda game: 1 << 30)
    with pytest.raises(ramify.RamifyError, match="the maximum is 1048576"):
        ramify.Search(state, f"mcts(select={FILE}:low)")
    monkeypatch.setattr(type(state.game), "move_classes", lambda game: 3)
    with pytest.raises(ramify.RamifyError, match="move 6 of connect4 has a class that is not below 3"):
        searched(state, "low", 10)
