"""The solver in the search: the same tree and the same bounds as the naive one, and none that are wrong."""

from functools import cache, lru_cache

import pytest

import ramify
from ramify.contract.game import Game
from ramify.ggp.propnet_cache import build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.rules import Rulesheet
from tests import toys
from tests.oracle import endgames, naive, naive_proving
from tests.oracle.signature import first_decision
from tests.oracle.test_engine import assert_equal_trees

load = lru_cache(ramify.load)


def assert_equal_bounds(worker, other):
    """Every node: bounds of every player's score, and how many children are live."""
    waiting = [(0, other.root)]
    while waiting:
        k, node = waiting.pop()
        for player in range(worker.game.players):
            known = worker.view.bounds(slice(k, k + 1), player)
            found = (float(known.lower[0]), float(known.upper[0]))
            assert found == pytest.approx((node.low[player], node.high[player]), abs=1e-12)
        if node.children:
            assert worker.tree.nodes["live"][k] == node.live
            where = worker.tree.children(k)
            waiting.extend(zip(range(where.start, where.stop), node.children, strict=True))


def compare(state, simulations, seed=1, *, threshold=1, fpu=10_000.0, c=0.7, agent="", **other):
    text = f"mcts(prove=true, select=ucb1(c={c}), fpu={fpu}, expand_threshold={threshold}{agent})"
    search = ramify.Search(state, text, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    slow = naive_proving.Search(state, seed, c, fpu, threshold, **other).run(simulations)
    assert_equal_trees(search.workers[0], slow)
    assert_equal_bounds(search.workers[0], slow)
    assert (search.stopped == "proven") == slow.proven
    return slow


@pytest.mark.parametrize("threshold", [0, 1, 2, 5])
@pytest.mark.parametrize(("fpu", "c"), [(10_000.0, 0.7), (0.6, 0.2)])
def test_tictactoe(threshold, fpu, c):
    compare(load("tictactoe").position("xo./.../..."), 400, threshold=threshold, fpu=fpu, c=c)


def test_a_draw_is_proven():
    slow = compare(load("tictactoe").position("xox/.o./.x."), 400, seed=2)
    assert slow.proven
    assert (slow.root.low, slow.root.high) == ([0.5, 0.5], [0.5, 0.5])


@pytest.mark.parametrize("seed", range(3))
def test_connect4(seed):
    compare(load("connect4").position("moves 4 4 4 4 4 4 2 2 2 2 6 6"), 400, seed)


@pytest.mark.parametrize("threshold", [1, 3])
def test_breakthrough(threshold):
    slow = compare(load("breakthrough(rows=4, columns=4)").initial(), 600, 3, threshold=threshold)
    assert any(child.live for child in slow.root.children)


@pytest.mark.parametrize("simulations", [100, 3000])
def test_any_score(simulations):
    state = toys.load("row_of_coins").initial()
    slow = compare(state, simulations, 4)
    assert slow.proven == (simulations == 3000)
    assert not slow.proven or slow.root.low[0] == pytest.approx(expected(state, 0))


def test_a_game_with_a_playout_of_its_own():
    compare(load("hex(size=3)").initial(), 500, 4, own_playout=naive.own)


@pytest.mark.parametrize("threshold", [0, 1, 2])
def test_chance(threshold):
    compare(toys.load("dice_race(goal=3)").initial(), 800, 5, threshold=threshold)


@pytest.mark.parametrize("name", ["three_heaps", "last_bean"])
@pytest.mark.parametrize("threshold", [0, 1, 2])
def test_three_players(name, threshold):
    compare(toys.load(name).initial(), 500, 6, threshold=threshold)


def test_a_game_of_python_objects():
    assert compare(toys.load("nim_class").initial(), 1500, 7).proven


def test_a_puzzle_for_one():
    compare(toys.load("double_or_add").initial(), 200, 8)


def test_a_tree_is_kept_with_its_bounds():
    state = load("breakthrough(rows=4, columns=4)").initial()
    slow = naive_proving.Search(state, 9)
    search = ramify.Search(state, "mcts(prove=true)", seed=9)
    kept = 0
    while not slow.proven:
        search.run(ramify.Budget(simulations=300))
        slow.run(300)
        assert_equal_bounds(search.workers[0], slow)
        move = max(slow.root.children[: slow.root.live], key=lambda child: child.visits).move
        search.advance(move)
        slow.advance(move)
        assert_equal_trees(search.workers[0], slow)
        assert_equal_bounds(search.workers[0], slow)
        kept += any(child.known for child in slow.root.children or [])
    assert kept


# What is proven is true.


def nodes(search, player):
    """The positions of the first tree, and the bounds of a player's score there."""
    worker = search.workers[0]
    waiting = [(0, search.state)]
    while waiting:
        k, state = waiting.pop()
        known = worker.view.bounds(slice(k, k + 1), player)
        yield state, float(known.lower[0]), float(known.upper[0])
        where = worker.tree.children(k)
        names = {move.code: move for move in (state.moves() if where.stop else [])}
        visited = [child for child in range(where.start, where.stop) if worker.tree.nodes["visits"][child]]
        waiting.extend((child, state.play(names[int(worker.tree.nodes["move"][child])])) for child in visited)


@cache
def expected(state, player):
    """A player's expected score if both play perfectly."""
    if state.over:
        return state.scores()[player]
    if state.to_move == ramify.CHANCE:
        return sum(probability * expected(state.play(move), player) for move, probability in state.chance_outcomes())
    found = [expected(state.play(move), player) for move in state.moves()]
    return max(found) if state.to_move == player else min(found)


@pytest.mark.parametrize(("name", "simulations"), [("dice_duel", 20_000), ("pig(target=4, horizon=4)", 20_000)])
def test_expectations(name, simulations):
    game = load(name) if name.startswith("pig") else toys.load(name)
    search = ramify.Search(first_decision(game.initial()), "mcts(prove=true)", seed=1)
    report = search.run(ramify.Budget(simulations=simulations))
    assert report.stopped == "proven"
    assert report.proven == pytest.approx(expected(search.state, search.state.to_move), abs=1e-6)
    for player in range(2):
        for state, lower, upper in nodes(search, player):
            assert lower - 1e-6 <= expected(state, player) <= upper + 1e-6


@cache
def forced(state, player):
    """What a player can force against all others."""
    if state.over:
        return state.scores()[player]
    found = [forced(state.play(move), player) for move in state.moves()]
    return max(found) if state.to_move == player else min(found)


@cache
def equilibria(state):
    """The scores of all ways to play in which everybody does the best for itself."""
    if state.over:
        return frozenset([tuple(state.scores())])
    mover = state.to_move
    below = [equilibria(state.play(move)) for move in state.moves()]
    least = [min(scores[mover] for scores in one) for one in below]
    return frozenset(
        scores
        for k, one in enumerate(below)
        for scores in one
        if all(scores[mover] >= other for j, other in enumerate(least) if j != k)
    )


@pytest.mark.parametrize("name", ["last_bean(beans=9)", "last_bean(beans=6)", "three_heaps"])
def test_three_players_conservatively(name):
    """The lower bound holds if the others unite, the upper one however everybody plays who looks after itself."""
    state = toys.load(name).initial()
    if name == "three_heaps":
        state = state.play("3").play("13")
    search = ramify.Search(state, "mcts(prove=true)", seed=3)
    search.run(ramify.Budget(simulations=3000))
    settled = 0
    for player in range(3):
        for state, lower, upper in nodes(search, player):
            assert lower <= forced(state, player)
            assert max(scores[player] for scores in equilibria(state)) <= upper + 1e-9
            settled += lower == upper and not state.over
    assert settled > 20


@pytest.mark.parametrize("name", endgames.GAMES)
@pytest.mark.parametrize(
    "agent", ["mcts(prove=true)", "mcts(prove=true, select=thompson, expand_threshold=3, reward=relative_bonus)"]
)
def test_endgames_against_exhaustion(name, agent):
    tally = endgames.compare(name, 15, 10_000, agent=agent)
    assert tally.wrong == 0
    assert tally.moves > tally.proven


GREEDY = """
(role a) (role b)
(init (turn a)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(other a b) (other b a)
(<= (legal ?p take) (true (turn ?p)))
(<= (legal ?p leave) (true (turn ?p)))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (taken ?p)) (does ?p take))
(<= terminal (true (taken a)))
(<= terminal (true (taken b)))
(<= terminal (true (step 7)))
(<= (next (late)) (true (step 3)))
(<= (next (late)) (true (late)))
(<= (goal ?p 60) (true (taken ?p)) (true (late)))
(<= (goal ?p 40) (true (taken ?p)) (not (true (late))))
(<= (goal ?p 10) (role ?p) (not (true (taken ?p))))
"""


def test_two_whose_scores_do_not_add_up():
    game = PropnetGame("gdl:greedy", build(Rulesheet.from_text(GREEDY, "greedy")).propnet)
    slow = compare(game.initial(), 300, 6)
    assert not slow.proven
    assert slow.root.low[0] == expected(game.initial(), 0) == 0.4  # by taking now
    assert slow.root.high[0] == 0.6  # the other may leave, too, although that is less for it


@pytest.mark.parametrize("position", ["xo./.../...", "xox/.o./.x."])
def test_scores_that_add_up_though_nobody_said_so(position, monkeypatch):
    told = compare(load("tictactoe").position(position), 3000, 7)
    monkeypatch.setattr(Game, "constant_sum", False)
    found = compare(load("tictactoe").position(position), 3000, 7)
    assert told.proven
    assert found.proven
    assert (found.root.low, found.root.high) == (told.root.low, told.root.high)
