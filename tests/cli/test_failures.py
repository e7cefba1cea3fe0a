"""Exceptions that end a command: one line, whatever they are."""

import sys

import pytest

from ramify.cli import main
from ramify.cli.failures import TRACEBACK
from ramify.contract import author_errors
from tests.cli.count_class import class_in_trouble

BUG = "this is a bug in Ramify: KeyError: 'x' (test_failures.py, line {line}); RAMIFY_TRACEBACK=1 shows the traceback"

OWN = "class Own(BaseException):\n    pass\n"


@pytest.fixture
def failing(monkeypatch):
    """A command line that fails with an exception."""

    def fail_with(error):
        def fail():
            raise error

        monkeypatch.setattr(author_errors, "is_author_file", lambda _: False)  # a test's file is a user's otherwise
        monkeypatch.setattr(main, "app", fail)
        monkeypatch.setattr(sys, "argv", ["ramify"])
        return fail.__code__.co_firstlineno + 1

    return fail_with


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "out of memory: use a smaller budget or --memory MEGABYTES"),
        (RuntimeError("can't start new thread"), "can't start new thread: use fewer --threads or --workers, or"),
        (PermissionError(13, "Permission denied", "run.db"), "run.db: permission denied"),
        (OSError(24, "Too many open files"), "too many open files"),
    ],
)
def test_causes_outside_of_ramify(failing, capsys, error, sentence):
    failing(error)
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"ramify: {sentence}")


def test_a_bug_is_called_a_bug(monkeypatch, failing, capsys):
    line = failing(KeyError("x"))
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith(f"ramify: {BUG.format(line=line)}")
    monkeypatch.setenv(TRACEBACK, "1")
    with pytest.raises(KeyError):
        main.run()


@pytest.mark.parametrize(
    "trouble",
    [
        "raise BaseException('late')",
        "raise SystemExit(0)",
        "raise KeyboardInterrupt('late')",
        "raise GeneratorExit('late')",
        "raise Own('late')",
    ],
)
@pytest.mark.parametrize(
    "command", ["search {} --simulations 900 --threads 2", "match {} uct uct --simulations 900 --workers 0"]
)
def test_an_author_raises_what_is_no_exception(monkeypatch, capsys, tmp_path, trouble, command):
    (tmp_path / "class.py").write_text(class_in_trouble(trouble, OWN))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ramify", *command.format("./class.py").split()])
    with pytest.raises(SystemExit) as ended:
        main.run()
    assert ended.value.code == 2
    name, _, value = trouble.removeprefix("raise ").rstrip(")").replace("'", "").partition("(")
    assert f"play() in class.py, line 18, raised {name}: {value}" in capsys.readouterr().err.splitlines()[-1]
