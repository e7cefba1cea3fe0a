"""Other programs end when we do, however that happens."""

import os
import signal
import subprocess
import time

import psutil
import pytest

from ramify.arena.matches.rows import GAME_TABLE, GameRow
from ramify.runs.store import Reader
from tests import processes
from tests.players.programs import bad, external

pytestmark = [pytest.mark.alone, pytest.mark.usefixtures("ctrl_c")]
PATIENCE = 60.0


def match(folder, workers):
    agent = bad(folder, "has a child")
    words = ("match", "connect4", agent, "uct(simulations=5)", "--games", "4", "--seconds", "500", "--seed", "1")
    return ("-m", "ramify", *words, "--workers", str(workers), "--run", str(folder / "run.db"))


def everybody(number):
    """The processes below one, once the bad program's child is among them."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = psutil.Process(number).children(recursive=True)
        if sum("time.sleep(1000)" in " ".join(one.cmdline()) for one in found) >= 1:
            return found
        time.sleep(0.05)
    raise AssertionError("the program was not started")


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_programs_end_with_the_match(tmp_path, workers, number):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running(*match(tmp_path, workers), **pipes) as process:
        below = everybody(process.pid)
        os.kill(process.pid, number)
        process.communicate(timeout=PATIENCE)
        _, left = psutil.wait_procs(below, timeout=PATIENCE)
    assert not left
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)


def test_a_program_whose_minder_is_killed_loses_its_game_and_is_ended(tmp_path):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running(*match(tmp_path, 0), **pipes) as process:
        below = everybody(process.pid)
        minder = next(one for one in below if "watchdog.py" in " ".join(one.cmdline()))
        minder.kill()
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        _, left = psutil.wait_procs(below, timeout=PATIENCE)
    assert not left


STUCK = 3
STUCK_PLAYER = f"""
import os, pathlib, random, sys, time

def stick():
    \"\"\"The first programs that are asked for a move say who they are, and never answer.\"\"\"
    for number in range({STUCK}):
        try:
            with open(pathlib.Path(__file__).with_name(f"stuck-{{number}}"), "x") as file:
                file.write(f"{{os.getpid()}}\\n")
        except FileExistsError:
            continue
        time.sleep(1000)

for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("hello 1", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        stick()
        print("move", random.choice(moves), flush=True)
    elif word == "quit":
        break
"""


def stuck_programs(folder):
    """The numbers of the processes that have said so."""
    texts = [path.read_text() for path in folder.glob("stuck-*")]
    return {int(text) for text in texts if text.endswith("\n")}


def test_killing_programs_does_not_stop_a_match(tmp_path):
    """Whoever kills them: their games are lost, and all games are played."""
    path = tmp_path / "stuck_player.py"
    path.write_text(STUCK_PLAYER)
    words = ("match", "connect4", external(path), "uct(simulations=5)", "--games", "8", "--seconds", "500")
    options = ("--seed", "1", "--workers", "2", "--run", str(tmp_path / "run.db"))
    killed = set()
    pipes = {"stdout": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-m", "ramify", *words, *options, **pipes) as match:
        while match.poll() is None:
            for number in stuck_programs(tmp_path) - killed:
                os.kill(number, signal.SIGKILL)
                killed.add(number)
            time.sleep(0.05)
        out = match.stdout.read()
    assert match.returncode == 0
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        rows = [GameRow.from_record(record) for record in reader.records()]
    assert len(rows) == 8
    assert [fault for row in rows for fault in row.faults if fault] == ["was killed by SIGKILL"] * STUCK
    assert len(killed) == STUCK
    assert f"{STUCK} x external(" in out
