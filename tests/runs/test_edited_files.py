import sys
from pathlib import Path

import pytest

from ramify.errors import RamifyError
from ramify.runs.edited_files import check_edits, digests, syntax_digest
from ramify.runs.user_files import user_files

PROGRAM = '''"""What it is."""
import math


class Board:
    """Squares."""

    size = 3


def start(rules, state):
    """Begin."""
    state.left = 7 + math.floor(rules.more)  # beans
'''

HARMLESS = [
    ("# beans", "# many beans, or few"),
    ('"""What it is."""', ""),
    ('    """Begin."""\n', ""),
    ('"""Squares."""', '"""Other\n    squares."""'),
    ("7 + math", "(7   +   math"),
    ("size = 3", "\n    size = 3\n"),
]
HARMFUL = [("7", "8"), ("size", "Size"), ("+", "-"), ("math.floor", "math.ceil"), ("import math", "import math as m")]


def program(folder, text=PROGRAM, name="dots.py"):
    path = folder / name
    path.write_text(text)
    return str(path)


def edited(old, new):
    text = PROGRAM.replace(old, new)
    return text.replace("rules.more)", "rules.more))") if "(7" in new else text


@pytest.mark.parametrize(("old", "new"), HARMLESS)
def test_comments_docstrings_and_layout_are_not_syntax(tmp_path, old, new):
    before = syntax_digest(program(tmp_path))
    assert edited(old, new) != PROGRAM
    assert syntax_digest(program(tmp_path, edited(old, new))) == before != ""


@pytest.mark.parametrize(("old", "new"), HARMFUL)
def test_everything_else_is(tmp_path, old, new):
    before = syntax_digest(program(tmp_path))
    assert syntax_digest(program(tmp_path, edited(old, new))) not in (before, "")


def test_what_has_no_syntax(tmp_path):
    assert syntax_digest(program(tmp_path, "def (")) == ""
    assert syntax_digest(str(tmp_path / "none.py")) == ""


def test_the_sentences(tmp_path):
    path = program(tmp_path)
    stored = digests([path])
    check_edits(tmp_path, stored, digests([path]), "do otherwise")
    program(tmp_path, edited(*HARMLESS[0]))
    with pytest.raises(
        RamifyError, match=r"^dots\.py was edited since .* was started, but only in comments, docstrings"
    ):
        check_edits(tmp_path, stored, digests([path]), "do otherwise")
    check_edits(tmp_path, stored, digests([path]), "do otherwise", accept=True)
    with pytest.raises(RamifyError, match="does not record whether only comments changed: do otherwise"):
        check_edits(tmp_path, {"files": stored["files"]}, digests([path]), "do otherwise", accept=True)
    program(tmp_path, edited(*HARMFUL[0]))
    with pytest.raises(RamifyError, match="and not only in comments: undo the edit, or do otherwise"):
        check_edits(tmp_path, stored, digests([path]), "do otherwise")
    with pytest.raises(RamifyError, match="which is all that --accept-edits allows: undo the edit"):
        check_edits(tmp_path, stored, digests([path]), "do otherwise", accept=True)


def test_a_file_that_only_moved_is_the_same(tmp_path):
    stored = digests([program(tmp_path)])
    check_edits(tmp_path, stored, digests([program(tmp_path, name="other.py")]), "do otherwise")
    with pytest.raises(RamifyError, match="and not only in comments"):
        check_edits(tmp_path, stored, digests([program(tmp_path, "x = 1", name="other.py")]), "do otherwise")


def test_files_that_a_file_imports_are_kept_too(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    program(tmp_path, "SIZE = 3\n", "my_board_for_edits.py")
    path = program(tmp_path, "from my_board_for_edits import SIZE\n" + PROGRAM)
    assert user_files([path]) == [path, str(tmp_path / "my_board_for_edits.py")]
    monkeypatch.chdir(tmp_path)
    assert user_files(["./dots.py"]) == ["./dots.py", str(Path("my_board_for_edits.py"))]
    sys.modules.pop("my_board_for_edits")
