"""RAVE and GRAVE in the compiled engine and in the naive one: the same tree, the same sums, from the same seed."""

from functools import lru_cache, partial

import numpy as np
import pytest

import ramify
from ramify.agents.hooks.amaf import CLASS_OF, COUNTS, TABLE_OF, TOTALS
from tests import toys
from tests.oracle import naive, naive_rave
from tests.oracle.test_engine import assert_equal_trees

load = lru_cache(ramify.load)

FORMULAS = {
    "rave": naive_rave.rave,
    "rave_max": naive_rave.rave_max,
    "rave_only": naive_rave.rave_only,
    "rave_doubt": naive_rave.rave_doubt,
    "grave": partial(naive_rave.rave, c=0.0),
    "mc_grave": naive_rave.mc_grave,
}
SHORT = {  # final is small, so that n matters
    "rave(final=20)": partial(naive_rave.rave, final=20.0),
    "rave_max(final=20, c=0.3)": partial(naive_rave.rave_max, final=20.0, c=0.3),
    "rave_only(c=0.2)": partial(naive_rave.rave_only, c=0.2),
    "rave(initial=0.1, final=1000, c=0)": partial(naive_rave.rave, initial=0.1, final=1000.0, c=0.0),
}
EVERY = FORMULAS | SHORT
REFERENCES = {"grave": 50.0, "mc_grave": 100.0}  # the default of ref


def cells(state):
    """Who owns which cell of a board of x, o and ``.``."""
    return {k: "xo".index(mark) for k, mark in enumerate(state.text().replace("/", "")) if mark != "."}


def assert_equal_sums(worker, slow):
    """Class, S and R of every child, and every table."""
    columns = worker.tree.columns[-worker.parts.amaf.column_count :]
    class_of, table_of = (columns[which].view(np.int64) for which in (CLASS_OF, TABLE_OF))
    counts, totals = columns[COUNTS], columns[TOTALS]
    waiting, tables = [(0, slow.root)], 0
    while waiting:
        k, node = waiting.pop()
        table = int(table_of[k])
        assert (table > 0) == (node.table is not None)
        if table:
            tables += 1
            *sums, seen = worker.parts.amaf.tables[table - 1]
            assert seen == node.seen
            classes = worker.game.move_classes()
            pairs = np.array(sums).reshape(-1, classes, 2)
            known = {(p, c): pairs[p, c].tolist() for p, c in zip(*np.nonzero(pairs[:, :, 0]), strict=True)}
            if worker.parts.amaf.block["owners"][0]:  # it also counts the moves made before, which nobody asks for
                known = {key: known[key] for key in node.table}
            assert known == node.table
        if node.children:
            first = worker.tree.children(k).start
            for j, child in enumerate(node.children, start=first):
                if node.mover >= 0:
                    assert class_of[j] == child.kind
                assert (counts[j], totals[j]) == (child.S, child.R), (k, child.move)
                waiting.append((j, child))
    assert int(worker.parts.amaf.block["used"][0]) == tables


def both(state, select, simulations, seed=1, *, agent="", limit=100_000, fpu=10_000.0, threshold=1, **slow):
    """The two searches, run and compared."""
    name = select.partition("(")[0]
    if name in REFERENCES and "ref" not in slow:
        slow["ref"] = REFERENCES[name]
    slow.setdefault("formula", EVERY.get(select) or FORMULAS[name])
    text = f"mcts(select={select}, playout=uniform(limit={limit}), fpu={fpu}, expand_threshold={threshold}{agent})"
    search = ramify.Search(state, text, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    other = naive_rave.Search(state, seed, fpu=fpu, expand_threshold=threshold, limit=limit, **slow)
    other.run(simulations)
    worker = search.workers[0]
    assert_equal_trees(worker, other)
    assert_equal_sums(worker, other)
    return search, other


@pytest.mark.parametrize("select", EVERY)
@pytest.mark.parametrize("game", ["sos(n=7)", "tictactoe"])
def test_every_policy(game, select):
    both(load(game).initial(), select, 250, seed=len(select))


@pytest.mark.parametrize(("fpu", "threshold"), [(0.6, 1), (10_000.0, 0), (0.2, 3), (10_000.0, 5)])
@pytest.mark.parametrize("select", ["rave(final=20)", "grave"])
def test_urgency_and_threshold(select, fpu, threshold):
    both(load("tictactoe").initial(), select, 150, seed=3, fpu=fpu, threshold=threshold)
    both(load("sos(n=6)").initial(), select, 150, seed=4, fpu=fpu, threshold=threshold)


@pytest.mark.parametrize("select", ["rave", "grave"])
@pytest.mark.parametrize("size", [3, 4])
def test_hex_by_its_own_playout(size, select):
    both(load(f"hex(size={size})").initial(), select, 200, seed=5, own_playout=naive.own, stones=cells)


@pytest.mark.parametrize("select", ["rave", "grave"])
def test_hex_from_a_position_with_a_limit(select):
    state = load("hex(size=4)").position("x..o/.x../..o./....")
    both(state, select, 150, seed=6, limit=7)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("select", ["rave", "rave_max(final=20, c=0.3)", "grave"])
@pytest.mark.parametrize("game", ["connect4", "breakthrough(rows=5, columns=4)", "pig(target=12)", "hex(size=3)"])
def test_traces(game, select, weights):
    """Moves that come back (columns of Connect 4), chance, early moves that weigh more."""
    if game.startswith("hex") and not weights:
        pytest.skip("it shows owners")
    agent = ", updates=true_updates(weighted=true)" if weights else ""
    both(load(game).initial(), select, 60, seed=7, agent=agent, weighted=weights)


@pytest.mark.parametrize("select", [*SHORT, "grave"])
@pytest.mark.parametrize("toy", ["three_heaps", "nim_class", "dice_race"])
def test_three_players_and_python_objects_and_dice(toy, select):
    both(toys.load(toy).initial(), select, 120, seed=8)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("ref", [0, 3, 20])
@pytest.mark.parametrize("game", ["sos(n=6)", "tictactoe", "connect4"])
def test_grave_of_small_ref(game, ref, weights):
    agent = f", updates=true_updates(weighted={str(weights).lower()})"
    _, slow = both(load(game).initial(), f"grave(ref={ref})", 200, seed=9, ref=ref, agent=agent, weighted=weights)
    assert slow.max_depth > 3


@pytest.mark.parametrize("bias", [0.0, 1e-3, 1.0])
@pytest.mark.parametrize("game", ["sos(n=6)", "connect4"])
def test_mc_grave_of_small_ref(game, bias):
    formula = partial(naive_rave.mc_grave, bias=bias)
    both(load(game).initial(), f"mc_grave(ref=10, bias={bias})", 200, seed=9, ref=10, formula=formula)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("kind", ["lower", "raise"])
@pytest.mark.parametrize(("game", "target"), [("sos(n=6)", "5"), ("tictactoe", "b2"), ("connect4", "4")])
def test_selective_false_updates(game, target, kind, shared):
    for select, weights, mu in (("rave", False, 0.7), ("grave(ref=3)", True, 1.0)):
        said = f'kind={kind}, target="{target}", mu={mu}, shared={str(shared).lower()}, weighted={str(weights).lower()}'
        extra = {"ref": 3} if select != "rave" else {}
        both(
            load(game).initial(),
            select,
            100,
            seed=10,
            agent=f", updates=false_updates({said})",
            weighted=weights,
            kind=kind,
            target=target,
            mu=mu,
            shared=shared,
            **extra,
        )


READINGS = [
    ("draw=node", {"per_node": True}),
    ("nodes=root", {"root_only": True}),
    ("own=false", {"own": False}),
    ("draw=node, nodes=root, own=false", {"per_node": True, "root_only": True, "own": False}),
]


@pytest.mark.parametrize(("said", "switches"), READINGS)
@pytest.mark.parametrize(("game", "target"), [("sos(n=6)", "5"), ("tictactoe", "b2"), ("connect4", "4")])
def test_other_readings_of_false_updates(game, target, said, switches):
    for select, kind, shared, weights in (("rave", "lower", True, False), ("grave(ref=3)", "raise", False, True)):
        updates = f'kind={kind}, target="{target}", mu=0.6, shared={str(shared).lower()}'
        extra = {"ref": 3} if select != "rave" else {}
        both(
            load(game).initial(),
            select,
            150,
            seed=13,
            agent=f", updates=false_updates({updates}, weighted={str(weights).lower()}, {said})",
            weighted=weights,
            kind=kind,
            target=target,
            mu=0.6,
            shared=shared,
            **switches,
            **extra,
        )


@pytest.mark.parametrize("mu", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("game", ["sos(n=6)", "tictactoe"])
def test_indiscriminate_false_updates(game, mu):
    agent = f", updates=false_updates(mu={mu})"
    for select in ("rave", "rave_max", "grave"):
        both(load(game).initial(), select, 100, seed=11, agent=agent, kind="indiscriminate", mu=mu)


@pytest.mark.parametrize("game", ["sos(n=7)", "tictactoe", "pig(target=12)"])
def test_another_policy_at_the_root(game):
    """Below a root that GRAVE does not choose in, the root's table is what there is at first."""
    state = load(game).initial()
    for root, at_root in (("ucb1", naive_rave.ucb1), ("rave", naive_rave.rave)):
        extra = {"ref": 5, "at_root": at_root, "ref_at_root": False, "columns": root == "rave"}
        both(state, "grave(ref=5)", 200, seed=12, agent=f", select_root={root}", **extra)
    both(state, "rave(final=20)", 200, seed=12, agent=", select_root=ucb1", at_root=naive_rave.ucb1)


def test_a_tree_is_kept_with_its_sums_and_tables():
    settings = (("rave", None), ("grave", 50.0), ("grave(ref=3)", 3.0))
    for select, formula, ref in ((select, FORMULAS[select.partition("(")[0]], ref) for select, ref in settings):
        state = load("sos(n=8)").initial()
        search = ramify.Search(state, f"mcts(select={select})", seed=13)
        slow = naive_rave.Search(state, 13, formula=formula, ref=ref)
        for _ in range(4):
            search.run(ramify.Budget(simulations=120))
            slow.run(120)
            assert_equal_trees(search.workers[0], slow)
            assert_equal_sums(search.workers[0], slow)
            move = max(slow.root.children, key=lambda child: child.visits).move
            search.advance(move)
            slow.advance(move)
            assert_equal_trees(search.workers[0], slow)
            assert slow.root.visits > 0
            assert_equal_sums(search.workers[0], slow)


def test_tables_grow():
    """More tables than there is room for at first."""
    search, _ = both(load("tictactoe").initial(), "grave(ref=2)", 900, seed=14, ref=2)
    assert len(search.workers[0].parts.amaf.tables) > 64
