"""The compiled loop of joint moves and the naive one grow the same tree from the same seed."""

import numpy as np
import pytest

import ramify
from ramify import CHANCE, SIMULTANEOUS
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.worker import Worker
from ramify.agents.shapes import simultaneous
from ramify.agents.shapes.simultaneous import JointArrays
from ramify.agents.shapes.tree_arrays import INITIAL_NODES
from ramify.core.kernels.compiling import JIT
from ramify.grammar import parse
from ramify.strategies.policy import registry as selection
from tests import toys
from tests.oracle import naive_simultaneous as naive
from tests.oracle.test_engine import compare as compare_with_turns

POLICIES = (
    *("ucb1", "ucb1_tuned", "ucb_v", "ucb_minimal", "moss", "omc", "omc_stochastic", "pbbm", "random"),
    *("epsilon_greedy", "thompson", "exp3", "regret_matching", "sufficiency", "kl_ucb"),
)
GAMES = (
    'matrix(kind="biased")',
    "rock_paper_scissors",
    "auction",
    "harvest(players=1)",
    "harvest",
    "harvest(players=3)",
)


def chosen(text):
    """A policy and its constants as plain numbers."""
    found = selection.resolve(parse(text))
    return found.policy, {name: np.nan if value is None else value for name, value in found.constants}


def searches(state, text, seed=1, *, threshold=1, fpu=10_000.0, deviation="pooled", player=None, playout="uniform"):
    """The same search in both forms."""
    recommend = "mixed" if chosen(text)[0].average else "robust"
    agent = ramify.agent("mcts", select=text, fpu=fpu, expand_threshold=threshold, deviation=deviation, playout=playout)
    agent = ramify.agent(agent, recommend=recommend)
    fast = ramify.Search(state, agent, seed=seed, player=player)
    policy, constants = chosen(text)
    own = {"player": max(state.to_move, 0) if player is None else player, "heuristic": "heuristic" in playout}
    own["limit"] = agent.playout.limit
    slow = naive.Search(state, seed, policy, constants, fpu, threshold, deviation=deviation, **own)
    return fast, slow


def compare(state, simulations, text="ucb1", seed=1, **settings):
    fast, slow = searches(state, text, seed, **settings)
    fast.run(Budget(simulations=simulations))
    slow.run(simulations)
    assert_equal_trees(fast.workers[0], slow)
    return fast, slow


def assert_equal_trees(worker: Worker, slow: naive.Search) -> None:
    """Every position, every player's moves there, everything that policies keep of these, and every joint child."""
    nodes = worker.tree.nodes
    waiting = [(0, slow.root, "root", 0)]
    while waiting:
        at, node, where, whose = waiting.pop()
        assert int(nodes["visits"][at]) == node.visits, where
        if at:
            assert float(nodes["total"][at]) == node.totals[whose], where
        if not node.expanded:
            assert nodes["first"][at] == -1, where
            continue
        if node.over:
            assert nodes["first"][at] == -2, where
            continue
        assert nodes["mover"][at] == node.mover, where
        first = int(nodes["first"][at])
        if node.mover == CHANCE:
            assert nodes["chance"][first : first + len(node.names)].tolist() == [one.chance for one in node.outcomes]
            waiting += [(first + k, child, f"{where} {node.names[k]}", 0) for k, child in enumerate(node.outcomes)]
        elif node.mover == SIMULTANEOUS:
            assert_equal_joint(worker, slow, at, node, where, waiting)
        else:
            (seat,) = node.seats.values()
            assert_equal_arms(worker, slow, at, seat, where)
            for k, move in enumerate(seat.moves):
                child = node.children.get((k,), naive.Node(totals=[0.0] * slow.players))
                waiting.append((first + k, child, f"{where} {move}", node.mover))
    for counter in ("simulations", "calls", "max_depth", "cut_playouts"):
        assert int(worker.counters[counter][0]) == getattr(slow, counter), counter
    assert int(worker.rng[0]) == slow.rng.state


def assert_equal_joint(worker, slow, at, node, where, waiting):
    nodes = worker.tree.nodes
    first = int(nodes["first"][at])
    for player, seat in node.seats.items():
        assert nodes["visits"][first + player] == node.visits, where
        assert_equal_arms(worker, slow, first + player, seat, f"{where} player {player}")
    found = {code: child for code, child, _ in worker.tree.moves(at)}
    codes = {tuple(node.seats[p].moves[k].code for p, k in enumerate(key)): key for key in node.children}
    assert found.keys() == codes.keys(), where
    for code, child in found.items():
        known = node.children[codes[code]]
        for player in range(slow.players):
            assert nodes["visits"][child + player] == known.visits
            assert nodes["total"][child + player] == known.totals[player]
            assert nodes["move"][child + player] == codes[code][player]
            if worker.parts.selectors.squares:
                assert worker.tree.columns[0, child + player] == known.squares[player]
        waiting.append((child, known, f"{where} {code}", 0))


def assert_equal_arms(worker, slow, at, seat, where):
    """What is known of a player's moves."""
    tree, arms = worker.tree, worker.tree.children(at)
    assert tree.nodes["move"][arms].tolist() == [move.code for move in seat.moves], where
    assert tree.nodes["visits"][arms].tolist() == seat.visits, where
    assert tree.nodes["total"][arms].tolist() == seat.totals, where
    if worker.parts.selectors.squares:
        assert tree.columns[0, arms].tolist() == seat.squares, where
    for row, name in enumerate(seat.kept, start=int(worker.parts.selectors.squares)):
        assert tree.columns[row, arms].tolist() == seat.kept[name].tolist(), (where, name)


def decision(game):
    """The first position of a game where somebody chooses."""
    state = toys.load(game).initial()
    while state.to_move == CHANCE:
        state = state.play(state.chance_outcomes()[0][0])
    return state


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", POLICIES)
def test_policies(policy, game):
    compare(decision(game), 80, policy, seed=GAMES.index(game))


@pytest.mark.parametrize("threshold", [0, 1, 3])
@pytest.mark.parametrize("fpu", [10_000.0, 0.6])
def test_when_a_node_expands(threshold, fpu):
    for game in ("auction", "harvest(players=3)"):
        compare(decision(game), 100, "ucb1(c=1.4)", seed=2, threshold=threshold, fpu=fpu)


@pytest.mark.parametrize("policy", ["ucb1_tuned", "ucb_v", "omc", "pbbm"])
@pytest.mark.parametrize("game", ["auction", "harvest(players=3)", "rock_paper_scissors(wins=1)"])
def test_the_deviation_is_that_of_the_children(policy, game):
    """As printed, for policies that ask for it; it is another one than the pooled, and so is the search."""
    _, slow = compare(decision(game), 100, policy, seed=3, deviation="children")
    check_marginals(slow)
    _, pooled = searches(decision(game), policy, seed=3)
    pooled.run(100)
    assert any(
        seat.squares != other.squares
        for seat, other in zip(slow.root.seats.values(), pooled.root.seats.values(), strict=True)
    )


def check_marginals(slow):
    """What policies see of an arm are the sums over its joint children, as the paper prints them."""
    waiting, seen = [slow.root], 0
    while waiting:
        node = waiting.pop()
        waiting += naive.below(node)
        for player, seat in node.seats.items() if node.mover == SIMULTANEOUS else ():
            for k, visits in enumerate(seat.visits):
                if visits:
                    t, mean, deviation = slow.marginals(node, player, k)
                    assert visits == t
                    assert seat.totals[k] / visits == pytest.approx(mean)
                    shown = np.sqrt(max(seat.squares[k] / visits - (seat.totals[k] / visits) ** 2, 0.0))
                    assert seat.spreads[k] / visits == pytest.approx(deviation, abs=1e-9)
                    assert shown == pytest.approx(deviation, abs=1e-7)
                    seen += 1
    assert seen >= 6


def test_the_pooled_deviation_is_that_of_all_rewards():
    """Of two joint children that pay 0 and 1, each always, none deviates, and both together do."""
    state = toys.load("matrix").initial()
    for deviation in ("pooled", "children"):
        fast, _ = compare(state, 300, "ucb1_tuned", seed=4, deviation=deviation)
        worker = fast.workers[0]
        arms = worker.view.moves(0)
        n, t = worker.tree.nodes["visits"][arms], worker.tree.nodes["total"][arms]
        shown = np.sqrt(np.maximum(worker.tree.columns[0, arms] / n - (t / n) ** 2, 0.0))
        assert (shown < 1e-7).all() if deviation == "children" else (shown > 0.3).all()


@pytest.mark.parametrize("policy", ["ucb1", "exp3"])
def test_playouts_by_what_a_game_knows(policy):
    compare(decision("harvest"), 120, policy, playout="heuristic")
    compare(decision("rock_paper_scissors"), 120, policy, playout="heuristic(limit=2)")


@pytest.mark.parametrize("player", [0, 1, 2])
def test_who_searches_draws_first(player):
    compare(decision("harvest(players=3)"), 200, "thompson", seed=5, player=player, playout="heuristic")


@pytest.mark.parametrize("policy", ["ucb1", "ucb1_tuned", "thompson", "exp3", "regret_matching"])
@pytest.mark.parametrize("deviation", ["pooled", "children"])
def test_swapped_players_make_the_same_search_mirrored(policy, deviation):
    """People who change places, and search for themselves from the same seed, find the same, each at the other's."""
    for game in ('matrix(kind="pennies"{})', "harvest(rounds=3{})"):
        sides = []
        for player, swapped in ((0, ""), (1, ", swapped=true")):
            state = decision(game.format(swapped))
            agent = f"mcts(select={policy}, deviation={deviation}, recommend=mixed)"
            search = ramify.Search(state, agent, seed=6, player=player)
            sides.append(search.run(Budget(simulations=400)))
        one, other = sides
        assert (one.move, one.value, one.depth) == (other.move, other.value, other.depth)
        for own in (0, 1):
            assert rows(one.children_of(own)) == rows(other.children_of(1 - own))
        mirrored(one.tree(), other.tree())


def rows(children):
    return [(child.move, child.visits, child.value, child.probability) for child in children]


def mirrored(one, other):
    """Every node: the same visits, and values of swapped players."""
    waiting, seen = [(one, other)], 0
    while waiting:
        one, other = waiting.pop()
        assert one.visits == other.visits
        if len(one.values) == 2:
            assert one.values == other.values[::-1]
        flip = one.state.to_move == SIMULTANEOUS
        pairs = {reversed_(child.move, flip): child for child in other.children()}
        waiting += [(child, pairs[str(child.move)]) for child in one.children()]
        seen += 1
    assert seen > 3


def reversed_(move, flip):
    return "+".join(str(move).split("+")[::-1]) if flip else str(move)


@pytest.mark.parametrize("game", ["auction", "harvest(players=1)", "harvest(players=3, rounds=3)"])
@pytest.mark.parametrize("policy", ["ucb1", "ucb_v", "regret_matching"])
def test_a_tree_is_kept_along_a_game(game, policy):
    state = decision(game)
    fast, slow = searches(state, policy, seed=7, deviation="children")
    kept = 0
    for _ in range(6):
        if slow.state.over:
            break
        if slow.state.to_move != CHANCE:
            fast.run(Budget(simulations=90))
            slow.run(90)
        assert_equal_trees(fast.workers[0], slow)
        move = favourite(slow)
        fast.advance(move)
        slow.advance(move)
        slow.player = max(slow.state.to_move, 0)
        kept += slow.root.visits > 0
        assert_equal_trees(fast.workers[0], slow)
    assert kept >= 2


def favourite(slow):
    """The most visited move of the root, or everybody's."""
    if slow.state.to_move == CHANCE:
        return slow.root.names[int(np.argmax([child.visits for child in slow.root.outcomes]))]
    key = max(slow.root.children, key=lambda key: slow.root.children[key].visits)
    moves = [seat.moves[k] for seat, k in zip(slow.root.seats.values(), key, strict=True)]
    return moves if slow.root.mover == SIMULTANEOUS else moves[0]


def test_a_joint_move_never_met_starts_anew():
    state = decision("harvest(players=3)")
    fast, slow = searches(state, "ucb1", seed=8)
    fast.run(Budget(simulations=2))
    slow.run(2)
    move = next(
        [a, b, c]
        for a in state.moves(0)
        for b in state.moves(1)
        for c in state.moves(2)
        if fast.workers[0].tree.child(0, (a.code, b.code, c.code)) is None
    )
    fast.advance(move)
    assert fast.workers[0].counters["nodes"][0] == 1


@pytest.mark.parametrize("sizes", [(1,) * 40, (3, 7, 30), (39, 1)])
def test_chunks_of_any_size_give_the_same_tree(sizes):
    for policy in ("ucb1_tuned", "regret_matching"):
        state = decision("harvest(players=3)")
        fast, slow = searches(state, policy, seed=9, deviation="children")
        for size in sizes:
            fast.run(Budget(simulations=size))
        slow.run(40)
        worker = fast.workers[0]
        worker.counters["simulations"], worker.counters["calls"] = slow.simulations, slow.calls
        assert_equal_trees(worker, slow)


def test_a_game_of_turns_is_searched_as_ever():
    """``last_word`` could have joint moves, and has none: the same tree as by the tree shape."""
    compare_with_turns(toys.load("last_word").initial(), 200, seed=10)


@pytest.mark.skipif(not JIT, reason="too many simulations for plain Python")
def test_a_tree_grows_beyond_its_first_array(monkeypatch):
    """It is the same as one that had room from the beginning."""
    state = toys.load("rock_paper_scissors(wins=3)").initial()
    agent = "mcts(select=ucb1_tuned, deviation=children)"
    grown = ramify.Search(state, agent, seed=11)
    grown.run(Budget(simulations=20_000))
    monkeypatch.setattr(simultaneous, "JointArrays", lambda rows, least: JointArrays(rows, least, 1_000_000))
    roomy = ramify.Search(state, agent, seed=11)
    roomy.run(Budget(simulations=20_000))
    one, other = grown.workers[0], roomy.workers[0]
    used = int(one.counters["nodes"][0])
    assert INITIAL_NODES < used == other.counters["nodes"][0]
    assert (one.tree.nodes[:used] == other.tree.nodes[:used]).all()
    assert (one.tree.columns[:, :used] == other.tree.columns[:, :used]).all()


def test_trees_of_several_threads_are_those_of_their_streams():
    """Root parallel: each tree is that of a search of one thread, and the report adds up the moves of each player."""
    state = decision("harvest(players=3)")
    search = ramify.Search(state, "mcts(select=exp3, recommend=mixed)", seed=12, threads=2)
    report = search.run(Budget(simulations=200))
    policy, constants = chosen("exp3")
    trees = [naive.Search(state, 12, policy, constants, stream=stream).run(100) for stream in range(2)]
    for worker, slow in zip(search.workers, trees, strict=True):
        assert_equal_trees(worker, slow)
    for player in range(3):
        seats = [slow.root.seats[player] for slow in trees]
        expected = {move: sum(seat.visits[k] for seat in seats) for k, move in enumerate(seats[0].moves)}
        assert {child.move: child.visits for child in report.children_of(player)} == expected
