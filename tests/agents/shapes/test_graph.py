"""What a search with transpositions refuses, reports and shows."""

import pytest

import ramify
from ramify.errors import RamifyError
from tests import toys

NIM = 'nim(heaps="3-3-3")'


def searched(game, agent, simulations=500, **given):
    search = ramify.Search(game.initial(), agent, seed=1, **given)
    return search, search.run(ramify.Budget(simulations=simulations))


@pytest.mark.parametrize("value", ["true", "uct3", "uct1(c=2)", "1"])
def test_the_variants_are_named(value):
    with pytest.raises(RamifyError, match="'transpositions' must be none, uct1 or uct2, not"):
        ramify.agent(f"mcts(transpositions={value})")


@pytest.mark.parametrize("what", ["allocation=shot", "allocation=h_mcts", "prove=true"])
def test_what_moves_children_about_is_refused(what):
    with pytest.raises(RamifyError, match=f"transpositions=uct1 does not support {what}"):
        ramify.agent(f"mcts({what}, transpositions=uct1)")


def test_objects_without_a_text_of_their_own_are_refused():
    game = toys.load("mute")
    with pytest.raises(RamifyError, match=r"transpositions need a compiled game or a key\(\) method"):
        ramify.search(game.initial(), "mcts(transpositions=uct2)", simulations=10)


def test_none_is_the_default():
    start = ramify.load("connect4").initial()
    plain, named = (
        ramify.search(start, agent, simulations=300, seed=3) for agent in ("mcts", "mcts(transpositions=none)")
    )
    assert plain.children == named.children
    assert plain.transposition_hits == 0


def test_the_report_says_how_much_is_shared():
    _, report = searched(ramify.load(NIM), "mcts(transpositions=uct1)")
    assert report.transposition_hits > 0
    assert report.to_dict()["shared"] == report.transposition_hits


def paths(node, depth):
    """How many paths of visited nodes there are."""
    return 1 + sum(paths(child, depth - 1) for child in node.children() if child.visits) if depth else 1


def test_a_walk_comes_to_every_node_once():
    _, report = searched(ramify.load(NIM), "mcts(transpositions=uct1)")
    walked = list(report.tree().walk())
    records = report.tree()._places[0][0].tree.nodes[: report.nodes]
    edges = records[(records["tag"] == 0) & (records["visits"] > 0)]
    assert len(walked) == len(edges)
    assert sum(node.visits for node in walked) == edges["visits"].sum()
    assert len(walked) < paths(report.tree(), 12)


def test_nodes_below_a_shared_position_are_found_by_any_path():
    _, report = searched(ramify.load(NIM), "mcts(transpositions=uct1)")
    root = report.tree()

    def below(*names):
        node = root
        for name in names:
            node = next(child for child in node.children() if child.move.name == name)
        return node

    one, other = below("a3", "b3"), below("b3", "a3")
    assert one.state == other.state
    assert [(child.move, child.visits) for child in one.children()] == [
        (child.move, child.visits) for child in other.children()
    ]


@pytest.mark.parametrize("variant", ["uct1", "uct2"])
def test_a_line_does_not_go_in_circles(variant):
    _, report = searched(toys.load("ring"), f"mcts(transpositions={variant})", 2000)
    assert 0 < len(report.variation) < 30


@pytest.mark.parametrize("variant", ["uct1", "uct2"])
def test_several_trees_share_within_themselves(variant):
    search, report = searched(ramify.load(NIM), f"mcts(transpositions={variant})", 600, threads=2)
    assert sum(child.visits for child in report.children) == 600
    assert report.transposition_hits == sum(worker.shape.transposition_hits for worker in search.workers)
    assert all(worker.shape.transposition_hits for worker in search.workers)
    assert sum(1 for _ in report.tree().walk()) < report.nodes


@pytest.mark.parametrize("megabytes", [0.3, 1.0])
def test_the_table_counts_as_memory(megabytes):
    search = ramify.Search(ramify.load("connect4").initial(), "mcts(transpositions=uct2)", seed=2)
    report = search.run(ramify.Budget(simulations=10**6, memory=int(megabytes * 1e6)))
    worker = search.workers[0]
    taken = int(worker.counters["nodes"][0]) * worker.tree.bytes_per_node + worker.shape.nbytes
    assert report.stopped == "memory"
    assert 0.4e6 * megabytes < taken <= 1e6 * megabytes


@pytest.mark.parametrize("variant", ["uct1", "uct2"])
def test_what_is_proven_by_counting_is_found_sooner(variant):
    """Nim with 4096 simulations: of its best moves UCT alone finds one in twenty-five searches."""
    state = ramify.load('nim(heaps="3-4-6")').initial()
    best = {move.name for move in ramify.solve(state, moves=True).best}
    found = {}
    for agent in ("mcts", f"mcts(transpositions={variant})"):
        search = ramify.Search(state, agent, seed=0)
        found[agent] = 0
        for seed in range(20):
            search.restart(state, seed)
            found[agent] += str(search.run(ramify.Budget(simulations=4096)).move) in best
    plain, shared = found.values()
    assert plain <= 5
    assert shared >= 14


def test_a_search_that_starts_again_knows_nothing():
    state = ramify.load(NIM).initial()
    search = ramify.Search(state, "mcts(transpositions=uct2)", seed=5)
    first = search.run(ramify.Budget(simulations=400)).children
    search.restart(state, 5)
    assert search.run(ramify.Budget(simulations=400)).children == first
