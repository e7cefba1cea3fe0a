"""The command line: what it prints, and how it refuses."""

import io
import json
import re
import subprocess
import sys

import pytest

from ramify.agents.budgets.budget import Budget
from ramify.bench import speed
from ramify.bench.signature.case import SearchCase
from ramify.bench.signature.families import known
from ramify.bench.speed import MeasurementTurn
from ramify.cli.bench import TurnDisplay
from ramify.cli.main import app, run


def ramify(capsys, *arguments):
    app(list(arguments), standalone_mode=False)
    return capsys.readouterr().out


def test_games_lists_every_game_with_parameters(capsys):
    text = ramify(capsys, "games")
    assert "breakthrough(rows=8, columns=8)" in text
    rows = json.loads(ramify(capsys, "games", "--json"))
    assert {"tictactoe", "connect4", "breakthrough", "sos", "hex", "othello", "pig"} <= {row["name"] for row in rows}
    assert all(row["about"] for row in rows)


def test_search_prints_the_same_twice(capsys):
    arguments = ("search", "connect4", "--simulations", "500", "--seed", "7", "--json")
    first, second = (json.loads(ramify(capsys, *arguments)) for _ in range(2))
    for report in (first, second):
        del report["seconds"], report["simulations_per_second"]
    assert first == second
    assert first["simulations"] == 500
    assert sum(child["visits"] for child in first["children"]) == 500


def test_search_from_a_position(capsys):
    report = json.loads(
        ramify(capsys, "search", "tictactoe", "--position", ".../oo./xx.", "--simulations", "300", "--json")
    )
    assert report["move"] == "c1"
    arguments = ("--position", "moves 4 4 3", "--simulations", "100000", "--memory", "1", "--seed", "1")
    text = ramify(capsys, "search", "connect4", *arguments)
    assert ". . . o . . .\n. . x x . . .\n1 2 3 4 5 6 7\n" in text
    assert "best move   2  " in text  # or the first player has three with both ends open
    assert "stopped by memory" in text


def test_search_tells_transpositions(capsys):
    arguments = ("search", "nim", "--simulations", "500", "--seed", "1", "--agent")
    assert re.search(r"depth \d+, \d+ transpositions\n", ramify(capsys, *arguments, "mcts(transpositions=uct2)"))
    assert "transpositions" not in ramify(capsys, *arguments, "mcts").replace("agent", "")


def test_perft_and_divide(capsys):
    result = json.loads(ramify(capsys, "perft", "tictactoe", "6", "--divide", "--json"))
    assert [row["sequences"] for row in result["perft"]] == [9, 72, 504, 3024, 15120, 54720]
    assert sum(result["divide"].values()) == 54720


def play(monkeypatch, capsys, lines, *arguments):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    return ramify(capsys, "play", *arguments)


def test_play_with_hints_undo_and_mistakes(monkeypatch, capsys):
    lines = ["help", "moves", "hint", "z9", "b2", "undo", "undo", "a1", "quit"]
    text = play(monkeypatch, capsys, lines, "tictactoe", "--simulations", "200", "--seed", "1")
    assert "Type a move" in text
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in text
    assert "try " in text
    assert "'z9' is not a legal move here" in text
    assert "player 1 plays b2 (you)" in text
    assert "nothing to undo" in text
    assert text.count("player 2 plays") == 2


def test_play_to_the_end_between_agents(monkeypatch, capsys):
    text = play(monkeypatch, capsys, [], "tictactoe", "--seat", "0", "--simulations", "300", "--seed", "1")
    assert "the game is over: player 1 0.5, player 2 0.5" in text


def test_play_with_a_clock_for_the_agent(monkeypatch, capsys):
    lines = ["hint", "a1", "quit"]
    text = play(monkeypatch, capsys, lines, "tictactoe", "--clock", "0.5+0.1", "--seed", "1")
    assert "try " in text
    left = float(re.search(r"player 2 plays .. \(agent, value [\d.]+, ([\d.]+) s left\)", text)[1])
    assert 0 < left < 0.6
    text = play(monkeypatch, capsys, [], "tictactoe", "--seat", "0", "--agent", "uct(clock=0.000001)", "--seed", "1")
    assert "(agent, value -, 0.0 s left)" in text  # drawn, without a search
    assert "the game is over" in text


def test_play_and_search_with_the_agents_own_budget(monkeypatch, capsys):
    text = play(monkeypatch, capsys, [], "tictactoe", "--seat", "0", "--agent", "uct(simulations=300)", "--seed", "1")
    assert "the game is over: player 1 0.5, player 2 0.5" in text
    text = ramify(capsys, "search", "tictactoe", "--agent", "uct(simulations=300, stop_early=true)", "--seed", "1")
    assert "agent       uct(simulations=300, stop_early=true)" in text
    text = ramify(capsys, "search", 'nim(heaps="1")', "--agent", "uct(stop_early=true)", "--simulations", "1000")
    assert "stopped because the choice was settled" in text


def test_play_a_game_with_dice(monkeypatch, capsys):
    text = play(monkeypatch, capsys, [], "pig(target=10)", "--seat", "0", "--simulations", "100", "--seed", "1")
    assert "chance: " in text
    assert "the game is over" in text


def test_end_of_input_ends_the_game(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert "bye" in ramify(capsys, "play", "tictactoe", "--simulations", "10")


@pytest.fixture
def one_family(monkeypatch):
    """The signature has one family of two searches."""
    cases = [SearchCase("nim", "uct", (Budget(simulations=count),)) for count in (10, 20)]
    monkeypatch.setattr(known, "FAMILIES", {"uct": lambda: cases})


@pytest.mark.alone
@pytest.mark.usefixtures("one_family")
def test_bench_measures_and_computes_the_signature(capsys):
    result = json.loads(ramify(capsys, "bench", "tictactoe", "--simulations", "500", "--rounds", "1", "--json"))
    (row,) = result["rows"]
    assert row["openspiel_ratio"] == row["ours"] / row["openspiel"]
    assert result["signature"].keys() == {"uct"}
    assert result["cases"]["uct"].keys() == {"nim: uct, 10 simulations", "nim: uct, 20 simulations"}


@pytest.mark.usefixtures("one_family")
def test_bench_compares_signatures(capsys, tmp_path):
    file = tmp_path / "signature.json"
    ramify(capsys, "bench", "--no-speed", "--record", str(file))
    text = ramify(capsys, "bench", "--no-speed", "--compare", str(file))
    assert re.search(r"signature, one number per family of searches\nuct +\d{8}\nall searches are as recorded\n$", text)
    file.write_text(file.read_text().replace("10 simulations", "15 simulations"))
    with pytest.raises(SystemExit) as ended:
        app(["bench", "--no-speed", "--compare", str(file)])
    assert ended.value.code == 1
    text = capsys.readouterr().out
    assert "uct: new: nim: uct, 10 simulations\nuct: gone: nim: uct, 15 simulations\n" in text
    assert text.endswith("2 searches differ from the recorded ones\n")


class Turns:
    """A program that takes the given seconds, one after another."""

    def __init__(self, *seconds):
        self.seconds = iter(seconds)
        self.estimated_seconds = 0.0

    def turn(self):
        return next(self.seconds)


def test_bench_shows_ratios_of_the_best_rounds(capsys, monkeypatch):
    ours = {1: Turns(0.7, 0.5), 2: Turns(0.8, 0.9)}  # by threads
    monkeypatch.setattr(speed, "RamifyRun", lambda name, simulations, threads: ours[threads])
    monkeypatch.setattr(speed, "OpenSpielRun", lambda name, simulations: Turns(2.0, 3.0))
    monkeypatch.setattr(speed, "compile_reference", lambda: ("program", ""))
    reference = Turns(0.25, 0.2)
    monkeypatch.setattr(speed, "reference_seconds", lambda program, name, simulations: reference.turn())
    arguments = ("bench", "tictactoe", "--simulations", "1000", "--rounds", "2", "--no-signature")
    head, row = ramify(capsys, *arguments).splitlines()
    assert head.split() == ["game", "ours/s", "OpenSpiel/s", "ratio", "C++/s", "ratio", "threads"]
    assert row.split() == ["tictactoe", "2,000", "500", "4.00x", "5,000", "0.40x", "1.25x"]


def test_bench_tells_of_the_start_and_of_long_turns(capsys):
    watch = TurnDisplay()
    watch(MeasurementTurn("hex", "warming up", 0, 5, 0.0))
    assert capsys.readouterr().err == "hex, round 0 of 5: warming up\n"
    watch(MeasurementTurn("hex", "ours", 1, 5, 0.1))
    assert not capsys.readouterr().err
    watch(MeasurementTurn("hex", "OpenSpiel", 2, 5, 61.4))
    assert capsys.readouterr().err == "hex, round 2 of 5: OpenSpiel, about 61 s\n"


def test_bench_tells_on_a_terminal_of_every_turn(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    watch = TurnDisplay()
    watch(MeasurementTurn("hex", "ours", 1, 5, 0.1))
    watch.clear()
    text = "hex, round 1 of 5: ours"
    assert capsys.readouterr().err == f"{text}\r{' ' * len(text)}\r"


@pytest.mark.parametrize("command", ["games", "search", "solve", "play", "perft", "bench", "check-game", "warm"])
def test_every_command_has_help_with_an_example(capsys, command):
    with pytest.raises(SystemExit) as stop:
        app([command, "--help"])
    assert stop.value.code == 0
    assert f"Example: ramify {command}" in capsys.readouterr().out


BAD = {
    "an unknown game": (["search", "conect4", "--simulations", "9"], "did you mean 'connect4'?"),
    "an unknown parameter": (["search", "hex(sise=5)", "--simulations", "9"], "did you mean 'size'?"),
    "a wrong kind of parameter": (["search", "hex(size=big)", "--simulations", "9"], "must be a whole number"),
    "an impossible parameter": (["search", "breakthrough(rows=1)", "--simulations", "9"], "at least 3 rows"),
    "an unknown agent": (["search", "hex", "--agent", "utc", "--simulations", "9"], "did you mean 'uct'?"),
    "an unknown policy": (
        ["search", "hex", "--agent", "mcts(select=ucb)", "--simulations", "9"],
        "did you mean 'ucb1'?",
    ),
    "an unreadable agent": (["search", "hex", "--agent", "uct(c=", "--simulations", "9"], "cannot read"),
    "an unknown file": (["search", "./nowhere.py", "--simulations", "9"], "there is no file"),
    "an unknown bridge": (["search", "openspeil:chess", "--simulations", "9"], "did you mean 'openspiel'?"),
    "a wrong position": (
        ["search", "tictactoe", "--position", "xyz", "--simulations", "9"],
        "is not a position of tictactoe",
    ),
    "an impossible move": (
        ["search", "tictactoe", "--position", "moves a1 a1", "--simulations", "9"],
        "'a1' is not a legal move here",
    ),
    "no budget": (["search", "tictactoe"], "needs a budget"),
    "a negative budget": (["search", "tictactoe", "--simulations", "-5"], "must be above zero"),
    "no time": (["search", "tictactoe", "--seconds", "0"], "must be above zero"),
    "no threads": (["search", "tictactoe", "--simulations", "9", "--threads", "0"], "threads must be"),
    "a finished game": (
        ["search", "tictactoe", "--position", "xxx/oo./...", "--simulations", "9"],
        "the game is over",
    ),
    "a wrong seat": (["play", "tictactoe", "--seat", "3"], "invalid --seat 3: use 1 to 2"),
    "no depth": (["perft", "tictactoe", "0"], "at least 1"),
    "an unknown benchmark": (["bench", "ches"], "unknown built-in game"),
}


@pytest.mark.parametrize(("arguments", "sentence"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_sentence_and_exit_code_2(monkeypatch, capsys, arguments, sentence):
    monkeypatch.setattr(sys, "argv", ["ramify", *arguments])
    with pytest.raises(SystemExit) as stop:
        run()
    assert stop.value.code == 2
    error = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("compiling")]
    assert len(error) == 1
    assert error[0].startswith("ramify: ")
    assert sentence in error[0]


def test_no_traceback_from_the_real_command():
    done = subprocess.run(
        [sys.executable, "-m", "ramify", "search", "chess", "--simulations", "5"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("ramify: there is no game 'chess'")
    assert "Traceback" not in done.stderr


def test_help_does_not_wait_for_numba():
    code = "import sys; import ramify.cli.main; print([m for m in ('numba', 'numpy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
