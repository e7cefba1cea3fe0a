"""Kill a match and its workers with SIGKILL at random moments, resume it each time, and compare with a quiet run.

    python benchmarks/kill_resume.py --games 400 --kills 10

``tests/runs/test_kill.py`` runs a small version.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ramify.arena.matches.rows import COLUMNS, GAME_TABLE, TIMING
from ramify.errors import RamifyError
from ramify.runs.store import Reader

AGENTS = ("connect4", "uct(c=0.7)", "mcts(select=ucb1(c=1.4), reuse=true)")
KEPT = [k for k, name in enumerate(COLUMNS) if name not in TIMING]
PATIENCE = 120.0  # seconds; only a hang takes this long


def start(path, games, simulations, workers):
    program = (
        f"import ramify; ramify.match(*{AGENTS!r}, games={games}, simulations={simulations}, "
        f"seed=7, run={str(path)!r}, workers={workers})"
    )
    return subprocess.Popen([sys.executable, "-c", program], start_new_session=True)


def stored(path):
    """Records so far, without the timing columns."""
    try:
        with Reader(path, GAME_TABLE) as reader:
            return sorted(tuple(record[k] for k in KEPT) for record in reader.records())
    except RamifyError:
        return []  # not created yet


def children(pid):
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def alive(pid):
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_gone(pids):
    return not any(alive(pid) for pid in pids)


def wait_until(condition):
    patience = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > patience:
            raise TimeoutError
        time.sleep(0.005)


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def wait_for_games(path, games, driver):
    wait_until(lambda: len(stored(path)) >= games or driver.poll() is not None)


def disturbed(path, games, kills, simulations, workers, seed, say=print):
    """Play with kills: the driver, or a worker and later the driver, in turn; every third kill soon after the start."""
    chance = random.Random(seed)
    for count in range(kills):
        driver = start(path, games, simulations, workers)
        try:
            if count % 3 == 0:
                delay = chance.uniform(0, 2.0)
                time.sleep(delay)
                moment = f"{delay:.2f} s after its start"
            else:
                already = len(stored(path))
                wait_for_games(
                    path, already + chance.randrange(1, 2 + (games - already) // (kills - count + 1)), driver
                )
                moment = f"with {len(stored(path))} games stored"
            victims = children(driver.pid)
            if count % 2 and victims:
                kill(chance.choice(victims))
                wait_for_games(path, min(games, len(stored(path)) + chance.randrange(8)), driver)
                moment += ", after a worker"
            victims = children(driver.pid)
        finally:
            kill(driver.pid)
            driver.wait()
        wait_until(functools.partial(all_gone, victims))
        say(f"kill {count + 1}: driver killed {moment}; {len(stored(path))} games stored, all workers gone")
    driver = start(path, games, simulations, workers)
    wait_for_games(path, 1, driver)
    for pid in children(driver.pid)[:1]:  # finally a worker, without the driver
        kill(pid)
    if driver.wait() != 0:
        raise SystemExit(f"the last session ended with {driver.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        quiet, killed = Path(folder) / "quiet.db", Path(folder) / "killed.db"
        if start(quiet, options.games, options.simulations, options.workers).wait() != 0:
            raise SystemExit("the quiet run failed")
        disturbed(killed, options.games, options.kills, options.simulations, options.workers, options.seed)
        same = stored(killed) == stored(quiet)
        verdict = "equal" if same else "DIFFERENT"
        print(f"{len(stored(quiet))} rows undisturbed, {len(stored(killed))} rows killed: {verdict}")
        sys.exit(not same)


if __name__ == "__main__":
    main()
