"""Bad inputs of every command: a sentence and exit code 2, and neither a traceback nor a number nor a hang."""

import io
import re
import shlex
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

import ramify
from ramify.cli.main import run
from tests.runs.test_session import Session, Squares, here

LINES = (Path(__file__).parent / "bad_inputs.txt").read_text(encoding="utf-8").splitlines()
INPUTS = [tuple(line.split("  =>  ")) for line in LINES if line and not line.startswith("#")]
SECONDS = 90  # most inputs take 0.05 s, a few that compile first some seconds
INNER = re.compile(
    r"Traceback|Errno|\bTypeError|\bValueError|AttributeError|KeyError|OSError|Exception\b|NoneType|PosixPath|object at"
)

FILES = {
    "empty.py": b"",
    "empty.toml": b"",
    "empty.txt": b"",
    "empty.db": b"",
    "binary.py": bytes(range(256)),
    "binary.toml": bytes(range(256)),
    "binary.txt": bytes(range(256)),
    "binary.db": bytes(range(256)),
    "text.db": b"hello\n",
    "half.py": b"def start(",
    "nogame.py": b"x = 1\n",
    "half.toml": b'games = ["tictactoe"\nagents=',
    "str.toml": b'games = "tictactoe"\n',
    "key.toml": b"colour = 3\n",
    "many.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct(c=1)"]\nsimulations = "many"\n',
    "num.toml": b'games = ["tictactoe"]\nagents = ["uct", 3]\nsimulations = 5\n',
    "frac.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct"]\nsimulations = 5\ngames_each = 2.5\n',
    "form.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct"]\nsimulations = 5\nform = "swiss"\n',
    "digits.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct(c=1)"]\nsimulations = ' + b"9" * 5000,
    "hex.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct(c=1)"]\nsimulations = 0x' + b"f" * 5000,
    "table.toml": b'games = ["tictactoe"]\nsimulations = 5\nagents = ["uct", {name = "uct", c = 0x'
    + b"f" * 5000
    + b"}]",
    "count.toml": b'games = ["tictactoe"]\nagents = ["uct", "uct(c=1)"]\nsimulations = 5\ngames_each = 1' + b"0" * 30,
    "deep.toml": b"games = " + 5000 * b"[",
    "deepagent.toml": b'games = ["tictactoe"]\nagents = ' + 5000 * b"{a = ",
    "deep.json": 5000 * b"[",
    "comments.txt": b"# nothing\n\n",
    "badpos.txt": b"xyz\n",
    "overpos.txt": b"xxx/oo./...\n",
    "coin.kif": b"(role a) (legal a m) (next e) (<= terminal (true e)) (goal a 100)",
    "stuck.kif": b"(role a) (<= (legal a m) (true e)) (next e) (<= terminal (true e)) (goal a 100)",
}


LONG_WORDS = {
    "ENDLESS": 100_000 * "x",
    "LONG": 300 * "x",  # too long for the name of a file
    "DEEP": "mcts(reward=" + 200 * "chain(" + 201 * ")",
    "DEEPER": "mcts(reward=" + 5000 * "chain(" + 5001 * ")",
    "MANY_CHOICES": f"uct(c={{{'|'.join(f'0.{number:05}' for number in range(1, 20_001))}}})",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files that are not what they should be, a run of a match, and a run of another kind."""
    made = tmp_path_factory.mktemp("bad")
    (made / "folder").mkdir()
    for name in ("loop.py", "loop.db", "loop.kif"):
        (made / name).symlink_to(name)
    for name, content in FILES.items():
        (made / name).write_bytes(content)
    other = sqlite3.connect(made / "other.db")
    other.execute("CREATE TABLE t (a)")
    other.close()
    with Session(Squares(3), made / "squares.db") as sitting:
        sitting.run(here)
    ramify.match("tictactoe", "uct", "uct(c=0.1)", games=2, simulations=5, workers=0, run=made / "good.db")
    return made


@pytest.fixture
def told(folder, monkeypatch, capsys):
    """What a command does: its exit code, and what it prints to either stream."""

    def ring(*_):
        raise AssertionError(f"not done after {SECONDS} s")

    def outcome(words):
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["ramify", *words])
        monkeypatch.setenv("RAMIFY_LUDII_JAR", "")  # and --ludii-jar lasts no longer than this test
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with pytest.raises(SystemExit) as stop:
                run()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        printed = capsys.readouterr()
        errors = [line for line in printed.err.splitlines() if not line.startswith("compiling")]
        return stop.value.code, printed.out, "\n".join(errors)

    return outcome


def test_there_are_a_hundred_and_none_twice():
    assert len({words for words, _ in INPUTS}) == len(INPUTS) >= 100
    commands = {shlex.split(words)[0] for words, _ in INPUTS}
    assert {"search", "play", "solve", "perft", "match", "tournament", "scale", "tune", "replay", "report"} <= commands
    assert {"reproduce", "games", "policies", "check-game", "bench", "warm"} <= commands


@pytest.mark.parametrize(("words", "sentence"), INPUTS, ids=[words for words, _ in INPUTS])
def test_bad_input(told, words, sentence):
    for short, long in LONG_WORDS.items():
        words = re.sub(rf"\b{short}\b", long, words)
    code, printed, errors = told(shlex.split(words))
    assert sentence in errors
    assert len(errors) < 5000
    assert (code, printed) == (2, "")
    assert not INNER.search(errors)
    assert errors.startswith(("ramify: ", "Usage: ", "Error: "))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("match tictactoe uct uct --simulations 5 --games NINES", "Invalid value for '--games'"),
        ("match tictactoe uct uct --simulations 5 --seed NINES", "Invalid value for '--seed'"),
        (
            "tune tictactoe 'uct(c=0.1..NINES)' --against uct --simulations 5",
            "the number 99999999999999999999... has too many digits: use at most 100",
        ),
        (
            "search 'hex(size=NINES)' --simulations 5",
            "the number 99999999999999999999... has too many digits: use at most 100",
        ),
        (
            "search tictactoe --agent 'uct(c=NINES)' --simulations 5",
            "the number 99999999999999999999... has too many digits: use at most 100",
        ),
        ("ggp-match tictactoe 127.0.0.1:NINES 127.0.0.1:2", "invalid player address"),
    ],
)
def test_more_digits_than_python_reads(told, words, sentence):
    test_bad_input(told, words.replace("NINES", "9" * 5000), sentence)


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("binary.py", "the file is not valid Python"),
        ("half.py", "line 1 is not valid Python"),
        ("empty.py", "the file has no PLAYERS"),
        ("nogame.py", "the file has no PLAYERS"),
    ],
)
def test_a_file_that_is_no_game_is_an_error_of_the_check(told, file, sentence):
    code, printed, errors = told(["check-game", f"./{file}"])
    assert sentence in printed
    assert (code, errors) == (1, "")
    assert not INNER.search(printed)
