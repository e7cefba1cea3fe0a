"""Matches of games where everybody moves at once: each seat chooses for itself, and nobody sees what others do."""

from dataclasses import replace

import pytest

import ramify
from ramify import SIMULTANEOUS, Budget
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.playing.replay import mismatch, plies
from ramify.arena.matches.rows import GAME_TABLE, GameRow
from ramify.runs.seeds import derive
from tests import toys
from tests.players.programs import EXAMPLE, external

RPS = toys.load("rock_paper_scissors").name
HARVEST = toys.load("harvest(players=3)").name


def games(count, game=RPS, agents=("uct", "mcts(select=exp3, recommend=mixed)"), **limits):
    plan = plan_match(game, *agents, limits=PlayerLimits(**(limits or {"simulations": 30})), games=count, seed=1)
    return list(plan.schedule().games(plan.pairs))


def test_each_seat_has_a_search_of_its_own():
    """Its move is what a search for that seat alone finds, with a seed of its own, from the position before."""
    row = play(games(2)[0])
    state = ramify.load(RPS).initial()
    for ply, name in enumerate(row.moves):
        chosen = name.split("+")
        for seat, agent in enumerate(row.agents):
            if ply >= row.opening_plies:
                search = ramify.Search(state, agent, seed=derive(row.seed, ply, seat), player=seat)
                assert str(search.run(Budget(simulations=30)).move) == chosen[seat]
        state = state.play(name)
    assert state.over
    assert tuple(state.scores()) == row.scores
    assert row.searched == (0, 0, *([30, 30],) * (row.plies - 2))


def test_equal_agents_do_not_mirror_each_other():
    rows = [play(spec) for spec in games(10, agents=("uct", "uct"))]
    pairs = [move.split("+") for row in rows for move in row.moves[2:]]
    assert any(one != other for one, other in pairs)


@pytest.mark.parametrize("game", [RPS, HARVEST, toys.load("auction").name])
@pytest.mark.parametrize("reuse", ["false", "true"])
def test_games_come_again_from_their_seeds(game, reuse):
    agents = ("uct(simulations=30)", f"mcts(select=regret_matching, reuse={reuse}, simulations=20)")
    for spec in games(2, game, agents):
        row = play(spec)
        assert GameRow.from_record(row.record()) == row
        assert GAME_TABLE.is_plausible(row.record())
        assert mismatch(row) is None


def test_by_time_they_come_again_too():
    row = play(replace(games(2, HARVEST)[0], limits=(PlayerLimits(seconds=0.002),) * 3))
    assert mismatch(row) is None


def test_plies_tell_who_moved():
    row = play(games(2, HARVEST)[0])
    told = list(plies(row))
    assert {ply.mover for ply in told} > {SIMULTANEOUS, ramify.CHANCE}
    together = [ply for ply in told if ply.mover == SIMULTANEOUS]
    assert together[0].who == "opening"
    assert together[-1].who == " and ".join(row.agents)
    assert together[-1].simulations == [30, 30, 30]
    assert together[-1].move.count("+") == 2


def test_a_changed_joint_move_is_found():
    row = play(games(2)[0])
    changed = replace(
        row, moves=(*row.moves[:2], "rock+paper" if row.moves[2] != "rock+paper" else "paper+rock", *row.moves[3:])
    )
    assert mismatch(changed).startswith("ply 3 is")


def test_whose_clock_runs_out_loses():
    spec = replace(games(2)[0], limits=(PlayerLimits(clock=1e-9), PlayerLimits(simulations=5)))
    row = play(spec)
    assert (row.ended, row.scores) == ("time", (0.0, 1.0))
    assert mismatch(row) is None
    both = play(replace(spec, limits=(PlayerLimits(clock=1e-9),) * 2))
    assert both.ended == "time"
    assert sorted(both.scores) == [0.0, 1.0]
    assert mismatch(both) is None


def test_a_tournament():
    agents = ["uct", "mcts(select=exp3)", "uct(simultaneous=turn_based)"]
    result = ramify.tournament(RPS, agents, games_each=2, simulations=20, seed=1, workers=1)
    assert (len(result.standings), result.games) == (3, 6)
    assert [mismatch(row) for row in result.rows] == [None] * 6


@pytest.mark.alone
def test_another_program_is_told_its_own_moves():
    row = play(games(2, HARVEST, (external(EXAMPLE), "uct(simulations=5)"), seconds=20.0)[0])
    assert (row.ended, set(row.faults)) == ("over", {""})
    assert mismatch(row) is None
