"""Statistics of random games against what is known of them."""

import json

import pytest
from typer.testing import CliRunner

import ramify
from ramify.agents.checking.survey import survey
from ramify.cli.main import app


def start(name):
    return ramify.load(name).initial()


def test_tictactoe_as_computed_by_exhaustion():
    """Uniform games: the first player wins 737/1260, the second 363/1260, 8/63 are drawn."""
    found = survey(start("tictactoe"), 40_000, seed=3)
    assert found.first == pytest.approx(737 / 1260 + 0.5 * 8 / 63, abs=1.5 * found.half_width)
    assert found.even == pytest.approx(8 / 63, abs=0.007)
    assert (found.shortest, found.longest, found.widest) == (5, 9, 9)


def test_lengths_as_published():
    """Means of random games: Connect 4 about 21 plies (Ludii: 21), Breakthrough 8x8 about 64 (GDL traces: 63 to 65)."""
    assert survey(start("connect4"), 20_000, seed=1).plies == pytest.approx(21.3, abs=0.5)
    assert survey(start("breakthrough"), 5_000, seed=1).plies == pytest.approx(64.0, abs=1.0)


def test_every_move_of_a_fixed_length_game_is_counted():
    found = survey(start("sos(n=6)"), 500, seed=1)
    assert (found.plies, found.shortest, found.longest) == (6.0, 6, 6)
    assert found.branching == pytest.approx(3.5)  # 6, 5, 4, 3, 2, 1
    assert found.widest == 6


def test_chance_counts_as_plies_but_not_as_choice():
    found = survey(start("pig(target=10)"), 500, seed=1)
    assert found.branching <= 2.0
    assert found.widest == 2


def test_same_seed_same_games_in_any_chunks(monkeypatch):
    one = survey(start("hex(size=4)"), 300, seed=5)
    monkeypatch.setattr("ramify.agents.checking.survey.CHUNK_SECONDS", 0.0)
    assert survey(start("hex(size=4)"), 300, seed=5) == one
    assert survey(start("hex(size=4)"), 300, seed=6) != one


def test_positions_that_cannot_be_surveyed():
    with pytest.raises(ramify.RamifyError, match="over"):
        survey(ramify.load("tictactoe").position("xxx/oo./..."), 5)
    with pytest.raises(ramify.RamifyError, match="at least 1"):
        survey(start("tictactoe"), 0)


def test_command():
    ran = CliRunner().invoke(app, ["games", "--stats", "tictactoe", "sos(n=5)", "--games", "50", "--json"])
    rows = json.loads(ran.stdout)
    assert [row["game"] for row in rows] == ["tictactoe", "sos(n=5)"]
    assert rows[1]["plies"] == 5.0
    shown = CliRunner().invoke(app, ["games", "--stats", "tictactoe", "--games", "50"]).stdout
    assert "tictactoe" in shown.splitlines()[1]
    rules = CliRunner().invoke(app, ["games", "nim"]).stdout
    assert "Bouton" in rules
    assert "misere=False" in rules
    wrong = CliRunner().invoke(app, ["games", "nimm"]).exception
    assert isinstance(wrong, ramify.RamifyError)
