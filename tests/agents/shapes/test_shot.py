"""SHOT, its original and H-MCTS as users meet them."""

import numpy as np
import pytest

import ramify
from ramify.agents.budgets import chunk_size
from tests import toys
from tests.core import raising
from tests.trusting import trust_all

KINDS = ["shot", "shot_original", "h_mcts", "h_mcts(limit=3)"]


def agent(kind, **more):
    return ramify.agent(f"mcts(allocation={kind})", **more)


@pytest.mark.parametrize("name", ["connect4", "tictactoe", "breakthrough(rows=5, columns=4)", "pig(target=20)"])
def test_shot_spends_its_budget_to_the_last_simulation(name):
    state = ramify.load(name).initial()
    for budget in [*range(1, 60), 100, 333, 1000, 4321]:
        report = ramify.search(state, agent("shot"), simulations=budget, seed=budget)
        assert report.simulations == sum(child.visits for child in report.children) == budget
        assert (report.stopped, report.note) == ("simulations", "")


@pytest.mark.parametrize("kind", KINDS)
def test_the_move_returned_is_the_best_of_those_that_stayed_in(kind):
    report = ramify.search(ramify.load("connect4").initial(), agent(kind), simulations=5000, seed=1)
    often = sorted(report.children, key=lambda child: child.visits)[-2:]
    assert report.move == max(often, key=lambda child: child.value).move


@pytest.mark.parametrize("kind", KINDS)
def test_fewer_simulations_than_moves(kind):
    report = ramify.search(ramify.load("hex(size=5)").initial(), agent(kind), simulations=10, seed=2)
    tried = [child for child in report.children if child.visits]
    assert sum(child.visits for child in tried) == 10
    assert report.move in [child.move for child in tried]
    assert report.value == max(child.value for child in tried) or kind == "h_mcts"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("budget", [{"simulations": 1}, {"simulations": 50}, {"seconds": 0.02}, {"calls": 90}])
def test_one_legal_move(kind, budget):
    report = ramify.search(toys.load("corridor(length=12)").initial(), agent(kind), seed=3, **budget)
    assert (str(report.move), len(report.children)) == ("1", 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("budget", [{"simulations": 1000}, {"seconds": 0.02}, {"calls": 3000}])
def test_a_win_at_once_among_finished_games(kind, budget):
    state = ramify.load("tictactoe").position("xx./oox/oxo")  # one empty cell, which wins
    assert ramify.search(state, agent(kind), seed=4, **budget).value == 1.0
    state = ramify.load("tictactoe").position("xx./oo./...")
    report = ramify.search(state, agent(kind), seed=4, **budget)
    assert (str(report.move), report.value) == ("c3", 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_runs_and_reuse(kind):
    state = ramify.load("connect4").initial()
    search = ramify.Search(state, agent(kind), seed=5, threads=2)
    for _ in range(2):
        report = search.run(ramify.Budget(simulations=600))
        assert report.simulations == pytest.approx(600, rel=0.1)
    visits = {child.move: child.visits for child in report.children}
    assert sum(visits.values()) == pytest.approx(1200, rel=0.1)
    search.advance(report.move)
    assert sum(child.visits for child in search.report().children) > 0.8 * visits[report.move]
    search.run(ramify.Budget(simulations=100))
    played = ramify.search(state, agent(kind, reuse=True), simulations=100, seed=6)
    assert 80 < played.simulations <= 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_search_returns_the_best_move_still_in(monkeypatch, kind):
    monkeypatch.setattr(chunk_size, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunk_size.ChunkSizer, "_planned", lambda self, rate, left: 1)
    search = ramify.Search(ramify.load("connect4").initial(), agent(kind), seed=7)
    worker, left = search.workers[0], iter(range(150))
    assert worker.run(ramify.Budget(simulations=400), lambda: next(left, None) is not None) == "cancelled"
    search.stopped = "cancelled"
    report = search.report()
    assert report.note.startswith("planned 400 simulations; cancelled at ")
    assert "moves left" in report.note
    inside = int(report.note.split(" with ")[1].split()[0])
    values = worker.tree.nodes["total"][worker.tree.children()] / worker.tree.nodes["visits"][worker.tree.children()]
    assert report.value == values[:inside].max()


@pytest.mark.parametrize(
    ("each", "said"), [(1.0, "simulations after 100 of warm-up"), (3.0, "stopped by the clock at")]
)
def test_seconds_by_a_clock_of_our_own(each, said):
    """A forward-model call takes a microsecond, and later ``each`` of them."""
    worker = ramify.Search(ramify.load("connect4").initial(), agent("shot"), seed=8).workers[0]

    def clock():
        calls = float(worker.counters["calls"][0])
        return 1e-6 * (calls if calls < 10_000 else 10_000 + each * (calls - 10_000))

    assert worker.run(ramify.Budget(seconds=0.1), lambda: True, clock) == "seconds"
    assert said in worker.note
    assert 0.099 <= clock() < 0.13


def test_a_search_that_is_stopped_plans_for_its_whole_budget():
    """The first of 3 rounds has 331 simulations: 47 for each of 7 moves, which spend 38 of them."""
    state = ramify.load("connect4").initial()
    report = ramify.search(state, agent("shot(stop=100)"), simulations=1000, seed=9)
    assert (report.simulations, report.stopped) == (100, "simulations")
    assert report.note == (
        "planned 1,000 simulations; ended after 100 playouts, at 100 in round 1 of 3 with 7 moves left"
    )
    assert sorted(child.visits for child in report.children) == [1, 1, 1, 1, 18, 39, 39]
    assert report.value == max(child.value for child in report.children) == 1.0  # of one playout


def test_a_node_that_tries_its_children_when_the_search_is_stopped_tries_all():
    state = ramify.load("connect4").initial()
    report = ramify.search(state, agent("shot(stop=200)"), simulations=1000, seed=9)
    assert sorted(child.visits for child in report.children) == [1, 8, 39, 39, 39, 39, 39]


def test_a_search_that_ends_before_its_stop_is_shot():
    state = ramify.load("connect4").initial()
    plain, stopped = (
        ramify.search(state, agent(kind), simulations=500, seed=10) for kind in ("shot", "shot(stop=500)")
    )
    assert [child.visits for child in plain.children] == [child.visits for child in stopped.children]
    assert (plain.move, plain.note) == (stopped.move, stopped.note)


def test_finished_games_do_not_count_as_playouts():
    state = ramify.load("tictactoe").position("xx./oox/oxo")  # one empty cell, which wins
    assert ramify.search(state, agent("shot(stop=10)"), simulations=1000, seed=11).simulations == 1000


@pytest.mark.parametrize("budget", [{"seconds": 0.1}, {"calls": 100}, {"simulations": 9, "calls": 9}, {"memory": 1e6}])
def test_a_stop_needs_a_budget_in_simulations(budget):
    with pytest.raises(ramify.RamifyError, match="needs a budget in simulations alone"):
        ramify.search(ramify.load("connect4").initial(), agent("shot(stop=10)"), seed=12, **budget)


@pytest.mark.parametrize("order", ["depth_first", "breadth_first"])
@pytest.mark.parametrize("budget", [{"calls": 30_000}, {"seconds": 0.05}])
@pytest.mark.parametrize("name", ["connect4", "tictactoe", "pig(target=20)"])
def test_warm_ups_by_nodes(order, budget, name):
    report = ramify.search(ramify.load(name).initial(), agent(f"shot(warm_up={order})"), seed=13, **budget)
    assert report.stopped in budget
    assert report.simulations > 100
    assert sum(child.visits for child in report.children) == report.simulations


def test_a_position_whose_nodes_are_all_known_is_searched_all_the_same():
    state = ramify.load("tictactoe").position("xo./.x./..o")
    report = ramify.search(state, agent("shot(warm_up=breadth_first)"), seed=14, calls=20_000)
    assert report.simulations > 20_000


def test_an_unknown_warm_up_is_refused():
    with pytest.raises(ramify.RamifyError, match="invalid warm_up 'random' of shot: use one of halving, depth_first"):
        agent("shot(warm_up=random)")


@pytest.mark.parametrize("role", ["select=rave", "select_root=exp3", "recommend=max", "expand_threshold=2", "fpu=0.5"])
def test_what_shot_has_no_use_for_is_refused(role):
    with pytest.raises(ramify.RamifyError, match=f"allocation=shot has its own {role.split('=')[0]}: remove "):
        ramify.agent(f"mcts(allocation=shot, {role})")


def test_every_counted_visit_of_a_finished_game_is_told_to_observers():
    """RAVE's counts of a child would be below its visits if some of these had not been told."""
    state = ramify.load("tictactoe").position("xo./.x./..o")
    search = ramify.Search(state, "mcts(allocation=h_mcts(limit=2), select=rave)", seed=9)
    search.run(ramify.Budget(simulations=2000))
    worker = search.workers[0]
    counts, _ = worker.view.amaf()
    assert (counts >= worker.tree.nodes["visits"][worker.tree.children()]).all()


def test_a_policy_that_draws_learns_from_its_own_draws_only():
    """A weight of exp3 is the reward over the chance of a draw; where it did not draw there is no chance."""
    search = ramify.Search(ramify.load("connect4").initial(), "mcts(allocation=h_mcts(limit=9), select=exp3)", seed=11)
    search.run(ramify.Budget(simulations=2000))
    worker = search.workers[0]
    used = int(worker.counters["nodes"][0])
    assert np.isfinite(worker.tree.columns[:, :used]).all()
    assert worker.tree.columns[:, worker.tree.children()].max() == 0.0  # the root was always halved
    assert worker.tree.columns[:, :used].max() > 1.0


def test_errors_tell_the_position_and_harm_nothing(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    state = ramify.load(str(raising.game_file(tmp_path, "legal"))).initial()
    search = ramify.Search(state, agent("shot"), seed=42)
    for _ in range(2):
        with pytest.raises(ramify.RamifyError, match=r"raised ValueError.*in the position \([23], \d\), seed 42$"):
            search.run(ramify.Budget(simulations=500))
    nodes = search.workers[0].tree.nodes
    assert nodes["visits"][0] == nodes["visits"][search.workers[0].tree.children()].sum()


def test_games_where_everybody_moves_at_once_are_refused():
    with pytest.raises(ramify.RamifyError, match="does not support simultaneous moves"):
        ramify.search(toys.load("rock_paper_scissors").initial(), agent("shot"), simulations=10)


def test_a_negative_stop_is_refused():
    with pytest.raises(ramify.RamifyError, match="'stop' must be at least 0, not -5"):
        agent("shot(stop=-5)")
