"""Backups: every node's value is what its formula says of its children, and what excludes them is rejected."""

import numpy as np
import pytest

import ramify
from ramify.core.search.tree import CHANCE, ROOT
from ramify.strategies.registry import strategies
from tests import toys


def searched(game, agent, simulations=400, seed=3):
    state = (toys.load(game) if game == "three_heaps" else ramify.load(game)).initial()
    search = ramify.Search(state, agent, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    return search, search.workers[0]


def inner_nodes(worker):
    """Every visited node but the root with its parent, breadth first."""
    waiting = [ROOT]
    for node in waiting:
        children = worker.tree.children(node)
        for child in range(children.start, children.stop):
            if worker.tree.nodes["visits"][child]:
                yield worker.tree.nodes[node], worker.tree.nodes[child], child
                waiting.append(child)


def column(worker, name):
    return worker.view.column(name, slice(None))


def seen_by(value, holder, player):
    return value if holder == player else 1.0 - value


def slow_value(worker, parent, node, ended, combine):
    """A node's value from its children's and from the simulations that ended there, by the formula."""
    holder, player = max(int(parent["mover"]), 0), max(int(node["mover"]), 0)
    below = (
        worker.tree.nodes[node["first"] : node["first"] + node["live"] + node["hidden"]] if node["first"] >= 0 else []
    )
    below = [(int(child["visits"]), child["total"] / child["visits"]) for child in below if child["visits"]]
    if not below:
        return ended / node["visits"]
    own = int(node["visits"]) - sum(visits for visits, _ in below)
    if own:
        below.append((own, seen_by(ended / own, holder, player)))
    weights, values = (np.array(one, float) for one in zip(*below, strict=True))
    known = len(values) - bool(own)
    chance = node["mover"] == CHANCE
    return seen_by(combine(weights, values, known, chance), holder, player)


def power_mean(p):
    def combine(weights, values, known, chance):
        power = 1.0 if chance else p
        return np.average(values**power, weights=weights) ** (1.0 / power)

    return combine


def maximum(weights, values, known, chance):
    return np.average(values, weights=weights) if chance else values[:known].max()


GAMES = ("connect4", "tictactoe", "pig(target=20)", "breakthrough(rows=5, columns=4)")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("backup", "combine"), [("power_mean", power_mean(2.0)), ("power_mean(p=7)", power_mean(7.0)), ("max", maximum)]
)
def test_values_follow_from_the_children(game, backup, combine):
    _, worker = searched(game, f"mcts(backup={backup})")
    ended, nodes = column(worker, "ended"), 0
    for parent, node, number in inner_nodes(worker):
        wanted = slow_value(worker, parent, node, ended[number], combine)
        assert node["total"] / node["visits"] == pytest.approx(wanted, abs=1e-9)
        nodes += 1
    assert nodes > 100


@pytest.mark.parametrize("game", GAMES)
def test_a_power_of_one_is_the_mean(game):
    _, means = searched(game, "mcts")
    _, powers = searched(game, "mcts(backup=power_mean(p=1))")
    used = int(means.counters["nodes"][0])
    assert means.tree.nodes["visits"][:used].tolist() == powers.tree.nodes["visits"][:used].tolist()
    assert powers.tree.nodes["total"][1:used] == pytest.approx(means.tree.nodes["total"][1:used])


def test_implicit_minimax_mixes_means_with_minimax_values():
    search, worker = searched("breakthrough(rows=5, columns=4)", "mcts(backup=implicit_minimax(alpha=0.3))")
    sums, minimax = column(worker, "sums"), column(worker, "minimax")
    evaluated = 0
    for parent, node, number in inner_nodes(worker):
        mixed = 0.7 * sums[number] + 0.3 * node["visits"] * minimax[number]
        assert node["total"] == pytest.approx(mixed)
        if node["first"] >= 0:
            below = minimax[node["first"] : node["first"] + node["live"]].max()
            assert minimax[number] == pytest.approx(seen_by(below, parent["mover"], node["mover"]))
            evaluated += 1
    assert evaluated > 20
    kernel, game = worker.game.kernel("evaluate"), worker.game
    for code in worker.tree.nodes["move"][worker.tree.children()]:
        child = worker.tree.child(ROOT, int(code))
        if worker.tree.nodes["first"][child] < 0 and worker.tree.nodes["visits"][child]:
            data, scores = np.zeros(game.state_bytes, np.uint8), np.zeros(2)
            game.to_address(game.after(search.state.data, int(code)), data.ctypes.data)
            kernel(game.table().rules, data.ctypes.data, scores.ctypes.data)
            assert minimax[child] == scores[0]


def test_alpha_zero_is_the_mean_bit_for_bit():
    game = "breakthrough(rows=6, columns=6)"
    (_, means), (_, mixed) = (searched(game, f"mcts({one})") for one in ("", "backup=implicit_minimax(alpha=0)"))
    used = int(means.counters["nodes"][0])
    assert means.tree.nodes[:used].tobytes() == mixed.tree.nodes[:used].tobytes()
    assert means.rng == mixed.rng


@pytest.mark.parametrize("name", strategies("backup"))
def test_trees_are_kept(name):
    search, worker = searched("breakthrough(rows=6, columns=6)", f"mcts(backup={name})")
    search.advance(search.report().move)
    kept = int(worker.tree.nodes["visits"][ROOT])
    search.run(ramify.Budget(simulations=100))
    assert int(worker.tree.nodes["visits"][ROOT]) == kept + 100 > 101
    if name == "max":
        ended = column(worker, "ended")
        for parent, node, number in inner_nodes(worker):
            wanted = slow_value(worker, parent, node, ended[number], maximum)
            assert node["total"] / node["visits"] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("game", "agent", "sentence"),
    [
        ("connect4", "mcts(backup=max, prove=true)", "backup=max does not support prove=true"),
        (
            "connect4",
            "mcts(backup=max, transpositions=uct1)",
            "supports only plain trees, and the shape of this search is graph",
        ),
        ("connect4", "mcts(backup=max, allocation=shot)", "the shape of this search is shot"),
        ("tron", "mcts(backup=max)", "the shape of this search is simultaneous"),
        ("pig", "mcts(backup=max, chance=open_loop)", "the shape of this search is open loop"),
        ("connect4", "mcts(backup=max, select=ucb1_tuned)", "does not support policies that use deviations"),
        ("othello", "mcts(backup=max, reward=score_bonus)", "does not support reward=score_bonus"),
        ("three_heaps", "mcts(backup=power_mean)", "needs one player, or two whose scores add up to 1"),
        ("connect4", "mcts(backup=implicit_minimax)", "connect4 has no evaluate"),
        ("connect4", "mcts(backup=power_mean(p=0.5))", "'p' must be"),
        ("gdl:connect4", "mcts(backup=max, batch_size=8)", "backup=max does not support batches"),
    ],
)
def test_what_does_not_go_together_is_rejected(game, agent, sentence):
    with pytest.raises(ramify.RamifyError, match=sentence.replace("(", r"\(")):
        searched(game, agent, 10)
