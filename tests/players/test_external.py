"""Other programs as players by our line protocol: they lose what they forfeit, and nobody else loses anything."""

import sys
from dataclasses import replace

import psutil
import pytest

import ramify
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.playing.replay import mismatch
from ramify.arena.matches.rows import GAME_TABLE, GameRow
from ramify.arena.reports.run_report import write_report
from ramify.errors import RamifyError
from ramify.players.engine_process import EngineProcess
from ramify.players.player import NON_AGENT_PLAYERS, player
from ramify.runs.seeds import derive
from ramify.runs.store import Reader
from ramify.strategies import name_hints
from tests.arena.games_for_tests import DICE, timeless
from tests.players.programs import EXAMPLE, bad, external

pytestmark = pytest.mark.alone  # processes are started, and time is measured
SECONDS = 20.0  # a move: more than a busy machine needs
PATIENCE = 10.0
GAME = "connect4"


def a_game(first, second="uct(simulations=5)", game=GAME, leg=0, on_time=None, **limits):
    given = PlayerLimits(**(limits or {"seconds": SECONDS}))
    plan = plan_match(game, first, second, limits=given, on_time=on_time, games=2, seed=1)
    return plan.schedule().game(0, 0, leg)


def left_running():
    """Processes that this one has started and that do not end."""
    return psutil.wait_procs(psutil.Process().children(recursive=True), timeout=PATIENCE)[1]


@pytest.mark.parametrize("leg", [0, 1])
def test_the_example_plays_to_the_end(leg):
    row = play(a_game(external(EXAMPLE), leg=leg))
    assert (row.ended, row.faults) == ("over", ("", ""))
    seat = row.seats.index(0)
    assert {row.searched[ply] for ply in range(2, row.plies) if ply % 2 == seat} == {0}
    assert row.seconds[seat] > 0
    assert mismatch(row) is None
    assert GameRow.from_record(row.record()) == row
    assert not left_running()


def test_games_come_again_from_their_seeds_if_the_program_keeps_to_them():
    spec = a_game(external(EXAMPLE), external(EXAMPLE))
    assert timeless([play(spec).record()]) == timeless([play(spec).record()])


@pytest.mark.parametrize(
    ("what", "ended", "reason"),
    [
        ("exits", "forfeit", "exited with code 3"),
        ("raises", "forfeit", "exited with code 1: 'RuntimeError: out of ideas'"),
        ("is killed", "forfeit", "was killed by SIGKILL"),
        ("is killed in real time", "forfeit", "was killed by signal 35"),
        ("rubbish", "forfeit", "answered 'what was the question?' instead of 'move NAME'"),
        ("nothing", "forfeit", "answered '' instead of 'move NAME'"),
        ("two words", "forfeit", "answered 'move a1 a2' instead of 'move NAME'"),
        ("illegal", "forfeit", "played 'z99', which is not legal"),
        ("binary", "forfeit", "answered "),
        ("a long line", "forfeit", " bytes instead of an answer"),
        ("flood", "forfeit", " bytes instead of an answer"),
        ("twice", "forfeit", "without being asked"),
        ("resigns", "resigned", ""),
    ],
)
def test_what_is_bad_loses_at_once(tmp_path, what, ended, reason):
    row = play(a_game(bad(tmp_path, what)))
    assert row.ended == ended
    assert row.scores == (0.0, 1.0)
    assert row.score == 0.0
    assert reason in row.faults[0]
    assert bool(row.faults[0]) == bool(reason)
    assert row.faults[1] == ""
    assert len(row.faults[0]) <= 200
    assert row.faults[0].isprintable()
    own = 3 if what == "twice" else 2  # moves before
    assert row.plies == 2 + 2 * own
    assert mismatch(row) is None
    assert not left_running()


@pytest.mark.parametrize("what", ["hangs", "hangs deaf", "closes", "has a child"])
def test_who_does_not_move_in_time_loses_and_is_ended(tmp_path, what):
    row = play(a_game(bad(tmp_path, what, grace=0.1), seconds=1.0))
    assert (row.ended, row.scores, row.faults) == ("time", (0.0, 1.0), ("did not move within 1.1 s", ""))
    assert row.plies == 6
    assert row.seconds[0] > 1.0
    assert mismatch(row) is None
    assert not left_running()


def test_errors_of_a_program_are_not_its_moves(tmp_path):
    row = play(a_game(bad(tmp_path, "errors")))
    assert (row.ended, row.faults) == ("over", ("", ""))


def test_without_any_time_there_is_a_timeout(tmp_path):
    row = play(a_game(bad(tmp_path, "hangs", timeout=0.7), simulations=5))
    assert (row.ended, row.faults[0]) == ("time", "did not move within 0.7 s")


def test_a_clock_runs_by_the_wall(tmp_path):
    row = play(a_game(bad(tmp_path, "hangs"), clock=3.0))
    assert (row.ended, row.faults[0]) == ("time", "did not move before its clock ran out")
    assert (row.scores, row.overruns) == ((0.0, 1.0), (1, 0))
    assert 3.0 < row.seconds[0] < 30.0
    assert mismatch(row) is None


def test_after_its_clock_a_program_may_move_at_random(tmp_path):
    row = play(a_game(bad(tmp_path, "hangs"), "uct(simulations=5)", clock=3.0, on_time="random"))
    assert (row.ended, row.faults, row.overruns) == ("over", ("", ""), (1, 0))
    assert row.plies > 8
    assert mismatch(row) is None
    assert not left_running()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("pass", "exited with code 0"),
        ("import nosuch", "exited with code 1: 'ModuleNotFoundError: No module named 'nosuch''"),
        ("print('hello 7', flush=True); input()", "answered 'hello 7' instead of 'hello 1'"),
    ],
)
def test_a_program_that_never_gets_ready_loses_every_game(code, reason):
    for leg in (0, 1):
        row = play(a_game(external("-c", code.replace("'", '"')), leg=leg))
        seat = row.seats.index(0)
        assert (row.ended, row.plies, row.scores[seat]) == ("forfeit", 2, 0.0)
        assert row.faults[seat] == reason
        assert mismatch(row) is None


def test_who_is_not_ready_in_time_loses():
    row = play(a_game(external("-c", "import time; time.sleep(1000)", startup=0.5)))
    assert (row.ended, row.faults[0]) == ("time", "was not ready after 0.5 s")
    assert not left_running()


def test_a_program_that_has_gone_meanwhile_loses():
    spec = a_game(external(EXAMPLE))
    row = play(replace(spec, agents=(external(EXAMPLE).replace(sys.executable, "/no/such/program"), spec.agents[1])))
    assert (row.ended, row.faults[0]) == ("forfeit", "cannot be started: no such file or directory")
    assert mismatch(row) is None


def test_three_players_and_chance(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    plan = plan_match(
        str(path), bad(tmp_path, "illegal"), "uct(simulations=5)", limits=PlayerLimits(seconds=SECONDS), games=6, seed=1
    )
    for leg in range(6):
        row = play(plan.schedule().game(0, 0, leg))
        assert row.ended == "over"  # two rounds ask for two moves
        assert mismatch(row) is None
    longer = plan_match(
        f"{path}(rounds=4)",
        bad(tmp_path, "illegal"),
        "uct(simulations=5)",
        limits=PlayerLimits(seconds=SECONDS),
        seed=1,
    )
    row = play(longer.schedule().game(0, 0, 0))
    assert (row.ended, row.scores) == ("forfeit", (0.0, 1.0, 1.0))
    assert mismatch(row) is None


KEEPING = """
def kept():
    for line in sys.stdin:
        with open({path!r}, "a") as file:
            file.write(line)
        yield line

"""


def test_a_game_may_begin_elsewhere(tmp_path):
    """The program is told where, and all moves since."""
    path = tmp_path / "openings.txt"
    path.write_text("moves 4 4\n")
    told = tmp_path / "told.txt"
    script = tmp_path / "telling.py"
    script.write_text(KEEPING.format(path=str(told)) + EXAMPLE.read_text().replace("in sys.stdin:", "in kept():"))
    given = PlayerLimits(clock=60.0, increment=0.5, simulations=7)
    plan = plan_match(GAME, external(script), "uct", limits=given, openings=path, games=2, seed=1)
    row = play(plan.schedule().game(0, 0, 0))
    assert row.ended == "over"
    lines = told.read_text().splitlines()
    assert lines[:5] == [
        "hello 1",
        f"game {row.game}",
        "player 1 of 2",
        f"seed {derive(row.seed, 'seat', 0)}",
        "start moves 4 4",
    ]
    first = lines[5:12]
    assert first[0] == "history"
    assert first[1].startswith("position ")
    assert ramify.load(GAME).position(first[1].removeprefix("position ")) == ramify.load(GAME).position("moves 4 4")
    assert first[2] == "moves 1 2 3 4 5 6 7"
    assert first[3] == "simulations 7"
    word, left, increment = first[4].split()
    assert (word, increment) == ("clock", "0.5")
    assert 50 < float(left) <= 60  # it runs while the line is written
    assert first[5:] == ["go", f"history {row.moves[0]} {row.moves[1]}"]
    assert lines[-2:] == [f"over {row.scores[0]:g} {row.scores[1]:g}", "quit"]


def test_a_tournament_goes_on_whatever_programs_do(tmp_path):
    """With workers, from one sitting to the next, in tables and in reports."""
    agents = {
        "gone": {"name": "external", "cmd": f"{sys.executable} -c 'import nosuch'"},
        "illegal": bad(tmp_path, "illegal"),
        "ours": "uct(simulations=20)",
    }
    run = tmp_path / "run.db"
    given = {"seconds": SECONDS, "seed": 3, "run": run, "workers": 2}
    ramify.tournament("tictactoe", agents, games_each=2, **given)
    result = ramify.tournament("tictactoe", agents, games_each=4, **given)
    assert result.games == 12
    assert result.stopped == "games"
    ends = [row.ended for row in result.rows]
    assert ends.count("forfeit") >= 8
    assert all(bool(any(row.faults)) == (row.ended == "forfeit") for row in result.rows)
    text = str(result)
    assert "games were forfeited" in text
    assert all(len(line) <= 80 for line in text.splitlines() if " x " in line)
    write_report([run], tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text()
    assert "fault of an engine" in page
    assert "exited with code 1" in page
    with Reader(run, GAME_TABLE) as reader:
        assert all(mismatch(GameRow.from_record(record)) is None for record in reader.records())


def test_texts_and_tables_are_the_same_player():
    text = 'external(cmd="python3 \\"a b.py\\"", timeout=3, seconds=1)'
    made = player(text)
    assert str(made) == text
    assert player(str(made)) == made
    assert made.argv() == ["python3", "a b.py"]
    assert made.limits == PlayerLimits(seconds=1)
    table = player({"name": "external", "cmd": 'python3 "a b.py"', "timeout": 3, "seconds": 1})
    assert (table.cmd, table.timeout, table.limits) == (made.cmd, made.timeout, made.limits)


def test_a_program_that_reads_nothing_does_not_stop_us():
    child = EngineProcess([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
    try:
        child.send("x" * 10**6)
        assert child.pending_line() is None
    finally:
        child.end("quit\n")
    assert not left_running()


def test_agents_know_the_names_of_programs():
    assert set(name_hints.PLAYERS) == set(NON_AGENT_PLAYERS)
    with pytest.raises(RamifyError, match="'gtp' is another program"):
        ramify.agent("gtp", cmd="gnugo")
