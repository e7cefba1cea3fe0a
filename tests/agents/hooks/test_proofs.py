"""``mcts(prove=true)``: with every strategy, with several trees, in the report, and where it is refused."""

import json

import numpy as np
import pytest

import ramify
from ramify.agents.budgets import chunk_size
from ramify.agents.hooks.bounds import Bounds
from ramify.cli.main import app
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array
from ramify.experiments.papers.gudmundsson_2013.position import GAME, POSITION
from ramify.strategies.policy.registry import policies
from ramify.strategies.registry import strategies

BOARD = "xo./.../..."  # of tictactoe, and what each move brings x
VALUES = {"a1": 1.0, "a2": 1.0, "b2": 1.0, "b1": 0.5, "c1": 0.5, "c2": 0.5, "c3": 0.5}
OTHELLO = "xxxxxxx./xxooo.xx/.xxooxxo/oooxoxoo/.oooxxxo/xooxoxoo/.oooooox/.x.xxxo. x"  # won for x


def board():
    return ramify.load("tictactoe").position(BOARD)


def assert_right(report):
    """What is proven is true."""
    assert report.bounds[0] <= 1.0 == report.bounds[1]
    for child in report.children:
        lower, upper = child.bounds
        assert lower <= VALUES[str(child.move)] <= upper
        assert child.proven in (None, VALUES[str(child.move)])
        assert child.proven is None or child.value == child.proven
    if report.proven is not None:
        assert VALUES[str(report.move)] == report.value == report.proven == 1.0


def test_the_board_is_as_told():
    solution = ramify.solve(board(), moves=True)
    assert {str(move): bounds[0] for move, bounds in solution.values.items()} == VALUES


@pytest.mark.parametrize("name", policies())
@pytest.mark.parametrize("threshold", [1, 4])
def test_every_policy(name, threshold):
    report = ramify.search(
        board(), f"mcts(prove=true, select={name}, expand_threshold={threshold})", simulations=4000, seed=1
    )
    assert_right(report)
    assert report.stopped == "proven"


@pytest.mark.parametrize("name", policies())
def test_every_policy_at_the_root_alone(name):
    assert_right(ramify.search(board(), f"mcts(prove=true, select_root={name})", simulations=1000, seed=1))


@pytest.mark.parametrize("name", strategies("recommend"))
def test_every_recommendation(name):
    report = ramify.search(board(), f"mcts(prove=true, recommend={name})", simulations=4000, seed=1)
    assert report.stopped == "proven"
    assert_right(report)


@pytest.mark.parametrize("name", strategies("allocation"))
@pytest.mark.parametrize("simulations", [100, 3000])
def test_every_allocation(name, simulations):
    report = ramify.search(board(), f"mcts(prove=true, allocation={name})", simulations=simulations, seed=2)
    assert_right(report)
    assert report.stopped == "proven" or simulations == 100 or name == "shot"  # which goes back to what is proven


@pytest.mark.parametrize("reward", strategies("reward"))
def test_every_reward(reward):
    """Bonuses leave [0, 1]; bounds are of the game's own scores."""
    state = ramify.load(GAME).position(POSITION)
    if reward in ("score_bonus", "sigmoid"):
        state = ramify.load("othello").position(OTHELLO)
    report = ramify.search(state, f"mcts(prove=true, reward={reward})", simulations=200_000, seed=1)
    assert report.proven == report.value == ramify.solve(state).value == 1.0
    assert report.stopped == "proven"


@pytest.mark.parametrize(
    "playout", ["mast", "ngram", "last_good_reply", "decisive(anti=true)", "heuristic", "cut_off(plies=4)"]
)
def test_playouts(playout):
    """A playout that is cut, or valued where it is cut, ends no game."""
    state = ramify.load(GAME).position(POSITION)
    report = ramify.search(state, f"mcts(prove=true, playout={playout})", simulations=200_000, seed=1)
    assert (str(report.move), report.proven) == ("a5a6", 1.0)


@pytest.mark.parametrize("select", ["rave", "grave(ref=20)", "ucb1"])
def test_the_forced_win(select):
    state = ramify.load(GAME).position(POSITION)
    report = ramify.search(state, f"mcts(prove=true, select={select})", simulations=200_000, seed=1)
    assert (report.stopped, str(report.move), report.proven) == ("proven", "a5a6", 1.0)
    end = state
    for move in report.variation:
        end = end.play(move)
    assert end.over
    assert end.scores()[0] == 1.0


def test_hidden_children_get_no_more_simulations():
    state = ramify.load("tictactoe").position("x../.o./...")  # a draw, whatever x does
    search = ramify.Search(state, "mcts(prove=true)", seed=3)
    hidden = {}
    while search.stopped != "proven":
        report = search.run(ramify.Budget(simulations=10))
        for child in report.children:
            if str(child.move) in hidden:
                assert child.visits == hidden[str(child.move)]
        hidden |= {str(child.move): child.visits for child in report.children if child.bounds[1] <= report.bounds[0]}
    assert len(hidden) > 1


def test_chunks_do_not_matter(monkeypatch):
    def tree():
        search = ramify.Search(ramify.load(GAME).position(POSITION), "mcts(prove=true)", seed=4)
        report = search.run(ramify.Budget(simulations=100_000))
        return report.simulations, report.children

    whole = tree()
    monkeypatch.setattr(chunk_size, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunk_size, "CHUNK_SECONDS", 1e-4)
    assert tree() == whole


def test_parts_give_the_same_tree():
    whole, parts = (ramify.Search(board(), "mcts(prove=true)", seed=5) for _ in range(2))
    whole.run(ramify.Budget(simulations=90))
    for _ in range(9):
        parts.run(ramify.Budget(simulations=10))
    assert parts.report().children == whole.report().children


def test_a_proven_position_takes_no_more_simulations():
    search = ramify.Search(board(), "mcts(prove=true)", seed=6)
    first = search.run(ramify.Budget(simulations=4000))
    again = search.run(ramify.Budget(simulations=4000))
    assert (again.stopped, again.simulations, again.children) == ("proven", 0, first.children)
    search.advance(first.move)
    reply = search.run(ramify.Budget(simulations=4000))
    assert reply.proven == 0.0
    assert reply.value == 0.0


def test_the_tree_shown():
    report = ramify.search(board(), "mcts(prove=true)", simulations=4000, seed=7)
    root = report.tree()
    assert root.bounds == (1.0, 1.0)
    proven = 0
    for node in root.walk():
        lower, upper = node.bounds
        if node.move is not None and lower == upper:
            proven += 1
            assert node.value == lower
    assert proven > 20
    plain = ramify.search(board(), "mcts", simulations=100, seed=7)
    assert (plain.bounds, plain.proven, plain.children[0].bounds) == (None, None, None)
    assert plain.tree().bounds is None


# Several trees.


def test_threads_repeat_and_merge():
    def searched(simulations):
        search = ramify.Search(board(), "mcts(prove=true)", seed=8, threads=3)
        return search, search.run(ramify.Budget(simulations=simulations))

    (search, report), (_, again) = searched(600), searched(600)
    assert report.children == again.children
    assert_right(report)
    for child in report.children:
        own = []
        for worker in search.workers:
            at = np.flatnonzero(worker.tree.nodes["move"][worker.tree.children()] == child.move.code)
            known = worker.view.bounds(worker.tree.children(), 0)
            own.append((known.lower[at[0]], known.upper[at[0]]))
        assert child.bounds == (max(one[0] for one in own), min(one[1] for one in own))
    assert searched(9000)[1].stopped == "proven"


def test_one_proof_ends_a_search_by_seconds():
    report = ramify.search(ramify.load(GAME).position(POSITION), "mcts(prove=true)", seconds=300, threads=2, seed=1)
    assert report.stopped == "proven"
    assert report.seconds < 60


# What becomes of a choice.

UNKNOWN = (0.0, 1.0)


@pytest.mark.parametrize(
    ("bounds", "means", "among"),
    [
        ([UNKNOWN, UNKNOWN], [0.4, -np.inf], [0, 1]),
        ([(1.0, 1.0), UNKNOWN], [0.2, 0.9], [0]),  # a win
        ([(0.0, 0.0), UNKNOWN], [0.9, 0.1], [1]),  # a loss
        ([(0.0, 0.0), (0.0, 0.0)], [0.9, 0.1], [0, 1]),  # all is lost
        ([(0.5, 0.5), UNKNOWN], [0.1, 0.4], [0]),  # a draw, and hopes below it
        ([(0.5, 0.5), UNKNOWN], [0.1, 0.6], [0, 1]),
        ([(0.5, 0.5), (0.5, 1.0), UNKNOWN], [0.5, 0.3, -np.inf], [1]),  # a draw at least
        ([(0.5, 0.5), (0.0, 0.5)], [0.1, 0.9], [0]),
        ([(0.5, 0.5), (0.5, 0.5), (0.0, 0.3)], [0.1, 0.9, 0.9], [0, 1]),
        ([UNKNOWN, UNKNOWN], [-0.05, 1.08], [0, 1]),  # rewards outside [0, 1]
    ],
)
def test_contenders(bounds, means, among):
    known = Bounds(*(np.array(side) for side in zip(*bounds, strict=True)))
    assert known.contenders(known.clamp(np.array(means))).tolist() == among


def test_means_within_bounds():
    known = Bounds(np.array([0.0, 0.0, 0.5, 1.0]), np.array([1.0, 0.5, 1.0, 1.0]))
    assert known.clamp(np.array([1.1, 0.7, 0.3, 0.6])).tolist() == [1.1, 0.5, 0.5, 1.0]


# On the command line, and where it is refused.


def test_the_command(capsys):
    arguments = ["search", "tictactoe", "--position", BOARD, "--agent", "mcts(prove=true)", "--seed", "1"]
    app([*arguments, "--simulations", "4000"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "proven      win" in told
    assert "stopped because the position is proven" in told
    app([*arguments, "--simulations", "4000", "--json"], standalone_mode=False)
    rows = json.loads(capsys.readouterr().out)
    assert (rows["proven"], rows["bounds"], rows["stopped"]) == (1.0, [1.0, 1.0], "proven")
    assert {child["proven"] for child in rows["children"]} >= {1.0}
    app([*arguments, "--simulations", "9"], standalone_mode=False)
    assert "proven      nothing yet" in capsys.readouterr().out


SCORES = """
import numpy as np

PLAYERS = 2
MAX_MOVES = 2
State = np.dtype([("ply", np.int64)])


def start(rules, state):
    state.ply = 0


def mover(rules, state):
    return state.ply % 2


def over(rules, state):
    return state.ply == 2


def legal(rules, state, moves):
    moves[0], moves[1] = 0, 1
    return 2


def play(rules, state, move):
    state.ply += 1


def scores(rules, state, out):
    out[0], out[1] = 0.5, 0.25
"""


def test_scores_that_do_not_add_up(tmp_path):
    path = tmp_path / "scores.py"
    path.write_text(SCORES)
    state = ramify.load(str(path)).initial()
    ramify.search(state, "mcts", simulations=50, seed=1)
    with pytest.raises(
        ramify.RamifyError, match=r"result 0\.5, 0\.25, but prove=true needs scores of two players that add up to 1"
    ):
        ramify.search(state, "mcts(prove=true)", simulations=50, seed=1)


def too_much(_rules, _state, out):
    """Scores that no game may have."""
    array(out, 2, np.float64)[0] = 1.5
    array(out, 2, np.float64)[1] = -0.5
    return 0


def test_scores_outside():
    search = ramify.Search(board(), "mcts(prove=true)", seed=1)
    wrong = kernel(too_much)
    search.workers[0].parts.proofs.block["score"] = wrong.address
    with pytest.raises(ramify.RamifyError, match=r"the result 1.5, -0.5, but prove=true needs scores in \[0, 1\]"):
        search.run(ramify.Budget(simulations=4000))


def test_it_excludes_stopping_early():
    with pytest.raises(ramify.RamifyError, match="does not support stop_early=true"):
        ramify.agent("mcts(prove=true, stop_early=true)")
