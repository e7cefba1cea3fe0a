"""Budgets of SHOT and H-MCTS that are not given in simulations: warm-up, plan, and what is done with the rest."""

import numpy as np
import pytest

import ramify
from ramify.strategies.base import HalvingProgress, HalvingSpec, Spent
from ramify.strategies.tree_halving import MAX_VISITS, _BudgetRun

MOVES = 8


class Made:
    """A root and a ``run`` whose simulations take as long as is said: one number a run, the last one for all others."""

    def __init__(self, *seconds, stops=(), spends=1.0):
        self.seconds, self.stops, self.spends = list(seconds), list(stops), spends
        self.spent = Spent(7, 3.0, 900)  # of a step before
        self.visits, self.values = np.zeros(MOVES), np.linspace(0.1, 0.9, MOVES)
        self.halving_progress = HalvingProgress(0, 0, MOVES)
        self.runs, self.note, self.kept, self.discovered = [], "", [], []

    def discover_next(self, order):
        self.discovered.append((order, len(self.runs)))

    def keep(self, order):
        self.kept.append([int(k) for k in order])
        self.visits, self.values = self.visits[order], self.values[order]

    def add_note(self, note):
        self.note = note

    def __call__(self, budget):
        self.runs.append(budget)
        each = self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        can = int(min(budget.simulations * self.spends, MAX_VISITS, *self._limits(budget, each)))
        self.visits[0] += can
        self.spent = Spent(self.spent.simulations + can, self.spent.seconds + can * each, self.spent.calls + 10 * can)
        self.halving_progress = HalvingProgress(2, 3, 4)
        if self.stops and (stop := self.stops.pop(0)):
            return stop
        if can < int(budget.simulations * self.spends):
            return "seconds" if budget.seconds is not None else "calls"
        return "simulations" if can else "enough"

    def _limits(self, budget, each):
        return [
            np.inf if budget.seconds is None else np.ceil(budget.seconds / each),
            np.inf if budget.calls is None else np.ceil(budget.calls / 10),
        ]


def spend(made, limit=0, warm_up="halving", **budget):
    return _BudgetRun(ramify.Budget(**budget), made, made, HalvingSpec(limit, warm_up=warm_up)).spend()


def sizes(made):
    return [budget.simulations for budget in made.runs]


def test_simulations_are_known():
    made = Made(0.001)
    assert spend(made, simulations=500) == "simulations"
    assert (sizes(made), made.note) == ([500], "")
    assert made.kept[-1][0] == 3  # the best of the four that are in


def test_the_speed_is_measured_by_100_simulations():
    made = Made(0.001)
    assert spend(made, seconds=1.0) == "seconds"
    assert sizes(made)[0] == 100
    assert 899 <= sizes(made)[1] <= 900


def test_a_warm_up_too_short_to_be_measured_goes_on():
    made = Made(1e-6)
    spend(made, seconds=1.0)
    assert sizes(made)[:8] == [100 * 2**k for k in range(8)]
    assert sizes(made)[8] == pytest.approx(1e6 - 25_500, rel=1e-3)


def test_stopped_by_the_clock():
    made = Made(0.001, 0.002)
    assert spend(made, seconds=1.0) == "seconds"
    said = "after 100 of warm-up; stopped by the clock at 450 in round 2 of 3 with 4 moves left"
    assert made.note.startswith("planned ")
    assert said in made.note
    assert made.kept == [[3, 2, 1, 0, 4, 5, 6, 7]]


def test_calls():
    made = Made(0.001)
    assert spend(made, calls=5000) == "calls"
    assert sizes(made) == [100, 400]
    assert made.note == ""


def test_what_is_left_goes_to_the_best_two_moves():
    made = Made(0.001, 0.0007)
    assert spend(made, seconds=1.0) == "seconds"
    assert made.kept[0] == [0, 1]
    assert made.note.endswith("more went to the two best moves")
    assert made.spent.seconds - 3.0 == pytest.approx(1.0, abs=0.002)


def test_a_plan_far_too_small_is_made_again():
    """As when something else took the processor during the warm-up."""
    made = Made(0.01, 0.00001)
    spend(made, seconds=10.0)
    assert sizes(made)[:2] == [100, 900]
    assert sizes(made)[2] == pytest.approx(899_000, rel=1e-2)
    assert "after 1,000 of warm-up" in made.note


def test_the_first_limit_counts():
    made = Made(0.001)
    assert spend(made, seconds=1.0, simulations=150) == "simulations"
    assert (sizes(made), made.note) == ([100, 50], "")
    made = Made(0.001)
    assert spend(made, seconds=1.0, simulations=60) == "simulations"
    assert (sizes(made), made.note) == ([60], "")


def test_a_clock_shorter_than_the_warm_up():
    made = Made(0.001)
    assert spend(made, seconds=0.05) == "seconds"
    assert made.note == "warm-up of 100 simulations; stopped by the clock at 50 in round 2 of 3 with 4 moves left"


@pytest.mark.parametrize(("stop", "said"), [("memory", "stopped by the memory limit"), ("cancelled", "cancelled")])
def test_other_ends(stop, said):
    made = Made(0.001, stops=[stop])
    assert spend(made, simulations=400) == stop
    assert made.note == f"planned 400 simulations; {said} at 400 in round 2 of 3 with 4 moves left"
    made = Made(0.001, stops=["", stop])
    assert spend(made, seconds=1.0) == stop
    assert f"{said} at" in made.note


def test_memory_alone_is_filled_by_ever_longer_searches():
    made = Made(0.001, stops=["", "", "memory"])
    assert spend(made, memory=1000) == "memory"
    assert sizes(made) == [100, 200, 400]
    plan, _, end = made.note.partition("; ")
    assert plan == "increasingly long searches, the last of 400 simulations"
    assert end.startswith("stopped by the memory limit at 400")


def test_what_cannot_be_spent():
    made = Made(0.001, spends=0.9)
    assert spend(made, simulations=400) == "simulations"
    assert made.note.startswith("planned 400 simulations; 360 spent")
    made = Made(0.001, spends=0.0)
    assert spend(made, seconds=1.0) == "enough"
    assert len(made.runs) == 1


def test_finished_games_are_not_counted_beyond_what_a_node_can_hold():
    made = Made(1e-12)
    assert spend(made, seconds=60.0) == "enough"
    assert made.visits.sum() == MAX_VISITS


def test_a_root_that_was_not_halved_is_left_with_the_most_visited_move_first():
    made = Made(0.001)
    made.visits[5] = 1000
    spend(made, limit=500, simulations=500)
    assert made.kept[-1][:2] == [5, 0]


@pytest.mark.parametrize("order", ["depth_first", "breadth_first"])
def test_only_the_warm_up_discovers_nodes_in_an_order(order):
    made = Made(1e-4)
    assert spend(made, warm_up=order, seconds=1.0) == "seconds"
    assert made.discovered == [(order, 0), (order, 1)]  # 100 and 200 simulations; 2 % of a second are 200
    assert len(made.runs) >= 3


@pytest.mark.parametrize("budget", [{"simulations": 500}, {"memory": 10**6}])
def test_no_order_without_a_clock_to_plan_for(budget):
    made = Made(0.001, stops=["", "", "memory"])
    spend(made, warm_up="depth_first", **budget)
    assert made.discovered == []


def test_a_plan_is_made_when_the_warm_up_has_found_all_nodes():
    """The first run measures the speed; the second finds nothing more."""
    made = Made(1e-4, stops=["", "enough"])
    assert spend(made, warm_up="breadth_first", seconds=1.0) == "seconds"
    assert sizes(made)[2] > 5000
