"""Every option that names a file or folder for output: only regular files are written, only files of ours replaced."""

import os
import stat

import pytest

from ramify.agents.budgets.budget import Budget
from ramify.bench.signature.case import SearchCase
from ramify.bench.signature.families import known
from ramify.errors import RamifyError
from tests.cli.test_arena_commands import MATCH, ramify
from tests.runs.test_run_file import snapshot

SMALL = ("--simulations", 5, "--seed", 1, "--workers", 0)
SCALE = ("scale", "tictactoe", "uct", "--doublings", 1, "--games", 2, *SMALL)
TUNE = ("tune", "tictactoe", "uct(c=0.1..2.0)", "--against", "uct", "--trials", 1, "--games", 2, "--confirm", 2, *SMALL)
REPRODUCE = ("reproduce", "boxes", "--scale", "smoke", "--workers", 0)
CUP = ("tournament", "--game", "tictactoe", "--agent", "uct", "--agent", "uct(c=1)", "--games", 2, *SMALL)
KILOTHON = ("kilothon", "--game", "nim", "--game", "tictactoe", "--game-seconds", 0.1, "--workers", 0, "--seed", 1)
RUNS = {"match": MATCH, "tournament": CUP, "scale": SCALE, "tune": TUNE, "kilothon": KILOTHON}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A finished match and a finished experiment."""
    folder = tmp_path_factory.mktemp("runs")
    ramify(*MATCH, "--run", folder / "run.db")
    ramify(*REPRODUCE, "--out", folder)
    return folder


@pytest.fixture
def one_family(monkeypatch):
    """The signature has one family of one search."""
    cases = [SearchCase("nim", "uct", (Budget(simulations=10),))]
    monkeypatch.setattr(known, "FAMILIES", {"uct": lambda: cases})


def words_for(option, runs, out):
    """The command that writes there, and the files it writes."""
    return {
        "report": (("report", runs / "run.db", "--out", out), ["report.html", "report.md", "1-tictactoe-scores.png"]),
        "scale": ((*SCALE, "--out", out), ["report.html", "report.md", "1-tictactoe-scale.png"]),
        "tune": ((*TUNE, "--out", out), ["tune.png"]),
        "reproduce": ((*REPRODUCE, "--out", out), ["boxes-smoke.md", "boxes-smoke.db"]),
        "page": (("reproduce", "--scale", "smoke", "--out", runs, "--page", out / "page.md"), ["page.md"]),
        "record": (("bench", "--no-speed", "--record", out / "record.json"), ["record.json"]),
        "salvage": (("report", runs / "run.db", "--salvage", out / "new.db"), ["new.db"]),
    }[option]


OPTIONS = ("report", "scale", "tune", "reproduce", "page", "record", "salvage")


@pytest.mark.usefixtures("one_family")
@pytest.mark.parametrize("option", OPTIONS)
def test_files_of_the_user_are_not_replaced(runs, tmp_path, option):
    words, names = words_for(option, runs, tmp_path)
    for name in names:
        (tmp_path / name).write_text("# Report on my thesis\n")
        before = snapshot(tmp_path)
        with pytest.raises(RamifyError, match=rf"{name} (exists, and nothing in it says|already exists|is not a run)"):
            ramify(*words)
        now = snapshot(tmp_path)
        assert {one: now[one] for one in before} == before
        assert not [one for one in now if "ramify" in one]
        (tmp_path / name).unlink()


@pytest.mark.usefixtures("one_family")
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("target", ["pipe", "nothing"])
def test_special_files_are_refused(runs, tmp_path, option, target):
    words, (name, *_) = words_for(option, runs, tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / name).symlink_to(tmp_path / target)
    before = snapshot(tmp_path)
    with pytest.raises(RamifyError, match=rf"{name} (is a named pipe|is a symbolic link to .*|already exists)"):
        ramify(*words)
    assert snapshot(tmp_path) == before


@pytest.mark.usefixtures("one_family")
@pytest.mark.parametrize("option", ["tune", "record"])
def test_files_of_ours_are_replaced_also_through_a_link(runs, tmp_path, option):
    words, (name, *_) = words_for(option, runs, tmp_path)
    ramify(*words)
    first = (tmp_path / name).read_bytes()
    (tmp_path / name).chmod(0o600)
    (tmp_path / name).rename(tmp_path / "elsewhere")
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    ramify(*words)
    assert (tmp_path / name).is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == first
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o600
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", RUNS)
def test_runs_of_all_commands_are_regular_files(tmp_path, name):
    os.mkfifo(tmp_path / "run.db")
    before = snapshot(tmp_path)
    with pytest.raises(RamifyError, match=r"run\.db is a named pipe: name a regular file or a new one"):
        ramify(*RUNS[name], "--run", tmp_path / "run.db")
    assert snapshot(tmp_path) == before
