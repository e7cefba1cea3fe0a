"""A policy may limit which children are candidates: progressive widening, in the order of priors."""

from pathlib import Path

import pytest

import ramify
from ramify.core.search.tree import ROOT
from ramify.grammar import parse
from ramify.strategies.policy.registry import resolve

WIDE = """
def narrow(visits, means, rng, few=3.0):
    \"\"\"The mean among a few, which it fills as they come.\"\"\"
    return means.argmax()

def narrow_candidates(K, few):
    \"\"\"Few.\"\"\"
    return min(few, K)
"""


def searched(game, agent, simulations=300, seed=2):
    search = ramify.Search(ramify.load(game).initial(), agent, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    return search.workers[0]


def inner(worker):
    for node in range(int(worker.counters["nodes"][0])):
        if worker.tree.nodes["first"][node] >= 0 and worker.tree.nodes["mover"][node] >= 0:
            yield node, worker.tree.nodes["visits"][worker.tree.children(node)]


@pytest.mark.parametrize("game", ["breakthrough", "connect4", "pig(target=20)"])
@pytest.mark.parametrize(("factor", "exponent"), [(1.0, 0.5), (2.0, 0.3)])
def test_few_children_at_first(game, factor, exponent):
    worker = searched(game, f"mcts(select=progressive_widening(factor={factor}, exponent={exponent}))")
    limited = 0
    for node, visits in inner(worker):
        tried = int((visits > 0).sum())
        most = max(1, int(factor * max(int(worker.tree.nodes["visits"][node]), 1) ** exponent))
        assert tried <= min(most, len(visits))
        assert (visits[most:] == 0).all()
        limited += tried < len(visits)
    assert limited > (20 if game != "pig(target=20)" else 0)


@pytest.mark.parametrize("game", ["connect4", "pig(target=20)"])
def test_with_room_for_all_children_the_tree_is_that_of_ucb1(game):
    wide, plain = (searched(game, f"mcts(select={one})", 500) for one in ("progressive_widening(factor=100)", "ucb1"))
    used = int(plain.counters["nodes"][0])
    assert wide.tree.nodes[:used].tobytes() == plain.tree.nodes[:used].tobytes()
    assert wide.rng == plain.rng


def test_children_stand_in_the_order_of_priors():
    """The toy has as prior of a step its length."""
    worker = searched(str(Path(__file__).parent / "toy_race.py"), "mcts(select=progressive_widening)", 40)
    priors = worker.tree.nodes["chance"][worker.tree.children(ROOT)]
    assert (priors[:-1] >= priors[1:]).all()
    assert priors[0] > priors[-1]
    codes = worker.tree.nodes["move"][worker.tree.children(ROOT)].tolist()
    listed = [move.code for move in worker.start.moves()]
    assert codes != listed
    assert sorted(codes) == sorted(listed)


def test_a_policy_of_the_users(tmp_path):
    file = tmp_path / "narrow.py"
    file.write_text(WIDE, encoding="utf-8")
    worker = searched("connect4", f"mcts(select={file})")
    for _, visits in inner(worker):
        assert (visits[3:] == 0).all()
    assert "candidates(" in resolve(parse(str(file))).policy.sources()["select"]


def test_what_it_may_ask_for(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(WIDE.replace("(K, few)", "(K, n)"), encoding="utf-8")
    with pytest.raises(
        ramify.RamifyError, match=r"narrow_candidates asks for 'n', which is unknown: use N, lnN, K, few"
    ):
        ramify.agent(f"mcts(select={file})")


def test_not_in_the_open_loop():
    with pytest.raises(ramify.RamifyError, match="whose candidates are the first moves of one position"):
        searched("pig", "mcts(select=progressive_widening, chance=open_loop)")


def test_the_limit_is_rounded_down():
    """The root of 300 is 17.3, and every one of the 17 candidates was tried."""
    worker = searched("breakthrough", "mcts(select=progressive_widening)", 300)
    assert (worker.tree.nodes["visits"][worker.tree.children(ROOT)] > 0).sum() == 17


MOVES = """
from dataclasses import dataclass
import numpy as np
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import Backup, BoundBackup

BLOCK = np.dtype([("move", np.int64)])

def note(block_, episode_, first, count):
    column = array(record(block_, BLOCK).move + 8 * first, count, np.float64)
    moves = array(record(episode_, EPISODE).moves, count, np.int64)
    for k in range(count):
        column[k] = moves[k]
    return 0

@dataclass(frozen=True)
class Moves(Backup):
    columns = ("move",)
    replaces_means = False

    def bind(self, game):
        return BoundBackup(np.zeros(1, BLOCK), on_expand=kernel(note))
"""


def test_hooks_see_children_in_their_final_order(tmp_path):
    """Children are sorted before a backup writes beside them."""
    file = tmp_path / "moves.py"
    file.write_text(MOVES, encoding="utf-8")
    game = str(Path(__file__).parent / "toy_race.py")
    worker = searched(game, f"mcts(select=progressive_widening, backup={file})", 40)
    seen = 0
    for node, _ in inner(worker):
        where = worker.tree.children(node)
        assert worker.view.column("move", where).tolist() == worker.tree.nodes["move"][where].tolist()
        seen += 1
    assert seen > 3
