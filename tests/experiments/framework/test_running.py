"""Chunks, stores, workers, interrupts: the same rows come out whatever happens on the way."""

import json
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

import ramify
from ramify.errors import RamifyError
from ramify.experiments.framework.experiment import Experiment, Point
from ramify.experiments.framework.plan import ExperimentPlan
from ramify.experiments.framework.registry import experiment
from ramify.experiments.framework.work import CHUNK_TABLE, TIMING, add_sums
from ramify.runs.store import Reader
from tests import processes

COINS = str(Path(__file__).parent / "coins.py")


def rows(path):
    """What is stored, timings apart."""
    keep = [k for k, name in enumerate(CHUNK_TABLE.columns) if name not in TIMING]
    with Reader(path, CHUNK_TABLE) as reader:
        return [tuple(record[k] for k in keep) for record in reader.records()]


def test_chunks_cover_all_trials_once():
    plan = ExperimentPlan.from_experiment(experiment(COINS), "smoke", 5)
    chunks = list(plan.chunks())
    assert [(c.number, c.point, c.first, c.trials) for c in chunks] == [
        (1, "fair", 0, 3),
        (2, "bent", 0, 4),
        (3, "fair", 3, 3),
        (4, "bent", 4, 4),
        (5, "fair", 6, 3),
        (6, "bent", 8, 2),
        (7, "fair", 9, 1),
    ]
    assert plan.total == 7
    assert len({c.seed for c in chunks}) == 1  # one stream


def test_the_size_of_chunks_does_not_matter():
    coins = experiment(COINS)
    work = coins.points_of("smoke")[0].work
    assert work.run(7, 0, 10) == add_sums([work.run(7, 0, 4), work.run(7, 4, 6)])
    assert work.run(7, 0, 10) != work.run(8, 0, 10)


def test_sums():
    assert add_sums([{"a": 1, "b": [1, 2]}, {"b": [3, 4], "c": {"d": 5}}]) == {"a": 1, "b": [4, 6], "c": {"d": 5}}


@pytest.mark.alone
@pytest.mark.parametrize("workers", [0, 2])
def test_any_number_of_workers_gives_the_same(workers, tmp_path):
    result = ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=workers)
    assert result.complete
    assert result.results["fair"].trials == 10
    assert result.results["fair"].total("thrown") == {str(k): 1 for k in range(10)}
    alone = ramify.reproduce(COINS, scale="smoke", workers=0)
    assert alone.run is None
    assert {key: one.chunks for key, one in alone.results.items()} == {
        key: one.chunks for key, one in result.results.items()
    }
    assert rows(tmp_path / "coins-smoke.db")[0][5] == json.dumps(alone.results["fair"].chunks[0])


def test_the_same_call_does_nothing_again(tmp_path):
    ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0)
    calls = []
    again = ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0, progress=calls.append)
    assert again.complete
    assert calls == []


def start(folder, *more, seconds="0.05"):
    """The command in a process of its own, which takes a while."""
    return processes.running(
        *("-m", "ramify", "reproduce", COINS, "--out", str(folder), "--scale", "quick", *more),
        env=processes.environment(COIN_SECONDS=seconds),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_rows(path):
    """Until some chunks are stored."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        time.sleep(0.05)
        if path.exists():
            try:
                found = rows(path)
            except (RamifyError, sqlite3.Error):
                continue
            if len(found) >= 3:
                return found
    raise AssertionError("nothing was stored")


@pytest.mark.alone
def test_killed_and_resumed_is_the_same_as_undisturbed(tmp_path):
    ramify.reproduce(COINS, scale="quick", out=tmp_path / "quiet", workers=0)
    run = tmp_path / "killed" / "coins-quick.db"
    with start(run.parent, "--workers", "2") as process:
        before = wait_for_rows(run)
        process.kill()
    after = rows(run)
    assert set(before) <= set(after)
    assert len(after) < 59  # it did not get to the end
    calls = []
    ramify.reproduce(COINS, scale="quick", out=run.parent, workers=2, progress=calls.append)
    assert rows(run) == rows(tmp_path / "quiet" / "coins-quick.db")
    assert calls[-1].played == 59 - len(after)


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupt_says_how_to_go_on(tmp_path):
    with start(tmp_path, "--workers", "1", "--json", seconds="0.3") as process:
        wait_for_rows(tmp_path / "coins-quick.db")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "parts are missing; resume with `ramify reproduce" in err
    told = json.loads(out)
    assert not told["complete"]
    assert 0 < told["trials"]["fair"] < 100
    assert [claim["claim"] for claim in told["claims"]] == ["bent coins fall on heads"]


def test_another_run_in_the_same_file_is_refused(tmp_path):
    ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0)
    with pytest.raises(RamifyError, match="holds another run: its seed is 1, not 2; use another folder"):
        ramify.reproduce(COINS, scale="smoke", out=tmp_path, seed=2, workers=0)
    (tmp_path / "coins-smoke.db").rename(tmp_path / "coins-quick.db")
    with pytest.raises(RamifyError, match="its scale is smoke, not quick"):
        ramify.reproduce(COINS, out=tmp_path, workers=0)


def test_an_edited_experiment_goes_on_where_no_program_changed(tmp_path):
    file = tmp_path / "mine.py"
    text = Path(COINS).read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    ramify.reproduce(str(file), scale="smoke", out=tmp_path, workers=0)
    file.write_text("# mine\n" + text, encoding="utf-8")
    with pytest.raises(RamifyError, match=r"mine\.py was edited since .* was started, but only in comments"):
        ramify.reproduce(str(file), scale="smoke", out=tmp_path, workers=0)
    ramify.reproduce(str(file), scale="smoke", out=tmp_path, workers=0, accept_change=True)
    ramify.reproduce(str(file), scale="smoke", out=tmp_path, workers=0)
    file.write_text(text + "MORE = 1\n", encoding="utf-8")
    with pytest.raises(RamifyError, match="not only in comments, which is all that --accept-edits allows"):
        ramify.reproduce(str(file), scale="smoke", out=tmp_path, workers=0, accept_change=True)


def test_files_of_matches_and_experiments_are_told_apart(tmp_path):
    ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0)
    with pytest.raises(RamifyError, match="holds chunks, not the games of ramify match or tournament"):
        ramify.match("tictactoe", "uct", "uct", games=2, simulations=2, run=tmp_path / "coins-smoke.db", workers=0)
    (tmp_path / "coins-smoke.db").unlink()
    ramify.match("tictactoe", "uct", "uct", games=2, simulations=2, run=tmp_path / "coins-smoke.db", workers=0)
    with pytest.raises(RamifyError, match="holds games, not the chunks of ramify reproduce"):
        ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0)


@pytest.mark.alone
@pytest.mark.parametrize("workers", [0, 1])
def test_a_trial_that_fails_becomes_a_sentence(workers, tmp_path):
    text = (
        Path(COINS)
        .read_text(encoding="utf-8")
        .replace(
            "        throws = [",
            "        if first:\n            raise IndexError('the coin rolled away')\n        throws = [",
        )
    )
    file = tmp_path / "rolling.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RamifyError, match="raised IndexError: the coin rolled away"):
        ramify.reproduce(str(file), scale="smoke", workers=workers)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("EXPERIMENT = ", "OTHER = "), "define EXPERIMENT"),
        (('"paper": Scale', '"huge": Scale'), "needs the scales smoke, quick, paper, not smoke, quick, huge"),
        (('Point("bent"', 'Point("fair"'), "needs at least one point, and keys must be unique"),
        (("trials=throws, chunk=3", "trials=0, chunk=3"), "point 'fair' of 'coins' needs at least 1 trial"),
    ],
)
def test_experiments_that_are_none_are_refused(change, sentence, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(Path(COINS).read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with pytest.raises(RamifyError, match=sentence):
        ramify.reproduce(str(file), scale="smoke", workers=0)


def test_several_experiments_in_a_file(tmp_path):
    file = tmp_path / "several.py"
    more = "\nfrom dataclasses import replace\nEXPERIMENTS = [EXPERIMENT, replace(EXPERIMENT, id='other')]\n"
    file.write_text(Path(COINS).read_text(encoding="utf-8") + more, encoding="utf-8")
    assert isinstance(experiment(f"{file}:other"), Experiment)
    assert experiment(f"{file}:other").id == "other"
    with pytest.raises(RamifyError, match="has several experiments: use "):
        experiment(str(file))
    with pytest.raises(RamifyError, match=r"unknown experiment 'otter' in .*: did you mean 'other'"):
        experiment(f"{file}:otter")


def test_mistakes_get_a_sentence(tmp_path):
    with pytest.raises(RamifyError, match="unknown experiment 'boxen': did you mean 'boxes'"):
        ramify.reproduce("boxen")
    with pytest.raises(RamifyError, match="unknown scale 'quik': did you mean 'quick'"):
        ramify.reproduce("boxes", scale="quik")
    with pytest.raises(RamifyError, match="invalid seed 'x': use a whole number"):
        ramify.reproduce("boxes", seed="x")
    (tmp_path / "file").touch()
    with pytest.raises(RamifyError, match="is a file: choose a folder"):
        ramify.reproduce(COINS, scale="smoke", out=tmp_path / "file")


def test_points_are_data():
    work = experiment(COINS).points_of("smoke")[0].work
    assert Point("a", work, 3) == Point("a", work, 3)
    assert repr(work) == "Coin(chance=0.5)"
