"""What others wrote is printed, but controls no terminal."""

import io
import sys

import pytest

from ramify.cli.main import run
from ramify.cli.progress import ERASE, TerminalLine, status_line
from ramify.terminal import PrintableStream, printable, printable_output, unescaped

CLEAR = "\x1b[2J"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_what_is_escaped():
    assert printable("plain text, é, 漢字,\ttabs\nand lines") == "plain text, é, 漢字,\ttabs\nand lines"
    assert printable(f"{CLEAR}\x07\r\x00\x7f\x9b") == r"\x1b[2J\x07\x0d\x00\x7f\x9b"
    assert printable("\u202egnp.exe\u2066") == r"\u202egnp.exe\u2066"
    assert printable("\udcff").encode() == rb"\udcff"


def test_streams(monkeypatch):
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with printable_output():
        sys.stdout.write(f"to {CLEAR}\n")
        sys.stderr.write(f"error {CLEAR}\n")
        assert sys.stdout.isatty()
        assert unescaped(sys.stderr) is err
    assert (sys.stdout, sys.stderr) == (out, err)
    assert out.getvalue() == "to \\x1b[2J\n"
    assert err.getvalue() == "error \\x1b[2J\n"


def test_a_process_without_streams(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with printable_output():
        assert sys.stdout is None


@pytest.mark.parametrize(
    "words",
    [
        ["search", CLEAR],
        ["search", "tictactoe", "--position", CLEAR, "--simulations", "5"],
        ["search", "tictactoe", "--agent", f"uct({CLEAR}=1)"],
        ["report", f"{CLEAR}.db"],
        ["ggp-match", "tictactoe", f"http://{CLEAR}"],
        [CLEAR],
        ["search", "tictactoe", "--simulations", CLEAR],
    ],
)
def test_commands_quote_arguments_without_obeying_them(words, monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["ramify", *words])
    with pytest.raises(SystemExit) as stop:
        run()
    printed = capfd.readouterr()
    assert stop.value.code == 2
    assert printed.err
    assert "\x1b" not in printed.out + printed.err


def test_the_last_line_of_a_terminal():
    terminal = Terminal()
    line = TerminalLine(PrintableStream(terminal), lambda name: f"searching {name}")
    line(CLEAR)
    line.erase()
    assert terminal.getvalue() == f"{ERASE}searching \\x1b[2J{ERASE}"


def test_a_status_line(monkeypatch):
    """It moves the cursor, and brackets in names are not markup."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", PrintableStream(terminal))
    monkeypatch.setenv("TERM", "xterm")
    with status_line(f"reading [/x]{CLEAR} ...") as update:
        update(f"read [/x]{CLEAR}")
    shown = terminal.getvalue()
    assert "[/x]\\x1b[2J" in shown
    assert CLEAR not in shown
    assert "\x1b[?25l" in shown  # hides the cursor
