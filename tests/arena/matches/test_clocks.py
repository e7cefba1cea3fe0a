"""Games on a clock, with a time that passes only while simulations are made."""

from dataclasses import replace

import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.playing.replay import mismatch, plies
from ramify.arena.matches.rows import GameRow
from ramify.arena.reports.run_command import run_command
from ramify.errors import RamifyError
from tests.agents.fake_time import FakeTime
from tests.arena.games_for_tests import DICE

BUSY = "mcts(timing=share(divisor=1))"  # takes all that a move may have


@pytest.fixture
def fake_time(monkeypatch):
    time = FakeTime()
    time.install(monkeypatch)
    return time


def a_game(game="connect4", agents=("uct", "uct"), seed=1, leg=0, **limits):
    plan = plan_match(game, *agents, limits=PlayerLimits(**limits), games=2, seed=seed)
    return plan.schedule().game(0, 0, leg)


def late(spec, on_time=None):
    """The same game, in which the second seat has no clock to speak of."""
    first, *others = spec.limits
    return replace(spec, limits=(first, *(replace(one, clock=1e-6, increment=None, on_time=on_time) for one in others)))


def test_a_side_spends_its_clock_and_no_more(fake_time):
    row = play(a_game(clock=20, agents=("uct", "uct(timing=bonus)")), now=fake_time.now)
    assert row.ended == "over"
    assert row.overruns == (0, 0)
    for seat in (0, 1):
        assert 5 < row.seconds[seat] < 19
        assert row.seconds[seat] == pytest.approx(row.simulations[seat] * fake_time.of_simulation, abs=1e-3)
    assert mismatch(row) is None


def test_an_increment_is_spent(fake_time):
    plain = play(a_game(clock=5), now=fake_time.now)
    more = play(a_game(clock=5, increment=1.0), now=fake_time.now)
    own = len(more.searched[2::2])
    assert more.overruns == (0, 0)
    assert more.seconds[0] > plain.seconds[0] + 0.4 * own


def test_who_is_late_loses(fake_time):
    fake_time.of_search = 1.0
    spec = late(a_game(clock=600))
    row = play(spec, now=fake_time.now)
    assert (row.ended, row.plies) == ("time", 4)  # two of the opening, one of each
    assert row.scores == (1.0, 0.0)
    assert row.score == (1.0 if row.seats[0] == 0 else 0.0)
    assert row.overruns == (0, 1)
    assert mismatch(row) is None
    assert mismatch(replace(row, ended="over")) is not None
    assert [ply.who for ply in plies(row)] == ["opening", "opening", *row.agents]


def test_who_is_late_may_play_on_at_random(fake_time):
    fake_time.of_search = 1.0
    row = play(late(a_game(clock=600), "random"), now=fake_time.now)
    assert row.ended == "over"
    assert row.overruns == (0, 1)
    first, *others = row.searched[3::2]
    assert first > 0
    assert set(others) == {0}
    assert row.scores == (1.0, 0.0)
    assert mismatch(row) is None
    assert {ply.who for ply in list(plies(row))[2:]} == set(row.agents)


def test_with_three_players_all_others_win(fake_time, tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    fake_time.of_search = 1.0
    spec = a_game(str(path), clock=600)
    limits = (spec.limits[0], replace(spec.limits[1], clock=1e-6), spec.limits[2])
    row = play(replace(spec, limits=limits), now=fake_time.now)
    assert (row.ended, row.scores, row.overruns) == ("time", (1.0, 0.0, 1.0), (0, 1, 0))
    assert mismatch(row) is None


def test_a_side_without_usable_time_moves_without_a_search(fake_time):
    spec = a_game(clock=1)
    fake_time.of_simulation = 0.4  # slower than the whole clock allows
    row = play(spec, now=fake_time.now)
    assert row.ended == "over"
    assert row.overruns == (0, 0)
    assert row.searched[2] == 1
    assert 0 in row.searched[4:]
    assert mismatch(row) is None


def test_stopping_early_leaves_time_on_the_clock(fake_time):
    long, short = (play(a_game(clock=60, agents=(a, a)), now=fake_time.now) for a in ("uct", "uct(stop_early=true)"))
    assert sum(short.seconds) / short.plies < sum(long.seconds) / long.plies
    assert mismatch(short) is None


def test_stopping_early_by_simulations_plays_the_same_game():
    whole = play(a_game(agents=("uct", "uct"), simulations=300))
    early = play(a_game(agents=("uct(stop_early=true)",) * 2, simulations=300))
    assert early.moves == whole.moves
    assert sum(early.simulations) < sum(whole.simulations)
    assert mismatch(early) is None


# Game, seconds a simulation, games: about 25 s of work in all. A game of Nine Men's Morris takes hundreds of plies.
LOAD = [("tictactoe", 0.2, 500), ("connect4", 0.1, 300), ("breakthrough", 0.2, 120), ("nine_mens_morris", 0.4, 80)]


@pytest.mark.parametrize(("game", "cost", "count"), LOAD)
def test_nobody_loses_on_time_though_searches_stall(fake_time, game, cost, count):
    """A thousand games of 60 s; 1 % of the searches stall for a second or take five times as long."""
    fake_time.of_simulation, fake_time.of_search, fake_time.stalled = cost, 0.001, 0.01
    agents = ("uct", "uct(timing=bonus)", BUSY, "uct(timing=bonus(min_seconds=5, max_seconds=30))")
    longest = 0
    for number in range(count):
        pair = (agents[number % 2], agents[2 + number // 2 % 2])
        row = play(a_game(game, pair, seed=number, leg=number // 4 % 2, clock=60), now=fake_time.now)
        assert row.overruns == (0, 0)
        assert row.ended != "time"
        assert max(row.seconds) <= 60
        longest = max(longest, row.plies)
    assert fake_time.slowed > count / 100
    assert longest >= {"tictactoe": 8, "connect4": 30, "breakthrough": 50, "nine_mens_morris": 100}[game]


def test_rules_on_time_are_checked():
    with pytest.raises(RamifyError, match="invalid on_time 'maybe': use 'lose' or 'random'"):
        ramify.match("tictactoe", "uct", "uct", games=2, clock=1, on_time="maybe")
    with pytest.raises(RamifyError, match="on_time needs a clock"):
        ramify.match("tictactoe", "uct", "uct", games=2, simulations=5, on_time="random")
    with pytest.raises(RamifyError, match="invalid on_time"):
        ramify.tournament("tictactoe", ["uct", "uct(clock=1)"], games_each=2, simulations=5, on_time="lost")


def test_the_rule_is_part_of_the_run():
    clock = PlayerLimits(clock=60, increment=0.5)
    plan = plan_match("tictactoe", "uct", "uct(simulations=5)", limits=clock, on_time="random", games=2, seed=1)
    limits = [entrant.limits for entrant in plan.players]
    assert limits == [replace(clock, on_time="random"), PlayerLimits(5)]
    command, _ = run_command(plan.description(), plan.pairings)
    assert command is not None
    assert "--clock 60+0.5 --on-time random --games 2" in command
    same = plan_match("tictactoe", "uct", "uct", limits=clock, on_time="lose", games=2, seed=1)
    assert {entrant.limits for entrant in same.players} == {clock}


def test_rows_of_old_runs_know_no_overruns_and_no_faults():
    row = play(a_game(simulations=5))
    *columns, overruns, faults = row.record()
    assert (overruns, faults) == ("[0, 0]", '["", ""]')
    old = GameRow.from_record((*columns, "[]", "[]"))
    assert (old.overruns, old.faults) == ((), ())
