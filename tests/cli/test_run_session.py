"""How commands that work at a run end."""

import json
import re
import sqlite3
import sys
from contextlib import ExitStack, closing

import pytest

from ramify.cli import main
from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.errors import RamifyError
from ramify.runs.session import Session
from tests.cli.test_arena_commands import ramify as command
from tests.cli.test_output_files import REPRODUCE, RUNS
from tests.runs.test_session import Squares, here
from tests.stress.legal_players import legal_players


class Outcome:
    def to_dict(self):
        return {"score": 1}

    def __str__(self):
        return "score 1"


def test_an_outcome_as_text_and_as_data(capsys):
    print_outcome(Outcome(), False, ["seed 3", "run a.db"], files=["b"])
    assert capsys.readouterr().out == "score 1\nseed 3\nrun a.db\n"
    print_outcome(Outcome(), True, ["seed 3"], files=["b"])
    assert json.loads(capsys.readouterr().out) == {"score": 1, "files": ["b"]}


def test_seed_and_file_of_a_run(tmp_path):
    with Session(Squares(2, seed=7)) as sitting:
        assert run_lines(sitting) == ["seed      7"]
    with Session(Squares(2, seed=7), tmp_path / "run.db") as sitting:
        assert run_lines(sitting) == ["seed      7", f"run       {tmp_path / 'run.db'}"]


def test_jobs_are_named_in_the_line_of_progress(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("ramify.runs.live_display.LINE_SECONDS", 0.0)
    with Session(Squares(2), tmp_path / "run.db") as sitting:
        assert not run_with_display(sitting, here, "squares")
        assert capsys.readouterr().err.splitlines()[-1] == "2/2 squares, 0:00 left"
        assert not run_with_display(sitting, here, "squares")
        assert capsys.readouterr().err == "2 of 2 squares are already stored\n"


def test_the_exit_after_ctrl_c(capsys):
    with pytest.raises(SystemExit) as left:
        exit_interrupted("this is the score so far")
    assert left.value.code == 130
    assert capsys.readouterr().err == "ramify: interrupted; this is the score so far\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tournament --game nim --agent uct --agent uct(c=1) --simulations 5 --games 2", "this is the score so far"),
        ("scale nim uct --simulations 5 --games 2", "this is the score so far"),
        ("tune nim uct(c=0..2) --against uct --simulations 5", "these are the trials so far; the same command resumes"),
        ("kilothon --game nim --game tictactoe --game-seconds 0.1", "this is the payoff so far"),
    ],
)
def test_every_command_ends_alike_after_ctrl_c(words, sentence, tmp_path, monkeypatch):
    def interrupt(self, driver):
        raise KeyboardInterrupt

    monkeypatch.setattr("ramify.runs.live_display.LineDisplay.__call__", interrupt)
    result = command(*words.split(), "--seed", "3", "--workers", "0", "--run", tmp_path / "run.db", code=130)
    assert result.stderr.endswith(f"ramify: interrupted; {sentence}\n")
    assert f"seed      3\nrun       {tmp_path / 'run.db'}\n" in result.stdout


def rows_of(run):
    with closing(sqlite3.connect(run)) as connection:
        (table,) = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'"
        ).fetchone()
        return connection.execute(f"SELECT * FROM {table} ORDER BY number").fetchall()


def delete(run):
    run.unlink()


def replace(run):
    run.with_name("other").write_text("my notes")
    run.with_name("other").replace(run)


@pytest.fixture
def words_and_run(tmp_path):
    """A command that writes a run, and the run, by the command's name."""
    with ExitStack() as players:

        def made(name):
            if name == "reproduce":
                return (*REPRODUCE, "--out", tmp_path), tmp_path / "boxes-smoke.db"
            words = RUNS.get(name)
            if name == "ggp-match":
                urls = players.enter_context(legal_players(2))
                words = (name, "tictactoe", *urls, "--games", 2, "--seed", 1)
            return (*words, "--run", tmp_path / "run.db"), tmp_path / "run.db"

        yield made


@pytest.mark.parametrize("lose", [delete, replace])
@pytest.mark.parametrize("name", [*RUNS, "reproduce", "ggp-match"])
def test_every_command_notices_that_its_run_is_no_longer_there(name, lose, words_and_run, tmp_path, monkeypatch):
    words, run = words_and_run(name)
    rescued = run.with_name(f"{run.name}.rescued-1")
    lost = []

    def lose_once(self, driver):
        if not lost:
            lost.append(lose(run))

    what = "deleted or moved" if lose is delete else "replaced by another file"
    with monkeypatch.context() as patch:
        patch.setattr("ramify.runs.live_display.LineDisplay.__call__", lose_once)
        with pytest.raises(
            RamifyError, match=rf"{run.name} was {what} while .*: its \d+ rows are in .*\.rescued-1; move it to"
        ):
            command(*words)
    kept = [run.name] if lose is replace else []
    assert sorted(path.name for path in tmp_path.iterdir()) == [*kept, rescued.name]
    if lose is replace:
        assert run.read_text() == "my notes"
    rescued.replace(run)
    before = rows_of(run)
    assert before
    command(*words)
    assert rows_of(run)[: len(before)] == before
    others = [path.name for path in tmp_path.iterdir() if path != run]
    assert not [name for name in others if not re.fullmatch(r"boxes-smoke.*\.(md|png)", name)]


def test_a_lost_run_of_an_experiment_exits_with_2(words_and_run, monkeypatch, capsys):
    words, run = words_and_run("reproduce")
    monkeypatch.setattr("ramify.runs.live_display.LineDisplay.__call__", lambda *_: run.unlink(missing_ok=True))
    monkeypatch.setattr(sys, "argv", ["ramify", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"ramify: {run} was deleted or moved while the run was being written: its ")
    assert rows_of(run.with_name("boxes-smoke.db.rescued-1"))
