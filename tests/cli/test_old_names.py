"""Old names on the command line: options and agents' texts are accepted, each with one note on standard error."""

import json
import subprocess
import sys
import warnings

import pytest
from typer.testing import CliRunner

from ramify.cli.main import app
from ramify.cli.old_options import old_name_notes
from ramify.old_names import OPTIONS, note

OLD_KILOTHON = "kilothon --agents uct --games nim --games tictactoe --minute 0.1 --published-sign --workers 0 --seed 1"
NEW_KILOTHON = "kilothon --agent uct --game nim --game tictactoe --game-seconds 0.1 --as-published --workers 0 --seed 1"


def ramify(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def notes(result):
    return [line for line in result.stderr.splitlines() if line.startswith("note: ")]


def test_old_options_of_kilothon(tmp_path):
    old = ramify(*OLD_KILOTHON.split(), "--out", tmp_path / "run.db", "--json")
    assert notes(old) == [
        "note: --agents is now called --agent",
        "note: --games is now called --game",
        "note: --minute is now called --game-seconds",
        "note: --published-sign is now called --as-published",
        "note: --out is now called --run",
    ]
    new = ramify(*NEW_KILOTHON.split(), "--run", tmp_path / "run.db", "--json")
    assert notes(new) == []
    assert json.loads(old.stdout) == json.loads(new.stdout)
    assert json.loads(new.stdout)["published_sign"] is True


def test_values_after_an_equals_sign():
    result = ramify("kilothon", "--games=gdl:*", "--list", "--sources=native,gdl", "--json")
    assert notes(result) == ["note: --games is now called --game"]
    assert all(name.startswith("gdl:") for name in json.loads(result.stdout))


def test_old_options_of_check_game():
    old = ramify("check-game", "tictactoe", "--plays", "2", "--json")
    assert notes(old) == ["note: --plays is now called --games"]
    assert json.loads(old.stdout)["ok"] is True
    assert notes(ramify("check-game", "tictactoe", "--games", "2")) == []


def test_accept_change():
    match = ["match", "tictactoe", "uct", "uct(c=1)", "--games", "2", "--simulations", "5", "--workers", "0"]
    assert notes(ramify(*match, "--accept-change")) == ["note: --accept-change is now called --accept-edits"]
    assert notes(ramify(*match, "--accept-edits")) == []


@pytest.mark.parametrize("command", ["kilothon", "check-game", "match", "tournament", "scale", "tune", "reproduce"])
def test_help_lists_the_new_options_only(command):
    text = ramify(command, "--help").stdout
    words = set(text.replace(",", " ").split())
    options = OPTIONS.get(command, {}) if command == "check-game" else OPTIONS[""] | OPTIONS.get(command, {})
    assert set(options.values()) <= words
    assert not set(options) & words


def test_options_that_have_another_meaning_elsewhere_stay():
    result = ramify("games", "--stats", "tictactoe", "--games", "10", "--json")
    assert notes(result) == []
    assert json.loads(result.stdout)[0]["game"] == "tictactoe"


def test_an_agent_in_old_names():
    words = ["search", "tictactoe", "--simulations", "20", "--seed", "1", "--json", "--agent"]
    old = ramify(*words, "mcts(lanes=1, chance=open, at_once=in_turns)")
    assert sorted(notes(old)) == [
        "note: 'at_once' is now called 'simultaneous'",
        "note: 'in_turns' is now called 'turn_based'",
        "note: 'lanes' is now called 'batch_size'",
        "note: 'open' is now called 'open_loop'",
    ]
    new = ramify(*words, "mcts(batch_size=1, chance=open_loop, simultaneous=turn_based)")
    assert notes(new) == []
    assert json.loads(old.stdout)["move"] == json.loads(new.stdout)["move"]


def test_a_process_prints_notes_without_file_and_line():
    words = ["search", "tictactoe", "--simulations", "20", "--agent", "mcts(chance=open)", "--json"]
    code = "from ramify.cli.main import run; run()"
    result = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert "note: 'open' is now called 'open_loop'\n" in result.stderr
    assert "DeprecationWarning" not in result.stderr
    assert ".py:" not in result.stderr
    assert json.loads(result.stdout)["game"] == "tictactoe"


def test_each_note_is_printed_once_and_other_warnings_are_left_alone(capsys):
    with warnings.catch_warnings(record=True) as others:
        warnings.simplefilter("always")
        with old_name_notes():
            for _ in range(2):
                note("a", "b")
            note("ramify.x.y", "z")
            warnings.warn("something else", UserWarning, stacklevel=1)
    assert [str(one.message) for one in others] == ["something else"]
    assert capsys.readouterr().err == "note: 'a' is now called 'b'\nnote: 'ramify.x.y' is now called 'z'\n"
