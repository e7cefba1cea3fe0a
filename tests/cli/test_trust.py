"""A run may come from anybody: its Python files are not imported by ``report``, and by ``replay`` only with consent."""

import json
import sqlite3
import sys
from contextlib import closing

import pytest

from ramify.cli import replay
from ramify.errors import RamifyError
from ramify.runs.caches import clear_caches
from ramify.runs.row_digest import RunDigests
from tests.arena.games_for_tests import DICE
from tests.cli.test_arena_commands import ramify
from tests.runs.old_files import without_digests

MARK = "from pathlib import Path\nPath(__file__).with_suffix('.marked').touch()\n"


class Mine:
    """A run of a user's game, whose file leaves a mark when it is imported."""

    def __init__(self, folder):
        self.file, self.mark, self.run = (folder / name for name in ("dice.py", "dice.marked", "run.db"))
        self.file.write_text(MARK + DICE)
        words = ("--games", 6, "--simulations", 5, "--seed", 1, "--workers", 0, "--run", self.run)
        ramify("match", self.file, "uct", "uct(c=2)", *words)
        assert self.mark.exists()
        self.forget()

    def forget(self):
        """As if the program were new."""
        self.mark.unlink(missing_ok=True)
        clear_caches()
        for name in [one for one in sys.modules if one.startswith("ramify_user_")]:
            del sys.modules[name]

    def describe(self, change):
        with closing(sqlite3.connect(self.run)) as connection, connection:
            entries = dict(connection.execute("SELECT key, value FROM run"))
            text = json.dumps(change(json.loads(entries["description"])))
            digests = RunDigests.from_entries(entries)
            rows = digests.entries(text) if digests else {"description": text}
            connection.executemany("INSERT OR REPLACE INTO run VALUES (?, ?)", rows.items())


@pytest.fixture
def mine(tmp_path):
    return Mine(tmp_path)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr(replay, "_has_terminal", lambda: True)


@pytest.mark.parametrize("version", ["older", "this"])
def test_a_report_imports_nothing(mine, tmp_path, version):
    if version == "older":
        without_digests(mine.run)
        mine.describe(lambda stored: {key: value for key, value in stored.items() if key != "players"})
    mine.file.write_text(MARK + "raise SystemExit\n")
    ramify("report", mine.run, "--out", tmp_path / "out")
    assert "6 of 6 games; 6 count, in 1 finished pairs" in (tmp_path / "out" / "report.md").read_text()
    ramify("report", mine.run, "--salvage", tmp_path / "new.db")
    assert not mine.mark.exists()


def test_an_old_report_does_not_import_a_game_that_was_not_played_yet(mine, tmp_path):
    without_digests(mine.run)
    mine.describe(
        lambda stored: {
            **{key: value for key, value in stored.items() if key != "players"},
            "games": [*stored["games"], "nim", "./other.py"],
            "pairings": [*stored["pairings"], ["./other.py", 0, 1]],
        }
    )
    with pytest.raises(RamifyError, match=r"has no finished game of \./other\.py yet: resume it with its own command"):
        ramify("report", mine.run, "--out", tmp_path / "out")


def test_without_a_terminal_replay_needs_trust(mine):
    with pytest.raises(RamifyError, match=r"the game runs the code of .*dice\.py, which .*run\.db names: pass --trust"):
        ramify("replay", mine.run, 1)
    assert not mine.mark.exists()
    assert "replayed from its seed: the same game" in ramify("replay", mine.run, 1, "--trust").stdout
    assert mine.mark.exists()


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("answer", "imported"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_terminal_asks(mine, monkeypatch, answer, imported):
    asked = []
    monkeypatch.setattr("typer.confirm", lambda question, **_: asked.append(question) or answer == "y\n")
    if imported:
        assert json.loads(ramify("replay", mine.run, 1, "--json").stdout)["mismatch"] is None
    else:
        with pytest.raises(RamifyError, match=r"dice\.py was not imported: pass --trust to import it"):
            ramify("replay", mine.run, 1)
    assert mine.mark.exists() == imported
    assert len(asked) == 1
    assert asked[0].startswith(f"The game runs the code of {mine.file}, which {mine.run} names.")


@pytest.mark.usefixtures("terminal")
def test_an_edited_file_is_not_imported_at_all(mine):
    mine.file.write_text(MARK + DICE + "\n# a comment\n")
    for words in ((), ("--trust",)):
        with pytest.raises(RamifyError, match=r"dice\.py is not the file that .*run\.db was played with: restore it"):
            ramify("replay", mine.run, 1, *words)
    mine.file.unlink()
    with pytest.raises(RamifyError, match="is not the file that"):
        ramify("replay", mine.run, 1, "--trust")
    assert not mine.mark.exists()


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("files", [{}, None, []])
def test_an_unknown_digest_needs_trust(mine, files):
    mine.describe(lambda stored: stored | {"files": files})
    with pytest.raises(RamifyError, match=r"does not record the digest of .*dice\.py: pass --trust to import it as it"):
        ramify("replay", mine.run, 1)
    assert not mine.mark.exists()
    shown = ramify("replay", mine.run, 1, "--trust")
    assert f"note: {mine.run} does not record the digest of {mine.file}: it may have changed" in shown.stderr


def test_an_imported_file_counts_too(tmp_path):
    (tmp_path / "helper.py").write_text("ROUNDS = 2\n")
    mine = Mine.__new__(Mine)
    mine.file, mine.mark, mine.run = (tmp_path / name for name in ("dice.py", "dice.marked", "run.db"))
    mine.file.write_text("import helper\n" + DICE)
    words = ("--games", 6, "--simulations", 5, "--seed", 1, "--workers", 0, "--run", mine.run)
    ramify("match", mine.file, "uct", "uct(c=2)", *words)
    mine.forget()
    (tmp_path / "helper.py").write_text("ROUNDS = 3\n")
    with pytest.raises(RamifyError, match=r"helper\.py is not the file that"):
        ramify("replay", mine.run, 1, "--trust")


def test_a_policy_of_a_file_counts_too(tmp_path):
    policy = tmp_path / "policy.py"
    policy.write_text(MARK)
    run = tmp_path / "other.db"
    words = ("--games", 2, "--simulations", 5, "--seed", 1, "--workers", 0, "--run", run)
    ramify("match", "tictactoe", "uct", "uct(c=2)", *words)
    without_digests(run)
    evil = f"mcts(select={policy}:rule)"
    for statement in (
        "UPDATE run SET value = replace(value, 'uct(c=2)', ?)",
        "UPDATE games SET agents = replace(agents, 'uct(c=2)', ?)",
    ):
        with closing(sqlite3.connect(run)) as connection, connection:
            connection.execute(statement, (evil,))
    with pytest.raises(RamifyError, match=r"does not record the digest of .*policy\.py: pass --trust"):
        ramify("replay", run, 1)
    assert not (tmp_path / "policy.marked").exists()


def test_nobody_answers_a_closed_or_missing_stdin(monkeypatch, tmp_path):
    (tmp_path / "empty").touch()
    with (tmp_path / "empty").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert not replay._has_terminal()
    assert not replay._has_terminal()  # closed
    monkeypatch.setattr(sys, "stdin", None)
    assert not replay._has_terminal()
