"""A column beside every node, with hooks that fill it, a policy and a recommendation that read it: one file."""

import numpy as np
import pytest

import ramify
from ramify.core.search.tree import ROOT
from tests import processes

FILE = f"{processes.ROOT}/examples/best_seen.py"
AGENT = f"mcts(select={FILE}:best_mix, backup={FILE}:best_seen)"


def searched(agent, game="sos(n=6)", simulations=300, **given):
    search = ramify.Search(ramify.load(game).initial(), agent, seed=5, **given)
    report = search.run(ramify.Budget(simulations=simulations))
    return search, report


@pytest.mark.parametrize("game", ["sos(n=6)", "tictactoe", "pig(target=20)"])
def test_hooks_fill_the_columns(game):
    search, _ = searched(AGENT, game)
    worker = search.workers[0]
    used = int(worker.counters["nodes"][0])
    best, listed = (worker.view.column(name, slice(0, used)) for name in ("best", "listed"))
    nodes = worker.tree.nodes[:used]
    visited = (nodes["visits"] > 0) & (np.arange(used) > 0)
    assert (best[visited] >= (nodes["total"] / np.maximum(nodes["visits"], 1))[visited] - 1e-9).all()
    assert (best[~visited] == 0.0).all()
    assert set(best[visited]) <= {0.0, 0.5, 1.0}
    children = worker.tree.children(ROOT)
    assert listed[children].tolist() == list(range(children.stop - children.start))


def test_a_policy_reads_the_column():
    shares = [searched(f"mcts(select={FILE}:best_mix(share={share}), backup={FILE}:best_seen)") for share in (0, 1)]
    visits = [[child.visits for child in report.children] for _, report in shares]
    assert visits[0] != visits[1]
    plain = ramify.search(ramify.load("sos(n=6)").initial(), "uct", simulations=300, seed=5)
    assert [child.visits for child in plain.children] == visits[0]  # nothing of it is plain UCT


@pytest.mark.parametrize("threads", [1, 2])
def test_a_recommendation_reads_the_column(threads):
    agent = f"mcts(recommend={FILE}:last_listed, backup={FILE}:best_seen)"
    _, report = searched(agent, "connect4", threads=threads)
    assert str(report.move) == "7"


def test_columns_move_with_the_tree():
    search, report = searched(AGENT, "connect4", 600)
    worker = search.workers[0]
    child = worker.tree.child(ROOT, report.move.code)
    below = worker.tree.children(child)
    before = worker.view.column("best", below).copy()
    search.advance(report.move)
    assert worker.view.column("best", worker.tree.children(ROOT)).tolist() == before.tolist()


def test_the_column_must_be_there():
    with pytest.raises(ramify.RamifyError, match=r"reads the column 'best', but the columns of backup=mean are: none"):
        searched(f"mcts(select={FILE}:best_mix)")


def test_a_backup_of_columns_alone_goes_with_everything_but_a_batch():
    for game, more in (
        ("connect4", "transpositions=uct2"),
        ("connect4", "prove=true"),
        ("pig", "chance=open_loop"),
        ("connect4", "allocation=shot"),
        ("othello", "reward=score_bonus"),
        ("connect4", "select=ucb1_tuned"),
        ("tron(rows=5, columns=5)", "playout=heuristic"),
    ):
        plain, _ = searched(f"mcts({more})", game)
        kept, _ = searched(f"mcts({more}, backup={FILE}:best_seen)", game)
        one, other = (search.workers[0] for search in (plain, kept))
        where = one.tree.children(ROOT)
        assert one.tree.nodes["visits"][where].tolist() == other.tree.nodes["visits"][where].tolist()


@pytest.mark.parametrize("reader", ["select={}:best_mix", "recommend={}:last_listed"])
def test_columns_are_not_read_where_everybody_moves_at_once(reader):
    """They would be those of joint moves, and zero for the moves of one player."""
    with pytest.raises(ramify.RamifyError, match=r"the columns of a backup belong to joint moves.*tron"):
        searched(f"mcts({reader.format(FILE)}, backup={FILE}:best_seen)", "tron(rows=5, columns=5)")
