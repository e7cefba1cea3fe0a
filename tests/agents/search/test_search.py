"""Searches: repeatable from their seed, exact in their budgets, cancelled when asked."""

from __future__ import annotations

import gc
import itertools
import threading
import weakref
from contextvars import copy_context
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify import Budget, Search
from ramify.agents.budgets import chunk_size
from ramify.agents.search.worker import Worker
from ramify.agents.shapes.tree_arrays import INITIAL_NODES
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import NODE, PADDING_NODES
from ramify.grammar import Call
from ramify.strategies.recommend.max import Max
from ramify.strategies.recommend.max_robust import MaxRobust
from ramify.strategies.recommend.robust import Robust
from ramify.strategies.recommend.secure import Secure
from tests import toys

load = lru_cache(ramify.load)


def start(name="tictactoe"):
    return load(name).initial()


def bytes_of(search: Search) -> list[bytes]:
    """Everything that decides how the search goes on."""
    return [
        part.tobytes()
        for worker in search.workers
        for part in (worker.tree.nodes[: int(worker.counters["nodes"][0])], worker.rng, worker.counters["max_depth"])
    ]


def ran(state, *budgets, agent="uct", seed=3, threads=1):
    search = Search(state, agent, seed=seed, threads=threads)
    for budget in budgets:
        search.run(budget)
    return search


# The same seed, the same tree.


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_gives_the_same_tree(threads):
    one, other = (ran(start("connect4"), Budget(simulations=3000), threads=threads) for _ in range(2))
    assert bytes_of(one) == bytes_of(other)
    assert one.report().children == other.report().children
    different = ran(start("connect4"), Budget(simulations=3000), threads=threads, seed=4)
    assert bytes_of(different) != bytes_of(one)


def test_two_threads_grow_different_trees():
    first, second = ran(start(), Budget(simulations=500), threads=2).workers
    assert first.tree.nodes["visits"][1:10].tolist() != second.tree.nodes["visits"][1:10].tolist()


@pytest.mark.parametrize("chunk", [1, 7, 5000])
@pytest.mark.parametrize("seconds", [1e-9, 10.0])
def test_how_often_python_looks_at_the_clock_changes_nothing(monkeypatch, chunk, seconds):
    whole = ran(start(), Budget(simulations=2000))
    monkeypatch.setattr(chunk_size, "FIRST_CHUNK", chunk)
    monkeypatch.setattr(chunk_size, "CHUNK_SECONDS", seconds)
    assert bytes_of(ran(start(), Budget(simulations=2000))) == bytes_of(whole)


@pytest.mark.parametrize("threads", [1, 2])
def test_runs_in_pieces_are_one_run(threads):
    """Root-parallel pieces must be even, so that each thread gets in sum what it gets at once."""
    whole = ran(start("connect4"), Budget(simulations=1000), threads=threads)
    pieces = ran(start("connect4"), Budget(simulations=400), Budget(simulations=600), threads=threads)
    assert bytes_of(pieces) == bytes_of(whole)
    assert pieces.report().children == whole.report().children
    assert pieces.report().simulations == 600


def test_a_run_that_another_budget_stopped_goes_on_as_if_it_had_not():
    search = ran(start("connect4"), Budget(calls=5000), Budget(memory=200_000, simulations=200))
    done = sum(child.visits for child in search.report().children)
    assert bytes_of(search) == bytes_of(ran(start("connect4"), Budget(simulations=done)))


def test_a_search_without_a_seed_tells_the_one_it_took():
    report = ramify.search(start(), simulations=300)
    assert ramify.search(start(), simulations=300, seed=report.seed).children == report.children


def test_games_do_not_share_anything_but_rules():
    state = start("connect4")
    searches = [Search(state, seed=seed) for seed in (1, 2)]
    for _ in range(5):
        for search in searches:
            search.run(Budget(simulations=100))
    assert bytes_of(searches[0]) == bytes_of(ran(state, Budget(simulations=500), seed=1))
    assert bytes_of(searches[1]) == bytes_of(ran(state, Budget(simulations=500), seed=2))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_restarted_search_is_a_new_one(threads):
    """Whatever it has seen before: a larger tree, other moves, another position."""
    used = Search(start("connect4"), seed=1, threads=threads)
    used.run(Budget(simulations=5000))
    used.advance("4")
    used.run(Budget(simulations=5000))
    used.restart(start("connect4"), 8)
    new = Search(start("connect4"), seed=8, threads=threads)
    reports = [search.run(Budget(simulations=700)) for search in (used, new)]
    assert bytes_of(used) == bytes_of(new)
    assert {**reports[0].to_dict(), "seconds": 0, "simulations_per_second": 0} == {
        **reports[1].to_dict(),
        "seconds": 0,
        "simulations_per_second": 0,
    }


def test_thinking_gives_the_move_of_the_report():
    for seed in range(5):
        code = Search(start("connect4"), seed=seed).choose(Budget(simulations=300))
        assert code == ramify.search(start("connect4"), simulations=300, seed=seed).move.code


# Budgets.


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("simulations", [1, 2, 5, 16, 17, 1000])
def test_simulations_are_exact(simulations, threads):
    search = Search(start(), seed=1, threads=threads)
    report = search.run(Budget(simulations=simulations))
    assert report.simulations == simulations
    assert sum(child.visits for child in report.children) == simulations
    assert report.stopped == "simulations"
    assert search.run(Budget(simulations=simulations)).simulations == simulations


@pytest.mark.parametrize("calls", [1, 10, 1000, 12_345])
def test_calls_stop_at_the_first_simulation_past_the_limit(calls):
    report = ramify.search(start("connect4"), calls=calls, seed=2)
    assert report.stopped == "calls"
    assert report.calls >= calls
    if report.simulations > 1:
        before = ramify.search(start("connect4"), simulations=report.simulations - 1, seed=2)
        assert before.calls < calls


@pytest.mark.parametrize("memory", [416, 5000, 100_000, 2_000_000])
def test_memory_is_never_exceeded(memory):
    search = Search(start(), seed=3)
    report = search.run(Budget(memory=memory, simulations=1_000_000))
    if report.stopped == "memory":
        assert (report.nodes + 9 + PADDING_NODES) * NODE.itemsize > memory
    assert report.nodes * NODE.itemsize <= memory
    assert search.workers[0].tree.nodes.nbytes <= max(memory, INITIAL_NODES * NODE.itemsize)
    assert (report.stopped == "memory") == (memory < 2_000_000)


def test_memory_is_shared_by_threads():
    search = Search(start("connect4"), seed=3, threads=2)
    report = search.run(Budget(memory=100_000))
    assert report.stopped == "memory"
    assert report.nodes * NODE.itemsize <= 100_000


def test_too_little_memory_for_any_tree_says_how_much_it_takes():
    search = Search(start(), seed=3)
    with pytest.raises(ramify.RamifyError, match=r"415 bytes is too small: .* needs at least 416"):
        search.run(Budget(memory=415))
    assert search.run(Budget(memory=416)).simulations == 1


def test_a_kept_tree_counts_as_memory():
    search = ran(start(), Budget(simulations=2000))
    search.advance("b2")
    kept = int(search.workers[0].counters["nodes"][0])
    report = search.run(Budget(memory=kept * NODE.itemsize))
    assert (report.stopped, report.simulations, report.nodes) == ("memory", 0, kept)


class Clock:
    """A clock that goes on by the same step at every look."""

    def __init__(self, step: float) -> None:
        self.step = step
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * self.step


def a_worker(name="tictactoe") -> Worker:
    return Worker(start(name), ramify.agent("uct"), 1, 0)


@pytest.mark.parametrize("seconds", [0.001, 0.5, 3.0])
def test_seconds_stop_at_the_look_after_which_no_simulation_fits(seconds):
    clock = Clock(0.125)
    assert a_worker().run(Budget(seconds=seconds), lambda: True, clock) == "seconds"
    start_of_run = 2 * clock.step  # the first look is for the allocation
    end_of_run = clock.looks * clock.step
    chunk = 3 * clock.step  # two looks, and one at the start of what an allocation sees
    assert seconds - chunk <= end_of_run - start_of_run < seconds + chunk


def test_chunks_grow_towards_the_time_between_looks_and_shrink_towards_the_end():
    """A clock of one microsecond a simulation."""
    worker = a_worker()
    looks: list[float] = []

    def clock() -> float:
        looks.append(int(worker.counters["simulations"][0]) * 1e-6)
        return looks[-1]

    assert worker.run(Budget(seconds=0.05), lambda: True, clock) == "seconds"
    steps = [(before, after) for before, after in itertools.pairwise(looks) if after > before]
    chunks = [round((after - before) * 1e6) for before, after in steps]
    lefts = [(0.05 - before) * 1e6 for before, _ in steps]
    assert chunks[:3] == [1, 4, 16]
    assert max(chunks) <= chunk_size.TIMED_CHUNK_SECONDS * 1e6 + 1
    assert all(
        chunk <= max(left / 2, chunk_size.LAST_SECONDS * 1e6) + 1 for chunk, left in zip(chunks, lefts, strict=True)
    )
    assert 0.04999 <= looks[-1] <= 0.05


def test_a_chunk_is_limited_by_forward_model_calls_too():
    """A clock of one microsecond a call, and simulations that take a thousand times as many as those before."""
    steady = chunk_size.ChunkSizer()
    steady.measure(chunk_size.Chunk(1000, 2000), 0.002)
    planned = steady.next(chunk_size.Chunk(1000, 2000), left=1.0)
    assert planned.calls == round(chunk_size.TIMED_CHUNK_SECONDS * 1e6)
    assert planned.work == round(chunk_size.TIMED_CHUNK_SECONDS * 5e5)
    assert steady.next(planned, left=0.002).calls == 1000


def test_no_chunk_makes_more_calls_than_planned_and_a_new_search_starts_slowly():
    """A clock of one microsecond a call; the last simulation of a chunk may go on to the end of the game."""
    worker = a_worker("breakthrough")
    for _ in range(2):
        looks: list[tuple[float, int]] = []

        def clock(looks: list[tuple[float, int]] = looks) -> float:
            looks.append((int(worker.counters["calls"][0]) * 1e-6, int(worker.counters["simulations"][0])))
            return looks[-1][0]

        worker.start_counting()
        assert worker.run(Budget(seconds=0.05), lambda: True, clock) == "seconds"
        chunks = [(n - m, after - before) for (before, m), (after, n) in itertools.pairwise(looks) if n > m]
        assert chunks[0][0] == 1
        assert max(seconds for _, seconds in chunks) < chunk_size.TIMED_CHUNK_SECONDS + 300e-6


def test_a_time_too_short_for_anything_still_gives_a_move():
    report = ramify.search(start(), seconds=1e-12, seed=1)
    assert report.stopped == "seconds"
    assert report.simulations == 1


@pytest.mark.parametrize(
    ("budget", "stopped"),
    [
        (Budget(simulations=100, calls=10**6, seconds=1e9, memory=10**8), "simulations"),
        (Budget(simulations=10**6, calls=500, seconds=1e9, memory=10**8), "calls"),
        (Budget(simulations=10**6, calls=10**8, seconds=0.5, memory=10**8), "seconds"),
        (Budget(simulations=10**6, calls=10**8, seconds=1e9, memory=10_000), "memory"),
    ],
)
def test_the_first_budget_to_run_out_stops_the_search(budget, stopped):
    assert a_worker("connect4").run(budget, lambda: True, Clock(0.125)) == stopped


def test_a_playout_limit_is_counted_for_each_run():
    search = Search(start(), "mcts(playout=uniform(limit=1))", seed=1)
    assert search.run(Budget(simulations=50)).cut == 50
    assert search.run(Budget(simulations=20)).cut == 20


# Cancelling and progress.


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_from_another_thread(threads):
    search = Search(start("connect4"), seed=1, threads=threads)
    timer = threading.Timer(0.05, search.cancel)
    timer.start()
    report = search.run(Budget(seconds=120.0))
    timer.join()
    assert report.stopped == "cancelled"
    assert report.simulations > 0
    assert search.run(Budget(simulations=10)).stopped == "simulations"


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_by_the_progress_function(threads):
    seen = []

    def progress(search):
        seen.append(search.report().simulations)
        if len(seen) == 2:
            search.cancel()

    report = ramify.search(start("connect4"), seconds=120.0, seed=1, threads=threads, progress=progress)
    assert report.stopped == "cancelled"
    assert len(seen) == 2
    assert 0 < seen[0] < seen[1] <= report.simulations


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_the_progress_function_ends_the_search(threads):
    def progress(search):
        raise LookupError("nothing to show")

    search = Search(start("connect4"), seed=1, threads=threads)
    with pytest.raises(LookupError, match="nothing to show"):
        search.run(Budget(seconds=120.0), progress)
    assert search.run(Budget(simulations=10)).simulations == 10


def test_no_tree_moves_in_memory_while_progress_looks_at_it():
    """A tree that grew meanwhile would leave the one who looks with freed memory."""
    free = []

    def progress(search):
        locks = [worker.memory.relocation_lock for worker in search.workers]
        ask = [threading.Thread(target=lambda lock=lock: free.append(lock.acquire(timeout=0))) for lock in locks]
        for thread in ask:
            thread.start()
            thread.join()
        search.cancel()

    ramify.search(start("connect4"), seconds=120.0, seed=1, threads=2, progress=progress)
    assert free == [False, False]


def test_a_tree_grows_only_when_nobody_looks():
    worker = a_worker("connect4")
    thread = threading.Thread(target=copy_context().run, args=(worker.run, Budget(simulations=20_000), lambda: True))
    with worker.memory.relocation_lock:
        thread.start()
        thread.join(0.3)
        assert len(worker.tree.nodes) == INITIAL_NODES
    thread.join()
    assert len(worker.tree.nodes) > INITIAL_NODES


def test_an_error_in_a_game_of_python_objects_reaches_the_caller():
    class Broken:
        def __init__(self):
            self.left = 5

        def to_move(self):
            return 0

        def moves(self):
            return [1, 2]

        def play(self, move):
            self.left -= 1
            if self.left == 1:
                raise ZeroDivisionError("the dice are lost")

        def over(self):
            return self.left == 0

        def scores(self):
            return [1.0, 0.0]

    game = PythonGame.from_class(Broken, Call("Broken"))
    for threads in (1, 2):
        with pytest.raises(ZeroDivisionError, match="the dice are lost"):
            ramify.search(game.initial(), simulations=100, threads=threads)


def test_more_players_than_a_node_can_name_are_refused():
    class Crowd:
        players = 128

        def to_move(self):
            return 0

        def moves(self):
            return [1]

        def play(self, move):
            pass

        def over(self):
            return False

        def scores(self):
            return [0.0] * self.players

    with pytest.raises(ramify.RamifyError, match="has 128 players; searches support at most 127"):
        Search(PythonGame.from_class(Crowd, Call("Crowd")).initial())


# Recommendation.


def chosen(rule, visits, values) -> int:
    visits = np.array(visits, float)
    return rule.choose(visits, np.where(visits > 0, np.array(values, float), -np.inf), PythonGenerator(1))


def test_recommendations_on_statistics_made_by_hand():
    visits = [400, 500, 100, 0]
    values = [0.60, 0.55, 0.70, 0.99]
    assert chosen(Max(), visits, values) == 2
    assert chosen(Robust(), visits, values) == 1
    assert chosen(MaxRobust(), visits, values) == 1
    # Lower bounds: 0.60 - 2/20 = 0.5, 0.55 - 2/22.4 = 0.461, 0.70 - 2/10 = 0.5 (fewer visits).
    assert chosen(Secure(), visits, values) == 0
    assert chosen(Secure(a=0.5), visits, values) == 2
    assert chosen(Secure(a=20.0), visits, values) == 1


def test_equal_children_are_decided_by_visits_or_value():
    assert chosen(Max(), [10, 20, 19], [0.5, 0.5, 0.5]) == 1
    assert chosen(Robust(), [20, 10, 20], [0.4, 0.9, 0.5]) == 2


@pytest.mark.parametrize("rule", [Max(), Robust(), MaxRobust(), Secure()])
def test_children_that_are_equal_in_both_are_drawn_evenly(rule):
    visits, values, rng = np.array([4.0, 9.0, 9.0, 9.0]), np.array([0.5, 0.7, 0.7, 0.7]), PythonGenerator(5)
    counts = np.bincount([rule.choose(visits, values, rng) for _ in range(3000)], minlength=4)
    assert counts[0] == 0
    assert all(abs(count - 1000) < 120 for count in counts[1:])  # 4.6 standard deviations


def test_ties_are_drawn_by_the_search_and_leave_its_tree_alone():
    """In SOS(10) the best move is generated last; before ties were drawn it was found in 0.027 of such searches."""
    found = 0
    for seed in range(1000):
        search = Search(start("sos(n=10)"), "uct", seed=seed)
        report = search.run(Budget(simulations=8))
        before = int(search.workers[0].rng[0])
        assert [search.report().move for _ in range(2)] == [report.move] * 2
        assert int(search.workers[0].rng[0]) == before
        assert search.choose(Budget(simulations=1)) in search.codes()
        found += str(report.move) == "9"
    assert 0.13 < found / 1000 < 0.21


def test_max_robust_agrees_when_one_child_has_both():
    def agreed(visits, values):
        return MaxRobust().settled(np.array(visits, float), np.array(values, float))

    assert agreed([10, 20], [0.4, 0.5])
    assert not agreed([10, 20], [0.6, 0.5])
    assert agreed([20, 20], [0.6, 0.5])
    assert agreed([10, 20], [0.5, 0.5])


def test_max_and_robust_choose_so_in_a_search():
    for seed in range(20):
        search = Search(start("connect4"), "mcts(recommend=max)", seed=seed)
        report = search.run(Budget(simulations=60))
        assert report.value == max(child.value for child in report.children)
        report = ramify.search(start("connect4"), "mcts(recommend=robust)", simulations=60, seed=seed)
        assert report.children[0].visits == max(child.visits for child in report.children)
        assert next(c.visits for c in report.children if c.move == report.move) == report.children[0].visits


@pytest.mark.parametrize("budget", [Budget(simulations=50), Budget(simulations=5), Budget(simulations=15)])
@pytest.mark.parametrize("limit", [0.0, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_max_robust_goes_on_until_both_agree_or_the_limit_is_spent(budget, limit, threads):
    more = 0
    for seed in range(20):
        search = Search(start("connect4"), f"mcts(recommend=max_robust(limit={limit}))", seed=seed, threads=threads)
        report = search.run(budget)
        most = budget.simulations + int(budget.simulations * limit)
        assert budget.simulations <= report.simulations <= most
        agreed = MaxRobust().settled(*search.statistics()[:2])
        assert agreed or report.simulations == most
        assert report.stopped == "simulations"
        more += report.simulations > budget.simulations
    if budget.simulations == 50:
        assert (more > 0) == (limit > 0)


def test_max_robust_counts_calls_too():
    for seed in range(10):
        search = Search(start("connect4"), "mcts(recommend=max_robust(limit=1.0))", seed=seed)
        report = search.run(Budget(calls=1000))
        assert 1000 <= report.calls < 2000 + 11 * 42  # each of eleven runs may end one simulation late


def test_max_robust_cancelled_in_its_extra_time_says_so(monkeypatch):
    monkeypatch.setattr(MaxRobust, "settled", lambda *_: False)
    search = Search(start("connect4"), "mcts(recommend=max_robust(limit=1000))", seed=1)
    timer = threading.Timer(0.05, search.cancel)
    timer.start()
    report = search.run(Budget(simulations=10_000))
    timer.join()
    assert report.stopped == "cancelled"


# Along a game.


def test_the_old_grandchildren_are_the_new_children():
    search = ran(start(), Budget(simulations=2000))
    root = search.report().tree()
    child = next(node for node in root.children() if node.move.name == "b2")
    known = {node.move.name: (node.visits, node.value) for node in child.children()}
    visits, depth = child.visits, max(len(node.state.history) for node in child.walk()) - 1
    search.advance("b2")
    report = search.report()
    assert {c.move.name: (c.visits, c.value) for c in report.children} == known
    assert report.tree().visits == visits
    assert report.depth == depth
    assert report.simulations == 0
    assert report.position == "/".join(["...", ".x.", "..."])


def test_advance_takes_a_move_or_its_name():
    by_name, by_move = (ran(start(), Budget(simulations=500)) for _ in range(2))
    by_name.advance("a1")
    by_move.advance(next(move for move in start().moves() if move.name == "a1"))
    assert bytes_of(by_name) == bytes_of(by_move)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_before_its_first_run_can_advance(threads):
    search = Search(start(), seed=1, threads=threads)
    search.advance("a1")
    report = search.run(Budget(simulations=90))
    assert sum(child.visits for child in report.children) == 90
    assert "a1" not in [child.move.name for child in report.children]


def test_threads_keep_their_own_trees_along_a_game():
    """Some threads know the move and some do not."""
    search = Search(start("connect4"), seed=1, threads=3)
    search.run(Budget(simulations=40))
    known = [int(worker.tree.nodes["first"][1 + 3]) >= 0 for worker in search.workers]
    search.advance("4")
    report = search.run(Budget(simulations=30))
    assert report.simulations == 30
    assert sum(child.visits for child in report.children) >= 30
    assert any(known)


def test_an_impossible_move_changes_nothing():
    search = ran(start(), Budget(simulations=100))
    before = bytes_of(search)
    with pytest.raises(ramify.RamifyError, match="'a4' is not a legal move here; did you mean"):
        search.advance("a4")
    assert bytes_of(search) == before
    assert search.state == start()


def test_a_finished_game_cannot_be_searched():
    won = load("tictactoe").position("xxx/oo./...")
    with pytest.raises(ramify.RamifyError, match="the game is over"):
        Search(won)
    search = ran(load("tictactoe").position("xx./oo./..."), Budget(simulations=10))
    search.advance("c3")
    with pytest.raises(ramify.RamifyError, match="the game is over"):
        search.run(Budget(simulations=10))
    with pytest.raises(ramify.RamifyError, match="the game is over"):
        search.report()
    assert search.simulations() == 0


def test_chance_must_move_before_a_search_goes_on():
    search = ran(toys.load("dice_race").initial(), Budget(simulations=500))
    search.advance("safe")
    with pytest.raises(ramify.RamifyError, match=r"chance is to move: play one of state.chance_outcomes\(\)"):
        search.run(Budget(simulations=10))
    with pytest.raises(ramify.RamifyError, match="chance is to move"):
        Search(search.state)
    search.advance("+2")
    assert search.run(Budget(simulations=10)).simulations == 10


def test_a_whole_game_with_one_search():
    search = Search(start("connect4"), seed=9)
    while not search.state.over:
        search.advance(search.run(Budget(simulations=200)).move)
    assert sum(search.state.scores()) == 1.0


@pytest.mark.parametrize("agent", ["uct", "mcts(transpositions=uct2)", "mcts(allocation=shot)", "mcts(select=grave)"])
def test_a_search_that_nobody_wants_is_freed_at_once(agent):
    """Trees are large: they must not wait for the garbage collector."""
    ramify.Search(start(), agent, seed=1).run(Budget(simulations=1))  # what compiles leaves frames behind
    gc.collect()
    gc.disable()
    try:
        search = ramify.Search(start(), agent, seed=1)
        search.run(Budget(simulations=50), progress=lambda search: None)
        worker = weakref.ref(search.workers[0])
        del search
        assert worker() is None
    finally:
        gc.enable()
