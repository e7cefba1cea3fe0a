"""``ramify gdl``."""

import json

import pytest

from ramify.cli.main import app
from ramify.errors import RamifyError
from tests.ggp.material import SHEETS

BAD = """(role a) (init s)
(<= (legal a m) (does a m))
(next (f ?x)) (<= (next p) (q a))
(<= terminal (true e)) (goal a 100)
"""


@pytest.fixture
def bad(tmp_path):
    file = tmp_path / "bad.kif"
    file.write_text(BAD, encoding="utf-8")
    return str(file)


def said(capsys, *arguments, code=0):
    assert (app(["gdl", *arguments], standalone_mode=False) or 0) == code
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "info", "ground"])
def test_help_has_an_example(capsys, command):
    with pytest.raises(SystemExit) as stop:
        app(["gdl", command, "--help"])
    assert stop.value.code == 0
    assert f"Example: ramify gdl {command}" in capsys.readouterr().out


def test_check_names_lines_and_columns(capsys, bad):
    good = str(SHEETS / "noughts.kif")
    why = "'legal' depends on 'does': legal moves must be known before moves are chosen"
    assert said(capsys, "check", good, bad, code=2).splitlines() == [
        f"{good}: good",
        f"{bad}, line 2, column 1: error: {why}",
        f"{bad}, line 3, column 1: error: a fact cannot have a variable: ?x of the head (next (f ?x))",
        f"{bad}, line 3, column 28: warning: no rule or fact defines 'q': it never holds",
        f"{bad}: refused, 2 errors and 1 warning",
    ]
    assert said(capsys, "check", good) == f"{good}: good\n"


def test_check_for_programs(capsys, bad, tmp_path):
    half = tmp_path / "half.kif"
    half.write_text("(role a)\n  (legal", encoding="utf-8")
    first, second = json.loads(said(capsys, "check", bad, str(half), "--json", code=2))
    assert (first["ok"], len(first["findings"])) == (False, 3)
    assert second == {
        "file": str(half),
        "ok": False,
        "findings": [{"line": 2, "column": 3, "error": True, "sentence": "this parenthesis is never closed"}],
    }


def test_info(capsys):
    file = str(SHEETS / "coins.kif")
    text = said(capsys, "info", file, "--games", "30")
    assert "roles       left, right, random\n" in text
    assert "fluents     8: ahead/1 2, even/0 1, toss/0 1, won/2 4\n" in text
    assert max(map(len, text.splitlines())) <= 80
    known, again = (json.loads(said(capsys, "info", file, "--games", "30", "--json")) for _ in range(2))
    assert known == again
    assert (known["games"], known["cut"], known["shortest"], known["longest"]) == (30, 0, 1, 2)
    assert (known["turns"], known["by_chance"], known["widest"]) == (False, True, 2)
    assert known["at_once"] == known["simultaneous"] > 0  # the old name and the new one
    assert known["moves"] == {"Stake/1": 2, "call/1": 2, "idle/0": 1, "throw/1": 2}
    assert set(known["goals"]) == {"left", "right"}
    assert sum(known["goals"].values()) == pytest.approx(100)


def test_info_of_games_that_are_cut(capsys):
    file = str(SHEETS / "noughts.kif")
    assert "games       3, of 2.0 joint moves (2 to 2); 3 cut\n" in said(
        capsys, "info", file, "--games", "3", "--plies", "2"
    )
    known = json.loads(said(capsys, "info", file, "--games", "3", "--plies", "2", "--json"))
    assert (known["goals"], known["turns"]) == ({}, True)


def test_ground_prints_sizes_and_speed(capsys):
    sheet = str(SHEETS / "noughts.kif")
    facts = json.loads(said(capsys, "ground", sheet, "--playouts", "200", "--json"))
    assert facts["gates"] > facts["levels"] > 1
    assert facts["gates"] >= facts["whole_gates"]
    assert facts["playouts"] >= 200
    assert facts["playouts_a_second"] > 0
    text = said(capsys, "ground", sheet)
    assert f"{facts['gates']:,} gates, depth {facts['depth']}" in text
    assert "playouts" not in text


def test_ground_respects_the_time_limit():
    with pytest.raises(RamifyError, match=r"too large to ground within 0.01 s"):
        app(["gdl", "ground", str(SHEETS / "noughts.kif"), "--seconds", "0.01"], standalone_mode=False)
