"""Matches and tournaments whose agents have budgets of their own."""

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.playing.replay import mismatch
from ramify.arena.matches.tournament import plan_tournament
from ramify.arena.reports.run_command import run_command
from ramify.errors import RamifyError

FAST, SLOW = "uct(c=0.7, simulations=40)", "mcts(simulations=10)"


def test_an_agents_own_budget_replaces_the_common_one():
    plan = plan_match("tictactoe", FAST, "uct", limits=PlayerLimits(simulations=20, calls=1000), games=2)
    assert [entrant.limits for entrant in plan.players] == [PlayerLimits(40), PlayerLimits(20, calls=1000)]


def test_the_common_budget_may_be_missing_where_all_have_their_own():
    result = ramify.match("tictactoe", FAST, SLOW, games=4, seed=1, workers=0)
    for row in result.rows:
        for seat in (0, 1):
            most = {FAST: 40, SLOW: 10}[row.agents[seat]]
            searches = [n for n in row.searched[seat::2] if n]
            assert row.limits[seat] == PlayerLimits(most)
            assert set(searches) == {most}
            assert row.simulations[seat] == sum(searches)
            assert row.calls[seat] > 0
            assert row.seconds[seat] > 0
        assert mismatch(row) is None
    lines = str(result).splitlines()
    assert lines[:3] == [
        "game      tictactoe",
        f"first     {FAST}, 40 simulations per move",
        f"second    {SLOW}, 10 simulations per move",
    ]
    assert result.to_dict()["first"]["budget"] == {"simulations": 40}


def test_one_without_any_budget_is_named():
    with pytest.raises(RamifyError, match=r"^uct\(c=2\) has no budget: give it one, as in uct\(simulations=500\), or"):
        ramify.match("tictactoe", FAST, "uct(c=2)", games=2)


def test_a_tournament_shows_budgets_where_they_differ():
    agents = {"fast": FAST, "slow": {"name": "mcts", "simulations": 10}, "plain": "uct"}
    result = ramify.tournament("tictactoe", agents, games_each=2, simulations=20, seed=1, workers=0)
    assert result.budgets == {"fast": PlayerLimits(40), "slow": PlayerLimits(10), "plain": PlayerLimits(20)}
    assert "budgets\n  fast   40 simulations per move\n  slow   10 simulations per move\n  plain  20" in str(result)
    same = ramify.tournament("tictactoe", ["uct", "uct"], games_each=2, simulations=20, seed=1, workers=0)
    assert "budgets" not in str(same)


def test_labels_stay_unique():
    plan = plan_tournament(["tictactoe"], [FAST, FAST, "uct(c=0.7, simulations=80)"], count=2)
    labels = [entrant.label for entrant in plan.players]
    assert labels == [FAST, f"{FAST} #2", "uct(c=0.7, simulations=80)"]


def test_a_report_knows_the_command():
    plan = plan_match("tictactoe", FAST, "uct", limits=PlayerLimits(simulations=20), games=2, seed=1)
    command, _ = run_command(plan.description(), plan.pairings)
    assert command is not None
    assert command.startswith(f"ramify match tictactoe '{FAST}' uct --simulations 20 --games 2")
    plan = plan_match("tictactoe", FAST, SLOW, games=2, seed=1)
    command, _ = run_command(plan.description(), plan.pairings)
    assert command is not None
    assert command.startswith(f"ramify match tictactoe '{FAST}' '{SLOW}' --games 2")


def test_where_a_budget_of_its_own_makes_no_sense():
    with pytest.raises(RamifyError, match="scale gives the budget itself: leave that of uct"):
        ramify.scale("tictactoe", "uct(simulations=5)", simulations=5)
    with pytest.raises(RamifyError, match="'simulations' is a budget, which cannot be tuned"):
        ramify.tune("tictactoe", "uct(simulations=5..50)", "uct", simulations=5)


def test_tuning_with_budgets_of_their_own():
    pytest.importorskip("optuna")
    options = {"trials": 2, "games": 2, "confirm": 0, "seed": 1, "workers": 0}
    result = ramify.tune("tictactoe", "uct(c=0.1..2.0, simulations=5)", "uct(simulations=9)", **options)
    assert result.pairing.first.limits == PlayerLimits(5)
    assert result.trials[0].standing.pairing.first.limits == PlayerLimits(5)
    assert "tuned     uct(c=0.1..2.0, simulations=5), 5 simulations per move" in str(result)
