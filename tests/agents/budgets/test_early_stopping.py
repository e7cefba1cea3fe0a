"""Searches that end when their choice is settled."""

import pytest

import ramify
from ramify import Budget, Search
from ramify.errors import RamifyError
from tests.agents.fake_time import FakeTime

GAMES = ["tictactoe", "connect4", "breakthrough(rows=5, columns=4)", "pig(target=20)", "nim"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("select", ["ucb1(c=0.4)", "rave", "thompson"])
def test_the_move_is_the_same_as_without(game, select, threads):
    state = ramify.load(game).initial()
    settled = 0
    for seed in range(6):
        for simulations in (1, 40, 333, 2000):
            given = {"simulations": simulations, "seed": seed, "threads": threads}
            early = ramify.search(state, f"mcts(select={select}, stop_early=true)", **given)
            whole = ramify.search(state, f"mcts(select={select})", **given)
            assert early.move == whole.move
            assert early.simulations <= whole.simulations == simulations
            if early.stopped == "settled":
                settled += 1
                first, *others = (child.visits for child in early.children)
                assert not others or first - others[0] > simulations - early.simulations
    assert settled or game in ("breakthrough(rows=5, columns=4)", "nim")


def test_along_a_game_the_moves_are_the_same():
    """Later positions have clear moves, and forced ones."""
    state = ramify.load("connect4").initial()
    saved = 0
    while not state.over:
        early = ramify.search(state, "uct(stop_early=true)", simulations=800, seed=3)
        assert early.move == ramify.search(state, "uct", simulations=800, seed=3).move
        saved += 800 - early.simulations
        state = state.play(early.move)
    assert saved > 800


def test_where_it_stops_does_not_depend_on_the_machine():
    state = ramify.load("connect4").initial()
    reports = []
    for cost in (1e-6, 1e-3, 1.0):
        time = FakeTime()
        time.of_simulation = cost
        with pytest.MonkeyPatch.context() as patch:
            time.install(patch)
            search = Search(state, "uct(c=0.1, stop_early=true)", seed=5, now=time.now)
            reports.append(search.run(Budget(simulations=3000)))
    assert reports[0].stopped == "settled"
    assert len({report.simulations for report in reports}) == 1


def test_a_single_move_needs_no_search():
    state = ramify.load("connect4").position(
        "moves 1 1 1 1 1 1 2 2 2 2 2 2 3 3 3 3 3 3 5 5 5 5 5 5 6 6 6 6 6 6 7 7 7 7 7 7"
    )
    assert len(state.moves()) == 1
    report = ramify.search(state, "uct(stop_early=true)", simulations=100_000, seed=1)
    assert report.stopped == "settled"
    assert report.simulations < 5000


def test_by_seconds_the_time_that_is_saved_stays():
    time = FakeTime()
    time.of_simulation = 0.001
    with pytest.MonkeyPatch.context() as patch:
        time.install(patch)
        state = ramify.load("connect4").position("moves 4 1 4 1 4 1")  # a win in one
        search = Search(state, "uct(stop_early=true)", seed=1, now=time.now)
        report = search.run(Budget(seconds=2.0))
        assert (report.stopped, str(report.move)) == ("settled", "4")
        assert report.seconds < 1.5
        calls = Search(state, "uct(stop_early=true)", seed=1).run(Budget(calls=5000))
        assert str(calls.move) == "4"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("mcts(stop_early=true, recommend=max)", "stop_early=true needs recommend=robust: a lead in visits does not"),
        ("mcts(stop_early=true, recommend=secure)", "recommend=secure returns"),
        ("mcts(stop_early=true, recommend=max_robust)", "recommend=max_robust returns"),
        ("fuego_sos(stop_early=true)", "recommend=max returns"),
        ("mcts(stop_early=2)", "'stop_early' must be true or false, not '2'"),
    ],
)
def test_it_is_refused_where_visits_do_not_decide(text, sentence):
    with pytest.raises(RamifyError) as caught:
        ramify.agent(text)
    assert sentence in str(caught.value)


def test_an_allocation_that_spends_in_rounds_is_refused(tmp_path):
    file = tmp_path / "rounds.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from ramify.strategies.base import Allocation\n\n"
        "@dataclass(frozen=True)\n"
        "class Rounds(Allocation):\n"
        "    def spend(self, budget, run, root):\n"
        "        return run(budget)\n"
    )
    with pytest.raises(RamifyError, match="stop_early=true needs allocation=by_policy: allocation=rounds must spend"):
        ramify.agent(f"mcts(allocation={file}, stop_early=true)")
