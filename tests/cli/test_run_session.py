"""How commands that work at a run end."""

import json
import sqlite3
from contextlib import ExitStack, closing

import pytest

from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.errors import RamifyError
from ramify.runs.session import Session
from tests.cli.test_arena_commands import ramify as command
from tests.cli.test_output_files import RUNS
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


@pytest.mark.parametrize("name", [*RUNS, "ggp-match"])
def test_every_command_notices_that_its_run_has_been_deleted(name, tmp_path, monkeypatch):
    run, rescued = tmp_path / "run.db", tmp_path / "run.db.rescued-1"

    def delete(self, driver):
        run.unlink(missing_ok=True)

    with ExitStack() as stack:
        if name == "ggp-match":
            words = ("ggp-match", "tictactoe", *stack.enter_context(legal_players(2)), "--games", 2, "--seed", 1)
        else:
            words = RUNS[name]
        with monkeypatch.context() as patch:
            patch.setattr("ramify.runs.live_display.LineDisplay.__call__", delete)
            with pytest.raises(
                RamifyError, match=r"run\.db was deleted or moved .*: its \d+ rows are in .*\.rescued-1; move"
            ):
                command(*words, "--run", run)
        assert [path.name for path in tmp_path.iterdir()] == [rescued.name]
        rescued.rename(run)
        kept = rows_of(run)
        assert kept
        command(*words, "--run", run)
        assert rows_of(run)[: len(kept)] == kept
        assert [path.name for path in tmp_path.iterdir()] == [run.name]
