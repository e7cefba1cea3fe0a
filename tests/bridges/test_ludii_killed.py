"""Java that is killed, hangs or fails takes neither a match nor a contest down."""

import json
import os
import resource
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ramify.arena.kilothon.contest_game import play
from ramify.arena.kilothon.kilothon_plan import KilothonJob, plan_kilothon
from ramify.arena.kilothon.rows import FAILED, KilothonRow, KilothonSpec
from ramify.bridges.ludii.jvm import start_jvm
from ramify.bridges.ludii.rules import LudiiRules
from ramify.players.endings import FINISHED
from ramify.runs.driver import RowCollector
from ramify.runs.pools import local
from tests import processes
from tests.bridges.with_ludii import needs_jar

pytestmark = [needs_jar, pytest.mark.alone]
MATCH = ("match", "ludii:Tic-Tac-Toe", "uct", "uct(c=0.2)", "--games", "40", "--simulations", "200", "--seed", "1")
CONTEST = (
    *("kilothon", "--agent", "uct", "--agent", "mcts", "--sources", "ludii", "--game", "ludii:Tic-Tac-Toe"),
    *("--game", "ludii:Tic-Tac-Four", "--both-seats", "--game-seconds", "3", "--seed", "1"),
)
PATIENCE = 300  # seconds


def with_java(process):
    """The workers of a command that have started Java."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        maps = Path(f"/proc/{child.pid}/maps")
        if maps.exists() and "libjvm" in maps.read_text(encoding="utf-8"):
            found.append(child.pid)
    return found


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only /proc tells which process has Java")
@pytest.mark.parametrize(
    ("command", "played"), [(MATCH, ("games", 40)), (CONTEST, ("played", 8))], ids=["match", "contest"]
)
def test_a_run_survives_the_death_of_java(tmp_path, command, played):
    words = ("-m", "ramify", *command, "--workers", "2", "--run", str(tmp_path / "run.db"), "--json")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running(*words, **pipes) as process:
        end = time.monotonic() + PATIENCE
        killed = []
        while not killed and process.poll() is None and time.monotonic() < end:
            killed = with_java(process)[:1]
            time.sleep(0.05)
        assert killed, "no worker started Java in time"
        os.kill(killed[0], signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    data = json.loads(out)
    assert played in data.items()
    assert data.get("troubles", []) == []  # the game was played again


CRASH = """
from ramify.bridges.ludii.jvm import start_jvm

java = start_jvm()
field = java.JClass("java.lang.Class").forName("sun.misc.Unsafe").getDeclaredField("theUnsafe")
field.setAccessible(True)
field.get(None).putLong(java.JLong(0), java.JLong(1))
"""


def test_what_a_crash_leaves_is_not_in_the_current_folder(tmp_path):
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    limits = (resource.RLIMIT_CORE, (0, 0))
    options = {"cwd": here, "env": processes.environment(TMPDIR=str(temporary)), "stdout": subprocess.PIPE}
    with processes.running("-c", CRASH, **options, preexec_fn=lambda: resource.setrlimit(*limits)) as process:
        process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGABRT
    assert list(here.iterdir()) == []
    assert [path.name for path in temporary.glob("*crash*")] == [f"ramify_java_crash_{process.pid}.log"]


class HangingInJava(KilothonJob):
    """Java sleeps, and would not wake for an hour."""

    def longest(self):
        return 4.0

    def record(self):
        start_jvm().JClass("java.lang.Thread").sleep(3_600_000)


class EndingJava(KilothonJob):
    """Java ends the process that it is in."""

    def record(self):
        start_jvm().JClass("java.lang.Runtime").getRuntime().halt(7)


def rows_of(jobs):
    """Of a contest with one worker."""
    collector = RowCollector(KilothonRow.from_record)
    pool = local.LocalPool(1)
    try:
        pool.submit(jobs)
        while collector.done < len(jobs):
            collector.add(pool.collect(0.5))
    finally:
        pool.close()
    return [row for _, row in sorted((row.number, row) for row in collector.rows)]


def test_a_contest_survives_what_java_does(monkeypatch):
    monkeypatch.setattr(local, "MAX_DEATHS", 2)
    jobs = list(
        plan_kilothon(["uct", "mcts"], sources=["ludii"], games=["ludii:Tic-Tac-Four", "ludii:Tic-Tac-Toe"]).jobs()
    )
    specs = [replace(job.spec, minute=0.5) for job in jobs]
    hung, ended, *played = rows_of([HangingInJava(specs[0]), EndingJava(specs[1]), *map(KilothonJob, specs[2:])])
    assert (hung.ended, hung.faults) == (
        FAILED,
        ("it hung: it had not ended after 4 s, so its worker was killed",),
    )
    assert (ended.ended, ended.faults) == (FAILED, ("2 workers died of it (exit code 7)",))
    assert [row.ended for row in played] == [FINISHED, FINISHED]


def test_a_game_that_fails_in_java_costs_nobody_anything(monkeypatch):
    simulate, calls = LudiiRules._simulate, []

    def failing(self, state, random, limit, *, traced):
        calls.append(state)
        if len(calls) == 20:
            state.node.handle = 10**6  # invalid handle: Java throws
            state.node.original = state.node  # no handle to release
        return simulate(self, state, random, limit, traced=traced)

    monkeypatch.setattr(LudiiRules, "_simulate", failing)
    row = play(KilothonSpec(1, "ludii:Tic-Tac-Toe", "space", "uct", "kilothon_uct", 0, 60.0, 1))
    assert (row.ended, row.counts) == (FAILED, False)
    assert row.faults[0].startswith("Ludii fails in Tic-Tac-Toe: java.lang.ArrayIndexOutOfBoundsException")
