"""What a report says of a search, and the tree behind it."""

import itertools
import json
import math

import pytest

import ramify
from tests import toys


def searched(name="tictactoe", simulations=400, agent="uct", **options):
    game = toys.load(name) if "/" not in name and name.partition("(")[0] not in ramify.games() else ramify.load(name)
    search = ramify.Search(game.initial(), agent, seed=5, **options)
    return search, search.run(ramify.Budget(simulations=simulations))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("threshold", [0, 1, 3])
@pytest.mark.parametrize("name", ["tictactoe", "dice_race", "three_heaps", "nim_class"])
def test_visits_add_up(name, threshold, threads):
    """Below the root a node's visits are those of its children and those it had before it was expanded."""
    agent = f"mcts(expand_threshold={threshold})"
    _, report = searched(name, 300, agent, threads=threads)
    for node in report.tree().walk():
        children = node.children()
        if node.move is None:
            assert node.visits == sum(child.visits for child in children) == 300
        elif children:
            waited = node.visits - sum(child.visits for child in children)
            assert waited <= threads * max(threshold, 1)  # at 0, one that waited for the next simulation
            if threads == 1 and threshold > 0:
                assert waited == threshold
        assert math.isnan(node.value) if node.move is None else 0 <= node.value <= 1


def test_the_tree_tells_moves_and_positions():
    _, report = searched("tictactoe", 500)
    root = report.tree()
    assert root.state == ramify.load("tictactoe").initial()
    assert root.move is None
    names = set()
    for child in root.children():
        assert child.state == root.state.play(child.move)
        assert child.state.history == (child.move.name,)
        names.add(child.move)
    assert names == set(root.state.moves())
    assert [child.visits for child in root.children()] == [child.visits for child in report.children]


def test_parents_come_first_and_the_most_visited_child_next():
    _, report = searched("tictactoe", 200)
    walked = list(report.tree().walk())
    assert [node.state.history for node in walked[:2]] == [(), (walked[0].children()[0].move.name,)]
    seen = set()
    for node in walked:
        history = node.state.history
        assert history[:-1] in seen or not history
        seen.add(history)
    assert len(seen) == len(walked)


def test_a_deep_tree_can_be_walked():
    """Far deeper than Python's stack."""
    _, report = searched("corridor(length=3000)", 2500)
    assert report.depth == 2500
    walked = list(report.tree().walk())
    assert len(walked) == 2501
    assert len(walked[-1].state.history) == 2500
    assert len(report.variation) == 2500


def test_the_variation_is_the_most_visited_line():
    _, report = searched("tictactoe", 1000)
    node = next(child for child in report.tree().children() if child.move == report.move)
    line = [node.move]
    while node.children() and node.children()[0].visits:
        node = node.children()[0]
        line.append(node.move)
    assert report.variation == line
    assert report.variation[0] == report.move
    state = ramify.load("tictactoe").initial()
    for move in report.variation:
        state = state.play(move)


def test_the_variation_takes_the_likeliest_outcome_of_chance():
    _, report = searched("dice_race", 2000)
    likeliest = {"safe": "+2", "wild": "+0"}
    for before, after in itertools.pairwise(report.variation[:4]):
        if before.name in likeliest:
            assert after.name == likeliest[before.name]
    assert report.variation[0].name in likeliest


def test_a_report_counts():
    search, report = searched("connect4", 321, "uct(c=0.4)")
    assert report.simulations == 321
    assert sum(child.visits for child in report.children) == 321
    assert report.calls > 321
    assert (
        report.nodes
        == int(search.workers[0].counters["nodes"][0])
        == 1 + 7 * sum(1 for node in report.tree().walk() if node.children())
    )
    assert report.depth >= 2
    assert report.cut == 0
    assert report.stopped == "simulations"
    assert report.seconds > 0
    assert (report.game, report.agent, report.seed, report.threads) == ("connect4", "uct(c=0.4)", 5, 1)
    assert ramify.load(report.game).position(report.position) == search.state
    best = max(report.children, key=lambda child: child.visits)
    assert (report.move, report.value) == (best.move, best.value)
    assert [child.visits for child in report.children] == sorted((c.visits for c in report.children), reverse=True)


@pytest.mark.parametrize("name", ["tictactoe", "dice_race", "nim_class", "three_heaps"])
def test_rows_are_plain_data(name):
    _, report = searched(name, 5)
    rows = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert rows["move"] == str(report.move)
    assert rows["simulations"] == 5
    assert sum(child["visits"] for child in rows["children"]) == 5
    assert ramify.load(rows["game"]).name == rows["game"]


def test_a_child_never_visited_has_no_value():
    _, report = searched("tictactoe", 5)
    unvisited = [child for child in report.children if not child.visits]
    assert len(unvisited) == 4
    assert all(math.isnan(child.value) for child in unvisited)
    assert [row["value"] for row in report.to_dict()["children"]][5:] == [None] * 4


def test_the_tree_of_a_report_grows_with_its_search():
    search, report = searched("tictactoe", 100)
    search.run(ramify.Budget(simulations=50))
    assert report.tree().visits == 150
    assert report.simulations == 100


@pytest.mark.parametrize("known", [True, False])
def test_the_tree_of_a_report_is_gone_when_the_search_moves_on(known):
    """Its nodes have other numbers then: to show them would be wrong."""
    search, report = searched("tictactoe", 1000 if known else 1)
    child = report.tree().children()[0]
    search.advance(report.move)
    for look in (report.tree().children, child.children, lambda: child.visits, lambda: child.value):
        with pytest.raises(ramify.RamifyError, match="no longer exists"):
            look()


def test_nothing_is_reported_before_the_first_run():
    search = ramify.Search(ramify.load("tictactoe").initial(), seed=1)
    with pytest.raises(ramify.RamifyError, match="run the search first"):
        search.report()
