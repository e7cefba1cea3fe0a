"""Kilothon: its rules, its payoffs, its games, and that nothing takes it down."""

import os
import signal
import sys
import time
from dataclasses import replace

import pytest

import ramify
from ramify.arena.kilothon import contest_game, sources
from ramify.arena.kilothon import kilothon_plan as plan
from ramify.arena.kilothon.contest_game import MAX_MOVES_PER_PLAYER, ContestGame, play
from ramify.arena.kilothon.kilothon_plan import KilothonJob, plan_kilothon
from ramify.arena.kilothon.result import KilothonResult, KilothonStanding
from ramify.arena.kilothon.rows import FAILED, KilothonRow, KilothonSpec
from ramify.arena.kilothon.scoring import payoff_of, rank_of
from ramify.bridges.gdl import BUILT_IN_RULESHEETS
from ramify.contract.load import load
from ramify.contract.registry import names
from ramify.errors import GameFaultError, RamifyError
from ramify.players.endings import FINISHED, FORFEIT, LIMIT
from ramify.runs.driver import RowCollector
from ramify.runs.jobs import hang_seconds
from ramify.runs.pools import auto, local
from ramify.runs.pools.pool import InProcessPool
from ramify.runs.session import Session
from tests.toys import FOLDER
from tests.trusting import trust_all

SPEC = KilothonSpec(1, "tictactoe", "space", "uct", "kilothon_uct", 0, 0.5, 7)


class Ticking:
    """A clock that advances by a fixed step whenever it is looked at."""

    def __init__(self, step: float) -> None:
        self.time, self.step = 0.0, step

    def __call__(self) -> float:
        self.time += self.step
        return self.time


def test_payoffs():
    assert [payoff_of(rank_of((1.0, 0.0), seat), 2) for seat in (0, 1)] == [1.0, -1.0]
    assert payoff_of(rank_of((0.5, 0.5), 1), 2) == 0.0
    assert [payoff_of(rank_of((0.2, 0.9, 0.2), seat), 3) for seat in range(3)] == [-0.5, 1.0, -0.5]
    assert [payoff_of(rank_of((score,), 0), 1) for score in (1.0, 0.5, 0.0)] == [1.0, 0.0, -1.0]


def test_a_game():
    row = play(SPEC)
    assert row.ended == FINISHED
    assert row.spec() == SPEC
    assert 5 <= len(row.moves) <= 9
    assert all(spent > 0 for spent in row.simulations)
    assert len(row.seconds) == len(row.overruns) == 2
    assert KilothonRow.from_record(row.record()) == row


def test_seats_and_others_move_at_random():
    row = play(replace(SPEC, game=f"{FOLDER}/three_heaps.py", seat=1))
    assert len(row.scores) == 3
    assert row.simulations[2] == 0 < min(row.simulations[:2])
    assert row.seconds[2] == 0.0


def test_alone():
    row = play(replace(SPEC, game="eight_puzzle(limit=4)", minute=0.05))
    assert (len(row.scores), len(row.simulations)) == (1, 1)


def test_chance_is_drawn():
    row = play(replace(SPEC, game="pig(target=10)"))
    assert row.ended == FINISHED
    assert {"roll", "hold"} & set(row.moves)


def test_whoever_has_used_the_minute_up_moves_at_random():
    """Every look at this clock takes a second; the opponent has half a second a move, and looks more than once."""
    row = play(
        replace(SPEC, game="connect4", minute=60.0, agent="uct(timing=fixed(seconds_per_move=40.0))"), now=Ticking(1.0)
    )
    assert row.overruns[0] == 1
    assert row.seconds[0] > 60.0
    assert row.ended == FINISHED


def test_a_game_that_does_not_end_is_a_draw(monkeypatch):
    monkeypatch.setattr(contest_game, "MAX_MOVES_PER_PLAYER", 2)
    row = play(replace(SPEC, game="hex(size=5)"))
    assert (row.ended, row.scores, row.payoff, len(row.moves)) == (LIMIT, (0.5, 0.5), 0.0, 4)
    assert MAX_MOVES_PER_PLAYER == 500


def test_times_shrink_with_the_minute():
    made = contest_game.timed_player("uct(timing=bonus)", 6.0)
    assert (made.timing.min_seconds, made.timing.max_seconds) == (0.05, 0.2)
    assert contest_game.timed_player("kilothon_uct", 30.0).timing.seconds_per_move == 0.25


def test_what_a_side_cannot_do_costs_it_the_game():
    row = play(replace(SPEC, game="pig(target=10)", agent="mcts(chance=open_loop, prove=true)"))
    assert (row.ended, row.payoff, row.scores) == (FORFEIT, -1.0, (0.0, 1.0))
    assert "which proves scores of one position" in row.faults[0]
    dead = play(replace(SPEC, agent=f"external(cmd=\"{sys.executable} -c 'raise SystemExit(3)'\")"))
    assert (dead.ended, dead.payoff) == (FORFEIT, -1.0)
    assert dead.faults[0]


def test_a_game_that_cannot_be_played_does_not_count():
    row = play(replace(SPEC, game="./nowhere.py"))
    assert (row.ended, row.counts) == (FAILED, False)
    assert "nowhere.py" in row.faults[0]
    standing = KilothonStanding("uct", [row, play(SPEC)])
    assert list(standing.by_game) == ["tictactoe"]


def test_players_are_closed_where_the_game_itself_fails(monkeypatch):
    def broken(state, ply):
        raise GameFaultError("the game is broken")

    game = ContestGame(SPEC, contest_game._game("tictactoe"), time.perf_counter)
    closed = []
    for side in game.players:
        monkeypatch.setattr(side, "choose", broken)
        monkeypatch.setattr(side, "close", closed.append)
    with pytest.raises(GameFaultError, match="broken"):
        game.play()
    assert closed == [None, None]


def test_the_published_sign():
    swapped = replace(play(SPEC), payoff=1.0, swapped=1)
    assert KilothonStanding("uct", [swapped]).payoff.estimate == 1.0
    assert KilothonStanding("uct", [swapped], published_sign=True).payoff.estimate == -1.0


def test_every_game_of_turns_has_a_category():
    """And of those that we have, none is missing."""
    table = sources.games_of(["native", "gdl"])
    assert set(table.values()) <= {"hunt", "race", "sow", "space", "war", "other"}
    own = {name for name in names() if not load(name).has("play_joint")}
    assert {name for name in table if ":" not in name} == own
    sheets = {f"gdl:{file.stem}" for file in BUILT_IN_RULESHEETS.glob("*.kif")}
    at_once = {"gdl:battle", "gdl:chinook", "gdl:runners", "gdl:tron"}
    assert {name for name in table if name.startswith("gdl:")} == sheets - at_once


def test_games_of_openspiel():
    pytest.importorskip("pyspiel")
    found = sources.games_of(["openspiel"])
    assert len(found) >= 25
    assert "sow" in found.values()


def small_plan(**given):
    return plan_kilothon(["uct", "mcts"], sources=["native"], games=["tictactoe", "nim"], minute=0.1, seed=3, **given)


def test_a_contest_goes_on_where_it_stopped(tmp_path):
    whole = small_plan(both_seats=True)
    assert whole.total == 8
    with Session(whole, tmp_path / "run.db") as sitting:
        sitting.driver.run(list(whole.jobs())[:3], InProcessPool(), lambda _: None)
    with Session(whole, tmp_path / "run.db") as sitting:
        assert sitting.driver.done == 3
        sitting.run(lambda _: InProcessPool())
        rows = sitting.driver.aggregator.rows
    assert sorted(row.number for row in rows) == list(range(1, 9))
    assert {row.seed for row in rows if row.agent == "uct"} == {row.seed for row in rows if row.agent == "mcts"}
    result = KilothonResult(whole, rows, None)
    data = result.to_dict()
    assert data["agents"][0]["payoff"][1] <= data["agents"][0]["payoff"][0] <= data["agents"][0]["payoff"][2]
    assert sum(data["agents"][0][name] for name in ("won", "neither", "lost")) == 4
    assert "share of wins among decided games" in str(result)
    with pytest.raises(RamifyError, match=r"its clock per game is 0\.1 s, not 0\.2 s"):
        Session(replace(whole, minute=0.2), tmp_path / "run.db")


class Deadly(KilothonJob):
    """A game of which the worker dies."""

    def run(self):
        os.kill(os.getpid(), signal.SIGKILL)


def done_by_workers(jobs):
    """The rows of some jobs, by their numbers."""
    collector = RowCollector(KilothonRow.from_record)
    pool = local.LocalPool(1)
    try:
        pool.submit(jobs)
        while collector.done < len(jobs):
            collector.add(pool.collect(0.2))
    finally:
        pool.close()
    return {row.number: row for row in collector.rows}


def test_a_game_that_kills_its_workers_is_given_up(monkeypatch):
    monkeypatch.setattr(local, "MAX_DEATHS", 2)
    jobs = list(small_plan().jobs())
    rows = done_by_workers([Deadly(jobs[0].spec), *jobs[1:]])
    assert rows[1].ended == FAILED
    assert "workers died of it" in rows[1].faults[0]
    assert all(rows[number].counts for number in range(2, len(jobs) + 1))


class Hanging(KilothonJob):
    """A game that never ends."""

    def longest(self):
        return 1.0

    def run(self):
        time.sleep(600)


def test_a_game_that_hangs_is_given_up():
    jobs = list(small_plan().jobs())
    rows = done_by_workers([jobs[0], Hanging(jobs[1].spec), *jobs[2:]])
    assert rows[2].ended == FAILED
    assert rows[2].faults == ("it hung: it had not ended after 1 s, so its worker was killed",)
    assert all(rows[number].counts for number in (1, 3, 4))


def test_games_that_hang_in_one_batch_are_found():
    collector = RowCollector(KilothonRow.from_record)
    pool = local.LocalPool(1)
    pool._mean = 1e-3  # so that they travel together
    try:
        pool.submit([Hanging(job.spec) for job in small_plan().jobs()][:2])
        while collector.done < 2:
            collector.add(pool.collect(0.2))
    finally:
        pool.close()
    assert sorted((row.number, row.ended) for row in collector.rows) == [(1, FAILED), (2, FAILED)]


def test_no_game_is_long_before_it_hangs():
    job = next(small_plan().jobs())
    assert job.longest() == 5 * 0.1 + 300
    assert hang_seconds(KilothonJob(replace(job.spec, minute=60.0))) == 600


def test_games_of_other_programs_are_not_played_in_this_process(monkeypatch):
    """Not even the last one of a run."""
    monkeypatch.setattr(auto, "LocalPool", lambda workers: f"{workers} workers")
    spec = next(small_plan().jobs()).spec
    for game, apart in (("tictactoe", False), ("ludii:Hex", True), ("openspiel:hex", True)):
        pool = auto.AutoPool(1, 1)
        job = KilothonJob(replace(spec, game=game))
        if apart:
            with pytest.raises(AttributeError, match="submit"):
                pool.submit([job])
        else:
            pool.submit([job])
        assert pool.in_process is not apart


FAULTY = """
from ramify.errors import GameFaultError


class Faulty:
    players = 2

    def __init__(self):
        self.left = 6

    def to_move(self):
        return self.left % 2

    def moves(self):
        return [1, 2]

    def play(self, move):
        self.left -= move
        if self.left <= 2:
            raise GameFaultError("the rules fail")

    def over(self):
        return self.left <= 0

    def scores(self):
        return [0.5, 0.5]
"""


def test_what_the_game_does_wrong_costs_nobody_anything(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY, encoding="utf-8")
    row = play(replace(SPEC, game=str(path)))
    assert (row.ended, row.counts, row.faults) == (FAILED, False, ("the rules fail",))


def test_a_contest_begins_with_the_first_game_that_loads(monkeypatch):
    made = replace(small_plan(), games=(("./nowhere.py", "other", 2), ("nim", "other", 2)))
    made.prepare()
    with pytest.raises(RamifyError, match=r"nowhere\.py"):
        replace(made, games=made.games[:1]).prepare()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"agents": []}, "Kilothon needs a challenger"),
        ({"agents": ["uct", "uct"]}, "duplicate challenger"),
        ({"agents": ["uct"], "minute": 0}, "invalid clock of 0 s per game"),
        ({"agents": ["uct"], "sources": ["nativ"]}, "unknown source of games 'nativ': did you mean 'native'"),
        ({"agents": ["uct"], "games": ["conect4"]}, "matches 'conect4': did you mean 'connect4'"),
    ],
)
def test_what_makes_no_sense_is_refused(given, sentence):
    with pytest.raises(RamifyError, match=sentence):
        plan_kilothon(given.pop("agents"), **{"sources": ["native"]} | given)


def test_a_budget_is_refused():
    with pytest.raises(RamifyError, match="has its own budget"):
        Session(plan.plan_kilothon(["uct(simulations=5)"], sources=["native"], games=["nim"]))


def test_the_stock_opponent():
    """Playouts have 200 plies as in Ludii's createUCT. The printed 500 moves per player are the limit of the game."""
    made = ramify.agent("kilothon_uct")
    assert MAX_MOVES_PER_PLAYER == 500
    assert ramify.agent("kilothon_uct(limit=1000)").playout.limit == 2 * MAX_MOVES_PER_PLAYER
    assert made.reuse
    assert made.chance == "open_loop"
    assert made.playout.limit == 200
    assert made.select.policy.name == "ucb1_parent"
