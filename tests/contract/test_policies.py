"""What every selection policy must do, ours found by scanning."""

from pathlib import Path

import numpy as np
import pytest

from ramify.agents.agent import agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search, search
from ramify.contract.registry import load_call
from ramify.grammar import parse
from ramify.strategies.policy.registry import policies

GAMES = ("tictactoe", "breakthrough(rows=5, columns=4)")
RACE = str(Path(__file__).parent.parent / "strategies" / "toy_race.py")

each_policy = pytest.mark.parametrize("name", list(policies()))


def initial(game):
    return load_call(parse(game)).initial()


def searched(game, text, simulations, seed):
    """A search after so many simulations, without the report, which takes longer than the search."""
    made = Search(initial(game), text, seed=seed)
    spend(made, simulations)
    return made


def spend(made, simulations):
    for worker in made.workers:
        worker.run(Budget(simulations=simulations), lambda: True)


def rows(made):
    """Moves at the root, their visits and sums of rewards."""
    worker = made.workers[0]
    return worker.tree.nodes[["move", "visits", "total"]][worker.tree.children()].tolist()


@each_policy
@pytest.mark.parametrize("game", GAMES)
def test_searches_and_repeats(name, game):
    first, second = (searched(game, f"mcts(select={name})", 400, seed=3) for _ in range(2))
    assert rows(first) == rows(second)
    assert sum(visits for _, visits, _ in rows(first)) == 400
    assert all(0.0 <= total <= visits for _, visits, total in rows(first))


@each_policy
def test_prints_back(name):
    constants = ", ".join(
        f"{constant.name}={str(constant.default).lower() if isinstance(constant.default, bool) else constant.default}"
        for constant in policies()[name].constants
        if constant.default is not None
    )
    for text in (f"mcts(select={name}({constants}))", f"mcts(select=ucb1(c=0.5), select_root={name})"):
        made = agent(text)
        assert agent(str(made)) == made
    assert agent(f"mcts(select={name})").select == agent(f"mcts(select={name}({constants}))").select


@each_policy
def test_at_the_root_and_below_it_alone(name):
    for text in (f"mcts(select=ucb1, select_root={name})", f"mcts(select={name}, select_root=ucb1)"):
        found = searched(GAMES[1], text, 300, seed=1)
        assert sum(visits for _, visits, _ in rows(found)) == 300


@pytest.mark.parametrize("name", [name for name in policies() if name != "gumbel"])  # it need not try every move
def test_finds_a_win_in_one(name):
    board = load_call(parse("tictactoe")).position("xx./oo./...")
    race = load_call(parse("breakthrough(rows=5, columns=4)"))
    for state, winning in ((board, {"c3"}), near_the_goal(race)):
        report = search(state, f"mcts(select={name}, recommend=max)", simulations=3000, seed=2)
        assert str(report.move) in winning
        assert report.value == 1.0


def near_the_goal(game):
    """A position of Breakthrough where some moves win at once, and those moves."""
    state = game.initial()
    random = np.random.default_rng(0)
    while True:
        moves = state.moves()
        winning = {str(move) for move in moves if state.play(move).over}
        if 0 < len(winning) < len(moves):
            return state, winning
        state = state.play(str(random.choice([str(move) for move in moves])))
        if state.over:
            state = game.initial()


@each_policy
def test_one_move_only(name):
    state = load_call(parse("tictactoe")).position("xox/oxo/ox.")
    assert str(search(state, f"mcts(select={name})", simulations=5, seed=1).move) == "c1"


@each_policy
def test_three_players_and_chance(name):
    found = searched(RACE, f"mcts(select={name})", 500, seed=1)
    assert sum(visits for _, visits, _ in rows(found)) == 500


@each_policy
def test_threads_and_the_tree_kept_between_moves(name):
    found = Search(initial(GAMES[1]), f"mcts(select={name})", seed=4, threads=2)
    first = found.run(Budget(simulations=600))
    found.advance(first.move)
    worker = max(found.workers, key=lambda one: one.tree.nodes["visits"][0])  # the other tree may not have the move
    kept = worker.tree.nodes["visits"][0]
    assert kept > 1
    worker.runner.spend(Budget(simulations=100))
    assert worker.tree.nodes["visits"][0] == kept + 100


@each_policy
def test_a_reset_leaves_nothing_behind(name):
    used = searched(GAMES[0], f"mcts(select={name})", 300, seed=4)
    fresh = Search(initial(GAMES[0]), f"mcts(select={name})", seed=4)
    used.workers[0].reset(used.state)
    used.workers[0].rng[:] = fresh.workers[0].rng
    spend(used, 300)
    spend(fresh, 300)
    assert rows(used) == rows(fresh)


@each_policy
def test_documented(name):
    formula, source = policies()[name].formula_and_source()
    assert formula
    assert source
