"""RAVE in searches, matches and threads: false updates, what is refused, and what the Sum of Switches must show."""

import json
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify.agents.hooks import amaf
from ramify.agents.hooks.amaf import INITIAL_TABLES
from ramify.cli.main import app, run
from ramify.core.kernels.compiling import JIT
from ramify.core.search.tree import PADDING_NODES
from tests.contract.broken import SOUND
from tests.trusting import trust_all

load = lru_cache(ramify.load)

REFUSED = [
    ("rave(final=0)", "'final' must be above 0, not 0"),
    ("rave(initial=-1)", "'initial' must be above 0, not -1"),
    ("rave(final=1e30)", "'final' must be between -2**60 and 2**60"),
    ("rave_max(final=lots)", "'final' must be a number, not 'lots'"),
    ("rave_only(final=2)", "final"),
    ("grave(ref=-1)", "'ref' must be at least 0, not -1"),
    ("ravr", "did you mean 'rave'?"),
]
REFUSED_UPDATES = [
    ("false_updates(kind=rise, target=9)", "unknown kind 'rise' of false updates: did you mean 'raise'?"),
    ("false_updates(mu=1.5)", "'mu' must be a probability from 0 to 1, not 1.5"),
    ("false_updates(mu=-0.1)", "'mu' must be at least 0, not -0.1"),
    ("false_updates(mu=often)", "'mu' must be a number, not 'often'"),
    ("false_updates(kind=lower)", "needs the name of a move as target, e.g. target=9"),
    ("false_updates(target=9)", "has no target: remove it"),
    ("false_updates(draw=nod)", "unknown value 'nod' of 'draw': did you mean 'node'?"),
    ("false_updates(nodes=leaf)", "unknown value 'leaf' of 'nodes'"),
    ("false_updates(shared=1)", "'shared' must be true or false, not '1'"),
    ("true_updates(weighted=2)", "'weighted' must be true or false, not '2'"),
    ("true_updates(mu=0.5)", "mu"),
    ("wrong_updates", "unknown kind of updates 'wrong_updates'"),
]


@pytest.mark.parametrize(("select", "words"), REFUSED)
def test_constants_that_are_refused(select, words):
    with pytest.raises(ramify.RamifyError) as refusal:
        ramify.agent(f"mcts(select={select})")
    assert words in str(refusal.value)


@pytest.mark.parametrize(("updates", "words"), REFUSED_UPDATES)
def test_updates_that_are_refused(updates, words):
    with pytest.raises(ramify.RamifyError) as refusal:
        ramify.agent(f"mcts(select=rave, updates={updates})")
    assert words in str(refusal.value)


def test_a_target_that_is_no_move_here():
    agent = "mcts(select=rave, updates=false_updates(kind=lower, target=17))"
    with pytest.raises(ramify.RamifyError, match="target '17' is not a legal move"):
        ramify.Search(load("sos").initial(), agent)


def test_a_target_must_be_a_move_of_every_position_searched():
    """Also where the tree is kept, which asks for no new one."""
    search = ramify.Search(
        load("sos").initial(), "mcts(select=rave, updates=false_updates(kind=lower, target=9))", seed=1
    )
    search.run(ramify.Budget(simulations=200))
    with pytest.raises(ramify.RamifyError, match="target '9' is not a legal move"):
        search.advance("9")
    search.advance("8")
    assert search.run(ramify.Budget(simulations=50)).simulations == 50


def changed(folder, old, new):
    """The sound game of the contract test with a change."""
    source = SOUND.read_text(encoding="utf-8")
    assert old in source
    path = folder / "changed.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    return ramify.load(str(path)).initial()


@pytest.mark.parametrize(
    ("classes", "select", "words"),
    [
        ("2**18", "grave", "too many for grave, which keeps a table of them per node: use rave"),
        ("2**21", "rave", "MOVE_CLASSES is 2097152; it must be a whole number from 1 to 1048576"),
        ("2.5", "rave", "MOVE_CLASSES of game .* must be a whole number from 1, not 2.5"),
    ],
)
def test_classes_that_there_is_no_room_for(tmp_path, classes, select, words):
    state = changed(tmp_path, "MOVE_CLASSES = 3", f"MOVE_CLASSES = {classes}")
    with pytest.raises(ramify.RamifyError, match=words):
        ramify.Search(state, f"mcts(select={select})")


def test_a_class_beyond_what_the_game_says(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    state = changed(tmp_path, "return move - 1", "return move + 4")
    search = ramify.Search(state, "mcts(select=rave)", seed=1)
    with pytest.raises(
        ramify.RamifyError, match=r"move . of .* has a class that is not below 3: declare the number of classes"
    ):
        search.run(ramify.Budget(simulations=20))


@pytest.mark.parametrize("agent", ["mcts(select=rave(final=-3))", "mcts(select=rave, updates=false_updates(mu=2))"])
def test_the_command_line_refuses_in_one_sentence(monkeypatch, capsys, agent):
    monkeypatch.setattr("sys.argv", ["ramify", "search", "sos", "--agent", agent, "--simulations", "10"])
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "must be" in told or "probability" in told


@pytest.mark.parametrize("agent", ["fuego_sos", "fuego_sos(final=100, c=0.2)", "mcts(select=grave, recommend=max)"])
def test_the_command_line_searches(capsys, agent):
    arguments = ["search", "sos", "--agent", agent, "--simulations", "300", "--seed", "1", "--json"]
    app(arguments, standalone_mode=False)
    report = json.loads(capsys.readouterr().out)
    assert report["agent"] == agent
    best = max(report["children"], key=lambda child: child["estimate"])
    assert report["move"] == best["move"]
    assert any(child["estimate"] != child["value"] for child in report["children"])


def test_a_move_that_was_never_visited_may_be_the_best(capsys):
    """After three simulations most moves are known by RAVE alone; their value is null in JSON, which has no NaN."""
    for seed in range(20):
        app(
            ["search", "sos", "--agent", "fuego_sos", "--simulations", "3", "--seed", str(seed), "--json"],
            standalone_mode=False,
        )
        report = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
        if report["value"] is None:
            break
    else:
        pytest.fail("every best move had been visited")
    chosen = next(child for child in report["children"] if child["move"] == report["move"])
    assert chosen["visits"] == 0
    assert 0.0 <= chosen["estimate"] <= 1.0


def test_estimates_are_shown_where_they_are_not_the_values(capsys):
    for agent, shown in (("fuego_sos", True), ("uct", False)):
        app(["search", "sos", "--agent", agent, "--simulations", "50", "--seed", "1"], standalone_mode=False)
        assert ("estimate" in capsys.readouterr().out) == shown


@pytest.mark.alone
def test_a_match(capsys):
    arguments = ["match", "sos(n=6)", "mcts(select=rave, reuse=true)", "mcts(select=grave, reuse=true)"]
    app(
        [*arguments, "--games", "4", "--simulations", "40", "--seed", "1", "--workers", "1", "--json"],
        standalone_mode=False,
    )
    answer = json.loads(capsys.readouterr().out)
    assert answer["games"] == 4


def test_estimates_of_several_threads_are_of_all_their_sums():
    for select in ("rave", "grave"):
        state = load("tictactoe").initial()
        search = ramify.Search(state, f"mcts(select={select}, recommend=max)", seed=3, threads=2)
        report = search.run(ramify.Budget(simulations=400))
        again = ramify.search(state, f"mcts(select={select}, recommend=max)", simulations=400, seed=3, threads=2)
        assert report.to_dict()["children"] == again.to_dict()["children"]
        S, R = (sum(columns) for columns in zip(*(w.view.amaf() for w in search.workers), strict=True))
        n, values, estimates = search.statistics()
        W = S * 32768.0 / (32768.0 + S)
        np.testing.assert_allclose(estimates, (n * np.where(n > 0, values, 0.0) + W * R / S) / (n + W))
        assert n.sum() == 400
        assert search.simulations() == 400


def test_a_report_changes_nothing():
    """Whoever looks at a search with tables in between finds the same tree in the end."""
    ends = []
    for looks in (False, True):
        search = ramify.Search(load("tictactoe").initial(), "mcts(select=grave(ref=4))", seed=5)
        for _ in range(6):
            search.workers[0].run(ramify.Budget(simulations=50), lambda: True)
            if looks:
                search.report()
        worker = search.workers[0]
        used = slice(int(worker.counters["nodes"][0]))
        ends.append((worker.tree.nodes[used].tobytes(), worker.tree.columns[:, used].tobytes(), worker.rng.tobytes()))
    assert ends[0] == ends[1]


def test_memory_of_tables():
    state = load("tictactoe").initial()
    search = ramify.Search(state, "mcts(select=grave)", seed=1)
    tables = search.workers[0].parts.amaf.tables
    assert len(tables) == INITIAL_TABLES
    with pytest.raises(ramify.RamifyError, match=r"is too small: tictactoe needs at least (\d+)") as refusal:
        search.run(ramify.Budget(memory=tables.nbytes, simulations=10))
    least = int(str(refusal.value).rpartition(" ")[2])
    assert search.run(ramify.Budget(memory=least, simulations=10)).simulations > 0
    search = ramify.Search(state, "mcts(select=grave)", seed=1)
    worker = search.workers[0]
    while int(worker.parts.amaf.block["used"][0]) < INITIAL_TABLES:
        search.run(ramify.Budget(simulations=1))
    nodes = int(worker.counters["nodes"][0]) + PADDING_NODES
    room = nodes * worker.tree.bytes_per_node + 2 * tables.nbytes - 1  # one byte less than all tables and as many again
    search = ramify.Search(state, "mcts(select=grave)", seed=1)
    report = search.run(ramify.Budget(memory=room, simulations=100_000))
    assert report.stopped == "memory"
    for _ in range(3):  # there is no room for another table, and none is written
        more = search.run(ramify.Budget(memory=room, simulations=50))
        assert more.stopped == "memory"
    worker = search.workers[0]
    assert int(worker.parts.amaf.block["used"][0]) == len(worker.parts.amaf.tables) == INITIAL_TABLES
    assert search.run(ramify.Budget(simulations=50)).stopped == "simulations"
    assert len(worker.parts.amaf.tables) == 2 * INITIAL_TABLES


def test_a_search_goes_on_without_more_tables(monkeypatch):
    """However many a game's size would make, they stay below a limit."""
    monkeypatch.setattr(amaf, "MAX_TOTAL_BYTES", 100 * 8 * (2 * 2 * 9 + 1))
    search = ramify.Search(load("tictactoe").initial(), "mcts(select=grave(ref=2))", seed=1)
    assert search.run(ramify.Budget(simulations=2000)).stopped == "simulations"
    tables = search.workers[0].parts.amaf
    assert len(tables.tables) == int(tables.block["used"][0]) == 100


def share_of_best(agent, simulations=128, seeds=300):
    """How often a search of SOS(10) returns 9, the only move that wins."""
    state = load("sos").initial()
    search = ramify.Search(state, agent, seed=0)
    found = 0
    for seed in range(seeds):
        search.restart(state, seed)
        found += search.run(ramify.Budget(simulations=simulations)).move.name == "9"
    return found / seeds


@pytest.mark.skipif(not JIT, reason="takes minutes")
def test_sum_of_switches_at_2_to_the_7():
    """Tom 2010: UCT finds the best move half the time, RAVE three times in four; with mu = 0.7 hardly ever."""
    uct = share_of_best("mcts(select=uct_fuego, recommend=max)")
    rave = share_of_best("fuego_sos")
    only = share_of_best("mcts(select=rave_only, recommend=max)")
    wrong = share_of_best("mcts(select=rave, recommend=max, updates=false_updates(mu=0.7))")
    guarded = share_of_best("mcts(select=rave_max, recommend=max, updates=false_updates(mu=0.7))")
    assert 0.40 < uct < 0.58
    assert 0.68 < rave < 0.84
    assert 0.70 < only < 0.90
    assert wrong < 0.05
    assert guarded > wrong + 0.05


@pytest.mark.skipif(not JIT, reason="takes minutes")
def test_selective_errors_in_the_sum_of_switches():
    """The best move told to lose is found less often; the worst one told to win hardly matters at this length."""
    rave = share_of_best("fuego_sos", seeds=150)
    lowered = share_of_best(
        "mcts(select=rave, recommend=max, updates=false_updates(kind=lower, target=9, mu=0.7))", seeds=150
    )
    assert lowered < rave - 0.2
