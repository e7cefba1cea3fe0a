"""What is compiled ahead."""

import pytest
from typer.testing import CliRunner

from ramify.cli.main import app
from ramify.core.kernels import cache_location, disk_cache
from tests import processes

STEPS = [
    "engine",
    "tictactoe",
    "bandits",
    "solver",
    "proofs",
    "statistics",
    "gdl",
    "shapes",
    "policies",
    "allocations",
]


def steps(ran):
    """What it says it compiled, in that order; the last line is the sum."""
    assert ran.exit_code == 0, ran.output
    *lines, last = ran.stdout.splitlines()
    assert "functions compiled and stored in" in last
    return [line.split()[0] for line in lines]


def test_the_solver_and_the_statistics_are_compiled_with_the_games_that_are_named():
    assert steps(CliRunner().invoke(app, ["warm", "tictactoe", "--workers", "0"])) == STEPS


def test_a_game_that_begins_with_chance_is_compiled():
    assert steps(CliRunner().invoke(app, ["warm", "goofspiel", "--workers", "0"]))[1] == "goofspiel"


@pytest.mark.alone
def test_workers_compile_the_same_after_clear(tmp_path):
    """Afterwards a process finds everything there. A checkout called ramify and a user's notes survive."""
    cache = tmp_path / "ramify-cache"
    for folder in (tmp_path / "ramify" / "src", cache / ("0" * 16), cache / "gdl"):
        folder.mkdir(parents=True)
        (folder / "file").write_text("old")
    (cache / cache_location.TAG).write_text(cache_location.TAG_TEXT)
    (cache / "notes.txt").write_text("mine")
    (cache / ("1" * 16)).symlink_to(tmp_path / "ramify")
    variables = {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = ("-m", "ramify", "warm", "tictactoe", "nim", "--workers")
    cold = processes.run(*command, "2", "--clear", **variables).splitlines()
    assert cold[0].startswith("engine")
    assert sorted(line.split()[0] for line in cold[:-1]) == sorted([*STEPS, "nim"])
    assert int(cold[-1].split()[0]) > 100
    assert cold[-1].endswith(f"stored in {cache / disk_cache.source_digest()}")
    assert (tmp_path / "ramify" / "src" / "file").read_text() == "old"
    assert (cache / "notes.txt").read_text() == "mine"
    assert not (cache / ("0" * 16)).exists()
    assert not (cache / "gdl" / "file").exists()
    warm = processes.run(*command, "0", **variables).splitlines()
    assert warm[-1].startswith("0 functions compiled")


def test_a_folder_without_a_mark_is_not_cleared(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_location, "cache_root", lambda: tmp_path)
    (tmp_path / "gdl").mkdir()
    ran = CliRunner().invoke(app, ["warm", "tictactoe", "--clear", "--workers", "0"])
    assert ran.exit_code != 0
    assert f"cannot clear {tmp_path}: it has no CACHEDIR.TAG of Ramify" in str(ran.exception) + ran.output
    assert (tmp_path / "gdl").is_dir()


def test_a_game_that_there_is_not_is_refused_before_anything_is_compiled():
    ran = CliRunner().invoke(app, ["warm", "tictactoe", "tictactow"])
    assert ran.exit_code != 0
    assert "engine" not in ran.stdout
