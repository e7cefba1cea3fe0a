"""What every allocation must bear: tiny budgets, few moves, games that end at once, time, a stop in the middle."""

import threading
from functools import lru_cache

import pytest

import ramify
from ramify.strategies.registry import strategies
from tests.processes import ROOT

load = lru_cache(ramify.load)
BEYOND = {
    "uct_sqrt_sh": ["uct_sqrt_sh(as_published=true)"],
    "sequential_halving": ["sequential_halving(leftover=true)"],
}
EVERY = [text for name in strategies("allocation") for text in (name, *BEYOND.get(name, []))]
every = pytest.mark.parametrize("agent", [f"mcts(allocation={text})" for text in EVERY])
SOME = [1, 2, 3, 6, 7, 8, 9, 15, 20, 21, 50, 333]


def check(report, most=None):
    """It is a legal move, and what was spent is what stands in the tree."""
    moves = [str(child.move) for child in report.children]
    assert str(report.move) in moves
    visits = sum(child.visits for child in report.children)
    if "shot_original" in str(report.agent):  # finished games cost nothing there
        assert visits >= report.simulations
    else:
        assert visits == report.simulations
    assert 1 <= report.simulations <= (most or report.simulations)
    chosen = next(child for child in report.children if child.move == report.move)
    assert chosen.visits > 0
    assert str(report.variation[0]) == str(report.move)


@every
@pytest.mark.parametrize("simulations", SOME)
def test_few_simulations(agent, simulations):
    report = ramify.search(load("connect4").initial(), agent, simulations=simulations, seed=simulations)
    check(report, simulations)
    assert report.stopped == "simulations"
    assert report.simulations >= 0.7 * simulations  # floors may leave a few over


@pytest.mark.compiled_only
@every
@pytest.mark.parametrize("simulations", [1, 5, 100])
def test_fewer_simulations_than_moves(agent, simulations):
    report = ramify.search(load("amazons(size=8)").initial(), agent, simulations=simulations, seed=1)
    check(report, simulations)
    assert report.simulations == simulations


@every
def test_one_legal_move(agent):
    for budget in ({"simulations": 1}, {"simulations": 20}, {"calls": 500}):
        report = ramify.search(load(f"{ROOT}/tests/toys/corridor.py(length=10)").initial(), agent, seed=1, **budget)
        check(report)
        assert len(report.children) == 1


@every
def test_children_where_the_game_is_over(agent):
    """One of five moves wins at once, and it is the one returned."""
    state = load("tictactoe").initial()
    for move in ("a1", "a2", "b1", "b2"):
        state = state.play(move)
    for simulations in (60, 400):
        report = ramify.search(state, agent, simulations=simulations, seed=2)
        check(report, simulations)
        assert str(report.move) == "c1"


@every
def test_the_last_move_of_a_game(agent):
    """Every child ends the game."""
    state = load("tictactoe").initial()
    for move in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3"):
        state = state.play(move)
    report = ramify.search(state, agent, simulations=30, seed=1)
    check(report, 30)


@every
def test_chance_below_the_root(agent):
    check(ramify.search(load("pig(target=20)").initial(), agent, simulations=300, seed=1), 300)


@every
def test_three_players(agent):
    check(ramify.search(load(f"{ROOT}/tests/strategies/toy_race.py").initial(), agent, simulations=200, seed=1), 200)


@pytest.mark.compiled_only
@every
def test_repeats_from_its_seed(agent):
    def found(seed):
        report = ramify.search(load("breakthrough(rows=6, columns=6)").initial(), agent, simulations=700, seed=seed)
        return [(str(child.move), child.visits, str(child.value)) for child in report.children], str(report.move)

    assert found(3) == found(3)
    assert found(3) != found(4)


@every
def test_calls(agent):
    report = ramify.search(load("connect4").initial(), agent, calls=20_000, seed=1)
    check(report)
    assert report.stopped == "calls"
    assert 20_000 * 0.99 < report.calls < 20_000 + 100


@every
def test_memory_alone(agent):
    report = ramify.search(load("connect4").initial(), agent, memory=50_000, seed=1)
    check(report)
    assert report.stopped == "memory"


@every
def test_two_trees(agent):
    report = ramify.search(load("connect4").initial(), agent, simulations=801, seed=1, threads=2)
    check(report, 801)
    assert report.simulations >= (0.85 if "shot_original" in agent else 0.95) * 801


@every
def test_goes_on_after_a_move_and_again(agent):
    search = ramify.Search(load("connect4").initial(), agent, seed=1)
    search.run(ramify.Budget(simulations=300))
    node = search.report().tree().children()[0]
    move, visits = node.move, node.visits
    search.run(ramify.Budget(simulations=300))
    assert node.move == move
    assert node.visits >= visits
    search.advance(search.report().move)
    report = search.run(ramify.Budget(simulations=300))
    assert str(report.move) in map(str, search.state.moves())
    for one in report.tree().walk():
        assert one.visits >= sum(child.visits for child in one.children())


@every
@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_in_the_middle(agent, threads):
    seen = []

    def progress(search):
        seen.append(search.report())
        if len(seen) == 2:
            search.cancel()

    report = ramify.search(
        load("connect4").initial(), agent, seconds=120.0, simulations=10**9, seed=1, threads=threads, progress=progress
    )
    check(report)
    assert report.stopped == "cancelled"
    for one in seen:  # a running search has not decided
        assert next(child.visits for child in one.children if child.move == one.move) == one.children[0].visits


@every
def test_an_error_in_the_middle_leaves_a_tree_to_go_on_with(agent):
    def progress(search):
        raise LookupError("nothing to show")

    search = ramify.Search(load("connect4").initial(), agent, seed=1)
    with pytest.raises(LookupError):
        search.run(ramify.Budget(seconds=60.0), progress)
    before = search.report()
    assert str(before.move) in map(str, search.state.moves())
    after = search.run(ramify.Budget(simulations=20))
    assert 0 < after.simulations <= 20  # shot_original may end before its budget is spent
    assert sum(child.visits for child in after.children) > sum(child.visits for child in before.children)


@every
@pytest.mark.alone
def test_seconds(agent):
    search = ramify.Search(load("connect4").initial(), agent, seed=1)
    for seconds in (1e-9, 0.02, 0.1):
        report = search.run(ramify.Budget(seconds=seconds))
        assert report.stopped == "seconds"
        assert report.simulations > 0
        assert report.seconds < seconds + 0.1
        assert report.seconds > 0.9 * seconds


@every
@pytest.mark.alone
def test_cancelled_from_another_thread(agent):
    search = ramify.Search(load("connect4").initial(), agent, seed=1)
    timer = threading.Timer(0.05, search.cancel)
    timer.start()
    report = search.run(ramify.Budget(simulations=10**9))
    timer.join()
    assert report.stopped == "cancelled"
    assert report.seconds < 5.0
