"""Measure what a match costs besides its searches.

    python benchmarks/arena.py speedup   two workers against one, and the driver's share of the time
    python benchmarks/arena.py many      10 000 short games: does it slow down?

Other programs on the machine disturb the figures, so one and two workers take turns, and two more figures are printed
that such programs change less: the share of the time that workers waited for games, and the CPU time of the workers
per game. On a free machine two workers are 2 * (1 - waiting) * (CPU time alone / CPU time together) times as fast.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import ramify
from ramify.runs.pools.local import LocalPool


class Measured(NamedTuple):
    rate: float  # games per second since the first came back
    idle: float  # share of the workers' time between two chunks
    cpu: float  # seconds of the workers for a game, their start included
    driver: float  # CPU time of the driver as a share of the wall time
    result: ramify.MatchResult


def timed_match(game, simulations, games, workers, run):
    pool = None
    marks = {}

    def make_pool(_):
        nonlocal pool
        pool = LocalPool(workers)
        return pool

    def watch(driver):
        if driver.played and "first" not in marks:
            marks.update(first=driver.played, wall=perf_counter(), cpu=process_time())
        marks.update(end=perf_counter(), cpu_end=process_time())

    before = children_cpu()
    result = ramify.match(
        game,
        "uct(c=0.7)",
        "uct(c=1.0)",
        games=games,
        simulations=simulations,
        seed=1,
        workers=make_pool,
        run=run,
        progress=watch,
    )
    wall = marks["end"] - marks["wall"]
    return Measured(
        rate=(len(result.rows) - marks["first"]) / wall,
        idle=pool.idle / (pool.busy + pool.idle),
        cpu=(children_cpu() - before) / len(result.rows),
        driver=(marks["cpu_end"] - marks["cpu"]) / wall,
        result=result,
    )


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def speedup(options):
    seen = {1: [], 2: []}
    for turn in range(options.turns):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                one = timed_match("breakthrough", 1000, options.games * workers, workers, Path(folder) / "run.db")
            seen[workers].append(one)
            print(
                f"turn {turn + 1}, {workers} workers: {one.rate:.2f} games/s, waiting {one.idle:.2%}, "
                f"{one.cpu:.4f} s CPU per game, driver {one.driver:.2%} of the wall time",
                flush=True,
            )

    def median(workers, figure):
        return statistics.median(getattr(one, figure) for one in seen[workers])

    print(f"games/s: {median(2, 'rate') / median(1, 'rate'):.2f} times with two workers (medians)")
    busy = (1 - median(2, "idle")) / (1 - median(1, "idle"))
    print(f"from waiting and CPU time: {2 * busy * median(1, 'cpu') / median(2, 'cpu'):.2f} times")


def many(options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        one = timed_match("tictactoe", 50, options.games, 2, path)
        result = one.result
        size = path.stat().st_size
        began = perf_counter()
        text = str(result)
        print(f"{one.rate:.0f} games/s in all, waiting {one.idle:.2%}, driver {one.driver:.2%} of the wall time")
        print(f"{size / 1e6:.1f} MB in the file")
        print(f"report from memory in {perf_counter() - began:.3f} s")
        began = perf_counter()
        again = ramify.match(
            "tictactoe", "uct(c=0.7)", "uct(c=1.0)", games=options.games, simulations=50, seed=1, run=path
        )
        print(f"report from the file in {perf_counter() - began:.2f} s, equal: {str(again) == text}")
    ends = sorted(row.finished for row in result.rows)
    for name, part in (("first", ends[:1000]), ("last", ends[-1000:])):
        print(f"{name} thousand: {(len(part) - 1) / (part[-1] - part[0]):.0f} games/s")
    print(f"peak memory of the driver {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speedup", "many"))
    parser.add_argument("--games", type=int)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    options.games = options.games or {"speedup": 20, "many": 10_000}[options.what]
    {"speedup": speedup, "many": many}[options.what](options)


if __name__ == "__main__":
    main()
